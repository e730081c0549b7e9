/* What rows of metrics are of: a layer, a head, a set, a class. */
#pragma once

#include "core/base/arena.h"

/* What a row of a metric may say besides its step (core/base/journal.h). */
enum dimension { DIMENSION_LAYER, DIMENSION_HEAD, DIMENSION_SET, DIMENSION_CLASS, DIMENSIONS };
extern const char *const dimension_names[]; /* NULL-terminated */

struct dimensions {
    int number[DIMENSION_CLASS]; /* layer, head, set; 0: rows that have none */
    const char *class;           /* NULL: rows that have none */
    bool every; /* class: all, not "all", which is a class; the store knows the classes */
};

bool dimensions_some(const struct dimensions *of); /* whether there is any */
bool dimensions_have(const struct dimensions *of, enum dimension which);
/* What a column's name or header goes on with: " layer 3 head 2: NOUN". */
const char *dimensions_text(const struct dimensions *of, struct arena *arena);
