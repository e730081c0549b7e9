/* Models that a seed starts, for tests of the probes, and values of a sentence that goes through
 * such a model alone. */
#pragma once

#include "core/model/frozen.h"

/* Reads the sections model, encoder and decoder of a YAML text. */
struct translator_options options_of(const char *yaml);
/* Opens and loads the model. */
struct frozen *frozen_start(const struct corpus *corpus, const struct translator_options *options,
                            uint32_t seed);
/* Returns the rows of a path for one sentence of at most 64 tokens, in the arena. */
real *rows_alone(struct model *model, const struct split *split, int32_t sentence,
                 const char *path);
