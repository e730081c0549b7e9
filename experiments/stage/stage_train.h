/* What stages that train have in common: a learner's training is the stage's work. */
#pragma once

#include "core/train/train.h"
#include "experiments/stage/stage_work.h"

/* Trains, or goes on; results are the last value of every metric, steps and parameters. Above what
 * the kind's offer calls divergence, it diverged. The learner stays the caller's. */
enum work_end stage_train(struct stage_work *work, const struct learner *learner,
                          const struct metadata *description);

/* For struct stage_kind: what a named device must have, and text to validate on. */
void stage_train_check(struct kind_check *check);
/* Bytes of the checkpoints that are kept; resuming needs Adam's two moments beside the
 * parameters. */
double stage_train_disk(const struct train_options *train, int64_t parameters);
