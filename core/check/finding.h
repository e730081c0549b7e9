/* Has the result of a check: the number of compared values and the largest difference. */
#pragma once

#include "core/tensor/ops.h"

struct finding {
    const char *name; /* name of the check, such as "gradients" */
    bool ok;          /* at least one value was compared, and no difference exceeds the limit */
    int64_t compared; /* number of compared values */
    /* largest difference, as the check computes it; largest difference that passes */
    double worst, limit;
    char where[256]; /* location of the largest difference */
};

/* Limit for differences by rounding, relative to the root mean square of a row: 1e-12 in double,
 * 1e-5 in float. */
extern const double check_rounding;
/* Adds a difference. Returns true if it is the largest so far; the caller then writes its location
 * to `where`. A difference that is not finite counts as the largest. */
bool finding_add(struct finding *finding, double difference);
/* Adds the differences of two arrays, relative to the root mean square of `expected`. */
void finding_rows(struct finding *finding, const real *got, const real *expected, int64_t count,
                  const char *where);
