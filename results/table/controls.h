/* The controls of probing tasks. Controls are views, such as the encoder before training, and
 * values that need no encoder (BASELINE in offer.h). A mean over a group of tasks leaves out the
 * tasks that are not above their controls, because they show nothing about the encoders.
 *
 * A table decides once for each task, for all views and rows. The margin of a row is its main value
 * minus its best control. Margins are averaged over the rows, seed by seed. The task takes part if
 * these means are above 0 by a one-sided t test over the seeds (p < 0.05). With one seed, the mean
 * must be above 0. A task without controls takes part. With `means: all` in the table, all tasks
 * take part. */
#pragma once

#include "results/table/sample.h"

/* The control of a row that has the highest mean over the seeds. */
struct best_control {
    const char *name; /* "start", "majority"; NULL: the row has no control */
    bool view;        /* false: a value that needs no encoder */
    double mean;
    struct column margin; /* the column minus the control, by seed; without a view, the column */
};
/* `column` must be a value of a part, or a mean of such values. */
struct best_control controls_best(struct sampler *sampler, const struct column *column, int row);

/* True if the margins of the seeds are above 0. */
bool controls_above(const double *margin, int seeds);

/* Returns the column, whose mean(GROUP) has only the tasks that take part. Cells, tests and claims
 * use this function, so that all of them have the same tasks. */
struct column controls_members(struct sampler *sampler, const struct column *column);
/* Returns "mean(Syntactic): without OddManOut (not above controls)"; NULL: the column
 * leaves out no task. */
const char *controls_note(struct sampler *sampler, const struct column *column);
