/* A finished training as a frozen model, and text through it.
 *
 * The words of a checkpoint (checkpoint.h) mean one model, or with mean_of_best(N) several, which
 * one after the other are loaded into the same slabs. A pass gives the sentences of a split to a
 * list of the model, batch by batch:
 *
 *   struct frozen *frozen = frozen_open(arena, &job);
 *   struct graph *graph = model_list(frozen->model, arena, GRAPH_INFER);
 *   struct value *vectors = graph_keep(graph, "encoder.output");
 *   const struct pass_form form = {PASS_IN_ORDER, .tokens = 2048, .sentences = 64};
 *   struct pass pass = pass_open(frozen, graph, split, form);
 *   for (int set = 0; set < frozen->sets; set++) {
 *       frozen_load(frozen, set);
 *       for (const struct batch *batch; (batch = pass_next(&pass));)
 *           graph_read(graph, vectors, ..);
 *   }
 *   pass_close(&pass);
 *   frozen_close(frozen); */
#pragma once

#include "core/model/translator.h"

/* What is to be opened. All of it lives as long as the frozen model. */
struct frozen_job {
    const struct ops *ops;
    const struct corpus *corpus; /* its vocabularies are the model's */
    const struct translator_options *options;
    struct model *model;      /* another one than their translator, not placed; or NULL */
    const char *train_folder; /* of the train stage */
    const char *checkpoint;   /* "best", "mean_of_best(5)", .. */
    uint32_t seed;            /* of the training, for "start" */
    /* Gets the sentences that are done, of all models together. NULL: no progress is reported. */
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
};

struct frozen {
    struct frozen_job job;
    struct model *model; /* has room for masters, none for gradients */
    int sets;            /* models: N of mean_of_best(N), else 1 */
    int steps;           /* checkpoints that they are made of; none of "start" */
    const int64_t *step; /* [steps], of the best ones the best first */
    int set;             /* the loaded one; -1: none yet */
};

/* The model, in the arena; nothing is loaded yet. Dies when a checkpoint is missing. */
struct frozen *frozen_open(struct arena *arena, const struct frozen_job *job);
/* The masters of a set: of its checkpoint, the mean of all steps, or as the seed starts them. */
void frozen_load(struct frozen *frozen, int set);
void frozen_close(struct frozen *frozen); /* gives the slabs back */
/* Reports that `done` of `total` sentences went through the loaded set. NULL: does nothing. */
void frozen_progress(const struct frozen *frozen, int64_t done, int64_t total);

/* ---- a pass ---- */

enum pass_order {
    PASS_IN_ORDER, /* of the split */
    PASS_BY_LENGTH /* of the source, longest first */
};

/* How sentences become batches: `sentences` at a time, but at most `tokens` a side; a sentence that
 * is longer is a batch of its own (batch.h). Another form adds in another order: sums
 * get other last bits. */
struct pass_form {
    enum pass_order order;
    int tokens, sentences;
};

struct pass {
    struct graph *graph;
    const struct split *split;
    int tokens; /* that a side of a batch has at most */
    /* Told of every batch before it is computed; may be NULL. The caller's. */
    void (*before)(void *context, const struct batch *batch);
    void *before_context;

    /* Its own. */
    const struct frozen *frozen;
    struct pass_form form;
    struct epoch epoch;
    int next; /* batch */
    struct batch batch;
    struct arena arena, loaded; /* of the plan; of the batch */
};

/* A split may have a source alone (lines of text: corpus_encode_lines).
 * Plans the list, whose kept values are chosen already, for all sentences of the split, and becomes
 * its owner; no memory is taken before the first batch. frozen: whose progress is reported; NULL:
 * no progress is reported. */
struct pass pass_open(const struct frozen *frozen, struct graph *graph, const struct split *split,
                      struct pass_form form);
/* The next batch, loaded and computed; NULL behind the last one. After NULL the pass begins again,
 * with the parameters as they are then. The batch lasts until the next call. */
const struct batch *pass_next(struct pass *pass);
/* Passes from now on are over these sentences alone, in order of the split; NULL: over all of them.
 * Before a pass or behind its end. */
void pass_choose(struct pass *pass, const bool *wanted);
void pass_close(struct pass *pass); /* releases the list, too */
