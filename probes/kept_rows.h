/* Rows that a frozen encoder has at paths of an infer list, in the order of the text: of every
 * position, which analyses keep, or of every sentence. Batches are a function of the sentences
 * alone, so that memory and threads change no bit. */
#pragma once

#include "core/model/frozen.h"

struct kept_rows {
    const char *path; /* "encoder.2.master_forget" */
    int columns;
    int64_t rows;
    float *number; /* [rows][columns] */
};

/* Of the loaded set, by an infer list of its model, which is released; all but the paths is filled,
 * in the arena. Dies where the list has no such path. */
void kept_rows_measure(const struct frozen *frozen, struct graph *graph, const struct split *split,
                       struct kept_rows *kept, int count, struct arena *arena);
