/* Device memory traffic of kernels (tests/watch/memory_watch.h). Ops that mostly move data run on a
 * shape of training whose arrays begin at multiples of 128 bytes. They move at most 1.15 times the
 * minimum of their definition: each operand read once, each result written once. They use at least
 * 80% of the sectors that they touch. The table lists other ops with the shapes and alignments of
 * their cases. */
#include "tests/support/test.h"

#include "core/emu/table.h"
#include "tests/watch/memory_watch.h"
#include "tests/emu/kept.h"
#include "tests/support/op_run.h"

enum { T = 512, D = 512, V = 4096, PARAMETERS = 1 << 20, TRIALS = 20, SECTOR = 32, MEMORIES = 64 };
static const double most = 1.15, use_least = .8;
static const int64_t row = (int64_t)D * (int64_t)sizeof(float);
static struct kept table;
static const struct ops *ops = &emu_fp32;

/* Device memory, released by forget(). */
static void *memories[MEMORIES];
static int memory_count;

static void *memory(const void *from, size_t bytes)
{
    void *there = memories[memory_count++] = ops->alloc(bytes);
    assert_true(memory_count < MEMORIES);
    if (from) ops->upload(there, from, bytes);
    return there;
}

static void forget(void)
{
    while (memory_count) ops->release(memories[--memory_count], 0);
}

static float *reals(int64_t count)
{
    float *x = heap_alloc((size_t)count * sizeof *x);
    const struct random_key key = {1, random_stream("bytes")};
    for (int64_t i = 0; i < count; i++) x[i] = (float)random_uniform(key, (uint64_t)i, 0) - .5f;
    float *there = memory(x, (size_t)count * sizeof *x);
    free(x);
    return there;
}

static struct act *acts(int64_t count)
{
    return (struct act *)(void *)reals(count);
}

static struct step *step(void)
{
    const struct step one = {.seed = 1,
                             .number = 2,
                             .normalizer = T,
                             .rate = 1e-3,
                             .correction1 = .1,
                             .correction2 = .1};
    return memory(&one, sizeof one);
}

static const struct dropout dropout = {.stream = 3, .threshold = 6554, .rows = 1};

/* The ops. Each function returns the minimum number of bytes to move. */
static int64_t relu_dropout(void)
{
    const int64_t count = (int64_t)T * D;
    ops->relu_dropout(&(struct relu_dropout){.step = step(),
                                             .T = T,
                                             .N = D,
                                             .x = acts(count),
                                             .out = acts(count),
                                             .mask = memory(NULL, (size_t)count / 8),
                                             .dropout = dropout});
    return 2 * T * row + T * D / 8;
}

static int64_t relu_dropout_backward(void)
{
    const int64_t count = (int64_t)T * D;
    ops->relu_dropout_backward(&(struct relu_dropout){.step = step(),
                                                      .T = T,
                                                      .N = D,
                                                      .out = acts(count),
                                                      .dropout = dropout,
                                                      .out_gradient = acts(count),
                                                      .x_gradient = acts(count)});
    return 3 * T * row;
}

/* Two blocks. */
static struct squash sigmoid(void)
{
    const int64_t count = (int64_t)T * D;
    return (struct squash){.step = step(),
                           .T = T / 2,
                           .N = D,
                           .blocks = 2,
                           .next = count / 2,
                           .x = acts(count),
                           .out = acts(count),
                           .dropout = dropout,
                           .out_gradient = acts(count),
                           .x_gradient = acts(count)};
}

static int64_t squash(void)
{
    const struct squash s = sigmoid();
    ops->squash(&s);
    return 2 * T * row;
}

static int64_t squash_backward(void)
{
    const struct squash s = sigmoid();
    ops->squash_backward(&s);
    return 3 * T * row;
}

static struct residual_norm norm(void)
{
    const int64_t count = (int64_t)T * D;
    return (struct residual_norm){.step = step(),
                                  .T = T,
                                  .D = D,
                                  .x = acts(count),
                                  .s = acts(count),
                                  .gain = reals(D),
                                  .offset = reals(D),
                                  .dropout = dropout,
                                  .sum = acts(count),
                                  .out = acts(count),
                                  .statistics = reals(2 * T)};
}

static int64_t residual_norm(void)
{
    const struct residual_norm n = norm();
    ops->residual_norm(&n);
    return 4 * T * row + 2 * row + 2 * T * (int64_t)sizeof(real);
}

static int64_t residual_norm_backward(void)
{
    const int64_t count = (int64_t)T * D;
    struct residual_norm n = norm();
    n.sum_gradient = acts(count), n.out_gradient = acts(count);
    n.x_gradient = acts(count), n.s_gradient = acts(count);
    n.gain_gradient = reals(D), n.offset_gradient = reals(D);
    ops->residual_norm_backward(&n);
    return 5 * T * row + 3 * row + 2 * T * (int64_t)sizeof(real);
}

static int64_t cross_entropy(void)
{
    int32_t label[T];
    for (int t = 0; t < T; t++) label[t] = t * 37 % V;
    ops->cross_entropy(&(struct cross_entropy){.step = step(),
                                               .T = T,
                                               .V = V,
                                               .ld = V,
                                               .logits = acts((int64_t)T * V),
                                               .label = memory(label, sizeof label),
                                               .smoothing = .1,
                                               .gradient = true,
                                               .loss = reals(T),
                                               .likelihood = reals(T)});
    return 2 * (int64_t)T * V * (int64_t)sizeof(float) + 3 * T * (int64_t)sizeof(real);
}

