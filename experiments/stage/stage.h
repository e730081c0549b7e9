/* A stage is the unit of work that is done once: prepare a corpus, train a model, score it.
 *
 * The id is the SHA-256 of a canonical text. The text has the kind, version and part of the stage,
 * the options that change its numbers, and the seed. It also has digests of the texts of the input
 * stages, and the digests of the input files. The folder is RUNS/stages/KIND-<first 12 digits of
 * the id>:
 *
 *   stage.json     description (results/store/collector.h has the keys)
 *   options.yaml   the merged options of the point that first requested the stage
 *   done.json      written last, atomically: the stage is finished or diverged, and
 *                  metrics.jsonl has its results
 *   lock           held by the process that works on the stage (core/base/lease.h)
 *   metrics.jsonl, events.jsonl, environment.json, log.txt and the files of its kind */
#pragma once

#include <jansson.h>

#include "core/base/digest.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/kind.h"

/* Sources from which experiments/plan/estimate_rate.c estimates the time of a stage. */
enum estimate_source {
    ESTIMATE_GUESS, /* a rough formula of the kind */
    ESTIMATE_SAME,
    ESTIMATE_CALIBRATED,
    ESTIMATE_NEAREST,
    ESTIMATE_SGEMM
};

/* Estimated cost of a stage. A member that is 0 is unknown, or the stage needs none of it. The kind
 * fills the members up to `work`. If the kind does not count matrix products, it fills `seconds`
 * with a guess. It may then also fill `work`, by which the times of other runs are scaled. */
struct estimate {
    int64_t body;       /* exact number of parameters, without embedding and softmax tables */
    int64_t parameters; /* number of parameters, with these tables; exact unless `bounded` */
    bool bounded;       /* `parameters` is an upper bound, because the vocabulary does not exist
                         * yet */
    int row;            /* parameters per row of the tables, if the text is missing, so that their
                         * number of rows is a guess; else 0 */
    int64_t steps;
    double memory, disk; /* peak bytes of memory; bytes of disk at the end */
    double device;       /* peak bytes of the device's own memory; 0 if it has none */
    double flops;        /* operations of matrix products */
    double work;         /* `flops` plus the other operations, each counted as the flops that take
                          * the same time; 0: `flops` is used */
    double seconds;      /* remaining time with one thread */
    enum estimate_source source;
};

/* Returns the quantity to which the time is proportional: operations, or the guess in seconds. */
static inline double estimate_work(const struct estimate *estimate)
{
    return estimate->work > 0    ? estimate->work
           : estimate->flops > 0 ? estimate->flops
                                 : estimate->seconds;
}

/* A file outside RUNS that a stage reads. */
struct input_file {
    const char *name;   /* purpose of the file, such as "train.source" */
    const char *path;   /* as in the options */
    const char *digest; /* digest of the content; NULL: the file is missing */
};

/* A row of the grid, for a stage that covers the whole grid. */
struct stage_row {
    const struct tree *options;
    const struct settings *settings;
    int input; /* index of the row's corpus among the stage's inputs */
};

/* A missing file outside RUNS that a stage reads. */
struct absent_file {
    const char *path;   /* as in the options */
    const char *of;     /* group of files, for messages: "corpus NAME"; "": it is listed by its
                         * path */
    const char *origin; /* a hint for the user how to get the file; "": none */
};

struct stage {
    const struct stage_kind *kind;
    const struct settings *settings;
    const struct tree *options; /* the options from which `settings` was read */
    const char *part;           /* the part of a kind that has parts; else NULL */
    int version;                /* version of the kind: of a loaded stage the recorded one, else the
                                 * current one */
    uint32_t seed;
    int inputs;
    struct stage **input; /* [inputs] in the order of the kind's inputs; several for an input kind
                           * with parts */
    int rows; /* number of rows of a kind that covers the whole grid; 0: the options are of one
               * point */
    struct stage_row *row;
    int files;
    struct input_file *file; /* [files] files outside RUNS that the stage reads */
    const char *missing;     /* message about a missing file and how to get it; NULL: none */
    int absents;
    struct absent_file *absent;

    char id[DIGEST_TEXT];
    const char *canonical;            /* the text whose digest is the id: `text` or `older` */
    const char *text;                 /* by the rules of this program; ids of stages that read this
                                       * stage depend on it */
    const char *older;                /* by the rules of older programs; equal to `text` if both
                                       * rules give the same text */
    const char *title;                /* KIND, or KIND.PART */
    const char *name;                 /* name of the folder: "train-0123456789ab" */
    const char *folder;               /* RUNS/stages/name */
    const struct corpus_facts *facts; /* cached facts of a corpus stage (facts.h) */
    struct model_count *models;       /* cached facts of models trained on the corpus (facts.h) */
    const char *label;                /* first requester: "GRID/ROW/SEED" or "GRID/KIND"; or NULL */
    int askers;
    const char **asker; /* [askers] all requesters; the first one is `label` */
};

