/* Verifies done.json: its status and, in its first format, the numbers of its summary, which
 * tables print. The summary must have its digest (older programs did not write it), and its
 * numbers must equal those of metrics.jsonl. A name without any of these rows is not compared:
 *
 *   NAME        its last row without layer, head, set and class. If there is none, the mean of its
 *               rows of sets. If there are none either, the mean of its rows of layers, weighted
 *               by n
 *   NAME.LAYER  the last row of the layer
 *   steps       of a kind with validations: the step of the last row of the summary
 *
 * Means may differ by a relative 1e-9. Rows must be equal. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Returns the number of faults and, in *fault, one text for each fault. Dies if metrics.jsonl
 * cannot be read. */
int summary_faults(struct arena *arena, const char *folder, const char *kind, const json_t *done,
                   const char ***fault);
