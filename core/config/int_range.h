/* Ranges of integers: 3 is 3 to 3, "1-6" is 1 to 6. */
#pragma once

#include "core/config/tree.h"

struct int_range {
    int first, last;
};

/* Reads a range of numbers that are 0 or more. Dies at the scalar's location if the scalar is no
 * such range; `what` is the prefix of the message. */
struct int_range int_range_read(const struct tree *scalar, const char *what, struct arena *arena);
