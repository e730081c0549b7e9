/* A column's values row by row, and how much they vary between seeds: what pools the variance of a
 * comparison (results/stats/pooled.h). Tables and claims of a grid have the same families. */
#pragma once

#include "results/stats/pooled.h"
#include "results/table/sample.h"

/* sample_row, kept by the sampler: of a column that is no p. */
const struct sample *family_sample(struct sampler *sampler, const struct column *column, int row);

/* The rows of the grid beside `row` and `other_row` (of a margin the same) that show how trainings
 * vary, [*others], until the next call: those with values of two seeds at least that were computed
 * as the values of `row` were. Rows of the same trainings count once, and not beside the pair. */
const struct pooled_row *family_others(struct sampler *sampler, const struct column *column,
                                       int row, int other_row, int *others);
