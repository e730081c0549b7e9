/* One optimizer step: micro-batches forward and backward, clipping, Adam. */
#pragma once

#include "core/train/learner.h"
#include "core/train/options.h"

struct step_result {
    double loss; /* what is learned (with label smoothing), over train_normalizer */
    double norm; /* of the whole gradient, before clipping and L2 */
    bool finite; /* false: nothing was updated */
};

/* Begins a step of the learner's model. `number` counts optimizer steps from 0; the place of every
 * micro-batch in the step is set here. Of the learner only model, list, train and seed are read. */
void train_issue(const struct learner *learner, int64_t number, const struct learner_step *made);
/* What the step that was begun last comes to: waits for it. */
struct step_result train_result(const struct graph *graph);
/* Both, one behind the other. */
struct step_result train_step(const struct learner *learner, int64_t number,
                              const struct learner_step *step);

/* rate * D^-1/2 * min((s+1) w^-3/2, (s+1)^-1/2) (Vaswani et al. 2017, eq. 3), or by the schedule
 * the rate alone. */
double train_rate(const struct train_options *options, int width, int64_t number);
/* What the loss of so many rows is divided by: their number, or of their sum 1. */
double train_normalizer(const struct train_options *options, int64_t rows);
/* 1 - beta^(s+1), what Adam's averages are divided by (Kingma and Ba 2015, algorithm 1). */
double train_correction(double beta, int64_t number);
