/* Tests probes/classifier.h. Results equal an oracle: the definition in double, with derivatives
 * from finite differences. No bit of a result depends on groups, threads or the instruction set.
 * Settings with known results are not trained again. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "probes/classifier.h"
#include "tests/support/fence.h"
#include "tests/support/probe_oracle.h"
#include "tests/support/protocol_find.h"

enum { N = 120, D = 5, C = 3, TRAIN = 61, DEV = 29 };

static struct {
    float vector[N * D];
    int32_t label[N], item[N];
    struct probe_data data;
} made;

/* Makes three clouds of vectors, one per label. Each cloud is moved by `apart` along the axis of
 * its label. */
static void make_data(double apart)
{
    const struct random_key key = {5, random_stream("clouds")};
    for (int i = 0; i < N; i++) {
        made.label[i] = i * 7 % C;
        made.item[i] = (i * 37 + 11) % N;
        for (int d = 0; d < D; d++)
            made.vector[i * D + d] =
                (float)(random_normal(key, (uint64_t)(i * D + d)) + (d == made.label[i]) * apart);
    }
    for (int i = 0; i < N; i++) made.vector[i * D + D - 1] += 3; /* this column's mean is not 0 */
    made.data = (struct probe_data){
        .N = N, .D = D, .labels = C, .vector = made.vector, .label = made.label};
    made.data.items[PROBE_TRAIN] = (struct probe_items){made.item, TRAIN};
    made.data.items[PROBE_DEV] = (struct probe_items){made.item + TRAIN, DEV};
    made.data.items[PROBE_TEST] = (struct probe_items){made.item + TRAIN + DEV, N - TRAIN - DEV};
}

BEFORE(each)
{
    make_data(1);
}

/* Four settings, two of dropout times two of L2, with few hidden units and few updates. The last
 * batch of an epoch is not full. */
static const struct protocol small = {.name = "small",
                                      .hiddens = 1,
                                      .hidden = {4},
                                      .dropouts = 2,
                                      .dropout = {0, .3},
                                      .l2s = 2,
                                      .l2 = {1e-5, 1e-1},
                                      .rate = 2e-2,
                                      .batch = 16,
                                      .epochs = 2,
                                      .most = 20,
                                      .tenacity = 1};

static struct probe_job job_of(const struct protocol *protocol)
{
    return (struct probe_job){
        .ops = cpu_ops(), .protocol = protocol, .seed = 3, .data = &made.data};
}

static void is_as_defined(const struct probe_job *job)
{
    const struct probe_result got = probe_train(job, &arena);
    const int tests = made.data.items[PROBE_TEST].count, devs = made.data.items[PROBE_DEV].count;
    for (int s = 0; s < got.settings; s++) {
        const struct probe_trained *t = &got.trained[s];
        struct probe_trained want = {
            .predicted[PROBE_DEV] = ARENA_ARRAY(&arena, int32_t, devs),
            .predicted[PROBE_TEST] = ARENA_ARRAY(&arena, int32_t, tests),
            .likelihood = ARENA_ARRAY(&arena, float, tests),
        };
        probe_oracle(job, &t->setting, &want);
        assert_int_equal(t->evaluations, want.evaluations);
        assert_int_equal(t->best, want.best);
        assert_int_equal(t->updates, want.updates);
        assert_memory_equal(t->predicted[PROBE_DEV], want.predicted[PROBE_DEV],
                            (size_t)devs * sizeof(int32_t));
        assert_memory_equal(t->predicted[PROBE_TEST], want.predicted[PROBE_TEST],
                            (size_t)tests * sizeof(int32_t));
        for (int i = 0; i < tests; i++)
            assert_float_equal(t->likelihood[i], want.likelihood[i], 2e-5);
        int right = 0;
        for (int i = 0; i < tests; i++)
            right +=
                want.predicted[PROBE_TEST][i] == made.label[made.data.items[PROBE_TEST].item[i]];
        assert_int_equal(t->right[PROBE_TEST], right);
    }
}

TEST(hidden_units_are_as_defined)
{
    const struct probe_job job = job_of(&small);
    is_as_defined(&job);
}

TEST(a_linear_one_is_as_defined)
{
    struct probe_job job = job_of(&small);
    job.linear = true;
    is_as_defined(&job);
    job.standardize = true;
    is_as_defined(&job);
}

/* A split is scored in pieces of 256 items. Here both splits have more items, because items are
 * repeated. */
