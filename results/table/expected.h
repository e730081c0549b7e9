/* The column expected(METRIC, BUDGET): the expected best trial (results/stats/best_of.h). METRIC is
 * the metric of tune. A budget is a number of trials, "4" or "4 trials", or of core hours of a
 * search, "2 hours". Up to half of the trials, there is a value for each search. */
#pragma once

#include "results/table/observations.h"
#include "results/table/sample.h"

/* The trials of a search. */
struct expected_trials {
    int count;           /* 0: the choice is not done */
    const double *value; /* [count] NaN: diverged */
    bool less;           /* lower is better */
    double hours;        /* core hours */
    int64_t stage;       /* number of the stage `choice` */
    const char *id;      /* its id */
};
struct expected_trials expected_trials(struct sampler *sampler, int row, int seed);

/* Checks a column with such a value, also inside of another function. Dies at the column's location
 * if a tuned row has no value of this budget, or if no row is tuned. */
void expected_check(const struct grid *grid, const struct column *column);
/* Dies at `location` if trials of a row are stopped by halving. `what` needs trials that all run to
 * the end. */
void expected_refuse(const struct grid *grid, struct location location, const char *what);
/* Functions of the column. */
bool expected_find(const char *text, struct column *column, struct column_miss *miss,
                   struct arena *arena);
struct sample expected_sample(struct sampler *sampler, const struct column *column, int row);
/* Returns the trials of a row with one search as items, for a bootstrap over the numbers of trials.
 * NULL: there is no value. */
const struct observations *expected_observations(struct sampler *sampler,
                                                 const struct column *column, int row);
