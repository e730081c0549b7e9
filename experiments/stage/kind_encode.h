/* The section of the stage `encode`, for the kinds that ask for it. */
#ifndef EXPERIMENTS_STAGE_KIND_ENCODE_H
#define EXPERIMENTS_STAGE_KIND_ENCODE_H

#include "experiments/grid/sections.h"

extern const struct evaluation evaluation_encode;

#endif
