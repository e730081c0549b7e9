/* The numbers of a figure, from the store: for a grid's row the mean over its seeds, and the spread
 * of the values. No other file of this room reads values of results/table. */
#pragma once

#include "results/table/layout.h"
#include "results/table/name_list.h"
#include "results/table/sample.h"

struct value_of_row {
    struct sample of;       /* its seeds, even without a mean; one for values of a single stage */
    double mean, deviation; /* NaN: none */
    int count;              /* seeds or checkpoints */
    const char *over;       /* set over which the deviation is computed: "seeds", "best
                               checkpoints"; or NULL */
};

/* Reads a column's value of a row. */
struct value_of_row value_read(struct sampler *reader, const struct column *column, int row);
/* Half of the 95% interval of a mean over seeds by Student's t; NaN for fewer than VALUE_INTERVAL
 * seeds. */
enum { VALUE_INTERVAL = 3 };
double value_reach(const struct value_of_row *value);
/* The root mean square over seeds of another metric of the same rows, for example of a standard
 * deviation; NaN: none. */
double value_root(struct sampler *reader, const struct column *column, int row, const char *metric);

/* Returns the offer of a column of a part with views by layer (offer.h); NULL: no such column. */
const struct offer *value_views(const struct column *column);
/* Returns a column at a layer, from 1: a line of the metric, or the part of the layer's view. */
struct column value_at_layer(const struct column *column, int layer, struct arena *arena);
/* Returns the highest layer, up to VALUE_LAYERS, that a column has at a row; 0: none, or no view
 * has a value. */
enum { VALUE_LAYERS = 64 };
int value_layers(struct sampler *reader, const struct column *column, int row);
/* Returns the column of the output, after the last layer; a name of NULL: the row has no short-cut,
 * so that its last layer is the output. */
struct column value_output(const struct sampler *reader, const struct column *column, int row);
/* Returns `n` of the lines of exactly the column's dimensions, in any seed; 0: lines without n; -1:
 * no lines. */
int64_t value_counted(struct sampler *reader, const struct column *column, int row);

/* A metric of the stages of a column against the step: the means over the seeds with values, of
 * their first values, their second values and so on, as many as all seeds have. Their steps may
 * differ: an epoch of another seed may have one batch more. "loss", which is logged in between,
 * uses the common steps only. `done`: only done stages, like the values of a table. */
struct value_curve {
    int steps;
    double *step, *value, *deviation; /* [steps] deviation: sample standard deviation; NaN for
                                         one seed */
};
struct value_curve value_read_curve(struct sampler *reader, int row, const struct column *column,
                                    bool done);

/* Returns the id of the stage of a row's column, in a seed (from 0); NULL: not done. */
const char *value_stage(struct sampler *reader, int row, int seed, const struct column *column);
/* Returns why a row has no value of a column: "running", "2 failed", "new". */
const char *value_why(struct sampler *reader, int row, const struct column *column);
/* True if all stages of the column are done in every seed. */
bool value_done(struct sampler *reader, int row, const struct column *column);
/* True if a row is a baseline of the grid's table. */
bool value_is_baseline(const struct sampler *reader, int row);
