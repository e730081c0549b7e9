/* An update: one batch for all members whose training goes on, each by its own parameters. */
#include "probes/classifier_group.h"

void probe_group_lose(const struct probe_group *group, int rows, bool gradient)
{
    struct cross_entropy c = {.step = group->step, .T = rows, .gradient = gradient};
    c.V = c.ld = group->job->data->classes;
    c.rows = probe_group_rows(group);
    c.logits = group->logits, c.label = group->label;
    c.loss = group->loss, c.likelihood = group->likelihood;
    group->job->ops->cross_entropy(&c);
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
    struct gemm_weight g = {.T = rows, .M = K, .N = N, .scale = 1};
    g.rows = probe_group_rows(group);
    g.a = x, g.lda = K;
    g.b = dy, g.ldb = N;
    g.c = gradient + layer->weight->offset;
    g.bias = gradient + layer->bias->offset;
    group->job->ops->gemm_weight(&g);
}

/* dunit = dlogits W^T */
static void units_backward(const struct probe_group *group, const struct probe_member *member,
                           int k, int rows)
{
    const struct ops *ops = group->job->ops;
    const struct parameter *weight = member->output.weight;
    struct gemm g = {.transpose_b = true, .M = rows, .scale = 1};
    g.N = weight->rows, g.K = weight->columns;
    g.rows = probe_group_rows(group);
    g.a = group->logits, g.lda = weight->columns;
    g.b = act_at(ops, member->parameters.operand, weight->offset), g.ldb = weight->columns;
    g.c = probe_group_units(group, group->unit_gradient, k), g.ldc = weight->rows;
    ops->gemm(&g);
}

static void learn(const struct probe_group *group, struct probe_member *member)
{
    struct parameters *p = &member->parameters;
    struct adam adam = {.step = group->step, .outcome = group->outcome, .count = p->slab};
    adam.master = p->master, adam.m = p->m, adam.v = p->v;
    adam.operand = p->operand, adam.gradient = p->gradient;
    adam.beta1 = PROBE_BETA1, adam.beta2 = PROBE_BETA2;
    adam.epsilon = PROBE_EPSILON, adam.l2 = member->trained->setting.l2;
    group->job->ops->adam(&adam);
}

/* What the output layer reads: the units of go[k], or without any the vectors. */
/* All that go on meet one mask. */
static struct dropout_sigmoid sigmoid_of(const struct probe_group *group, int rows)
{
    struct dropout_sigmoid s = {.step = group->step, .T = rows, .N = group->hidden};
    s.rows = probe_group_rows(group);
    s.blocks = group->going, s.next = (int64_t)group->room * group->hidden;
    s.x = s.out = group->unit;
    s.dropout = group->dropout;
    s.out_gradient = s.x_gradient = group->unit_gradient;
    return s;
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
        const struct act *x = group->hidden ? probe_group_units(group, group->unit, k) : group->x;
        probe_layer_forward(group, member, &member->output, rows, x, group->logits);
        lose(group, member, rows, count);
        layer_backward(group, member, &member->output, rows, x, group->logits);
        if (group->hidden) units_backward(group, member, k, rows);
    }
    if (group->hidden) hidden_backward(group, rows);
    for (int k = 0; k < group->going; k++) learn(group, group->go[k]);
    group->updates++;
}
