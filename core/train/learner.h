/* Defines a learner, the interface between the training loop and a task. A learner has a model with
 * its training list, and functions that return the batches of a step and validate the model.
 * train_run (train.h) uses only this interface, so the loop and the formats of its files are the
 * same for every learner. translating.h makes a learner from a translation model and its corpus
 * (validation: validate.h). relating.h makes a learner from a pair classifier and its labeled
 * pairs.
 *
 * The results of the functions depend only on their arguments, on the arguments of NAME_open and on
 * the parameters of the model. So a training that resumes from a checkpoint gets the same results
 * again. The first argument of each function is the member `context`.
 *
 * NAME_open makes a learner for one training. The arguments of NAME_open must outlive the learner.
 * NAME_open plans the lists without placing them, which is enough for train_memory. NAME_close
 * frees the learner, its model and its list. */
#pragma once

#include "core/corpus/batch.h"
#include "core/model/model.h"

struct train_options;

/* The batches of one optimizer step. The loss of the step is the sum over all micro-batches; with
 * train.loss: mean, this sum is divided by `normalizer`. `normalizer` is the number of target
 * tokens in translation, and the number of sentence pairs in classification. */
struct learner_step {
    /* [micros]. Each micro-batch has at least one row of the loss. train_issue sets their members
     * first_sentence and first_token. */
    struct batch *micro;
    int micros;
    int64_t normalizer;
};

enum { VALIDATION_MOST = 16 };

/* Results of a validation. The values become rows of metrics.jsonl in this order. If a value is not
 * finite, the training ends as diverged. The names "loss" and "epochs" are reserved for rows of the
 * training loop. */
struct validation {
    int values;
    struct {
        const char *name; /* "dev_loss" */
        double value;
    } value[VALIDATION_MOST];
    double rank; /* rank of the checkpoint: lower is better */
    /* `other` is a second rank, by another criterion; lower is better. The best checkpoint by this
     * rank is also kept (train_other). `others` is false if there is no second rank. */
    bool others;
    double other;
};

struct learner {
    struct model *model; /* placed by train_run */
    /* Training list with a loss, planned for the largest micro-batch; placed by train_run. */
    struct graph *list;
    /* Options. NAME_open reads batch_tokens, batch_pairs, accumulate, label_smoothing,
     * validate_sentences and select. The training loop reads the other options. */
    const struct train_options *train;
    int micros;        /* approximate number of micro-batches per step; stored in state.json */
    int64_t total;     /* number of steps of the training; set by train_run */
    uint32_t seed;     /* seed of initial values, dropout and the order of sentences */
    const char *unit;  /* unit of `normalizer`, for the name of the speed row: "target_tokens" */
    const char *fault; /* reason why the learner cannot be trained, one line; NULL: none */
    void *context;
    /* Returns the number of steps of an epoch (the first is 0); at least 1. Called before every
     * step. */
    int (*epoch_steps)(void *context, int epoch);
    /* Returns step `number` of an epoch, from 0, in memory of the arena. Usually called while the
     * previous step is still running, and so before a validation after the previous step. */
    struct learner_step (*step)(void *context, int epoch, int number, struct arena *arena);
    struct validation (*validate)(void *context);
    /* Returns the bytes of memory for text and validation, which are needed in addition to the
     * model and its list. *placed is the part that the op table allocates. */
    size_t (*bytes)(void *context, size_t *placed);
};
