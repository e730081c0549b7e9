/* Ranges of whole numbers as YAML has them: 3 is 3 to 3, "1-6" is 1 to 6. */
#pragma once

#include "core/config/tree.h"

struct int_range {
    int first, last;
};

/* Dies at the scalar's place unless it is a number or a range of numbers from 0 on, with `what` in
 * front. */
struct int_range int_range_read(const struct tree *scalar, const char *what, struct arena *arena);
