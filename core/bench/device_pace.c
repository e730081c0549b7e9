/* Measures the speed of a device. Operands are random, because a device may be faster with
 * zeros. */
#include "core/bench/device_pace.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/train/step.h"

enum { LEAST = 64, MOST = 8192, TIMES = 5 };

/* Returns a square matrix of values from -1 to 1. Row r has the random values r .. r + size - 1 of
 * one sequence. */
static struct act *matrix_new(const struct ops *ops, int size)
{
    const struct random_key key = {1, random_stream("bench.matrix")};
    struct act *matrix = ops->alloc((size_t)size * (size_t)size * ops->act_bytes);
    SCOPED(heap_free) real *value = heap_alloc(2 * (size_t)size * sizeof *value);
    for (int i = 0; i < 2 * size; i++)
        value[i] = (real)(2 * random_uniform(key, (uint64_t)i, 0) - 1);
    for (int r = 0; r < size; r++)
        ops->write_act(act_at(ops, matrix, (int64_t)r * size), 1, size, size, value + r);
    return matrix;
}

static void multiply(const struct ops *ops, struct act *const matrix[3], int size)
{
    struct gemm g;
    memset(&g, 0, sizeof g);
    g.M = g.N = g.K = g.lda = g.ldb = g.ldc = size;
    g.a = matrix[0], g.b = matrix[1], g.c = matrix[2], g.scale = 1;
    ops->gemm(&g);
}

/* Copies activations by sum_branches with one branch, because the table has no op that copies. */
static void copy(const struct ops *ops, struct act *const matrix[3], int size)
{
    struct sum_branches s;
    memset(&s, 0, sizeof s);
    s.T = s.D = size, s.R = 1, s.x = matrix[0], s.out = matrix[2];
    ops->sum_branches(&s);
}

static double best_of(const struct ops *ops, struct act *const matrix[3], int size,
                      void (*work)(const struct ops *ops, struct act *const matrix[3], int size))
{
    double best = 0;
    for (int time = 0; time <= TIMES; time++) { /* the first is a warm-up */
        ops->mark(0);
        work(ops, matrix, size);
        ops->mark(1);
        const double seconds = ops->elapsed(0, 1);
        if (time == 1 || (time && seconds < best)) best = seconds;
    }
    return best;
}

struct device_ceilings device_ceilings(const struct ops *ops)
{
    struct device_ceilings ceilings = {0};
    double seconds = 0;
    for (int size = LEAST; seconds < 1e-3 && size <= MOST; size *= 2) {
        const size_t bytes = (size_t)size * (size_t)size * ops->act_bytes;
        struct act *matrix[3];
        for (int i = 0; i < 3; i++) matrix[i] = matrix_new(ops, size);
        seconds = best_of(ops, matrix, size, multiply);
        ceilings.size = size;
        ceilings.product = 2 * (double)size * size * size / seconds;
        ceilings.copy = 2 * (double)bytes / best_of(ops, matrix, size, copy);
        for (int i = 0; i < 3; i++) ops->release(matrix[i], bytes);
    }
    return ceilings;
}

struct device_pace device_pace(const struct translating *translating, int batches, int rounds)
{
    const struct ops *ops = translating->ops;
    SCOPED(arena_free) struct arena arena = {0};
    struct device_pace pace = {0};
    enum { WARM = 2, AT_ONCE = OPS_MARKS / 2 };
    struct learner *learner = translating_open_micro(&arena, translating);
    const int all = learner->epoch_steps(learner->context, 0);
    if (batches > all) batches = all;
    if (batches > AT_ONCE) batches = AT_ONCE;
    struct learner_step *step = ARENA_ARRAY(&arena, struct learner_step, batches);
    for (int b = 0; b < batches; b++) step[b] = learner->step(learner->context, 0, b, &arena);
    for (int round = -WARM, number = 0; round < rounds; round++) {
        ops->sync();
        const double begin = clock_seconds();
        for (int b = 0; b < batches; b++) {
            const double issued = clock_seconds();
            ops->mark(2 * b);
            train_issue(learner, number++, &step[b]);
            ops->mark(2 * b + 1);
            if (round >= 0) pace.host += clock_seconds() - issued;
        }
        ops->sync();
        if (round < 0) continue;
        pace.wall += clock_seconds() - begin;
        for (int b = 0; b < batches; b++) pace.device += ops->elapsed(2 * b, 2 * b + 1);
    }
    for (int b = 0; b < batches; b++)
        for (int side = 0; side < SIDES; side++) pace.tokens[side] += step[b].micro->field[side].T;
    for (int side = 0; side < SIDES; side++) pace.tokens[side] /= batches;
    pace.wall /= batches * rounds, pace.host /= batches * rounds, pace.device /= batches * rounds;
    translating_close(learner);
    return pace;
}