static int64_t adam(void)
{
    const struct outcome outcome = {.norm = 1, .gradient_scale = 1, .finite = 1};
    float *master = reals(PARAMETERS);
    ops->adam(&(struct adam){.step = step(),
                             .outcome = memory(&outcome, sizeof outcome),
                             .count = PARAMETERS,
                             .master = master,
                             .m = reals(PARAMETERS),
                             .v = memory(NULL, PARAMETERS * sizeof(float)),
                             .operand = (struct act *)(void *)master,
                             .gradient = reals(PARAMETERS),
                             .beta1 = .9,
                             .beta2 = .98,
                             .epsilon = 1e-9});
    return 7 * (int64_t)PARAMETERS * (int64_t)sizeof(float);
}

/* Makes one sentence of T tokens, some of them repeated; *different is the number of distinct
 * tokens. */
static struct embed embedding(int *different)
{
    static int32_t token[T], position[T], order[T];
    int next = 0;
    *different = 0;
    for (int t = 0; t < T; t++) token[t] = t * t * 31 % V, position[t] = t;
    for (int v = 0; v < V; v++) {
        const int first = next;
        for (int t = 0; t < T; t++)
            if (token[t] == v) order[next++] = t;
        *different += next > first;
    }
    return (struct embed){.step = step(),
                          .T = T,
                          .D = D,
                          .V = V,
                          .token = memory(token, sizeof token),
                          .order = memory(order, sizeof order),
                          .position = memory(position, sizeof position),
                          .table = reals((int64_t)V * D),
                          .sinusoid = reals((int64_t)T * D),
                          .bias = reals(D),
                          .scale = 2,
                          .dropout = dropout,
                          .out = acts((int64_t)T * D),
                          .out_gradient = acts((int64_t)T * D),
                          .table_gradient = reals((int64_t)V * D),
                          .bias_gradient = reals(D),
                          .add_table = true};
}

/* A row of the table is read once per occurrence of its token. */
static int64_t embed(void)
{
    int different;
    const struct embed e = embedding(&different);
    ops->embed(&e);
    return 3 * T * row + row + 2 * T * (int64_t)sizeof(int32_t);
}

static int64_t embed_backward(void)
{
    int different;
    const struct embed e = embedding(&different);
    ops->embed_backward(&e);
    return T * row + 2 * different * row + row + 2 * T * (int64_t)sizeof(int32_t);
}

static double use_of(const struct watch_count *c)
{
    return (double)c->moved / (double)(SECTOR * c->sectors);
}

/* Adds one line per kernel; returns the sum. */
static struct watch_count add_lines(const char *op, const char *shape)
{
    struct watch_count all = {.kernel = "all"};
    int count;
    const struct watch_count *c = watch_counts(&count);
    for (int i = 0; i < count; i++, c++) {
        kept_add(&table, "%s\t%s\t%s\t%lld\t%lld\t%lld\t%.3f\t\t", op, shape, c->kernel,
                 (long long)c->launches, (long long)c->read, (long long)c->written, use_of(c));
        all.launches += c->launches;
        all.read += c->read, all.written += c->written;
        all.moved += c->moved, all.sectors += c->sectors;
    }
    return all;
}

static const struct moves {
    const char *op;
    int64_t (*least)(void);
} movers[] = {
    {"relu_dropout", relu_dropout},
    {"relu_dropout_backward", relu_dropout_backward},
    {"squash", squash},
    {"squash_backward", squash_backward},
    {"residual_norm", residual_norm},
    {"residual_norm_backward", residual_norm_backward},
    {"embed", embed},
    {"embed_backward", embed_backward},
    {"cross_entropy", cross_entropy},
    {"adam", adam},
};

static void op_moves_little(void **state)
{
    const struct moves *mover = *state;
    watch_begin(false, true);
    const int64_t least = mover->least();
    const struct watch_count all = add_lines(mover->op, "training");
    const double times = (double)(all.read + all.written) / (double)least, use = use_of(&all);
    kept_add(&table, "%s\ttraining\tall\t%lld\t%lld\t%lld\t%.3f\t%lld\t%.3f", mover->op,
             (long long)all.launches, (long long)all.read, (long long)all.written, use,
             (long long)least, times);
    forget();
    watch_end();
    if (times > most || use < use_least)
        fail_msg("%s moves %.3f times its %lld bytes (at most %.2f) and uses %.1f%% of its sectors "
                 "(at least %.0f%%)",
                 mover->op, times, (long long)least, most, 100 * use, 100 * use_least);
}

static void op_is_counted(void **state)
{
    const struct op_case *op = *state;
    watch_begin(false, true);
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        struct op_run run = op_run_on_device(op, ops, trial);
        op_run_close(&run);
    }
    add_lines(op->name, "cases");
    watch_end();
}

TEST(the_table_is_kept)
{
    if (__GNUC__ != 12) test_skip("the table is of gcc 12; gcc %d may omit other reads", __GNUC__);
    kept_check(&table, "tests/emu/bytes.tsv");
}

int main(void)
{
    table = kept_new("op\tshape\tkernel\tlaunches\tread\twritten\tuse of sectors\tleast\ttimes");
    for (int i = 0; i < op_case_count; i++) {
        const char *name = op_cases[i].name;
        const struct moves *mover = movers;
        if (!kept_wanted(name)) continue;
        while (mover < movers + COUNT_OF(movers) && strcmp(mover->op, name) != 0) mover++;
        if (mover < movers + COUNT_OF(movers))
            test_add(0, op_moves_little, mover, "%s", name);
        else
            test_add(0, op_is_counted, &op_cases[i], "%s", name);
    }
    return tests_run();
}
