/* Describes the models of stages, so that they can be opened. The models are the trained model of a
 * stage `train`, and the model of a stage `relate`, trained or to be trained. */
#pragma once

#include "core/model/frozen.h"
#include "core/model/safetensors.h"
#include "core/train/relating.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage.h"

/* The files of a corpus that convert text to ids: key of the digest in the metadata of checkpoints,
 * and name of the file. The last two files, one for each side, exist only with a threshold. */
enum { STAGE_WORDS = 5 };
extern const char *const stage_words[STAGE_WORDS][2];
/* Returns the metadata in each checkpoint of the stage, without the step (core/model/checkpoint.h):
 * seed, options, and digests of the files that convert text to ids. `corpus` is the corpus of the
 * training. The result is in the arena. */
struct metadata stage_description(const struct stage *train, const struct corpus *corpus,
                                  struct arena *arena);
/* Returns the argument for frozen_open, without a progress function. `corpus` is the corpus of the
 * training, or a corpus that differs only in its test text. */
struct frozen_job stage_frozen(const struct stage *train, const struct corpus *corpus,
                               const struct ops *ops, const char *checkpoint);
/* Option of a section that chooses the checkpoint of a single encoder. */
#define OPTION_ENCODER(offset_)                                                                    \
    OPTION_TEXT(                                                                                   \
        "checkpoint", offset_, "best", OPTION_ID,                                                  \
        "parameters: best, last, average(N), start or at(..) (see evaluate.bleu.checkpoint)")
/* Dies if the value `words` of this option means several checkpoints. */
void stage_frozen_check(const struct kind_check *check, const char *words);

/* Returns the training that a point's settings describe, for a stage `relate`. `model` is the model
 * of these settings (logic_model). The arguments must outlive the result. */
struct relating relate_learner(const struct settings *settings, const struct ops *ops,
                               const struct labeled *data, const struct pair_options *model,
                               uint32_t seed);
/* Returns the argument for frozen_open for the model of a stage `relate`, without a progress
 * function. */
struct frozen_job relate_job(const struct stage *relate, const struct ops *ops,
                             const char *checkpoint, struct arena *arena);
/* Returns the metadata in each checkpoint of a stage `relate`: seed and options
 * (core/model/checkpoint.h). */
struct metadata relate_description(const struct stage *relate, struct arena *arena);
