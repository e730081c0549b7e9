/* By which code a stage is computed: digests of the sources of its kind, and of the terms and
 * fusions of attention that its model has (scripts/code_digest). */
#ifndef EXPERIMENTS_STAGE_STAGE_CODE_H
#define EXPERIMENTS_STAGE_STAGE_CODE_H

#include <jansson.h>

#include "experiments/stage/stage.h"

/* {"train": "4427979f5419530f", "gauss": ..}: the caller's. For environment.json. */
json_t *stage_code_json(const struct stage *stage);
/* The same as a text, for done.json: "train 4427979f5419530f, gauss .." */
const char *stage_code(const struct stage *stage, struct arena *arena);

#endif
