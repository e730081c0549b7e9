/* A stage is the unit of work that is done once: prepare a corpus, train a model, score it.
 *
 * Its id is the SHA-256 of a canonical text: kind, version and part, the options that change its
 * numbers, the seed, the ids of the stages that it reads, the digests of its input files. Its
 * folder is RUNS/stages/KIND-<first 12 digits of the id>:
 *
 *   stage.json     what it is (results/collect.h has the keys)
 *   options.yaml   the merged options of the point that first asked for it
 *   done.json      written last, atomically: finished (or diverged), and these are its results
 *   lock           held by the process that works on it (core/base/lease.h)
 *   metrics.jsonl, events.jsonl, environment.json, log.txt and what its kind writes
 *
 * A kind of stage is one file, kind_NAME.c: what it says here is all that the rest knows of it. */
#ifndef EXPERIMENTS_PLAN_STAGE_H
#define EXPERIMENTS_PLAN_STAGE_H

#include <jansson.h>

#include "core/base/digest.h"
#include "experiments/plan/grid.h"

enum { STAGE_IGNORES = 3 };

struct grid;

/* Where an estimate of time comes from (estimate_rate.h). */
enum estimate_source {
    ESTIMATE_GUESS, /* the kind's own */
    ESTIMATE_SAME,
    ESTIMATE_CALIBRATED,
    ESTIMATE_NEAREST,
    ESTIMATE_SGEMM,
    ESTIMATE_SOURCES
};

/* What a stage would cost. Zero means none, or unknown. A kind fills the numbers up to flops, and
 * in seconds a guess when it counts no operations. */
struct estimate {
    int64_t body;       /* parameters without embedding and softmax tables, to the unit */
    int64_t parameters; /* with them; to the unit unless bounded */
    bool bounded;       /* tables are an upper bound: the vocabulary does not exist yet */
    int row;            /* parameters of a row of the tables, when the text is not there either and
                           their number of rows is a guess; else 0 */
    int64_t steps;
    double memory, disk; /* bytes at the peak, and left at the end */
    double flops;        /* of matrix products */
    double seconds;      /* with one thread: of what is left to do */
    double low, high;    /* its range */
    enum estimate_source source;
    const char *from; /* the run that it comes from, or NULL */
};

/* A file outside RUNS that a stage reads. */
struct stage_file {
    const char *name;   /* "train.source" */
    const char *path;   /* as the options have it */
    const char *digest; /* of its content; NULL: the file is not there */
};

/* A row of the grid, for a stage that is about all of them. */
struct stage_row {
    const struct tree *options;
    const struct settings *settings;
    int input; /* the corpus: index into the stage's inputs */
};

struct stage {
    const struct stage_kind *kind;
    const struct settings *settings;
    const struct tree *options; /* what settings were read from */
    const char *part;           /* of a kind with parts: which of them; else NULL */
    uint32_t seed;
    int inputs;
    struct stage **input; /* [inputs] in the order of the kind's inputs; of one with parts, all */
    int rows; /* of a kind about the whole grid; else 0, and the options are a point's */
    struct stage_row *row;
    int files;
    struct stage_file *file; /* [files] text that it reads from outside RUNS */
    const char *missing;     /* which of them are not there, and what to do; NULL: all are there */

    char id[DIGEST_TEXT];
    const char *canonical;            /* the text behind the id */
    const char *title;                /* KIND, or KIND.PART */
    const char *name;                 /* folder's name: "train-0123456789ab" */
    const char *folder;               /* RUNS/stages/name */
    const struct corpus_facts *facts; /* of a corpus stage, once asked for (facts.h) */
    const char *label;                /* who asked first: "GRID/ROW/SEED", or "GRID/KIND" */
    int askers;
    const char **asker; /* [askers] everybody who asks for it, label first */
};

struct work; /* work.h */

/* How a kind's function ends; it has written the event of the last two to the journal. */
enum work_end {
    WORK_DONE,
    WORK_INTERRUPTED, /* saved; start again to go on */
    WORK_DIVERGED     /* a result: not finite */
};

/* What gc may take from a finished stage: nothing needs it any more. */
struct stage_spare {
    const char *reason;                   /* "its training is over"; NULL: there is nothing */
    int64_t (*bytes)(const char *folder); /* that it would give back */
    void (*remove)(const char *folder);
};

