/* Undertraining: tests if the trainings of a row ran long enough to compare rows by their values.
 * Tables list undertrained rows; claims about them are inconclusive
 * (results/report/claims.h).
 *
 * A training is a stage of a kind that validates (offer.h). Its curve is its dev metric by step:
 * dev_accuracy, in percent, if the kind has it (relate), or else the metric of its validations
 * (dev_loss of train, in nats per token). The curve has a value for each validation.
 *
 * The last third of a training is the last third of its steps. Its start is the last validation at
 * or before two thirds of the steps, without interpolation. So trainings of different lengths are
 * compared at equal fractions of their steps. Seeds are averaged: a row's curve is the mean over
 * its trainings of the first values, of those at two thirds, and of the last values.
 *
 * A training ended in its warm-up if its schedule has a warm-up (train.schedule rsqrt) and it has
 * fewer steps than that (train.warmup). */
#pragma once

#include "results/table/sample.h"

enum { TRAINING_VALIDATIONS = 5 }; /* with fewer a curve is inconclusive */

struct training_row {
    int trainings;         /* done trainings; the other fields are about them */
    int falling;           /* trainings whose lowest loss is that of the last of several
                              validations */
    int unfinished;        /* trainings that ended in their warm-up */
    int64_t warmup, steps; /* of the first of these: steps of the warm-up, and all steps */
    bool known;            /* all have TRAINING_VALIDATIONS, one of them at or before two thirds */
    const char *metric;    /* NULL: no trainings */
    double sign;           /* 1: more is better, -1: less is better */
    double first, middle, last; /* of the curve, if known */
};
/* Returns the trainings of a column's values in a row; NULL column: all trainings of the row. */
struct training_row training_row(struct sampler *sampler, const struct column *column, int row);
