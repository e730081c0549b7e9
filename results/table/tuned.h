/* Describes the choice of a trial for a tuned row (experiments/grid/tune.h). */
#pragma once

#include "results/table/sample.h"

/* The object of a test of rows with one search. */
#define TUNED_ONE_SEARCH "of the chosen options (one search)"

/* Dies if tune varies an axis of a table in a row, because lines are arranged by the options as
 * written. */
void tuned_check_axis(struct location location, const struct grid *grid, const char *key);
/* Returns an option of a tuned row: the chosen value, or its label in the space. "(edge)" follows
 * if it is at the edge of the space. Returns the reason if it is not chosen. NULL if the row does
 * not tune the option. */
const char *tuned_option(struct sampler *sampler, int row, const char *key);
/* Returns the chosen options of a row, "train.rate: 1.2, model.dropout: 0.1". The metric on dev
 * follows: of the chosen trial, of the row's own seeds, and of the median trial. Then come the
 * numbers of trials and of diverged trials, and the core hours. NULL: not chosen. */
const char *tuned_text(struct sampler *sampler, int row);
