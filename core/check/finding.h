/* What a check finds: how many numbers it held against each other, and the largest difference. */
#pragma once

#include "core/tensor/ops.h"

struct finding {
    const char *name;    /* "gradients" */
    bool ok;             /* something was compared, and no difference is above the limit */
    int64_t compared;    /* numbers that were held against each other */
    double worst, limit; /* the largest difference, as the check measures it; what it may be */
    char where[256];     /* of the largest difference */
};

/* For who compares. What differs by rounding alone, relative to the rows that it stands in: 1e-12
 * in double, 1e-5 in float. */
extern const double check_rounding;
/* A further difference; true when it is the worst so far, and its place is to be written to
 * `where`. What is not finite is worse than all. */
bool finding_add(struct finding *finding, double difference);
/* Rows against rows, relative to the root mean square of `expected`. */
void finding_rows(struct finding *finding, const real *got, const real *expected, int64_t count,
                  const char *where);