struct stage_kind {
    const char *name; /* letters from a to z */
    const char *help; /* one line */
    int version;      /* raised when the same options come to mean other numbers */
    const char *code; /* digest of the sources that its numbers come from (scripts/code_digest) */
    /* Who wants it: a point whose grid is of its task; else one that has its section; else only a
     * kind that reads it. */
    const char *task;                    /* "translation"; or NULL */
    const struct evaluation *evaluation; /* its section of options; or NULL */
    unsigned settings; /* what else its numbers depend on: bits of enum settings_bit */
    bool seeded;   /* whether they depend on the seed */
    int rank;      /* its place among kinds in what is shown; those that it reads stand before it */
    bool computes; /* with the ops of a device: done.json says which, and by which code */
    bool single;   /* its work has one thread, whatever there is */
    bool resumes;  /* continues where it was; others start over, with an empty metrics.jsonl */
    bool alone;    /* measures time: nothing else runs beside it, and it has all threads */
    /* About all rows of a grid together: its inputs are the stages of the first kind in `inputs`
     * that the rows have, each once, and its options are
     * {.., rows: [{input: 0, options: {..}}, ..]}.
     * It is wanted where any point has its section, or a table, figure or claim a column of it. */
    bool whole;
    /* Kinds that it reads, of lower ranks; of one with parts, all of them. NULL-terminated; NULL:
     * none. */
    const char *const *inputs;
    /* How lines of its inputs' canonical texts begin that its numbers do not depend on: another
     * test text does not train anew. */
    const char *input_ignores[STAGE_IGNORES + 1];
    /* Whether a point that asks for it has anything for it; NULL: always. */
    bool (*wanted)(const struct settings *settings);
    /* Of a kind about the whole grid: what it adds to its options, and the lines that it adds to
     * its canonical text. */
    void (*add_options)(struct tree *options, struct arena *arena);
    void (*add_canonical)(const struct stage *stage, FILE *out);
    /* Fills file, files and missing; NULL: it reads only what other stages wrote. */
    void (*find_files)(struct stage *stage, struct arena *arena);
    struct estimate (*estimate)(struct stage *stage, struct arena *arena);
    /* What a stage is computed in. NULL: fp32. */
    enum precision (*precision)(const struct stage *stage);
    enum work_end (*run)(struct work *work);
    /* Dies where a grid asks for what none of its rows has. NULL: there is nothing to check. */
    void (*check_grid)(const struct grid *grid);
    /* Dies where a finished stage is not what it says, beyond its digests and values. NULL: these
     * say all. */
    void (*verify)(const struct stage *stage, struct arena *arena);
    struct stage_spare spare;
};

/* All kinds, in the order of their ranks; NULL-terminated. Each is the file kind_NAME.c, which make
 * finds. */
const struct stage_kind *const *stage_kinds(void);
int stage_kinds_count(void);
const struct stage_kind *stage_kind_find(const char *name); /* or NULL */
/* Whether a kind is seeded, or reads one that is, through any chain of inputs. */
bool stage_kind_is_seeded(const struct stage_kind *kind);
/* The kind in the chain of what a kind reads, itself first, that is of another task; or NULL. */
const struct stage_kind *stage_kind_foreign(const struct stage_kind *kind, const char *task);
/* The seeded stage that a stage is, or that it reads, through any chain of inputs; NULL: none. */
const struct stage *stage_trained(const struct stage *stage);

/* Fills id, canonical, name and folder; the inputs have theirs. */
void stage_identify(struct stage *stage, const char *runs, struct arena *arena);
/* Says that `label` asks for this stage, too. */
void stage_ask(struct stage *stage, const char *label, struct arena *arena);
/* Writes stage.json and options.yaml of a stage that is not finished; to the names in stage.json
 * of any stage it adds those who ask for it now. Its caller holds the lease. */
void stage_write(const struct stage *stage);
/* The names in stage.json: everybody who has ever asked; how many. */
int stage_names(const struct stage *stage, const char ***name, struct arena *arena);
/* A stage and its inputs from its folder; dies when the folder's id is not that of its options. */
struct stage *stage_load(struct arena *arena, const char *folder);
/* done.json, to be freed with json_decref, or NULL when the stage is not finished. */
json_t *stage_done(const struct stage *stage);
/* What its first lines say: how the stage ended, and by which code. */
struct stage_end {
    bool finished, diverged;
    const char *code, *commit;          /* NULL: not recorded */
    const char *backend, *backend_code; /* of a kind that computes; NULL: not recorded */
};
struct stage_end stage_end(const struct stage *stage, struct arena *arena);

#endif
