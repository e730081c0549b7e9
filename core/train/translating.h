/* Makes the learner of a translator (learner.h). Its batches are packed sentence pairs. Its loss is
 * per target token. It is validated by loss and BLEU on dev.
 *
 * A step has at most train.batch_tokens tokens on either side (epoch_plan). On the host, a step is
 * cut into about train.accumulate micro-batches. On a device, it is cut into the smallest number of
 * micro-batches that fit into memory, at most train.accumulate. Dropout masks do not depend on the
 * number of micro-batches, but the last bits of sums do. validate.h describes the values of a
 * validation. train.select chooses the value that ranks checkpoints. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/model/model_options.h"
#include "core/train/learner.h"
#include "core/train/train.h"

struct translating {
    const struct ops *ops;
    const struct corpus *corpus;
    const struct translator_options *model;
    const struct train_options *train;
    uint32_t seed;
    int micros; /* approximate micro-batches per step; 0: chosen as above */
};

/* Dies if model.share is all and the corpus has two vocabularies. The learner's epoch_steps and
 * step die if the longest sentence does not fit into a step. */
struct learner *translating_open(struct arena *arena, const struct translating *translating);
/* Like translating_open, but places model and list, and each step is one micro-batch of
 * train.batch_tokens / train.accumulate tokens. Benchmarks measure the time of these steps. The
 * steps have the size of the micro-batches of training, so the list needs no more memory. */
struct learner *translating_open_micro(struct arena *arena, const struct translating *translating);
void translating_close(struct learner *learner);

/* Returns the work of training on tokens[side] tokens of each side (struct translator_cost). The
 * time of training is about proportional to the work. */
double translating_work(const struct translating *translating, const int64_t tokens[SIDES]);
