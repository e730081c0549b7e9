/* Models of stages: the frozen model of a stage `train`, and the model of a stage `relate` (frozen,
 * for training, and for measuring speed). */
#pragma once

#include "core/model/frozen.h"
#include "core/model/safetensors.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage.h"

/* Returns the description in each checkpoint of the stage, without the step: seed, options, and
 * digests of the files that convert text to ids (core/model/checkpoint.h). `corpus` is the corpus
 * of the training. The result is in the arena. */
struct metadata stage_description(const struct stage *train, const struct corpus *corpus,
                                  struct arena *arena);
/* Returns the job for frozen_open, without a function for progress. `corpus` is the corpus of the
 * training, or a corpus that differs only in its test text. */
struct frozen_job stage_frozen(const struct stage *train, const struct corpus *corpus,
                               const struct ops *ops, const char *checkpoint);
/* Option of a section: the checkpoint of a single encoder. */
#define OPTION_ENCODER(offset_)                                                                    \
    OPTION_TEXT("checkpoint", offset_, "best", OPTION_ID,                                          \
                "parameters: best, last, average(N) or start (see evaluate.bleu.checkpoint)")
/* Dies if the value `words` of this option means several encoders. */
void stage_frozen_check(const struct kind_check *check, const char *words);

/* Returns the training that a point's settings describe. `model` is the model of these settings
 * (logic_model). The arguments must outlive the training. */
struct relating relate_learner(const struct settings *settings, const struct ops *ops,
                               const struct labeled *data, const struct pair_options *model,
                               uint32_t seed);
/* Returns the job for frozen_open of a training, without a function for progress. */
struct frozen_job relate_job(const struct stage *relate, const struct ops *ops,
                             const char *checkpoint, struct arena *arena);
/* Returns the description in each checkpoint: seed and options (core/model/checkpoint.h). */
struct metadata relate_description(const struct stage *relate, struct arena *arena);
