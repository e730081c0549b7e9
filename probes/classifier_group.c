/* Trains a group of settings. Each setting has separate parameters. All settings share the device
 * memory for batches. */
#include "probes/classifier_group.h"

#include <math.h>
#include <stdlib.h>

#include "core/train/step.h"

enum { ALIGN = 64, SCORED = 256 /* minimum rows of a scoring batch */ };

static struct probe_layer layer_new(struct parameters *parameters, const char *weight,
                                    const char *bias, int K, int N)
{
    const double spread = 1 / sqrt(K);
    return (struct probe_layer){parameter_get(parameters, weight, K, N, START_UNIFORM, spread),
                                parameter_get(parameters, bias, 1, N, START_UNIFORM, spread)};
}

/* Declares the layers of a setting. If `member` is NULL, only their parameters are counted. */
static void lay_out(const struct probe_job *job, const struct probe_setting *setting,
                    struct parameters *parameters, struct probe_member *member)
{
    const int D = job->data->D, C = job->data->labels, H = setting->hidden;
    struct probe_layer hidden = {NULL, NULL}, output;
    if (H) hidden = layer_new(parameters, "probe.hidden.weight", "probe.hidden.bias", D, H);
    output = layer_new(parameters, "probe.output.weight", "probe.output.bias", H ? H : D, C);
    if (member) member->hidden = hidden, member->output = output;
}

size_t probe_group_bytes(const struct probe_job *job, const struct probe_setting *setting)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct parameters parameters = {.arena = &arena};
    lay_out(job, setting, &parameters, NULL);
    const size_t units = 2 * (size_t)job->protocol->batch * (size_t)setting->hidden;
    return parameters_bytes(&parameters, true) + units * job->ops->act_bytes;
}

static void open_member(struct probe_group *group, struct probe_member *member)
{
    const struct probe_data *data = group->job->data;
    member->parameters = (struct parameters){.arena = &group->arena};
    lay_out(group->job, &member->trained->setting, &member->parameters, member);
    parameters_place(&member->parameters, group->job->ops, true);
    parameters_start(&member->parameters, group->job->seed);
    member->best = ARENA_ARRAY(&group->arena, real, member->parameters.slab);
    member->predicted = ARENA_ARRAY(&group->arena, int32_t, data->items[PROBE_DEV].count);
}

