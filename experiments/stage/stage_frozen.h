/* The model of a train stage, for whoever works with it frozen. */
#pragma once

#include "core/model/frozen.h"
#include "core/model/safetensors.h"
#include "experiments/stage/stage.h"

/* What each checkpoint of the stage says of itself beside its step: seed, options, digests of what
 * turns text into ids (core/model/checkpoint.h). `corpus` is the training's. In the arena. */
struct metadata stage_description(const struct stage *train, const struct corpus *corpus,
                                  struct arena *arena);
/* What frozen_open opens, without a function for progress. `corpus` is the training's, or one that
 * differs in its test text alone. */
struct frozen_job stage_frozen(const struct stage *train, const struct corpus *corpus,
                               const struct ops *ops, const char *checkpoint);
/* The option of a section that says which checkpoint one encoder is of. */
#define ROW_ENCODER(offset_)                                                                       \
    ROW_TEXT("checkpoint", offset_, "best", OPTION_ID,                                             \
             "best, last, average(N) or start: as evaluate.bleu has it")
/* Dies where that option, which says `words`, is several encoders. */
void stage_frozen_check(const struct kind_check *check, const char *words);
