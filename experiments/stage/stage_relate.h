/* The stage `relate` for whoever trains its model, measures that or works with it frozen. */
#ifndef EXPERIMENTS_STAGE_STAGE_RELATE_H
#define EXPERIMENTS_STAGE_STAGE_RELATE_H

#include "core/model/safetensors.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_work.h"

/* What a point's settings train; `model` is theirs (logic_model). All of it lives as long. */
struct relating relate_learner(const struct settings *settings, const struct ops *ops,
                               const struct labeled *data, const struct pair_options *model,
                               uint32_t seed);
/* Returns the job for frozen_open of a training, without a function for progress. */
struct frozen_job relate_job(const struct stage *relate, const struct ops *ops,
                             const struct pair_options *model, const char *checkpoint,
                             struct arena *arena);
/* What each checkpoint says of itself beside its step: seed and options (core/model/checkpoint.h).
 */
struct metadata relate_description(const struct stage *relate, struct arena *arena);
/* The model of a finished training; `model` is what its settings mean, and lives as long. Sentences
 * of a pass are the progress of the stage at work. */
struct frozen *relate_frozen(struct stage_work *work, const struct stage *relate,
                             const struct pair_options *model, const char *checkpoint);

#endif
