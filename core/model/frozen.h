/* Loads models of a finished training, and computes their values for text (passes).
 *
 * A checkpoint choice (checkpoint_choice.h) means one model, or several for mean_of_best(N).
 * Several models are loaded one after the other into the same slabs. A pass runs the sentences of a
 * split through a list of the model, batch by batch:
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

/* Description of a frozen model. All members must outlive the frozen model. */
struct frozen_job {
    const struct ops *ops;
    const struct corpus *corpus; /* has the vocabularies of the model */
    const struct translator_options *options;
    /* Model to use instead of a translator with these options; must not be placed. NULL: the
     * translator. */
    struct model *model;
    const char *train_folder; /* folder of the train stage */
    const char *checkpoint;   /* "best", "mean_of_best(5)", .. */
    uint32_t seed;            /* seed of the training, for "start" */
    /* Called with the number of finished sentences of all models together. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
};

struct frozen {
    struct frozen_job job;
    struct model *model; /* placed for inference: masters without gradients */
    int sets;            /* number of models: N for mean_of_best(N), else 1 */
    int steps;           /* number of checkpoints of all models; 0 for "start" */
    const int64_t *step; /* [steps], ordered by quality for mean_of_best */
    int set;             /* loaded model; -1: none yet */
};

/* Creates the model in the arena without loading it. Dies if a checkpoint is missing. */
struct frozen *frozen_open(struct arena *arena, const struct frozen_job *job);
/* Loads the parameters of model `set`, from 0. They are the parameters of one checkpoint
 * (mean_of_best), the mean of all chosen checkpoints, or the initial values for the seed
 * ("start"). */
void frozen_load(struct frozen *frozen, int set);
void frozen_close(struct frozen *frozen); /* releases the slabs */
/* Reports that `done` of `total` sentences were processed with the loaded model. Does nothing if
 * frozen is NULL. */
void frozen_progress(const struct frozen *frozen, int64_t done, int64_t total);

/* ---- a pass ---- */

enum pass_order {
    PASS_IN_ORDER, /* order of the split */
    PASS_BY_LENGTH /* by length of the source, longest first */
};

/* Composition of batches: up to `sentences` sentences and `tokens` tokens per side. A longer
 * sentence is a separate batch (batch.h). Another form changes the order of additions, so sums
 * differ in the last bits. */
struct pass_form {
    enum pass_order order;
    int tokens, sentences;
};

struct pass {
    struct graph *graph;
    const struct split *split;
    int tokens; /* upper bound of the tokens of one side of a batch */
    /* Called with every batch before it is computed; set by the caller, may be NULL. */
    void (*before)(void *context, const struct batch *batch);
    void *before_context;

    /* Private members. */
    const struct frozen *frozen;
    struct pass_form form;
    struct epoch epoch;
    int next; /* index of the next batch */
    struct batch batch;
    struct arena arena, loaded; /* memory of the epoch; memory of the batch */
};

/* Plans the list for all sentences of the split and takes ownership of the list. Choose the kept
 * values before this call. A split may have only a source (lines of text: corpus_encode_lines).
 * Allocates no device memory before the first batch. frozen: receives progress; may be NULL. */
struct pass pass_open(const struct frozen *frozen, struct graph *graph, const struct split *split,
                      struct pass_form form);
/* Loads, computes and returns the next batch; NULL after the last batch. The call after NULL starts
 * the pass again, with the current parameters. The batch is valid until the next call. */
const struct batch *pass_next(struct pass *pass);
/* Restricts the following passes to the wanted sentences, in order of the split; NULL: all
 * sentences. Call it before a pass or after its end. */
void pass_choose(struct pass *pass, const bool *wanted);
void pass_close(struct pass *pass); /* also releases the list */

/* ---- all batches, several at the same time ---- */

/* Use of a pass. `list` returns a new inference list in the arena, with the kept values chosen.
 * Several threads call `found` at the same time, once for each computed batch. The batch and the
 * values of the list are valid until `found` returns. */
struct pass_use {
    struct graph *(*list)(void *context, struct arena *arena);
    void (*found)(void *context, const struct graph *graph, const struct batch *batch);
    void *context;
};
/* Runs one pass over the split. On the host, with sanlab's own products, each thread has its own
 * list and computes its own batches, if there are enough batches and memory. So threads do not wait
 * for each other in every op. The values of a sentence have the same bits in each case. Some
 * reports of progress are outside of parallel regions, and may change the number of threads. */
void pass_all(const struct frozen *frozen, const struct split *split, struct pass_form form,
              const struct pass_use *use);
