/* A column's values row by row, and their variance between seeds, which pools the variance of a
 * comparison (results/stats/pooled.h). Tables and claims of a grid have the same caches. */
#pragma once

#include "results/stats/pooled.h"
#include "results/table/sample.h"

/* sample_row with a cache in the sampler. The column is no p column. */
const struct sample *sample_cached(struct sampler *sampler, const struct column *column, int row);

/* Returns the variances of the other rows of the grid, [*others], valid until the next call. `row`
 * and `other_row` are excluded (equal for a margin). A row counts if it has values of two seeds or
 * more with the signature of `row`. Rows of the same trainings count once, and not at all if the
 * pair has these trainings. */
const struct pooled_row *sample_cache_others(struct sampler *sampler, const struct column *column,
                                             int row, int other_row, int *others);
