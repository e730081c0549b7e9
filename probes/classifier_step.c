/* An update: one batch for all members whose training goes on, each by its own parameters. */
#include "probes/classifier_group.h"

void probe_group_lose(const struct probe_group *group, int rows, bool gradient)
{
    const int C = group->job->data->classes;
    group->job->ops->cross_entropy(&(struct cross_entropy){.step = group->step,
                                                           .T = rows,
                                                           .V = C,
                                                           .ld = C,
                                                           .rows = probe_group_rows(group),
                                                           .logits = group->logits,
                                                           .label = group->label,
                                                           .gradient = gradient,
                                                           .loss = group->loss,
                                                           .likelihood = group->likelihood});
}

/* Logits become their gradient. */
static void lose(const struct probe_group *group, const struct probe_member *member, int rows,
                 int count)
{
    const struct ops *ops = group->job->ops;
    probe_group_lose(group, rows, true);
    if (!trace_on("probe")) return;
    double loss;
    ops->sum(group->loss, rows, probe_group_rows(group), false, &group->outcome->loss);
    ops->download(&loss, &group->outcome->loss, sizeof loss);
    trace("probe", "setting %d update %lld loss %.9g", member->setting, (long long)group->updates,
          loss / count);
}

/* dW = x^T dy, db = columns of dy. */
static void layer_backward(const struct probe_group *group, struct probe_member *member,
                           const struct probe_layer *layer, int rows, const struct act *x,
                           const struct act *dy)
{
    const int K = layer->weight->rows, N = layer->weight->columns;
    real *gradient = member->parameters.gradient;
    group->job->ops->gemm_weight(&(struct gemm_weight){.T = rows,
                                                       .M = K,
                                                       .N = N,
                                                       .rows = probe_group_rows(group),
                                                       .a = x,
                                                       .lda = K,
                                                       .b = dy,
                                                       .ldb = N,
                                                       .c = gradient + layer->weight->offset,
                                                       .scale = 1,
                                                       .bias = gradient + layer->bias->offset});
}

/* dunit = dlogits W^T */
static void units_backward(const struct probe_group *group, const struct probe_member *member,
                           int k, int rows)
{
    const struct ops *ops = group->job->ops;
    const struct parameter *weight = member->output.weight;
    ops->gemm(&(struct gemm){.transpose_b = true,
                             .M = rows,
                             .N = weight->rows,
                             .K = weight->columns,
                             .rows = probe_group_rows(group),
                             .a = group->logits,
                             .lda = weight->columns,
                             .b = act_at(ops, member->parameters.operand, weight->offset),
                             .ldb = weight->columns,
                             .c = probe_group_units(group, group->unit_gradient, k),
                             .ldc = weight->rows,
                             .scale = 1});
}

static void learn(const struct probe_group *group, struct probe_member *member)
{
    struct parameters *p = &member->parameters;
    group->job->ops->adam(&(struct adam){.step = group->step,
                                         .outcome = group->outcome,
                                         .count = p->slab,
                                         .master = p->master,
                                         .m = p->m,
                                         .v = p->v,
                                         .operand = p->operand,
                                         .gradient = p->gradient,
                                         .beta1 = PROBE_BETA1,
                                         .beta2 = PROBE_BETA2,
                                         .epsilon = PROBE_EPSILON,
                                         .l2 = member->trained->setting.l2});
}

/* What the output layer reads: the units of go[k], or without any the vectors. */
static struct act *output_input(const struct probe_group *group, int k)
{
    return group->hidden ? probe_group_units(group, group->unit, k) : group->x;
}

/* All that go on meet one mask. */
static struct dropout_sigmoid sigmoid_of(const struct probe_group *group, int rows)
{
    return (struct dropout_sigmoid){.step = group->step,
                                    .T = rows,
                                    .N = group->hidden,
                                    .rows = probe_group_rows(group),
                                    .blocks = group->going,
                                    .next = (int64_t)group->room * group->hidden,
                                    .x = group->unit,
                                    .out = group->unit,
                                    .dropout = group->dropout,
                                    .out_gradient = group->unit_gradient,
                                    .x_gradient = group->unit_gradient};
}

static void hidden_forward(const struct probe_group *group, int rows)
{
    const struct dropout_sigmoid sigmoid = sigmoid_of(group, rows);
    for (int k = 0; k < group->going; k++)
        probe_layer_forward(group, group->go[k], &group->go[k]->hidden, rows, group->x,
                            probe_group_units(group, group->unit, k));
    group->job->ops->dropout_sigmoid(&sigmoid);
}

static void hidden_backward(const struct probe_group *group, int rows)
{
    const struct dropout_sigmoid sigmoid = sigmoid_of(group, rows);
    group->job->ops->dropout_sigmoid_backward(&sigmoid);
    for (int k = 0; k < group->going; k++)
        layer_backward(group, group->go[k], &group->go[k]->hidden, rows, group->x,
                       probe_group_units(group, group->unit_gradient, k));
}

void probe_group_update(struct probe_group *group, const int32_t *item, int count)
{
    const int rows = probe_group_load(group, item, count);
    if (group->hidden) hidden_forward(group, rows);
    for (int k = 0; k < group->going; k++) {
        struct probe_member *member = group->go[k];
        const struct act *x = output_input(group, k);
        probe_layer_forward(group, member, &member->output, rows, x, group->logits);
        lose(group, member, rows, count);
        layer_backward(group, member, &member->output, rows, x, group->logits);
        if (group->hidden) units_backward(group, member, k, rows);
    }
    if (group->hidden) hidden_backward(group, rows);
    for (int k = 0; k < group->going; k++) learn(group, group->go[k]);
    group->updates++;
}
