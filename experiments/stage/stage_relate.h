/* The stage `relate`: its model for training, for measuring speed and frozen. */
#pragma once

#include "core/model/safetensors.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_work.h"

/* Returns the training that a point's settings describe; `model` is that of the settings
 * (logic_model). The arguments must outlive it. */
struct relating relate_learner(const struct settings *settings, const struct ops *ops,
                               const struct labeled *data, const struct pair_options *model,
                               uint32_t seed);
/* Returns the job for frozen_open of a training, without a function for progress. */
struct frozen_job relate_job(const struct stage *relate, const struct ops *ops,
                             const struct pair_options *model, const char *checkpoint,
                             struct arena *arena);
/* Returns the description in each checkpoint: seed and options (core/model/checkpoint.h). */
struct metadata relate_description(const struct stage *relate, struct arena *arena);
/* Opens the model of a finished training. `model` is that of its settings and must outlive the
 * result. The stage at work reports the sentences of a pass as its progress. */
struct frozen *relate_frozen(struct stage_work *work, const struct stage *relate,
                             const struct pair_options *model, const char *checkpoint);
