/* Verifies the status in done.json. The first format of done.json also has a summary, from which
 * tables are printed. The summary must match its digest, which older programs did not write. Each
 * number of the summary must equal the number from these rows of metrics.jsonl. If metrics.jsonl
 * has none of the rows, the number is not compared:
 *
 *   NAME        the last row of NAME without layer, head, set and class. If there is none, the mean
 *               of the rows with a set. If there is none either, the mean of the rows with a layer,
 *               weighted by n
 *   NAME.LAYER  the last row of NAME with this layer
 *   steps       only for trainings: the step of the last row without layer, head, set and class
 *               whose name is in the summary
 *
 * A mean may differ by a relative 1e-9. The value of a row must be equal. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Returns the number of faults and, in *fault, one text for each fault. Dies if metrics.jsonl
 * cannot be read. */
int summary_faults(struct arena *arena, const char *folder, const char *kind, const json_t *done,
                   const char ***fault);
