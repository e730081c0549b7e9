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

/* Adds nodes to an inference list of the model, such as poolings, and may set the paths of the kept
 * rows. It is called for each list. */
struct kept_choice {
    void (*add)(struct graph *graph, void *context);
    void *context;
};

/* Measures the loaded set. The caller sets `path` of the `count` elements of `kept`. The function
 * sets all other members, with memory in the arena. Dies if a list lacks a path. choice: NULL for
 * the values of the model alone. */
void kept_rows_measure(const struct frozen *frozen, const struct split *split,
                       const struct kept_choice *choice, struct kept_rows *kept, int count,
                       struct arena *arena);
