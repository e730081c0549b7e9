/* Caches the sample of each column in each row, and the variances between seeds of the rows. A
 * comparison of two rows pools these variances (results/stats/pooled.h). */
#pragma once

#include "results/stats/pooled.h"
#include "results/table/sample.h"

/* Returns sample_row(..), cached in the sampler. `column` must not be a p column. */
const struct sample *sample_cached(struct sampler *sampler, const struct column *column, int row);

/* Returns the variances of the other rows of the grid, [*others], valid until the next call. A row
 * is included if it has values of two seeds or more, with the signature of row[0]. Of several rows
 * with the same trainings, only the first is included. The rows row[rows] and rows with their
 * trainings are excluded. So are rows with one search if row[0] has several, and vice versa. */
const struct pooled_row *sample_cache_others(struct sampler *sampler, const struct column *column,
                                             const int *row, int rows, int *others);
