/* Learner of a translator (learner.h): packed batches of sentence pairs, a loss per target token,
 * loss and BLEU of dev.
 *
 * A step has at most train.batch_tokens real tokens on either side (epoch_plan). On the host it is
 * cut into about train.accumulate micro-batches. On a device it is cut into as few as fit into
 * memory, but not into more than train.accumulate. Masks do not depend on the number of
 * micro-batches, but the last bits do. validate.h describes the values of a validation.
 * train.select chooses the value that ranks checkpoints. */
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
/* Like translating_open, but placed, and each step is one micro-batch of train.batch_tokens /
 * train.accumulate tokens. Benches time these steps, which have the size of the micro-batches of
 * training; the list is not larger. */
struct learner *translating_open_micro(struct arena *arena, const struct translating *translating);
void translating_close(struct learner *learner);

/* Returns the work of training on `tokens` tokens per side, which is proportional to time, in
 * operations of large products (struct translator_cost). */
double translating_work(const struct translating *translating, const int64_t tokens[SIDES]);
