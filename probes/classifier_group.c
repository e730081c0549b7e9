/* The slabs of a group's settings, one for each, and the memory that they share. */
#include "probes/classifier_group.h"

#include <math.h>

#include "core/train/step.h"

enum { ALIGN = 64, SCORED = 256 /* rows that are scored at once */ };

static struct probe_layer layer_new(struct parameters *parameters, const char *weight,
                                    const char *bias, int K, int N)
{
    const double spread = 1 / sqrt(K);
    return (struct probe_layer){parameter_get(parameters, weight, K, N, START_UNIFORM, spread),
                                parameter_get(parameters, bias, 1, N, START_UNIFORM, spread)};
}

/* The layers of a setting; without `member` only their parameters are counted. */
static void lay_out(const struct probe_job *job, const struct probe_setting *setting,
                    struct parameters *parameters, struct probe_member *member)
{
    const int D = job->data->D, C = job->data->classes, H = setting->hidden;
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

/* The next array of the device's memory; NULL while it is only counted. */
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
    const int64_t room = group->room, units = group->members * room * group->hidden;
    group->memory_bytes = 0;
    group->step = take(group, 1, sizeof *group->step);
    group->rows = take(group, 1, sizeof *group->rows);
    group->item = take(group, room, sizeof *group->item);
    group->label = take(group, room, sizeof *group->label);
    group->image_bytes = group->memory_bytes;
    group->outcome = take(group, 1, sizeof *group->outcome);
    group->x = take(group, room * data->D, ops->act_bytes);
    group->unit = take(group, units, ops->act_bytes);
    group->unit_gradient = take(group, units, ops->act_bytes);
    group->logits = take(group, room * data->classes, ops->act_bytes);
    group->loss = take(group, room, sizeof(real));
    group->likelihood = take(group, room, sizeof(real));
    group->score = take(group, room, sizeof(real));
    group->class = take(group, room, sizeof *group->class);
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
    group->room = whole_rows(job->ops, batch > SCORED ? batch : SCORED);
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

/* Where the host makes what goes to this place of the image. */
static void *host_of(const struct probe_group *group, const void *device)
{
    return group->host + ((const char *)device - group->memory);
}

int probe_group_load(struct probe_group *group, const int32_t *item, int count)
{
    const struct probe_job *job = group->job;
    const int launched = whole_rows(job->ops, count);
    int32_t *items = host_of(group, group->item), *labels = host_of(group, group->label);
    CHECK(count > 0 && launched <= group->room, "a batch of %d items", count);
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
    e.rows = probe_group_rows(group);
    e.token = group->item, e.table = group->table, e.out = group->x;
    job->ops->embed(&e);
    return launched;
}

const int32_t *probe_group_rows(const struct probe_group *group)
{
    return group->job->ops->row_multiple > 1 ? group->rows : NULL;
}

struct act *probe_group_units(const struct probe_group *group, struct act *all, int k)
{
    return act_at(group->job->ops, all, (int64_t)k * group->room * group->hidden);
}

void probe_layer_forward(const struct probe_group *group, const struct probe_member *member,
                         const struct probe_layer *layer, int rows, const struct act *x,
                         struct act *y)
{
    const struct ops *ops = group->job->ops;
    const int K = layer->weight->rows, N = layer->weight->columns;
    const struct act *operand = member->parameters.operand;
    struct gemm g = {.M = rows, .N = N, .K = K, .scale = 1};
    g.rows = probe_group_rows(group);
    g.a = x, g.lda = K;
    g.b = act_at(ops, operand, layer->weight->offset), g.ldb = N;
    g.c = y, g.ldc = N;
    g.bias = act_at(ops, operand, layer->bias->offset);
    ops->gemm(&g);
}
