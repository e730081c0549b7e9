/* Resampled scores, kept: a seed is resampled once, however many comparisons of a table or of
 * claims it takes part in. All draw the same sets of items (significance_draw). */
#pragma once

#include "results/stats/significance.h"
#include "results/table/observations.h"

struct resamples {
    struct arena *arena;
    struct significance_options options; /* of which samples and seed count */
    int count;
    struct resampled *of; /* [count] */
};

/* Says that observations will be asked for, so that all that are of the same items are resampled
 * together. NULL, and those with a problem, are passed over. */
void resamples_expect(struct resamples *resamples, const struct observations *observations);
/* [samples] the means over `count` observations and their sets, in the arena. */
const double *resamples_mean(struct resamples *resamples, const struct observations *const *of,
                             int count, struct arena *arena);