TEST(splits_are_scored_piece_by_piece)
{
    enum { DEVS = 300, TESTS = 590 };
    static int32_t many[DEVS + TESTS];
    struct protocol one = small;
    one.dropouts = one.l2s = 1, one.most = 2;
    const struct probe_job job = job_of(&one);
    for (int i = 0; i < DEVS + TESTS; i++) many[i] = made.item[TRAIN + i * 5 % (N - TRAIN)];
    made.data.items[PROBE_DEV] = (struct probe_items){many, DEVS};
    made.data.items[PROBE_TEST] = (struct probe_items){many + DEVS, TESTS};
    is_as_defined(&job);
    make_data(1);
}

TEST(vectors_are_standardized)
{
    struct probe_job job = job_of(&small);
    for (int i = 0; i < N; i++) made.vector[i * D] = .1F; /* a constant column becomes 0 */
    job.standardize = true;
    is_as_defined(&job);
}

TEST(without_a_stop_all_is_trained)
{
    struct protocol all = small;
    all.tenacity = -1, all.epochs = 1, all.most = 7;
    const struct probe_job job = job_of(&all);
    is_as_defined(&job);
    const struct probe_result result = probe_train(&job, &arena);
    for (int s = 0; s < result.settings; s++) assert_int_equal(result.trained[s].evaluations, 7);
}

TEST(what_lies_apart_is_learned)
{
    make_data(9);
    for (int p = 0; p < protocol_count; p++) {
        struct protocol protocol = protocols[p];
        protocol.batch = 8; /* because there are few items */
        const struct probe_job job = job_of(&protocol);
        const struct probe_result result = probe_train(&job, &arena);
        const struct probe_trained *chosen = &result.trained[result.chosen];
        assert_int_equal(chosen->right[PROBE_DEV], DEV);
        assert_in_range(chosen->right[PROBE_TEST], N - TRAIN - DEV - 1, N - TRAIN - DEV);
        assert_true(probe_undertrained(chosen) == (chosen->updates < 1000));
    }
}

static void same_results(const struct probe_result *a, const struct probe_result *b)
{
    const int tests = made.data.items[PROBE_TEST].count;
    assert_int_equal(a->settings, b->settings);
    assert_int_equal(a->chosen, b->chosen);
    for (int s = 0; s < a->settings; s++) {
        const struct probe_trained *x = &a->trained[s], *y = &b->trained[s];
        assert_int_equal(x->evaluations, y->evaluations);
        assert_int_equal(x->best, y->best);
        assert_int_equal(x->updates, y->updates);
        assert_memory_equal(x->right, y->right, sizeof x->right);
        assert_memory_equal(x->predicted[PROBE_DEV], y->predicted[PROBE_DEV],
                            DEV * sizeof(int32_t));
        assert_memory_equal(x->predicted[PROBE_TEST], y->predicted[PROBE_TEST],
                            (size_t)tests * sizeof(int32_t));
        assert_memory_equal(x->likelihood, y->likelihood, (size_t)tests * sizeof(float));
    }
}

/* A copy of the CPU's op table that counts the calls of adam. */
static struct {
    struct ops ops;
    int64_t adams;
} counted;

static void count_adam(const struct adam *a)
{
    counted.adams++;
    cpu_ops()->adam(a);
}

static const struct ops *counting(void)
{
    counted.ops = *cpu_ops();
    counted.ops.adam = count_adam;
    counted.adams = 0;
    return &counted.ops;
}

static struct protocol short_grid(void)
{
    struct protocol grid = *protocol_find("conneau2018");
    grid.hidden[0] = 3, grid.hidden[1] = 16, grid.hidden[2] = 21;
    grid.most = 40, grid.tenacity = 2, grid.batch = 13;
    return grid;
}

/* Settings of one shape are trained together, as far as job.cache allows. The results have the same
 * bits for groups of one, several and all settings. */
TEST(no_bit_depends_on_groups)
{
    const struct protocol grid = short_grid();
    struct probe_job job = job_of(&grid);
    job.ops = counting();
    const struct probe_result all = probe_train(&job, &arena);
    int64_t updates = 0;
    int different = 0;
    for (int s = 0; s < all.settings; s++) {
        updates += all.trained[s].updates;
        different += all.trained[s].updates != all.trained[s / 4 * 4].updates;
    }
    assert_int_equal(counted.adams, updates); /* a stopped training has no more updates */
    assert_true(different > 0);               /* some stop before others of their group */
    static const size_t sizes[] = {1, 6000, 40000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        job.cache = sizes[i];
        const struct probe_result other = probe_train(&job, &arena);
        same_results(&all, &other);
    }
}

TEST(no_bit_depends_on_threads)
{
    const struct protocol grid = short_grid();
    const struct probe_job job = job_of(&grid);
    omp_set_num_threads(1);
    const struct probe_result one = probe_train(&job, &arena);
    omp_set_num_threads(3);
    const struct probe_result three = probe_train(&job, &arena);
    same_results(&one, &three);
    omp_set_num_threads(1);
}

