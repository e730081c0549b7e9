/* Runs one optimizer step. Dropout masks are functions of the row's index in the whole step, so
 * they do not depend on the micro-batches. Results stay on the device until train_result reads
 * them. */
#include "core/train/step.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"

/* Returns the share of `rate` after a warm-up of w steps: from 1 to `floor` at the last step. A
 * benchmark has no last step. */
static double falling(const struct train_options *options, double s, int64_t total)
{
    const double w = options->warmup, t = (double)total > w ? (s - w) / ((double)total - w) : 0;
    const double f = options->schedule == SCHEDULE_LINEAR
                         ? 1 - t
                         : (1 + elementary_cos(t * 3.14159265358979323846)) / 2;
    return options->floor + (1 - options->floor) * f;
}

double train_rate(const struct train_options *options, int width, int64_t number, int64_t total)
{
    const double s = (double)number + 1, w = options->warmup;
    if (options->schedule == SCHEDULE_CONSTANT) return options->rate;
    if (options->schedule == SCHEDULE_RSQRT)
        return options->rate / sqrt((double)width) * fmin(s * elementary_pow(w, -1.5), 1 / sqrt(s));
    return options->rate * (s <= w ? s / w : falling(options, s, total));
}

double train_normalizer(const struct train_options *options, int64_t rows)
{
    return options->loss == LOSS_SUM ? 1 : (double)rows;
}

double train_correction(double beta, int64_t number)
{
    return 1 - elementary_pow(beta, (double)number + 1);
}

static int sentences_of(const struct batch *batch)
{
    int most = 0; /* a field that the model does not use has no tokens */
    for (int f = 0; f < FIELDS; f++) most = batch->field[f].B > most ? batch->field[f].B : most;
    return most;
}

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

/* Calls `adam` for the elements from `begin` to `end` of each slab. */
static void issue_adam(const struct learner *learner, const struct adam *whole, int64_t begin,
                       int64_t end, double decay)
{
    const struct ops *ops = learner->list->ops;
    struct adam adam;
    if (begin == end) return;
    memcpy(&adam, whole, sizeof adam); /* with its padding */
    adam.count = end - begin, adam.decay = decay;
    adam.master += begin, adam.m += begin, adam.v += begin, adam.gradient += begin;
    adam.operand = (struct act *)((char *)adam.operand + (size_t)begin * ops->act_bytes);
    ops->adam(&adam);
}

static bool is_table_of_words(const struct parameter *parameter)
{
    static const char word[] = "embedding";
    const size_t length = strlen(parameter->path), end = sizeof word - 1;
    return length >= end && !strcmp(parameter->path + length - end, word);
}

/* Calls `adam` for all parameters. Neighbors in the slab with the same decay share a call. */
static void issue_adams(const struct learner *learner, const struct adam *adam)
{
    const struct train_options *options = learner->train;
    const struct parameters *parameters = &learner->model->parameters;
    const bool all = options->weight_decay == 0 || options->decayed == DECAYED_ALL;
    double decay = options->weight_decay;
    int64_t begin = 0;
    for (int i = 0; i < parameters->count && !all; i++) {
        const struct parameter *one = parameters->item[i];
        const double own = one->matrix && !is_table_of_words(one) ? options->weight_decay : 0;
        if (own == decay) continue;
        issue_adam(learner, adam, begin, one->offset, decay);
        begin = one->offset, decay = own;
    }
    issue_adam(learner, adam, begin, parameters->slab, decay);
}

/* Runs after the backward pass of a whole step: gradient norm, clipping, Adam. */
static void issue_update(void *context)
{
    const struct learner *learner = context;
    const struct train_options *options = learner->train;
    const struct graph *graph = learner->list;
    const struct ops *ops = graph->ops;
    const struct parameters *parameters = &learner->model->parameters;
    struct settle settle;
    struct adam adam;
    /* padding must be 0: recorded arguments may be compared byte by byte */
    memset(&settle, 0, sizeof settle);
    memset(&adam, 0, sizeof adam);
    settle.step = graph->step, settle.clip = options->clip, settle.outcome = graph->outcome;
    adam.step = graph->step, adam.outcome = graph->outcome;
    adam.master = parameters->master, adam.m = parameters->m, adam.v = parameters->v;
    adam.operand = parameters->operand, adam.gradient = parameters->gradient;
    adam.beta1 = options->beta1, adam.beta2 = options->beta2;
    adam.epsilon = options->epsilon, adam.l2 = options->l2;
    ops->sum_of_squares(parameters->gradient, parameters->slab, &graph->outcome->squares);
    ops->settle(&settle);
    issue_adams(learner, &adam);
}

void train_issue(const struct learner *learner, int64_t number, const struct learner_step *made)
{
    const struct train_options *options = learner->train;
    struct graph *graph = learner->list;
    CHECK(graph->loss, "this list has no loss to be trained by");
    CHECK(made->micros > 0 && made->normalizer > 0, "step %lld is empty", (long long)number);
    const struct step step = {
        .seed = learner->seed,
        .number = (uint32_t)number,
        .normalizer = train_normalizer(options, made->normalizer),
        .rate = train_rate(options, learner->model->width, number, learner->total),
        .correction1 = train_correction(options->beta1, number),
        .correction2 = train_correction(options->beta2, number)};
    place_micros(made->micro, made->micros);
    graph_set_step(graph, &step);
    for (int i = 0; i < made->micros; i++) {
        graph_load(graph, &made->micro[i]);
        CHECK(graph_rows(graph->loss), "%s has no rows in this batch", graph->loss->path);
        graph_learn(graph, i > 0, i == made->micros - 1 ? issue_update : NULL,
                    (void *)(uintptr_t)learner);
    }
    parameters_forget_packed(&learner->model->parameters);
}

struct step_result train_result(const struct graph *graph)
{
    const struct outcome outcome = graph_outcome(graph);
    return (struct step_result){outcome.loss, outcome.norm, outcome.finite};
}

struct step_result train_step(const struct learner *learner, int64_t number,
                              const struct learner_step *step)
{
    train_issue(learner, number, step);
    return train_result(learner->list);
}
