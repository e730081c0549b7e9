/* A stage is the unit of work that is done once: prepare a corpus, train a model, score it.
 *
 * The id is the SHA-256 of a canonical text. The text has kind, version and part, the options that
 * change numbers, and the seed. It also has the ids of the input stages and the digests of the
 * input files. The folder is RUNS/stages/KIND-<first 12 digits of the id>:
 *
 *   stage.json     description (results/store/collector.h has the keys)
 *   options.yaml   the merged options of the point that first requested the stage
 *   done.json      written last, atomically; the stage is finished (or diverged), and
 *                  metrics.jsonl has its results
 *   lock           held by the process that works on the stage (core/base/lease.h)
 *   metrics.jsonl, events.jsonl, environment.json, log.txt and the files of its kind */
#pragma once

#include <jansson.h>

#include "core/base/digest.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/kind.h"

/* Source of an estimate of time (experiments/plan/estimate_rate.c). */
enum estimate_source {
    ESTIMATE_GUESS, /* by the kind */
    ESTIMATE_SAME,
    ESTIMATE_CALIBRATED,
    ESTIMATE_NEAREST,
    ESTIMATE_SGEMM,
    ESTIMATE_SOURCES
};

/* Estimated cost of a stage. Zero means none, or unknown. The kind fills the numbers up to `work`.
 * If it counts no products, it also fills `seconds` with a guess; then `work` is used to scale
 * times of other runs. */
struct estimate {
    int64_t body;       /* exact parameters without embedding and softmax tables */
    int64_t parameters; /* parameters with tables; exact unless bounded */
    bool bounded;       /* tables are an upper bound: the vocabulary does not exist yet */
    int row;            /* parameters per row of the tables, if the text is missing, too, and the
                         * number of rows is a guess; else 0 */
    int64_t steps;
    double memory, disk; /* peak bytes of memory; bytes of disk at the end */
    double device;       /* peak bytes of a device with its own memory; else 0 */
    double flops;        /* of matrix products */
    double work;         /* flops, and other operations as an equivalent in time; 0: only flops */
    double seconds;      /* remaining time with one thread */
    double low, high;    /* range of `seconds` */
    enum estimate_source source;
    const char *from; /* the run on which it is based, or NULL */
};

/* Returns the quantity to which the time is proportional: operations, or the guess. */
static inline double estimate_work(const struct estimate *estimate)
{
    return estimate->work > 0    ? estimate->work
           : estimate->flops > 0 ? estimate->flops
                                 : estimate->seconds;
}

/* A file outside RUNS that a stage reads. */
struct input_file {
    const char *name;   /* "train.source" */
    const char *path;   /* as in the options */
    const char *digest; /* digest of the content; NULL: the file is missing */
};

/* A row of the grid, for a stage about the whole grid. */
struct stage_row {
    const struct tree *options;
    const struct settings *settings;
    int input; /* the corpus: index into the stage's inputs */
};

/* A missing file outside RUNS that a stage reads. */
struct absent_file {
    const char *path;   /* as in the options */
    const char *of;     /* the options that name it, for messages: "corpus NAME"; "": a single
                         * option */
    const char *origin; /* source of the file for users; "": unknown */
};

struct stage {
    const struct stage_kind *kind;
    const struct settings *settings;
    const struct tree *options; /* source of `settings` */
    const char *part;           /* the part, for a kind with parts; else NULL */
    int version;                /* of the kind; of a loaded stage the recorded one, else today's */
    uint32_t seed;
    int inputs;
    struct stage **input; /* [inputs] in the order of the kind's inputs; of an input kind with
                           * parts, several */
    int rows; /* for a kind about the whole grid; else 0, and the options are a point's */
    struct stage_row *row;
    int files;
    struct input_file *file; /* [files] files outside RUNS that it reads */
    const char *missing;     /* which of them are missing, and what to do; NULL: none */
    int absents;
    struct absent_file *absent;