/* Returns the next array of device memory; NULL while memory is only measured. */
static void *take(struct probe_group *group, int64_t count, size_t size)
{
    char *at = group->memory ? group->memory + group->memory_bytes : NULL;
    group->memory_bytes += ((size_t)count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static void take_all(struct probe_group *group)
{
    const struct probe_data *data = group->job->data;
    const struct ops *ops = group->job->ops;
    const int64_t capacity = group->capacity, units = group->members * capacity * group->hidden;
    group->memory_bytes = 0;
    group->step = take(group, 1, sizeof *group->step);
    group->rows = take(group, 1, sizeof *group->rows);
    group->item = take(group, capacity, sizeof *group->item);
    group->label = take(group, capacity, sizeof *group->label);
    group->image_bytes = group->memory_bytes;
    group->outcome = take(group, 1, sizeof *group->outcome);
    group->x = take(group, capacity * data->D, ops->act_bytes);
    group->unit = take(group, units, ops->act_bytes);
    group->unit_gradient = take(group, units, ops->act_bytes);
    group->logits = take(group, capacity * data->labels, ops->act_bytes);
    group->loss = take(group, capacity, sizeof(real));
    group->likelihood = take(group, capacity, sizeof(real));
    group->score = take(group, capacity, sizeof(real));
    group->predicted = take(group, capacity, sizeof *group->predicted);
}

static int whole_rows(const struct ops *ops, int rows)
{
    return (rows + ops->row_multiple - 1) / ops->row_multiple * ops->row_multiple;
}

void probe_group_open(struct probe_group *group)
{
    const struct probe_job *job = group->job;
    const struct probe_setting *setting = &group->member[0].trained->setting;
    const int batch = job->protocol->batch;
    const struct outcome outcome = {.gradient_scale = 1, .finite = 1};
    group->hidden = setting->hidden;
    group->dropout.stream = random_stream("probe.dropout");
    group->dropout.threshold = random_threshold(setting->dropout);
    group->capacity = whole_rows(job->ops, batch > SCORED ? batch : SCORED);
    take_all(group);
    group->memory = job->ops->alloc(group->memory_bytes);
    take_all(group);
    group->host = arena_alloc(&group->arena, group->image_bytes);
    job->ops->upload(group->outcome, &outcome, sizeof outcome);
    for (int m = 0; m < group->members; m++) open_member(group, &group->member[m]);
    probe_group_drop(group);
}

void probe_group_drop(struct probe_group *group)
{
    group->going = 0;
    for (int m = 0; m < group->members; m++)
        if (!group->member[m].watch.ended) group->go[group->going++] = &group->member[m];
}

void probe_group_close(struct probe_group *group)
{
    for (int m = 0; m < group->members; m++) parameters_release(&group->member[m].parameters);
    group->job->ops->release(group->memory, group->memory_bytes);
    arena_free(&group->arena);
}

/* Returns the host address of the image that corresponds to a device address. */
static void *host_of(const struct probe_group *group, const void *device)
{
    return group->host + ((const char *)device - group->memory);
}

/* Returns the number of rows of the batch, in device memory; NULL if ops are launched for exactly
 * this number. */
static const int32_t *rows_of(const struct probe_group *group)
{
    return group->job->ops->row_multiple > 1 ? group->rows : NULL;
}

/* Loads a batch to the device: step, labels and x. Returns the number of rows with which ops are
 * launched. */
static int load(struct probe_group *group, const int32_t *item, int count)
{
    const struct probe_job *job = group->job;
    const int launched = whole_rows(job->ops, count);
    int32_t *items = host_of(group, group->item), *labels = host_of(group, group->label);
    CHECK(count > 0 && launched <= group->capacity, "a batch of %d items", count);
    *(struct step *)host_of(group, group->step) =
        (struct step){.seed = job->seed,
                      .number = (uint32_t)group->updates,
                      .normalizer = count,
                      .rate = job->protocol->rate,
                      .correction1 = train_correction(PROBE_BETA1, group->updates),
                      .correction2 = train_correction(PROBE_BETA2, group->updates)};
    *(int32_t *)host_of(group, group->rows) = count;
    for (int t = 0; t < count; t++) items[t] = item[t], labels[t] = job->data->label[item[t]];
    job->ops->upload(group->memory, group->host, group->image_bytes);
    struct embed e = {.step = group->step, .T = launched, .scale = 1};
    e.D = job->data->D, e.V = job->data->N;
    e.rows = rows_of(group);
    e.token = group->item, e.table = group->table, e.out = group->x;
    job->ops->embed(&e);
    return launched;
}

/* Returns the block of go[k] in `all`, which is unit or unit_gradient. */
static struct act *units_of(const struct probe_group *group, struct act *all, int k)
{
    return act_at(group->job->ops, all, (int64_t)k * group->capacity * group->hidden);
}

/* y = x W + b: [rows, K] -> [rows, N]. */
static void layer_forward(const struct probe_group *group, const struct probe_member *member,
                          const struct probe_layer *layer, int rows, const struct act *x,
                          struct act *y)
{
    const struct ops *ops = group->job->ops;
    const int K = layer->weight->rows, N = layer->weight->columns;
    const struct act *operand = member->parameters.operand;
    struct gemm g = {.M = rows, .N = N, .K = K, .scale = 1};
    g.rows = rows_of(group);
    g.a = x, g.lda = K;
    g.b = act_at(ops, operand, layer->weight->offset), g.ldb = N;
    g.c = y, g.ldc = N;
    g.bias = act_at(ops, operand, layer->bias->offset);
    ops->gemm(&g);
}

/* ---- an update: one batch for all members still in training ---- */

/* Computes the cross entropy of the batch's logits: loss and likelihood by row. With `gradient`,
 * the logits are replaced by their gradient. */
static void cross_entropy(const struct probe_group *group, int rows, bool gradient)
{
    struct cross_entropy c = {.step = group->step, .T = rows, .gradient = gradient};
    c.V = c.ld = group->job->data->labels;
    c.rows = rows_of(group);
    c.logits = group->logits, c.label = group->label;
    c.loss = group->loss, c.likelihood = group->likelihood;
    group->job->ops->cross_entropy(&c);
}

/* Replaces the logits by their gradient. Traces the loss. */
static void lose(const struct probe_group *group, const struct probe_member *member, int rows,
                 int count)
{
    const struct ops *ops = group->job->ops;
    cross_entropy(group, rows, true);
    if (!trace_on("probe")) return;
    double loss;
    ops->sum(group->loss, rows, rows_of(group), false, &group->outcome->loss);
    ops->download(&loss, &group->outcome->loss, sizeof loss);
    trace("probe", "setting %d update %lld loss %.9g", member->setting, (long long)group->updates,
          loss / count);
}

/* dW = x^T dy, db = column sums of dy. */
static void layer_backward(const struct probe_group *group, struct probe_member *member,
                           const struct probe_layer *layer, int rows, const struct act *x,
                           const struct act *dy)
{
    const int K = layer->weight->rows, N = layer->weight->columns;
    real *gradient = member->parameters.gradient;
    struct gemm_weight g = {.T = rows, .M = K, .N = N, .scale = 1};
    g.rows = rows_of(group);
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
    g.rows = rows_of(group);
    g.a = group->logits, g.lda = weight->columns;
    g.b = act_at(ops, member->parameters.operand, weight->offset), g.ldb = weight->columns;
    g.c = units_of(group, group->unit_gradient, k), g.ldc = weight->rows;
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

/* Returns the sigmoid op for all members still in training. They share one dropout mask. */
static struct squash sigmoid_of(const struct probe_group *group, int rows)
{
    struct squash s = {.step = group->step, .T = rows, .N = group->hidden};
    s.rows = rows_of(group);
    s.blocks = group->going, s.next = (int64_t)group->capacity * group->hidden;
    s.x = s.out = group->unit;
    s.dropout = group->dropout;
    s.out_gradient = s.x_gradient = group->unit_gradient;
    return s;
}

static void hidden_forward(const struct probe_group *group, int rows)
{
    const struct squash sigmoid = sigmoid_of(group, rows);
    for (int k = 0; k < group->going; k++)
        layer_forward(group, group->go[k], &group->go[k]->hidden, rows, group->x,
                      units_of(group, group->unit, k));
    group->job->ops->squash(&sigmoid);
}

static void hidden_backward(const struct probe_group *group, int rows)
{
    const struct squash sigmoid = sigmoid_of(group, rows);
    group->job->ops->squash_backward(&sigmoid);
    for (int k = 0; k < group->going; k++)
        layer_backward(group, group->go[k], &group->go[k]->hidden, rows, group->x,
                       units_of(group, group->unit_gradient, k));
}

void probe_group_update(struct probe_group *group, const int32_t *item, int count)
{
    const int rows = load(group, item, count);
    if (group->hidden) hidden_forward(group, rows);
    for (int k = 0; k < group->going; k++) {
        struct probe_member *member = group->go[k];
        const struct act *x = group->hidden ? units_of(group, group->unit, k) : group->x;
        layer_forward(group, member, &member->output, rows, x, group->logits);
        lose(group, member, rows, count);
        layer_backward(group, member, &member->output, rows, x, group->logits);
        if (group->hidden) units_backward(group, member, k, rows);
    }
    if (group->hidden) hidden_backward(group, rows);
    for (int k = 0; k < group->going; k++) learn(group, group->go[k]);
    group->updates++;
}

/* ---- predictions: the items in batches, each batch for all members ---- */

/* Computes the logits of the loaded batch, without dropout. */
static void infer(const struct probe_group *group, const struct probe_member *member, int rows)
{
    const struct act *x = group->x;
    if (group->hidden) {
        layer_forward(group, member, &member->hidden, rows, x, group->unit);
        struct squash s = {.step = group->step, .T = rows, .N = group->hidden};
        s.rows = rows_of(group);
        s.x = s.out = group->unit;
        group->job->ops->squash(&s);
        x = group->unit;
    }
    layer_forward(group, member, &member->output, rows, x, group->logits);
}

/* Finds the most likely label of each row; in a tie, the first one. */
static void choose(const struct probe_group *group, int count, int32_t *predicted)
{
    const struct ops *ops = group->job->ops;
    struct top_tokens top = {.rows = count, .k = 1, .logits = group->logits};
    top.V = top.ld = group->job->data->labels;
    top.score = group->score, top.token = group->predicted;
    ops->top_tokens(&top);
    ops->download(predicted, group->predicted, (size_t)count * sizeof *predicted);
}

/* Writes the log probability of each row's label. */
static void read_likelihood(const struct probe_group *group, int rows, int count, float *likelihood)
{
    SCOPED(heap_free) real *minus = heap_alloc((size_t)count * sizeof *minus);
    cross_entropy(group, rows, false);
    group->job->ops->download(minus, group->likelihood, (size_t)count * sizeof *minus);
    for (int t = 0; t < count; t++) likelihood[t] = (float)-minus[t];
}

void probe_group_score(struct probe_group *group, enum probe_role role)
{
    const struct probe_items *items = &group->job->data->items[role];
    const bool test = role == PROBE_TEST;
    for (int m = 0; m < group->members && test; m++) {
        struct parameters *p = &group->member[m].parameters;
        p->ops->upload(p->master, group->member[m].best, (size_t)p->slab * sizeof(real));
        parameters_refresh(p);
    }
    for (int at = 0; at < items->count; at += group->capacity) {
        const int left = items->count - at, count = left < group->capacity ? left : group->capacity;
        const int rows = load(group, items->item + at, count);
        for (int m = 0; m < group->members; m++) {
            const struct probe_member *member = &group->member[m];
            if (!test && member->watch.ended) continue;
            infer(group, member, rows);
            int32_t *predicted = test ? member->trained->predicted[role] : member->predicted;
            choose(group, count, predicted + at);
            if (test) read_likelihood(group, rows, count, member->trained->likelihood + at);
        }
    }
}
