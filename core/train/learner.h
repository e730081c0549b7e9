/* What training needs to know of what is trained: a model with its list, the batches of every step,
 * and how checkpoints are judged. train_run (train.h) works with these alone; translating.h makes a
 * learner of a translation model and its corpus.
 *
 * The functions depend on their arguments and on what the learner was made from, on nothing else: a
 * training that goes on from a checkpoint asks again and gets the same. `context` is theirs.
 *
 * Whoever makes a learner, by NAME_open of what it is made from, owns it: that lives as long as the
 * learner, which serves one training and goes by NAME_close, with its model and list. NAME_open
 * plans the lists and places none, which is all that train_memory needs. */
#pragma once

#include "core/corpus/batch.h"
#include "core/model/model.h"

struct train_options;

/* One optimizer step. Its loss is the sum over all micro-batches, with `train.loss: mean` divided
 * by `normalizer`: the number of target tokens in translation, of sentences in classification. */
struct learner_step {
    struct batch *micro; /* [micros], each with a row of the loss; the loop sets their first_* */
    int micros;
    int64_t normalizer;
};

enum { VALIDATION_MOST = 16 };

/* What a validation finds. The values become rows of metrics.jsonl in this order; one that is not
 * finite ends the training as diverged. Names of the loop's own rows are "loss" and "epochs". */
struct validation {
    int values;
    struct {
        const char *name; /* "dev_loss" */
        double value;
    } value[VALIDATION_MOST];
    double rank; /* of the checkpoint: lower is better */
    /* A second rank, by which another would choose: its best checkpoint is kept, too (train_other).
     * False: there is none. */
    bool others;
    double other;
};

struct learner {
    struct model *model; /* train_run places it, */
    struct graph *list;  /* and this: a training list with a loss, planned for every batch */
    /* The loop reads all but batch_tokens, batch_pairs, accumulate, label_smoothing,
     * validate_sentences and select, which are for whoever makes learners. */
    const struct train_options *train;
    int micros;        /* about so many micro-batches a step is cut into; kept in state.json */
    uint32_t seed;     /* of start values, dropout and the order of sentences */
    const char *unit;  /* what normalizers count, for the row of speed: "target_tokens" */
    const char *fault; /* why what was opened cannot be trained, in one line; NULL: it can */
    void *context;
    /* Steps of an epoch, from epoch 0 on: one at least. It is asked for before every step. */
    int (*epoch_steps)(void *context, int epoch);
    /* Step `number` of an epoch, from 0; lives in the arena. It is asked for while the step before
     * it runs, and so before that one's validation. */
    struct learner_step (*step)(void *context, int epoch, int number, struct arena *arena);
    struct validation (*validate)(void *context);
    /* Bytes beside the model and its list: text and validation; `placed`: those of them that are
     * taken of the table. */
    size_t (*bytes)(void *context, size_t *placed);
};
