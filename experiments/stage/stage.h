/* A stage is the unit of work that is done once: prepare a corpus, train a model, score it.
 *
 * Its id is the SHA-256 of a canonical text: kind, version and part, the options that change its
 * numbers, the seed, the ids of the stages that it reads, the digests of its input files. Its
 * folder is RUNS/stages/KIND-<first 12 digits of the id>:
 *
 *   stage.json     what it is (results/store/collect.h has the keys)
 *   options.yaml   the merged options of the point that first asked for it
 *   done.json      written last, atomically: finished (or diverged), and what is in metrics.jsonl
 *                  are its results
 *   lock           held by the process that works on it (core/base/lease.h)
 *   metrics.jsonl, events.jsonl, environment.json, log.txt and what its kind writes
 */
#pragma once

#include <jansson.h>

#include "core/base/digest.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/kind.h"

/* Where an estimate of time comes from (experiments/plan/estimate_rate.c). */
enum estimate_source {
    ESTIMATE_GUESS, /* the kind's own */
    ESTIMATE_SAME,
    ESTIMATE_CALIBRATED,
    ESTIMATE_NEAREST,
    ESTIMATE_SGEMM,
    ESTIMATE_SOURCES
};

/* What a stage would cost. Zero means none, or unknown. A kind fills the numbers up to work, and
 * in seconds a guess when it counts no products; then work is what other runs are scaled by. */
struct estimate {
    int64_t body;       /* parameters without embedding and softmax tables, to the unit */
    int64_t parameters; /* with them; to the unit unless bounded */
    bool bounded;       /* tables are an upper bound: the vocabulary does not exist yet */
    int row;            /* parameters of a row of the tables, when the text is not there either and
                           their number of rows is a guess; else 0 */
    int64_t steps;
    double memory, disk; /* bytes at the peak, and left at the end */
    double device;       /* bytes at the peak of a device that has memory of its own, else 0 */
    double flops;        /* of matrix products */
    double work;         /* these and what takes the time of so many; 0: these alone */
    double seconds;      /* with one thread: of what is left to do */
    double low, high;    /* its range */
    enum estimate_source source;
    const char *from; /* the run that it comes from, or NULL */
};

/* What its time is proportional to: operations, or the guess itself. */
static inline double estimate_work(const struct estimate *estimate)
{
    return estimate->work > 0    ? estimate->work
           : estimate->flops > 0 ? estimate->flops
                                 : estimate->seconds;
}

/* A file outside RUNS that a stage reads. */
struct input_file {
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

/* A file outside RUNS that a stage reads and that is not there. */
struct absent_file {
    const char *path;   /* as the options have it */
    const char *of;     /* the options that name it, for messages: "corpus NAME"; "": one option */
    const char *origin; /* where a user gets it; "": unknown */
};

struct stage {
    const struct stage_kind *kind;
    const struct settings *settings;
    const struct tree *options; /* what settings were read from */
    const char *part;           /* of a kind with parts: which of them; else NULL */
    int version;                /* of its kind: the recorded one of a loaded stage, else today's */
    uint32_t seed;
    int inputs;
    struct stage **input; /* [inputs] in the order of the kind's inputs; of one with parts, all */
    int rows; /* of a kind about the whole grid; else 0, and the options are a point's */
    struct stage_row *row;
    int files;
    struct input_file *file; /* [files] text that it reads from outside RUNS */
    const char *missing;     /* which of them are not there, and what to do; NULL: all are there */
    int absents;
    struct absent_file *absent; /* [absents] the same, file by file */