/* True if the label is GRID/ROW/SEED. */
static inline bool stage_has_point(const struct stage *stage)
{
    return stage->inputs || stage->settings->alone;
}

/* Returns "ROW/SEED": the part of a label after the grid's name and "/"; "" if there is none. The
 * label may be NULL: the stage.json of a folder from elsewhere may lack names. */
const char *stage_point_name(const char *label);
/* Returns the options of the kind's section. Their type is the section's struct, such as struct
 * score_options. */
const void *stage_options(const struct stage *stage);
/* Returns the path of a file in the stage's folder. */
const char *stage_path(const struct stage *stage, const char *file, struct arena *arena);
void stage_find_files(struct stage *stage, struct arena *arena);
/* Returns the input file with name `name`; NULL if there is none. */
const struct input_file *stage_file(const struct stage *stage, const char *name);
/* Returns the checkpoint before(..) or after(..) of a stage, or of the stages that it reads; NULL
 * if none of them has such a checkpoint. */
const char *stage_side_words(const struct stage *stage, struct arena *arena);
/* Returns the reason why a stage can have no values: the training that it reads has no checkpoints
 * around stage_side_words. NULL: it has. The training must be done. */
const char *stage_missed(const struct stage *stage, struct arena *arena);
/* True if the stage is done without values for this reason. */
bool stage_is_missed(const struct stage *stage);
/* Returns the first stage with a seed among the stage itself and its inputs, recursively; NULL if
 * none has a seed. */
const struct stage *stage_trained(const struct stage *stage);

/* Fills text, older, canonical, id, title, name and folder. The inputs must be identified first.
 * The id is the digest of `text`, with one exception. If RUNS lacks the stage with this id, but has
 * it with an id by older rules, the older stage is used. Its numbers are the same, and its folder
 * keeps its name. */
void stage_identify(struct stage *stage, const char *runs, struct arena *arena);
/* stage_step_text prints the canonical lines that determine the cost of a step: model, batch and
 * precision. stage_row_digest computes their digest for a row. */
void stage_step_text(const struct settings *settings, FILE *out);
void stage_row_digest(const struct stage_row *row, char id[DIGEST_TEXT]);
/* Adds `label` to the requesters of this stage. */
void stage_ask(struct stage *stage, const char *label, struct arena *arena);
/* Writes stage.json and options.yaml of an unfinished stage. If the stage is finished, only adds
 * new requesters to the names in stage.json. The caller must hold the lease. */
void stage_write(const struct stage *stage);
/* Returns the canonical text in the stage.json of folder STAGES/NAME; NULL if there is none, or if
 * its digest does not match NAME. */
const char *stage_recorded_text(struct arena *arena, const char *stages, const char *name);
/* Sets *name to the names in stage.json, which are all requesters so far. Returns their number. */
int stage_names(const struct stage *stage, const char ***name, struct arena *arena);
/* Loads a stage and its inputs from its folder. Dies if the recorded id is not the id that the
 * options give. */
struct stage *stage_load(struct arena *arena, const char *folder);
/* Returns done.json, which the caller must free with json_decref; NULL if the stage is not
 * finished. Dies if a newer program wrote it. */
json_t *stage_done(const struct stage *stage);
/* Returns the modification time of done.json in nanoseconds; -1 if it is missing. */
int64_t stage_done_at(const struct stage *stage);
/* True if the folder of a finished stage has the file that later stages open (`opened` in struct
 * stage_kind). */
bool stage_has_opened(const struct stage *stage);
/* Returns a message if the stage has an older version of its kind, so that this program would
 * compute other numbers. NULL if the version is current. */
const char *stage_old_version(const struct stage *stage, struct arena *arena);
/* Returns a message if files that the stage reads are missing or changed, or if its version is old;
 * NULL otherwise. */
const char *stage_lacks(const struct stage *stage, struct arena *arena);
/* The end of a stage according to done.json: its status, and the code that computed it. */
struct stage_end {
    bool finished, diverged;
    const char *code, *commit;          /* NULL: not recorded */
    const char *backend, *backend_code; /* for a kind with KIND_COMPUTES; NULL: not recorded */
};
struct stage_end stage_end(const struct stage *stage, struct arena *arena);
/* True if a stage, or one of its direct and indirect inputs, diverged. */
bool stage_is_lost(const struct stage *stage, struct arena *arena);
/* Returns the commit of the last attempt, from environment.json; NULL if not recorded. */
const char *stage_commit(const struct stage *stage, struct arena *arena);
