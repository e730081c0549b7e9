/* Caches resampled scores. The items of each seed are resampled once for all comparisons of a table
 * or of a list of claims. All seeds use the same draws of items (significance_draw). */
#pragma once

#include "results/stats/significance.h"
#include "results/table/observations.h"

struct resamples {
    struct arena *arena;
    struct significance_options options; /* comparison_of uses `trials` */
    int count;
    struct resampled *of; /* [count] */
};

/* Announces observations that will be used, so that all observations of the same items are
 * resampled together. NULL and observations with a problem are ignored. */
void resamples_expect(struct resamples *resamples, const struct observations *observations);
/* Returns an array [samples] in the arena. Each entry is a mean of resampled scores over the seeds
 * and the sets of the observations `of`, [seeds][rows]. Over the rows it is a sum with these
 * weights; NULL: the mean. */
const double *resamples_mean(struct resamples *resamples, const struct observations *const *of,
                             int seeds, int rows, const double *weight, struct arena *arena);
