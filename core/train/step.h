/* Runs one optimizer step: forward and backward pass of each micro-batch, clipping, Adam. */
#pragma once

#include "core/train/learner.h"
#include "core/train/train_options.h"

struct step_result {
    double loss; /* training loss (with label smoothing), divided by train_normalizer */
    double norm; /* norm of the whole gradient, before clipping and L2 */
    bool finite; /* false: no parameter was updated */
};

/* Issues the ops of a step of the learner's model. `number` is the index of the step, from 0. Sets
 * the position of every micro-batch in the step. Reads only the members model, list, train, total
 * and seed of the learner. */
void train_issue(const struct learner *learner, int64_t number, const struct learner_step *made);
/* Waits for the last issued step and returns its result. */
struct step_result train_result(const struct graph *graph);
/* Calls train_issue, then train_result. */
struct step_result train_step(const struct learner *learner, int64_t number,
                              const struct learner_step *step);

/* Learning rate of step `number`, from 0, of a training of `total` steps. With s = number + 1, w =
 * warmup and t = (s - w) / (total - w), the schedules are
 *
 *   rsqrt            rate * D^-1/2 * min(s w^-3/2, s^-1/2) (Vaswani et al. 2017, eq. 3)
 *   constant         rate
 *   linear, cosine   rate * s / w up to step w, then rate * (floor + (1 - floor) f);
 *                    f is 1 - t, or (1 + cos(pi t)) / 2 */
double train_rate(const struct train_options *options, int width, int64_t number, int64_t total);
/* Divisor of the loss: the number of rows for loss=mean, 1 for loss=sum. */
double train_normalizer(const struct train_options *options, int64_t rows);
/* 1 - beta^(s+1) for step s = `number`: the divisor of Adam's moments (Kingma and Ba 2015,
 * algorithm 1). */
double train_correction(double beta, int64_t number);
