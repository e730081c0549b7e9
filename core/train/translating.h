/* A translator as what is trained (learner.h): packed batches of sentence pairs, a loss per target
 * token, loss and BLEU of dev.
 *
 * A step has at most train.batch_tokens real tokens of either side (epoch_plan). On the host it is
 * cut into about train.accumulate micro-batches; on a device into as few as its memory takes, and
 * not into more than that. Masks do not depend on it, last bits do. The values of a validation are
 * those of validate.h; train.select says which one ranks checkpoints. */
#pragma once

#include "core/corpus/corpus.h"
#include "core/model/options.h"
#include "core/train/learner.h"
#include "core/train/train.h"

struct translating {
    const struct ops *ops;
    const struct corpus *corpus;
    const struct translator_options *model;
    const struct train_options *train;
    uint32_t seed;
    int micros; /* cut steps into about so many; 0: as it says above */
};

/* Dies when model.share is all and the corpus has two vocabularies. Its epoch_steps and step die
 * when a step cannot hold the longest sentence. */
struct learner *translating_open(struct arena *arena, const struct translating *translating);
/* The same, placed, each of whose steps is one micro-batch: what benches time has the size of
 * train.batch_tokens / train.accumulate, as training cuts its steps, and its list is no larger. */
struct learner *translating_open_micro(struct arena *arena, const struct translating *translating);
void translating_close(struct learner *learner);

/* What the time of training on so many tokens a side is proportional to, in operations of large
 * products (struct translator_cost). */
double translating_work(const struct translating *translating, const int64_t tokens[SIDES]);
