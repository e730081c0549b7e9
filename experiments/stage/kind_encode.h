/* The section of the stage `encode`, for the kinds that ask for it. */
#ifndef EXPERIMENTS_STAGE_KIND_ENCODE_H
#define EXPERIMENTS_STAGE_KIND_ENCODE_H

#include "experiments/grid/sections.h"

extern const struct evaluation evaluation_encode;
/* The paths that a point asks for. */
struct texts encode_paths(const struct settings *settings);

/* What a sentence's vector is, for captions: "mean of pieces and end symbol, checkpoint best". */
const char *encode_caption(const struct settings *settings, struct arena *arena);

#endif
