/* The model of a train stage, for whoever works with it frozen. */
#ifndef EXPERIMENTS_STAGE_STAGE_FROZEN_H
#define EXPERIMENTS_STAGE_STAGE_FROZEN_H

#include "core/model/frozen.h"
#include "experiments/stage/stage.h"

/* What frozen_open opens; nobody is told of progress yet. `corpus` is the training's, or one that
 * differs in its test text alone. */
struct frozen_job stage_frozen(const struct stage *train, const struct corpus *corpus,
                               const struct ops *ops, const char *checkpoint);

#endif
