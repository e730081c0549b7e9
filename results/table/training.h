/* Detects undertraining: trainings of a row that were too short to compare the row with other rows.
 * Tables list undertrained rows. Claims about them are inconclusive (results/report/claims.h).
 *
 * A training is a stage of a kind that validates (offer.h). Its curve has the value of a metric at
 * each validation. The metric is dev_accuracy, in percent, if the kind has it (relate), or else
 * dev_loss (train: in nats per token).
 *
 * The last third of a training begins at the last validation at or before two thirds of its steps,
 * without interpolation. So trainings of different lengths are compared at equal fractions of their
 * steps. The curve of a row has three values: at the first validation, at the start of the last
 * third, and at the last validation. Each is the mean over the trainings of the row.
 *
 * A training ended in its warm-up if its schedule has a warm-up (not constant) and the
 * training has fewer steps than the warm-up (train.warmup).
 *
 * With the schedules cosine and linear, every curve flattens at the end of its training. So the
 * curve of a row is unknown unless the grid has a longer row. This row has the same options and at
 * least 1.5 times the budget (train.epochs, train.steps). */
#pragma once

#include "results/table/sample.h"

enum { TRAINING_VALIDATIONS = 5 }; /* with fewer validations, a curve is inconclusive */

struct training_row {
    int trainings;         /* number of trainings that are done; the other fields describe these */
    int falling;           /* number of trainings whose loss at the last validation is lower than at
                              all earlier validations */
    int unfinished;        /* number of trainings that ended in their warm-up */
    int64_t warmup, steps; /* for the first of these trainings: steps of its warm-up, and all its
                              steps */
    bool known;            /* each training has at least TRAINING_VALIDATIONS validations, one of
                              them at or before two thirds of its steps; see above for schedules
                              that end low */
    const char *metric;    /* metric of the curve; NULL: no trainings */
    double sign;           /* 1: more is better, -1: less is better */
    double first, middle, last; /* the three values of the row's curve, if known */
};
/* Describes the trainings on which a column's values in a row depend. If `column` is NULL,
 * describes all trainings of the row, without the row's curve. */
struct training_row training_row(struct sampler *sampler, const struct column *column, int row);
