/* The numbers of a figure, from the store: of a grid's row the mean over its seeds, and how far the
 * values behind it are apart. No other file of this room reads values of results/table. */
#pragma once

#include "results/table/layout.h"
#include "results/table/name_list.h"
#include "results/table/sample.h"

struct value_of_row {
    struct sample of;       /* its seeds, also where there is no mean; one for all of one stage */
    double mean, deviation; /* NaN: none */
    int count;              /* seeds or checkpoints */
    const char *over;       /* what the deviation is over: "seeds", "best checkpoints"; or NULL */
};

/* A column's value of a row. */
struct value_of_row value_read(struct sampler *reader, const struct column *column, int row);
/* Half of the 95% interval of a mean over seeds by Student's t; NaN where there are fewer. */
enum { VALUE_INTERVAL = 3 };
double value_reach(const struct value_of_row *value);
/* The root of the mean square over seeds of another metric of the same rows, as of a standard
 * deviation; NaN: there is none. */
double value_root(struct sampler *reader, const struct column *column, int row, const char *metric);

/* True if a row has a stage of that part, in some seed. */
bool value_has_part(const struct sampler *reader, int row, const char *kind, const char *part);
/* The highest layer, up to 64, of a column's metric at a row, beside its other dimensions; 0: none.
 * Sets *n to what its lines count, where they say it. */
int value_layers(struct sampler *reader, const struct column *column, int row, int64_t *n);
/* The number that the lines of exactly the column's dimensions count, in any seed; 0: none. */
int64_t value_counted(struct sampler *reader, const struct column *column, int row);

/* A metric of the stages of a column against the step: the means over the seeds that have any, of
 * their first values, their second ones and so on, as many as all of those have. Their steps may
 * differ: an epoch of another seed may have a batch more. Of "loss", which is logged in between, of
 * the steps that all have. `done`: of stages that are done alone, as the values of a table. */
struct value_curve {
    int steps;
    double *step, *value, *deviation; /* [steps] deviation: sample standard deviation, of one NaN */
};
struct value_curve value_read_curve(struct sampler *reader, int row, const struct column *column,
                                    bool done);

/* The id of the stage that a column of a row is of, in one of its seeds from 0; NULL: it is not
 * done. */
const char *value_stage(struct sampler *reader, int row, int seed, const struct column *column);
/* Why a row has no value of a column: "running", "2 failed", "new". */
const char *value_why(struct sampler *reader, int row, const struct column *column);
/* True if all its stages are done in every seed. */
bool value_done(struct sampler *reader, int row, const struct column *column);
/* True if a row is a baseline of the grid's table. */
bool value_is_baseline(const struct sampler *reader, int row);
