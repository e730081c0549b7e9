/* Reads the numbers of figures. For a row of a grid, these are the mean over its seeds and the
 * standard deviation. Other files of this folder read metrics of the database only through these
 * functions. */
#pragma once

#include "results/table/layout.h"
#include "results/table/name_list.h"
#include "results/table/sample.h"

/* Reads the sample of a column in a row, and sets `over` (sample.h). If all seeds share a stage,
 * the sample has one value. If the signatures are mixed, it has no mean. If only one seed has a
 * value, the deviation is over the best checkpoints that were scored. */
struct sample value_read(struct sampler *reader, const struct column *column, int row);
/* Returns half of the width of the 95% confidence interval of a mean over seeds (Student's t); NaN
 * for fewer than VALUE_INTERVAL seeds. */
enum { VALUE_INTERVAL = 3 };
double value_reach(const struct sample *value);
/* Returns the root mean square over seeds of another metric with the same dimensions, for example
 * of a standard deviation. Returns NaN if metric is NULL or has no values. */
double value_root(struct sampler *reader, const struct column *column, int row, const char *metric);

/* Returns the offer of the column's kind if the column has a part with views by layer (offer.h);
 * else NULL. mean(GROUP) is treated as the first column of the group. */
const struct offer *value_views(const struct column *column);
/* Returns the column with the dimensions `of` and, unless it is NULL, the value `value`. For
 * mean(GROUP), all columns of the group are changed. If a column has a part with views by layer,
 * the result has the part of the view instead of the dimension layer. VALUE_OUTPUT as a layer is
 * the view of the encoder's output. */
enum { VALUE_OUTPUT = -1 };
struct column value_filter(const struct column *column, struct dimensions of, const char *value,
                           struct arena *arena);
static inline struct column value_at_layer(const struct column *column, int layer,
                                           struct arena *arena)
{
    const struct dimensions at = {.number[DIMENSION_LAYER] = layer};
    return value_filter(column, at, NULL, arena);
}
/* Returns the highest layer, up to VALUE_LAYERS, for which a row has metric rows or a view of the
 * column. Returns 0 if there is none, or if no view has a value. */
enum { VALUE_LAYERS = 64 };
int value_layers(struct sampler *reader, const struct column *column, int row);
/* Returns the column of the view encoder.output. Its name is NULL if the column has no views, or if
 * the row has no short-cut. Without a short-cut, the last layer is the output. */
struct column value_output(struct sampler *reader, const struct column *column, int row);
/* Returns the largest `n` of the lines with exactly the column's dimensions, from the first seed in
 * which it is above 0. Returns 0 if the lines lack n, -1 if there are no lines. For mean(GROUP),
 * returns the sum over its columns; -1 if a column has no lines. */
int64_t value_counted(struct sampler *reader, const struct column *column, int row);

/* A metric of the stages of a column as a function of the step. Point n is the mean of the n-th
 * values of all seeds that have values. Its step is the mean of the n-th steps. The steps may
 * differ, because an epoch of another seed may have one batch more. The curve ends where the first
 * of these seeds ends. Exception: for the training loss ("loss"), a point is the mean at a step
 * that all these seeds have. With `done`, uses only stages that are done, as tables do. For
 * mean(GROUP), a value of a seed is the mean over the columns of the group. */
struct value_curve {
    int steps;
    double *step, *value, *deviation; /* [steps] deviation: sample standard deviation; NaN for
                                         one seed */
};
struct value_curve value_read_curve(struct sampler *reader, int row, const struct column *column,
                                    bool done);

/* Returns the id of the stage that computes a column of a row; NULL if the stage is not done.
 * `seed` is the index of a seed. */
const char *value_stage(struct sampler *reader, int row, int seed, const struct column *column);
/* Returns the reason why a row has no value of a column. It is the status of the first stage that
 * is not done ("running", "failed", "new"), "no value" or "not run". */
const char *value_why(struct sampler *reader, int row, const struct column *column);
/* True if the stage that computes the column is done in every seed. */
bool value_done(struct sampler *reader, int row, const struct column *column);
/* True if a row is a baseline of the grid's table. */
bool value_is_baseline(const struct sampler *reader, int row);
