/* Describes the choice of a trial for a tuned row (experiments/grid/tune.h). */
#pragma once

#include "results/table/sample.h"

/* Returns an option of a tuned row: the chosen value, or its label in the space. "(edge)" follows
 * if it is at the edge of the space. Returns the reason if it is not chosen yet. NULL if the row
 * does not tune the option. */
const char *tuned_option(const struct grid *grid, const struct grid_row *row, const char *key,
                         struct arena *arena);
/* Returns the chosen options of a row, "train.rate: 1.2, model.dropout: 0.1". The metric on dev
 * follows: of the chosen trial, of the row's own seeds, and of the median trial. NULL: not
 * chosen. */
const char *tuned_text(struct sampler *sampler, int row);
