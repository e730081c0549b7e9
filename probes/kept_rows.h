/* Rows that a frozen encoder has for every position of its text, at paths of an infer list, in the
 * order of the text: what analyses keep position by position. */
#pragma once

#include "core/model/frozen.h"

struct kept_rows {
    const char *path; /* "encoder.2.master_forget" */
    int columns;
    float *number; /* [positions][columns] */
};

/* The first sentences of a split as a split of their own; 0: all. */
struct split kept_rows_first(const struct split *split, int sentences);
/* Of the loaded set; columns and numbers of all rows are filled, in the arena. Dies where the
 * encoder has no such path. */
void kept_rows_measure(struct frozen *frozen, const struct split *split, struct kept_rows *rows,
                       int count, struct arena *arena);
