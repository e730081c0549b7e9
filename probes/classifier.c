/* Trains probing classifiers by a protocol: forms groups of settings, runs epochs, scores dev and
 * keeps the best parameters. */
#include "probes/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/classifier_group.h"

enum { UPDATES_LEAST = 1000 };

/* Default for the maximum bytes of a group, measured with a second-level cache of 1 MiB. Four
 * settings of 200 units and vectors of 128 elements are 20% faster together than alone, because
 * they share random numbers. For larger settings, groups of one or two settings are fastest. */
static const size_t cache_bytes = 2 << 20;

bool probe_undertrained(const struct probe_trained *trained)
{
    return trained->best == trained->evaluations || trained->updates < UPDATES_LEAST;
}

/* ---- preparation of items and vectors ---- */

/* An item with its sort keys: tokens, then label, then position. */
struct ordered_item {
    int tokens, label, place;
    int32_t item;
};

static int compare_items(const void *left, const void *right)
{
    const struct ordered_item *a = left, *b = right;
    if (a->tokens != b->tokens) return a->tokens < b->tokens ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

void probe_order(int32_t *item, int count, const int *tokens, const int32_t *label)
{
    SCOPED(heap_free) struct ordered_item *entry = heap_alloc((size_t)count * sizeof *entry);
    for (int i = 0; i < count; i++)
        entry[i] = (struct ordered_item){tokens[item[i]], label[item[i]], i, item[i]};
    qsort(entry, (size_t)count, sizeof *entry, compare_items);
    for (int i = 0; i < count; i++) item[i] = entry[i].item;
}

/* Computes the mean of each column over train, and the factor 1 / standard deviation. The factor is
 * 0 for a constant column. */
static void measure(const struct probe_data *data, double *mean, double *factor)
{
    const struct probe_items *train = &data->items[PROBE_TRAIN];
    const int64_t D = data->D;
    for (int64_t c = 0; c < D; c++) {
        const float *x = data->vector + c, first = x[train->item[0] * D];
        double sum = 0, squares = 0;
        bool varies = false;
        for (int i = 0; i < train->count; i++) {
            sum += (double)x[train->item[i] * D];
            varies |= x[train->item[i] * D] != first;
        }
        mean[c] = sum / train->count;
        for (int i = 0; i < train->count; i++) {
            const double away = (double)x[train->item[i] * D] - mean[c];
            squares += away * away;
        }
        factor[c] = varies ? 1 / sqrt(squares / train->count) : 0;
    }
}

/* Uploads the vectors to the device: table [N, D]. Standardizes them if the job says so. */
static void table_fill(const struct probe_job *job, real *table)
{
    const struct probe_data *data = job->data;
    const int64_t N = data->N, D = data->D;
    const size_t bytes = (size_t)(N * D) * sizeof *table;
    if (!job->standardize && sizeof(real) == sizeof(float)) {
        job->ops->upload(table, data->vector, bytes);
        return;
    }
    SCOPED(heap_free) double *mean = heap_alloc((size_t)D * sizeof *mean);
    SCOPED(heap_free) double *factor = heap_alloc((size_t)D * sizeof *factor);
    SCOPED(heap_free) real *host = heap_alloc(bytes);
    if (job->standardize) measure(data, mean, factor);
    for (int64_t i = 0; i < N * D; i++) {
        const double x = (double)data->vector[i];
        host[i] = (real)(job->standardize ? (x - mean[i % D]) * factor[i % D] : x);
    }
    job->ops->upload(table, host, bytes);
}

/* ---- training ---- */

/* Trains one epoch: makes updates with all items of train, in a new random order. */
static void train_epoch(struct probe_group *group, int epoch, int32_t *order)
{
    const struct probe_items *train = &group->job->data->items[PROBE_TRAIN];
    const struct random_key key = {group->job->seed, random_stream("probe.epoch")};
    const int batch = group->job->protocol->batch;
    random_permute(key, (uint32_t)epoch, order, train->count);
    for (int i = 0; i < train->count; i++) order[i] = train->item[order[i]];
    for (int i = 0; i < train->count; i += batch)
        probe_group_update(group, order + i, train->count - i < batch ? train->count - i : batch);
}

static int count_right(const struct probe_data *data, enum probe_role role,
                       const int32_t *predicted)
{
    const struct probe_items *items = &data->items[role];
    int right = 0;
    for (int i = 0; i < items->count; i++) right += predicted[i] == data->label[items->item[i]];
    return right;
}

/* Adds an evaluation on dev. If it is the best one, keeps the parameters and predictions. */
static void take_score(struct probe_group *group, struct probe_member *member)
{
    const struct probe_data *data = group->job->data;
    const struct parameters *p = &member->parameters;
    const int right = count_right(data, PROBE_DEV, member->predicted);
    const bool better = probe_watch_add(&member->watch, group->job->protocol, right);
    trace("probe", "setting %d evaluation %d right %d of %d", member->setting,
          member->watch.evaluations, right, data->items[PROBE_DEV].count);
    member->trained->updates = group->updates;
    if (!better) return;
    p->ops->download(member->best, p->master, (size_t)p->slab * sizeof(real));
    memcpy(member->trained->predicted[PROBE_DEV], member->predicted,
           (size_t)data->items[PROBE_DEV].count * sizeof *member->predicted);
}

static void train_group(struct probe_group *group)
{
    const struct probe_job *job = group->job;
    const int items = job->data->items[PROBE_TRAIN].count, batch = job->protocol->batch;
    const int epochs = protocol_epochs(job->protocol, (items + batch - 1) / batch);
    int32_t *order = ARENA_ARRAY(&group->arena, int32_t, items);
    for (int epoch = 0; group->going;) {
        for (int e = 0; e < epochs; e++) train_epoch(group, epoch++, order);
        probe_group_score(group, PROBE_DEV);
        for (int k = 0; k < group->going; k++) take_score(group, group->go[k]);
        probe_group_drop(group);
        if (job->calls.scored) job->calls.scored(epoch, group->going, job->calls.context);
    }
    probe_group_score(group, PROBE_TEST);
    for (int m = 0; m < group->members; m++) {
        const struct probe_member *member = &group->member[m];
        member->trained->evaluations = member->watch.evaluations;
        member->trained->best = member->watch.best;
    }
}

static void count_all(const struct probe_data *data, struct probe_trained *trained)
{
    for (enum probe_role role = PROBE_DEV; role <= PROBE_TEST; role++)
        trained->right[role] = count_right(data, role, trained->predicted[role]);
}

/* Trains the settings `index` as a group. They have the same hidden units and dropout. */
static void run_group(const struct probe_job *job, const real *table, const int *index, int count,
                      struct probe_trained *all)
{
    struct probe_member member[PROTOCOL_SETTINGS] = {0};
    struct probe_group group = {.job = job, .table = table, .members = count, .member = member};
    for (int m = 0; m < count; m++) {
        member[m].setting = index[m];
        member[m].trained = &all[index[m]];
    }
    probe_group_open(&group);
    train_group(&group);
    probe_group_close(&group);
    for (int m = 0; m < count; m++) count_all(job->data, &all[index[m]]);
    if (job->calls.trained) job->calls.trained(index, count, all, job->calls.context);
}

/* Returns the number of settings, from index[0] on, that form the next group. */
static int group_size(const struct probe_job *job, const int *index, int count,
                      const struct probe_trained *all)
{
    const struct probe_setting *first = &all[index[0]].setting;
    const size_t cache = job->cache ? job->cache : cache_bytes;
    const size_t most = cache / probe_group_bytes(job, first);
    int size = 1;
    for (; size < count && (size_t)size < most; size++) {
        const struct probe_setting *next = &all[index[size]].setting;
        if (next->hidden != first->hidden || next->dropout != first->dropout) break;
    }
    return size;
}

static struct probe_result result_new(const struct probe_job *job, struct arena *arena)
{
    const struct probe_data *data = job->data;
    const struct probe_items *dev = &data->items[PROBE_DEV], *test = &data->items[PROBE_TEST];
    struct probe_setting setting[PROTOCOL_SETTINGS];
    struct probe_result result = {.settings =
                                      protocol_settings(job->protocol, job->linear, setting)};
    result.trained = ARENA_ARRAY(arena, struct probe_trained, result.settings);
    for (int s = 0; s < result.settings; s++) {
        struct probe_trained *trained = &result.trained[s];
        trained->setting = setting[s];
        trained->predicted[PROBE_DEV] = ARENA_ARRAY(arena, int32_t, dev->count);
        trained->predicted[PROBE_TEST] = ARENA_ARRAY(arena, int32_t, test->count);
        trained->likelihood = ARENA_ARRAY(arena, float, test->count);
    }
    return result;
}

struct probe_result probe_train(const struct probe_job *job, struct arena *arena)
{
    const struct probe_data *data = job->data;
    const size_t bytes = (size_t)data->N * (size_t)data->D * sizeof(real);
    int unknown[PROTOCOL_SETTINGS], count = 0, right[PROTOCOL_SETTINGS];
    struct probe_result result = result_new(job, arena);
    for (int s = 0; s < result.settings; s++)
        if (job->calls.known && job->calls.known(s, &result.trained[s], job->calls.context))
            count_all(data, &result.trained[s]);
        else
            unknown[count++] = s;
    real *table = count ? job->ops->alloc(bytes) : NULL;
    if (table) table_fill(job, table);
    for (int s = 0, size; s < count; s += size) {
        size = group_size(job, unknown + s, count - s, result.trained);
        run_group(job, table, unknown + s, size, result.trained);
    }
    if (table) job->ops->release(table, bytes);
    for (int s = 0; s < result.settings; s++) right[s] = result.trained[s].right[PROBE_DEV];
    result.chosen = probe_choose(right, result.settings, data->items[PROBE_DEV].count);
    return result;
}
