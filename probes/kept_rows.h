/* Values of a frozen encoder at paths of an infer list, in the order of the text. A row is a
 * position or a sentence. Batches depend only on the sentences, so memory and threads change no
 * bit. */
#pragma once

#include "core/model/frozen.h"

struct kept_rows {
    const char *path; /* "encoder.2.master_forget" */
    int columns;
    int64_t rows;
    float *number; /* [rows][columns] */
};

/* Measures the loaded set. `graph` is an infer list of its model; it is released. The caller sets
 * the paths; the other fields are filled, in the arena. Dies if the list lacks a path. */
void kept_rows_measure(const struct frozen *frozen, struct graph *graph, const struct split *split,
                       struct kept_rows *kept, int count, struct arena *arena);
