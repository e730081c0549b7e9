/* A probing classifier on the emulator. It differs from the CPU's only as much as another order of
 * sums does; groups change no bit. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "core/emu/table.h"
#include "probes/classifier.h"

enum { N = 90, D = 6, C = 3, TRAIN = 40, DEV = 25, TEST = N - TRAIN - DEV };

static float vector[N * D];
static int32_t label[N], item[N];

static const struct protocol protocol = {.name = "small",
                                         .hiddens = 1,
                                         .hidden = {20},
                                         .dropouts = 2,
                                         .dropout = {0, .3},
                                         .l2s = 2,
                                         .l2 = {1e-5, 1e-2},
                                         .rate = 1e-2,
                                         .batch = 16,
                                         .epochs = 1,
                                         .most = 4,
                                         .tenacity = -1};

static struct probe_result train(const struct ops *ops, bool linear, size_t cache)
{
    const struct random_key key = {5, random_stream("clouds")};
    for (int i = 0; i < N; i++) {
        label[i] = i % C, item[i] = (i * 37 + 11) % N;
        for (int d = 0; d < D; d++)
            vector[i * D + d] =
                (float)random_normal(key, (uint64_t)(i * D + d)) + (float)(d == label[i]);
    }
    const struct probe_data data = {.N = N,
                                    .D = D,
                                    .labels = C,
                                    .vector = vector,
                                    .label = label,
                                    .items = {[PROBE_TRAIN] = {item, TRAIN},
                                              [PROBE_DEV] = {item + TRAIN, DEV},
                                              [PROBE_TEST] = {item + TRAIN + DEV, TEST}}};
    const struct probe_job job = {.ops = ops,
                                  .protocol = &protocol,
                                  .linear = linear,
                                  .seed = 2,
                                  .cache = cache,
                                  .data = &data};
    return probe_train(&job, &arena);
}

TEST(is_near_the_cpu)
{
    for (int linear = 0; linear < 2; linear++) {
        const struct probe_result cpu = train(cpu_ops(), linear, 0);
        const struct probe_result emu = train(&emu_fp32, linear, 0);
        const struct probe_result alone = train(&emu_fp32, linear, 1);
        assert_int_equal(cpu.settings, linear ? 2 : 4);
        for (int s = 0; s < cpu.settings; s++) {
            const struct probe_trained *x = &cpu.trained[s], *y = &emu.trained[s];
            assert_int_equal(x->updates, y->updates);
            assert_in_range(x->right[PROBE_DEV] - y->right[PROBE_DEV] + 1, 0, 2);
            for (int i = 0; i < TEST && x->best == y->best; i++)
                assert_float_equal(x->likelihood[i], y->likelihood[i], 1e-4);
            assert_memory_equal(y->likelihood, alone.trained[s].likelihood, TEST * sizeof(float));
        }
    }
}
