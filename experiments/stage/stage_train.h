/* Common work of stages that train: runs the training of a learner. */
#pragma once

#include "core/train/train.h"
#include "experiments/stage/stage_work.h"

/* Trains, or resumes. Results are the last value of every metric, steps and parameters. The
 * training diverged if its last validation is above the limit of the kind's offer. The learner
 * remains the caller's. */
enum work_end stage_train(struct stage_work *work, const struct learner *learner,
                          const struct metadata *description);

/* For struct stage_kind, check: the abilities of a named device, and text for validation. */
void stage_train_check(struct kind_check *check);
/* Returns the bytes of the kept checkpoints. Resuming needs the parameters and Adam's two
 * moments. */
double stage_train_disk(const struct train_options *train, int64_t parameters);
