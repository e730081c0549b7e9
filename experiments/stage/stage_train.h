/* Runs the training of a learner, for all kinds of stages that train. */
#pragma once

#include "core/train/train.h"
#include "experiments/stage/stage_work.h"

/* Begins, continues or resumes the training. Writes the last value of every metric, the number of
 * steps and the number of parameters. The training has diverged if its last validation is above
 * OFFER_VALIDATION_MOST. The caller must close the learner. */
enum work_end stage_train(struct stage_work *work, const struct learner *learner,
                          const struct metadata *description);

/* Member `check` of struct stage_kind: checks the limits of a device that the user named, and that
 * there is text for validation. */
void stage_train_check(struct kind_check *check);
/* Returns the size of the kept checkpoints in bytes. The newest ones, from which a training can
 * resume, have the parameters and the two moments of Adam. */
double stage_train_disk(const struct train_options *train, int64_t parameters);
