/* Learner: the interface between the training loop and a task. It has a model with its list, the
 * batches of every step, and the ranking of checkpoints. train_run (train.h) uses nothing else, so
 * the loop, its checkpoints and its output are the same for every learner. translating.h makes a
 * learner from a translation model and its corpus (validation: validate.h). relating.h makes a
 * learner from a pair classifier.
 *
 * The functions depend only on their arguments and on the arguments of NAME_open. So a training
 * that resumes from a checkpoint gets the same results again. `context` is their first argument.
 *
 * NAME_open makes a learner; its arguments must outlive the learner. A learner serves one training.
 * NAME_close frees it with its model and list. NAME_open plans the lists without placing them,
 * which is enough for train_memory. */
#pragma once

#include "core/corpus/batch.h"
#include "core/model/model.h"

struct train_options;

/* One optimizer step. Its loss is the sum over all micro-batches. `train.loss: mean` divides it by
 * `normalizer`: the number of target tokens in translation, of sentences in classification. */
struct learner_step {
    /* [micros], each with at least one row of the loss; the loop sets their first_* members */
    struct batch *micro;
    int micros;
    int64_t normalizer;
};

enum { VALIDATION_MOST = 16 };

/* Results of a validation. The values become rows of metrics.jsonl in this order. A value that is
 * not finite ends the training as diverged. The names "loss" and "epochs" are reserved for rows of
 * the loop. */
struct validation {
    int values;
    struct {
        const char *name; /* "dev_loss" */
        double value;
    } value[VALIDATION_MOST];
    double rank; /* rank of the checkpoint: lower is better */
    /* Second rank, by another criterion. Its best checkpoint is also kept (train_other). others:
     * false if there is no second rank. */
    bool others;
    double other;
};

struct learner {
    struct model *model; /* placed by train_run */
    /* Training list with a loss, planned for every batch; placed by train_run. */
    struct graph *list;
    /* The loop reads all options but batch_tokens, batch_pairs, accumulate, label_smoothing,
     * validate_sentences and select. NAME_open reads these options. */
    const struct train_options *train;
    int micros;        /* approximate number of micro-batches per step; stored in state.json */
    uint32_t seed;     /* seed of initial values, dropout and the order of sentences */
    const char *unit;  /* unit of normalizers, for the row of speed: "target_tokens" */
    const char *fault; /* reason why the learner cannot be trained, in one line; or NULL */
    void *context;
    /* Returns the number of steps of an epoch, from epoch 0; at least 1. Called before every
     * step. */
    int (*epoch_steps)(void *context, int epoch);
    /* Returns step `number` of an epoch, from 0, in the arena. Called while the previous step is
     * running, and so before the validation of that step. */
    struct learner_step (*step)(void *context, int epoch, int number, struct arena *arena);
    struct validation (*validate)(void *context);
    /* Returns the bytes needed in addition to the model and its list: text and validation.
     * `placed`: the part that is allocated from the op table. */
    size_t (*bytes)(void *context, size_t *placed);
};
