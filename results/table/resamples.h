/* Cache of resampled scores: a seed is resampled once for all comparisons of a table or of claims.
 * All use the same sets of items (significance_draw). */
#pragma once

#include "results/stats/significance.h"
#include "results/table/observations.h"

struct resamples {
    struct arena *arena;
    struct significance_options options; /* `samples` and `seed` are used */
    int count;
    struct resampled *of; /* [count] */
};

/* Announces observations that will be used, so that all observations of the same items are
 * resampled together. NULL and observations with a problem are ignored. */
void resamples_expect(struct resamples *resamples, const struct observations *observations);
/* Returns the means over `count` observations and their sets, [samples], in the arena. */
const double *resamples_mean(struct resamples *resamples, const struct observations *const *of,
                             int count, struct arena *arena);
