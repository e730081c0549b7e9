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

static int sentences_of(const struct batch *batch)
{
    int most = 0; /* a field that the model lacks has none */
    for (int f = 0; f < FIELDS; f++) most = batch->field[f].B > most ? batch->field[f].B : most;
    return most;
}

/* Where micro-batches begin in their step: each behind the one before. */
static void place_micros(struct batch *micro, int micros)
{
    for (int i = 0; i < micros; i++) {
        struct batch *here = &micro[i];
        const struct batch *before = i ? here - 1 : NULL;
        CHECK(sentences_of(here) > 0, "a micro-batch without sentences");
        here->first_sentence = before ? before->first_sentence + sentences_of(before) : 0;
        for (int f = 0; f < FIELDS; f++)
            here->first_token[f] = before ? before->first_token[f] + before->field[f].T : 0;
    }
}

struct step_result train_step(struct model *model, struct graph *graph,
                              const struct train_options *options, uint32_t seed, int64_t number,
                              struct batch *micro, int micros, int64_t normalizer)
{
    const struct ops *ops = graph->ops;
    struct parameters *parameters = &model->parameters;
    struct step_result result = {0};
    CHECK(graph->loss, "this list has no loss to be trained by");
    CHECK(micros > 0 && normalizer > 0, "step %lld is empty", (long long)number);
    struct step step = {.seed = seed,
                        .number = (uint32_t)number,
                        .normalizer = (double)normalizer,
                        .rate = train_rate(options, model->width, number),
                        .correction1 = train_correction(options->beta1, number),
                        .correction2 = train_correction(options->beta2, number),
                        .gradient_scale = 1};
    place_micros(micro, micros);
    for (int i = 0; i < micros; i++) {
        graph_set_step(graph, &step);
        graph_load(graph, &micro[i]);
        CHECK(graph_rows(graph, graph->loss), "%s has no rows in this batch", graph->loss->path);
        graph_forward(graph);
        const struct loss_sum sum = graph_losses(graph);
        result.loss += sum.loss;
        graph_backward(graph, i > 0);
    }
    result.loss /= (double)normalizer;
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
