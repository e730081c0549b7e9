/* Whether the trainings behind a row's values have gone on for long enough to compare rows by them.
 * Tables name rows that are undertrained, claims are undecided by them (results/report/claims.h).
 *
 * A training is a stage of a kind that validates (offer.h). Its curve is its dev metric by step:
 * the one that the kind is judged by (dev_accuracy of relate, in percent), or else
 * that of its validations (dev_loss of train, in nats per token). The curve has a value for each
 * validation.
 *
 * The last third of a training is the last third of its steps. Its start is the last validation at
 * or before two thirds of the steps: nothing is interpolated. So trainings of different lengths are
 * compared at equal fractions of their steps. Seeds are combined by means: a row's curve is the
 * mean over its trainings of their first values, of those at two thirds, and of the last ones.
 *
 * A training ended in its warm-up when its schedule has one (train.schedule rsqrt) and it has fewer
 * steps than that (train.warmup). */
#pragma once

#include "results/table/sample.h"

enum { TRAINING_VALIDATIONS = 5 }; /* with fewer a curve says nothing */

struct training_row {
    int trainings;         /* that are done; the rest is of these */
    int falling;           /* whose lowest loss is that of the last of several validations */
    int unfinished;        /* that ended in their warm-up, */
    int64_t warmup, steps; /* and of the first of these: steps of the warm-up, and all steps */
    bool known;            /* all have TRAINING_VALIDATIONS, one of them at or before two thirds */
    const char *metric;    /* NULL: there are no trainings */
    double sign;           /* 1: more is better, -1: less is */
    double first, middle, last; /* of the curve, if known */
};
/* The trainings behind a column's values in a row; NULL column: all of the row's. */
struct training_row training_row(struct sampler *sampler, const struct column *column, int row);
