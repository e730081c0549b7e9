/* By which code a stage is computed: digests of the sources of its kind, and of the terms and
 * fusions of attention that its model has (scripts/code_digest). */
#ifndef EXPERIMENTS_STAGE_STAGE_CODE_H
#define EXPERIMENTS_STAGE_STAGE_CODE_H

#include "experiments/stage/stage.h"

/* "train 4427979f5419530f, term.gauss ..": the code of done.json. */
const char *stage_code(const struct stage *stage, struct arena *arena);

#endif