TEST(no_bit_depends_on_the_table)
{
    const struct protocol grid = short_grid();
    struct probe_job job = job_of(&grid);
    const struct probe_result best = probe_train(&job, &arena);
    const struct ops *ops[CPU_TABLES];
    cpu_tables(ops);
    job.ops = ops[0];
    const struct probe_result first = probe_train(&job, &arena);
    same_results(&best, &first);
}

/* The host does not access device memory directly. */
TEST(device_memory_is_left_alone)
{
    struct probe_job job = job_of(&small);
    const struct probe_result host = probe_train(&job, &arena);
    job.ops = ops_fence(cpu_ops());
    const struct probe_result fenced = probe_train(&job, &arena);
    same_results(&host, &fenced);
}

/* A caller that has kept some results of an interrupted training, and records the calls that it
 * gets. */
static struct kept_settings {
    const struct probe_result *from;
    bool has[PROTOCOL_SETTINGS], told[PROTOCOL_SETTINGS];
    int scores;
} kept_settings;

static bool is_known(int setting, struct probe_trained *trained, void *context)
{
    const struct kept_settings *kept = context;
    const struct probe_trained *from = &kept->from->trained[setting];
    if (!kept->has[setting]) return false;
    trained->evaluations = from->evaluations;
    trained->best = from->best;
    trained->updates = from->updates;
    memcpy(trained->predicted[PROBE_DEV], from->predicted[PROBE_DEV], DEV * sizeof(int32_t));
    memcpy(trained->predicted[PROBE_TEST], from->predicted[PROBE_TEST],
           (N - TRAIN - DEV) * sizeof(int32_t));
    memcpy(trained->likelihood, from->likelihood, (N - TRAIN - DEV) * sizeof(float));
    return true;
}

static void is_trained(const int *setting, int count, const struct probe_trained *all,
                       void *context)
{
    struct kept_settings *kept = context;
    for (int i = 0; i < count; i++) {
        assert_false(kept->told[setting[i]]);
        assert_true(all[setting[i]].updates > 0 && all[setting[i]].right[PROBE_DEV] > 0);
        kept->told[setting[i]] = true;
    }
}

static void is_scored(int epochs, int going_on, void *context)
{
    struct kept_settings *kept = context;
    assert_true(epochs > 0 && going_on >= 0);
    kept->scores++;
}

TEST(what_is_known_is_not_trained)
{
    const struct protocol grid = short_grid();
    struct probe_job job = job_of(&grid);
    struct kept_settings *kept = &kept_settings;
    const struct probe_result all = probe_train(&job, &arena);
    job.ops = counting();
    job.calls = (struct probe_calls){is_known, is_trained, is_scored, kept};
    int64_t updates = 0;
    kept->from = &all;
    for (int s = 0; s < all.settings; s++) {
        kept->has[s] = s < 8 || s == 14 || s == 20; /* eight in sequence, and two others */
        if (!kept->has[s]) updates += all.trained[s].updates;
    }
    const struct probe_result rest = probe_train(&job, &arena);
    same_results(&all, &rest);
    assert_int_equal(counted.adams, updates);
    assert_true(kept->scores > 0);
    for (int s = 0; s < all.settings; s++) {
        assert_true(kept->told[s] != kept->has[s]);
        kept->has[s] = true;
    }
    counted.adams = 0;
    const struct probe_result again = probe_train(&job, &arena);
    same_results(&all, &again);
    assert_int_equal(counted.adams, 0);
}

/* Items are ordered by number of tokens, then by label. Equal items keep the order of the list,
 * even if their item numbers decrease. */
TEST(items_have_an_order)
{
    static const int tokens[] = {5, 3, 5, 3, 4, 3, 5};
    static const int32_t label[] = {1, 1, 0, 0, 2, 1, 1};
    int32_t item[] = {6, 5, 4, 3, 2, 1, 0};
    static const int32_t ordered[] = {3, 5, 1, 4, 2, 6, 0};
    probe_order(item, 7, tokens, label);
    assert_memory_equal(item, ordered, sizeof ordered);
}

TEST(who_is_undertrained)
{
    assert_true(probe_undertrained(
        &(struct probe_trained){.evaluations = 51, .best = 51, .updates = 9000}));
    assert_true(
        probe_undertrained(&(struct probe_trained){.evaluations = 51, .best = 40, .updates = 999}));
    assert_false(probe_undertrained(
        &(struct probe_trained){.evaluations = 51, .best = 50, .updates = 1000}));
}
