/* Computes values of a frozen encoder at given paths of an inference list, in the order of the
 * text. A row is a position or a sentence. Batches depend only on the sentences, so the result does
 * not depend on memory or threads. */
#pragma once

#include "core/model/frozen.h"

struct kept_rows {
    const char *path; /* such as "encoder.2.master_forget" */
    int columns;
    int64_t rows;
    float *number; /* [rows][columns] */
};

/* Measures the loaded set. `graph` is an inference list of the loaded model; the function releases
 * it. The caller sets `path` of the `count` elements of `kept`. The function sets all other
 * members, with memory in the arena. Dies if the list lacks a path. */
void kept_rows_measure(const struct frozen *frozen, struct graph *graph, const struct split *split,
                       struct kept_rows *kept, int count, struct arena *arena);
