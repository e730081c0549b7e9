/* One optimizer step: micro-batches forward and backward, clipping, Adam. */
#ifndef CORE_TRAIN_STEP_H
#define CORE_TRAIN_STEP_H

#include "core/model/model.h"
#include "core/train/options.h"

struct step_result {
    double loss; /* what is learned (with label smoothing), over the normalizer */
    double norm; /* of the whole gradient, before clipping and L2 */
    bool finite; /* false: nothing was updated */
};

/* Begins a step. `number` counts optimizer steps from 0; the loss is a mean over `normalizer` rows
 * or sentences. The place of every micro-batch in the step is set here. */
void train_issue(struct model *model, struct graph *graph, const struct train_options *options,
                 uint32_t seed, int64_t number, struct batch *micro, int micros,
                 int64_t normalizer);
/* What the step that was begun last comes to: waits for it. */
struct step_result train_result(const struct graph *graph);
/* Both, one behind the other. */
struct step_result train_step(struct model *model, struct graph *graph,
                              const struct train_options *options, uint32_t seed, int64_t number,
                              struct batch *micro, int micros, int64_t normalizer);

/* rate * D^-1/2 * min((s+1) w^-3/2, (s+1)^-1/2) (Vaswani et al. 2017, eq. 3). */
double train_rate(const struct train_options *options, int width, int64_t number);
/* 1 - beta^(s+1), what Adam's averages are divided by (Kingma and Ba 2015, algorithm 1). */
double train_correction(double beta, int64_t number);

#endif
