/* Dimensions of metric rows: layer, head, set, class. */
#pragma once

#include "core/base/arena.h"

/* Optional keys of a metric row (core/base/journal.h). */
enum dimension { DIMENSION_LAYER, DIMENSION_HEAD, DIMENSION_SET, DIMENSION_CLASS, DIMENSIONS };
extern const char *const dimension_names[]; /* NULL-terminated */

struct dimensions {
    int number[DIMENSION_CLASS]; /* layer, head, set; 0: absent */
    const char *class;           /* NULL: absent. "": all classes in the database, as requested by
                                    `class: all` in a grid */
};

bool dimensions_some(const struct dimensions *of); /* true if a dimension is present */
bool dimensions_have(const struct dimensions *of, enum dimension which);
bool dimensions_every(const struct dimensions *of); /* true if it has all classes */
/* Returns the dimensions as the suffix of a column's name or header: " layer 3 head 2: NOUN". */
const char *dimensions_text(const struct dimensions *of, struct arena *arena);
