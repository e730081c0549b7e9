/* Tests probes/online_code.h. The code length is compared with the sum over blocks that are coded
 * here one by one. If the vectors determine the labels, the code is short. If they do not, it is
 * about as long as without vectors. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "probes/online_code.h"

enum { TRAIN = 400, DEV = 60, TEST = 80, N = TRAIN + DEV + TEST, D = 4, C = 2 };

static float vector[N * D];
static int32_t label[N], item[N];

static const struct protocol quick = {.name = "quick",
                                      .hiddens = 1,
                                      .dropouts = 1,
                                      .l2s = 2,
                                      .l2 = {1e-5, 1e-3},
                                      .rate = 1e-1,
                                      .batch = 32,
                                      .epochs = 4,
                                      .most = 40,
                                      .tenacity = 3};

/* Makes data. If `told` is true, the first column of the vectors determines the label. Otherwise
 * labels do not depend on the vectors. */
static struct probe_data make(bool told)
{
    const struct random_key key = {9, random_stream("made")};
    for (int i = 0; i < N; i++) {
        item[i] = i;
        label[i] = (int32_t)random_below(key, (uint64_t)i, 1, C);
        for (int d = 0; d < D; d++)
            vector[i * D + d] = (float)random_normal(key, (uint64_t)(i * D + d));
        if (told) vector[i * D] = label[i] ? 2 : -2;
    }
    return (struct probe_data){
        .N = N,
        .D = D,
        .labels = C,
        .vector = vector,
        .label = label,
        .items = {{item, TRAIN}, {item + TRAIN, DEV}, {item + TRAIN + DEV, TEST}}};
}

static struct online_code code_of(const struct probe_data *data, struct probe_trained *chosen)
{
    const struct probe_job job = {.ops = cpu_ops(), .protocol = &quick, .seed = 3, .data = data};
    const struct probe_result result = probe_train(&job, &arena);
    *chosen = result.trained[result.chosen];
    return online_code_measure(&job, chosen);
}

TEST(shares_are_those_of_the_paper)
{
    /* Blocks end at 0.1% of the items, 0.2%, and so on. Both 0.1% and 0.2% of 400 round to 1. */
    static const int ends[] = {1, 2, 3, 6, 13, 25, 50, 100, 200, 400};
    const struct probe_data data = make(true);
    struct probe_trained chosen;
    const struct online_code code = code_of(&data, &chosen);
    assert_int_equal(code.shares, COUNT_OF(ends));
    for (size_t k = 0; k < COUNT_OF(ends); k++) assert_int_equal(code.share[k].items, ends[k]);
    assert_float_equal(code.uniform, TRAIN, 1e-9); /* one bit per label */
    assert_float_equal(code.share[code.shares - 1].accuracy, 100. * chosen.right[PROBE_TEST] / TEST,
                       1e-9);
}

TEST(labels_that_are_told_are_cheap)
{
    struct probe_trained chosen;
    struct probe_data data = make(true);
    const struct online_code told = code_of(&data, &chosen);
    assert_true(told.bits < 0.3 * told.uniform);
    assert_true(told.share[told.shares - 1].accuracy > 99);
    data = make(false);
    const struct online_code random = code_of(&data, &chosen);
    assert_true(random.bits > 0.98 * random.uniform);
}

/* Compares the code length with a sum over blocks. For each block, a classifier with the chosen
 * setting is trained on all preceding items. */
static void expect_bits(const struct probe_data *data, const struct probe_trained *chosen)
{
    const struct probe_job full = {.ops = cpu_ops(), .protocol = &quick, .seed = 3, .data = data};
    const struct online_code code = online_code_measure(&full, chosen);
    const struct random_key key = {3, random_stream("probe.code")};
    int32_t order[TRAIN];
    random_permute(key, 0, order, TRAIN);
    /* The first block costs one bit per item, because there are two classes. */
    double bits = code.share[0].items;
    for (int k = 0; k + 1 < code.shares; k++) {
        const int from = code.share[k].items, to = code.share[k + 1].items;
        struct protocol one = quick;
        one.l2s = 1, one.l2[0] = chosen->setting.l2;
        one.hidden[0] = chosen->setting.hidden, one.dropout[0] = chosen->setting.dropout;
        struct probe_data block = *data;
        block.items[PROBE_TRAIN] = (struct probe_items){order, from};
        block.items[PROBE_TEST] = (struct probe_items){order + from, to - from};
        const struct probe_job job = {
            .ops = cpu_ops(), .protocol = &one, .seed = 3, .data = &block};
        const struct probe_result result = probe_train(&job, &arena);
        for (int i = 0; i < to - from; i++)
            bits -= (double)result.trained[0].likelihood[i] / log(2);
    }
    assert_float_equal(code.bits, bits, 1e-3);
}

TEST(bits_are_those_of_its_blocks)
{
    const struct probe_data data = make(true);
    struct probe_trained chosen;
    code_of(&data, &chosen);
    expect_bits(&data, &chosen);
    chosen.setting.hidden = 5; /* a setting that the protocol does not have */
    chosen.setting.dropout = 0.3;
    chosen.setting.l2 = 1e-2;
    expect_bits(&data, &chosen);
}
