/* Checks the gradients of a whole model, summed over the micro-batches of a step. Some gradients
 * are sums over several nodes, which share a table, a residual stream or a projection. */
#include "tests/support/double_difference.h"
#include "tests/support/double_checks.h"

enum { MICROS = 2 };

struct whole {
    struct check_subject *subject;
    struct batch micro[MICROS];
    struct step step;
    const struct parameter *parameter;
};

static double evaluate(void *context)
{
    const struct whole *w = context;
    double loss = 0;
    for (int i = 0; i < MICROS; i++)
        loss += check_forward(w->subject->train, &w->step, &w->micro[i]);
    return loss;
}

static void move(void *context, const double *direction, double amount)
{
    const struct whole *w = context;
    difference_move(&w->subject->model->parameters, w->parameter, direction, amount);
}

void check_gradients(struct check_subject *subject, struct finding *finding)
{
    struct arena arena = {0};
    struct graph *train = subject->train;
    const struct parameters *parameters = &subject->model->parameters;
    const struct batch all = check_batch(&arena, 2, 5, 7);
    struct whole w = {
        .subject = subject,
        .micro = {check_batch_part(&arena, &all, 0, 2), check_batch_part(&arena, &all, 2, 5)},
        .step = check_step(9)};
    check_poison_bytes(parameters->ops, parameters->gradient,
                       /* If the first micro-batch added to this memory, gradients would be NaN. */
                       (size_t)parameters->slab * sizeof(real));
    for (int i = 0; i < MICROS; i++) {
        check_poison(train);
        check_forward(train, &w.step, &w.micro[i]);
        graph_backward(train, i > 0);
    }
    finding->limit = difference_limit;
    struct difference d = {.evaluate = evaluate,
                           .move = move,
                           .context = &w,
                           .directions = 1,
                           .elements = subject->elements};
    for (int p = 0; p < parameters->count; p++) {
        w.parameter = parameters->item[p];
        d.name = w.parameter->path;
        d.count = (int64_t)w.parameter->rows * w.parameter->columns;
        d.gradient = difference_gradient(&arena, parameters, w.parameter);
        difference_find(&d, finding);
    }
    arena_free(&arena);
}