    char id[DIGEST_TEXT];
    const char *canonical;            /* the text behind the id: one of the following */
    const char *text;                 /* by the rules of today; ids of readers are made of it */
    const char *older;                /* by those of older programs; where they agree, `text` */
    const char *title;                /* KIND, or KIND.PART */
    const char *name;                 /* folder's name: "train-0123456789ab" */
    const char *folder;               /* RUNS/stages/name */
    const struct corpus_facts *facts; /* of a corpus stage, once asked for (facts.h), */
    struct model_counts *models;      /* and of models that are trained on it (facts.h) */
    const char *label;                /* who asked first: "GRID/ROW/SEED", "GRID/KIND"; or NULL */
    int askers;
    const char **asker; /* [askers] everybody who asks for it, label first */
};

/* Whether its label is GRID/ROW/SEED. */
static inline bool stage_has_point(const struct stage *stage)
{
    return stage->inputs || stage->settings->alone;
}

/* What stands behind the grid's name in a label, "ROW/SEED"; "": nothing, as where a folder that
 * somebody sent names nobody (NULL). */
const char *stage_point_name(const char *label);
/* The options of its kind's section: a struct of that kind. */
const void *stage_options(const struct stage *stage);
/* Fills the files that it reads, and what is missing of them. */
void stage_find_files(struct stage *stage, struct arena *arena);
/* The input file of that name; NULL: the stage reads none. */
const struct input_file *stage_file(const struct stage *stage, const char *name);
/* The seeded stage that a stage is, or that it reads, through any chain of inputs; NULL: none. */
const struct stage *stage_trained(const struct stage *stage);

/* Fills the texts, id, canonical, name and folder; the inputs have theirs. The id is that of the
 * text of today, unless RUNS has no such stage and has one under an older id: the numbers are the
 * same, so that stage is used, and its folder keeps its name. */
void stage_identify(struct stage *stage, const char *runs, struct arena *arena);
/* The canonical lines that decide what a step costs: the model, how a step is cut, and in which
 * precision it is computed; and their digest for a row. */
void stage_step_text(const struct settings *settings, FILE *out);
void stage_row_digest(const struct stage_row *row, char id[DIGEST_TEXT]);
/* Says that `label` asks for this stage, too. */
void stage_ask(struct stage *stage, const char *label, struct arena *arena);
/* Writes stage.json and options.yaml of a stage that is not finished; to the names in stage.json
 * of any stage it adds those who ask for it now. Its caller holds the lease. */
void stage_write(const struct stage *stage);
/* The canonical text that STAGES/NAME records; NULL: there is none that gives the name. */
const char *stage_recorded_text(struct arena *arena, const char *stages, const char *name);
/* The names in stage.json: everybody who has ever asked; how many. */
int stage_names(const struct stage *stage, const char ***name, struct arena *arena);
/* A stage and its inputs from its folder; dies when the folder's id is not that of its options. */
struct stage *stage_load(struct arena *arena, const char *folder);
/* The same for a folder outside of RUNS, below which no link is followed. An input is looked for
 * beside the folder, then in `stages`, which is RUNS/stages. */
struct stage *stage_load_foreign(struct arena *arena, const char *folder, const char *stages);
/* done.json, to be freed with json_decref, or NULL when the stage is not finished; dies where a
 * newer program wrote it. */
json_t *stage_done(const struct stage *stage);
/* When that file was written (ns); -1: it is not there. */
int64_t stage_done_at(const struct stage *stage);
/* Whether the folder of a finished stage has what its readers open (struct stage_kind, opened). */
bool stage_has_opened(const struct stage *stage);
/* A line that says that an older program made the stage, whose numbers mean something else; NULL:
 * this program makes the same. */
const char *stage_old_version(const struct stage *stage, struct arena *arena);
/* What it was made of is no longer here, or no longer the same, or its version is old: a line that
 * says what; NULL: all of it is. */
const char *stage_lacks(const struct stage *stage, struct arena *arena);
/* What its first lines say: how the stage ended, and by which code. */
struct stage_end {
    bool finished, diverged;
    const char *code, *commit;          /* NULL: not recorded */
    const char *backend, *backend_code; /* of a kind that computes; NULL: not recorded */
};
struct stage_end stage_end(const struct stage *stage, struct arena *arena);
/* The commit of its last attempt, as its environment says it; NULL: not recorded. */
const char *stage_commit(const struct stage *stage, struct arena *arena);
