/* Measures the online codelength. For each share except the last, trains a classifier on all items
 * up to the end of the share. Tests the classifier on the test items of the job, and on the items
 * of the next share. */
#include "probes/online_code.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"

static const double shares[ONLINE_CODE_SHARES] = {0.1,  0.2,  0.4, 0.8, 1.6, 3.2,
                                                  6.25, 12.5, 25,  50,  100};

int online_code_ends(int count, int end[ONLINE_CODE_SHARES])
{
    int ends = 0;
    for (int k = 0; k < ONLINE_CODE_SHARES; k++) {
        int items = (int)lround(count * shares[k] / 100);
        if (items < 1) items = 1;
        if (!ends || items > end[ends - 1]) end[ends++] = items;
    }
    return ends;
}

/* Returns the protocol restricted to one setting. */
static struct protocol with_setting(const struct protocol *protocol,
                                    const struct probe_setting *setting)
{
    struct protocol one = *protocol;
    one.hiddens = one.dropouts = one.l2s = 1;
    one.hidden[0] = setting->hidden;
    one.dropout[0] = setting->dropout;
    one.l2[0] = setting->l2;
    return one;
}

static struct probe_items joined(const struct probe_items *a, const int32_t *b, int count,
                                 struct arena *arena)
{
    int32_t *item = ARENA_ARRAY(arena, int32_t, a->count + count);
    memcpy(item, a->item, (size_t)a->count * sizeof *item);
    memcpy(item + a->count, b, (size_t)count * sizeof *item);
    return (struct probe_items){item, a->count + count};
}

/* Trains on the first `end` items of `order` and sets *accuracy to the accuracy on test. Returns
 * the codelength, in bits, of the items from `end` to `next`. */
static double learn(const struct probe_job *full, const struct protocol *protocol,
                    const int32_t *order, int end, int next, double *accuracy)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct probe_data data = *full->data;
    const struct probe_items *test = &full->data->items[PROBE_TEST];
    data.items[PROBE_TRAIN] = (struct probe_items){order, end};
    data.items[PROBE_TEST] = joined(test, order + end, next - end, &arena);
    struct probe_job job = *full;
    job.protocol = protocol;
    job.data = &data;
    job.calls = (struct probe_calls){.scored = full->calls.scored, .context = full->calls.context};
    const struct probe_result result = probe_train(&job, &arena);
    const struct probe_trained *trained = &result.trained[0];
    double nats = 0;
    int right = 0;
    for (int i = 0; i < test->count; i++)
        right += trained->predicted[PROBE_TEST][i] == data.label[test->item[i]];
    for (int i = test->count; i < data.items[PROBE_TEST].count; i++)
        nats -= (double)trained->likelihood[i];
    *accuracy = 100. * right / test->count;
    return nats / elementary_log(2);
}

struct online_code online_code_of(const struct probe_job *full, const struct probe_trained *chosen,
                                  const struct online_order *order)
{
    const struct protocol protocol = with_setting(full->protocol, &chosen->setting);
    const double label = elementary_log(full->data->labels) / elementary_log(2);
    struct online_code code = {.shares = order->shares};
    code.uniform = order->end[order->shares - 1] * label;
    code.bits = order->end[0] * label;
    for (int k = 0; k < code.shares; k++) {
        struct online_share *share = &code.share[k];
        share->items = order->end[k];
        if (k + 1 < code.shares)
            code.bits += learn(full, &protocol, order->item, order->end[k], order->end[k + 1],
                               &share->accuracy);
        else
            share->accuracy =
                100. * chosen->right[PROBE_TEST] / full->data->items[PROBE_TEST].count;
    }
    return code;
}

struct online_code online_code_measure(const struct probe_job *full,
                                       const struct probe_trained *chosen)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct probe_items *train = &full->data->items[PROBE_TRAIN];
    const struct random_key key = {full->seed, random_stream("probe.code")};
    int32_t *item = ARENA_ARRAY(&arena, int32_t, train->count);
    struct online_order order = {.item = item};
    order.shares = online_code_ends(train->count, order.end);
    random_permute(key, 0, item, train->count);
    for (int i = 0; i < train->count; i++) item[i] = train->item[item[i]];
    return online_code_of(full, chosen, &order);
}
