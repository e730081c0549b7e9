/* Reads ranges of integers: "1-6" means 1 to 6, and 3 means 3 to 3. */
#pragma once

#include "core/config/tree.h"

struct int_range {
    int first, last;
};

/* Reads a range of integers of at least 0. Dies at the scalar's location if the scalar is not a
 * valid range. The message begins with `what`. */
struct int_range int_range_read(const struct tree *scalar, const char *what, struct arena *arena);
