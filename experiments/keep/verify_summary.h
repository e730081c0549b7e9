/* What is wrong with done.json: its status, and in its first format the numbers of its summary,
 * which tables print. The summary must have its digest, which an older program did not write, and
 * its numbers must be those of metrics.jsonl. A name without any of these rows is not compared:
 *
 *   NAME        its last row without layer, head, set and class; without such rows the mean of its
 *               rows of sets; without these the mean of its rows of layers, weighted by their n
 *   NAME.LAYER  the last row of the layer
 *   steps       of a kind with validations: the step of the last row of the summary
 *
 * Means may differ by a relative 1e-9, rows by nothing. */
#pragma once

#include <jansson.h>

#include "core/base/arena.h"

/* Says what is wrong, one text per fault; returns their number. Dies if metrics.jsonl cannot be
 * read. */
int summary_faults(struct arena *arena, const char *folder, const char *kind, const json_t *done,
                   const char ***fault);
