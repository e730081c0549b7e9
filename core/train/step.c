/* Masks and sums see rows of the whole step, however it is cut. */
#include "core/train/step.h"

#include <math.h>

#include "core/base/elementary.h"

double train_rate(const struct train_options *options, int width, int64_t number)
{
    const double s = (double)number + 1, w = options->warmup;
    return options->rate / sqrt((double)width) * fmin(s * elementary_pow(w, -1.5), 1 / sqrt(s));
}

double train_correction(double beta, int64_t number)
{
    return 1 - elementary_pow(beta, (double)number + 1);
}

/* Where a micro-batch begins in its step: behind the rows of those before it. */
static void place_micro(struct step *step, struct batch *micro, int64_t rows[FIELDS])
{
    int sentences = 0;
    for (int f = 0; f < FIELDS; f++) {
        step->first_row[f] = micro->first_row[f] = rows[f];
        rows[f] += micro->field[f].T;
        sentences += micro->field[f].B;
    }
    CHECK(sentences > 0, "a micro-batch without sentences");
}

struct step_result train_step(struct model *model, struct graph *graph,
                              const struct train_options *options, uint32_t seed, int64_t number,
                              struct batch *micro, int micros, int64_t normalizer)
{
    const struct ops *ops = graph->ops;
    struct parameters *parameters = &model->parameters;
    struct step_result result = {0};
    int64_t rows[FIELDS] = {0};
    CHECK(graph->loss, "this list has no loss to be trained by");
    CHECK(micros > 0 && normalizer > 0, "step %lld is empty", (long long)number);
    struct step step = {.seed = seed,
                        .number = (uint32_t)number,
                        .normalizer = (double)normalizer,
                        .rate = train_rate(options, model->width, number),
                        .correction1 = train_correction(options->beta1, number),
                        .correction2 = train_correction(options->beta2, number),
                        .gradient_scale = 1};
    for (int i = 0; i < micros; i++) {
        place_micro(&step, &micro[i], rows);
        graph_set_step(graph, &step);
        graph_load(graph, &micro[i]);
        graph_forward(graph);
        const struct loss_sum sum = graph_losses(graph);
        result.loss += sum.loss;
        result.likelihood += sum.likelihood;
        graph_backward(graph, i > 0);
    }
    result.loss /= (double)normalizer;
    result.likelihood /= (double)normalizer;
    double squares;
    ops->sum_of_squares(parameters->gradient, parameters->slab, &squares);
    result.norm = sqrt(squares);
    result.finite = isfinite(result.loss) && isfinite(result.norm);
    if (!result.finite) return result;
    if (options->clip > 0 && result.norm > options->clip)
        step.gradient_scale = options->clip / result.norm;
    graph_set_step(graph, &step);
    ops->adam(&(struct adam){.step = graph->step,
                             .count = parameters->slab,
                             .master = parameters->master,
                             .m = parameters->m,
                             .v = parameters->v,
                             .gradient = parameters->gradient,
                             .beta1 = options->beta1,
                             .beta2 = options->beta2,
                             .epsilon = options->epsilon,
                             .l2 = options->l2});
    parameters_refresh(parameters);
    return result;
}