    char id[DIGEST_TEXT];
    const char *canonical;            /* the text of the id: `text` or `older` */
    const char *text;                 /* by today's rules; ids of stages that read this one depend
                                       * on it */
    const char *older;                /* by the rules of older programs; `text` if they agree */
    const char *title;                /* KIND, or KIND.PART */
    const char *name;                 /* name of the folder: "train-0123456789ab" */
    const char *folder;               /* RUNS/stages/name */
    const struct corpus_facts *facts; /* for a corpus stage, cached (facts.h) */
    struct model_counts *models;      /* of models trained on the corpus, cached (facts.h) */
    const char *label;                /* first requester: "GRID/ROW/SEED" or "GRID/KIND"; or NULL */
    int askers;
    const char **asker; /* [askers] all requesters, the label first */
};

/* True if the label is GRID/ROW/SEED. */
static inline bool stage_has_point(const struct stage *stage)
{
    return stage->inputs || stage->settings->alone;
}

/* Returns "ROW/SEED", the rest of a label after the grid's name; "" if none. The label is NULL for
 * a foreign folder without names. */
const char *stage_point_name(const char *label);
/* Returns the options of the kind's section, a struct of this kind. */
const void *stage_options(const struct stage *stage);
void stage_find_files(struct stage *stage, struct arena *arena);
/* Returns the input file with that name; NULL if none. */
const struct input_file *stage_file(const struct stage *stage, const char *name);
/* Returns the seeded stage: the stage itself, or one that it reads through any chain of inputs;
 * NULL if none. */
const struct stage *stage_trained(const struct stage *stage);

/* Fills the texts, id, canonical, name and folder. The inputs must be identified first. The id is
 * the digest of today's text. There is one exception: RUNS lacks this stage but has it with an
 * older id. Then the older stage is used, because its numbers are the same, and its folder keeps
 * its name. */
void stage_identify(struct stage *stage, const char *runs, struct arena *arena);
/* stage_step_text prints the canonical lines that determine the cost of a step: model, batch and
 * precision. stage_row_digest computes their digest for a row. */
void stage_step_text(const struct settings *settings, FILE *out);
void stage_row_digest(const struct stage_row *row, char id[DIGEST_TEXT]);
/* Adds `label` to the requesters of this stage. */
void stage_ask(struct stage *stage, const char *label, struct arena *arena);
/* Writes stage.json and options.yaml of an unfinished stage. Adds the current requesters to the
 * names in stage.json of any stage. The caller must hold the lease. */
void stage_write(const struct stage *stage);
/* Returns the canonical text that STAGES/NAME records; NULL if none matches the name. */
const char *stage_recorded_text(struct arena *arena, const char *stages, const char *name);
/* Reads the names in stage.json: all requesters so far. Returns their number. */
int stage_names(const struct stage *stage, const char ***name, struct arena *arena);
/* Loads a stage and its inputs from its folder. Dies if the folder's id is not that of its
 * options. */
struct stage *stage_load(struct arena *arena, const char *folder);
/* Loads a stage from a folder outside of RUNS, below which no link is followed. An input is
 * searched next to the folder, then in `stages`, which is RUNS/stages. */
struct stage *stage_load_foreign(struct arena *arena, const char *folder, const char *stages);
/* Returns done.json, which the caller must free with json_decref; NULL if the stage is not
 * finished. Dies if a newer program wrote it. */
json_t *stage_done(const struct stage *stage);
/* Returns the time of done.json (ns); -1 if missing. */
int64_t stage_done_at(const struct stage *stage);
/* True if the folder of a finished stage has the files that its readers open (struct stage_kind,
 * opened). */
bool stage_has_opened(const struct stage *stage);
/* Returns a line if an older program made the stage and its numbers have another meaning; NULL if
 * this program makes the same. */
const char *stage_old_version(const struct stage *stage, struct arena *arena);
/* Returns a line if the inputs of the stage are missing or changed, or if its version is old; NULL
 * otherwise. */
const char *stage_lacks(const struct stage *stage, struct arena *arena);
/* End of a stage according to done.json: the status and the code. */
struct stage_end {
    bool finished, diverged;
    const char *code, *commit;          /* NULL: not recorded */
    const char *backend, *backend_code; /* for a kind that computes; NULL: not recorded */
};
struct stage_end stage_end(const struct stage *stage, struct arena *arena);
/* Returns the commit of the last attempt according to its environment; NULL if not recorded. */
const char *stage_commit(const struct stage *stage, struct arena *arena);
