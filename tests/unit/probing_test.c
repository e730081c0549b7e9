/* Tests probes/probing.h, with splits and with folds: which items are tested, and the result for
 * classes that can be separated. Accuracies of seeds, their mean and their deviation equal values
 * computed by hand from predictions. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "probes/folds.h"
#include "probes/probing.h"
#include "tests/support/protocol_find.h"

enum { ITEMS = 200, D = 4, CLASSES = 3, SEEDS = 3, FOLDS = 5 };

static struct {
    float vector[ITEMS * D];
    struct task_item item[ITEMS];
    struct task_data data;
} made;

/* Makes one cloud of vectors per class, each moved by `apart` along the axis of its class. Three of
 * five items are in tr, one is in va and one in te. */
static void make_data(double apart)
{
    static const enum task_split split[] = {TASK_TR, TASK_TE, TASK_TR, TASK_VA, TASK_TR};
    static const char *name[] = {"a", "b", "c", NULL};
    const struct random_key key = {7, random_stream("clouds")};
    made.data = (struct task_data){
        .path = "t.txt", .items = ITEMS, .labels = CLASSES, .item = made.item, .name = name};
    for (int i = 0; i < ITEMS; i++) {
        const int label = (int)random_below(key, (uint64_t)i, 1, CLASSES);
        made.item[i] =
            (struct task_item){arena_print(&arena, "s%d", i), 1 + i % 7, label, split[i % 5]};
        made.data.count[split[i % 5]]++;
        for (int d = 0; d < D; d++)
            made.vector[i * D + d] =
                (float)(random_normal(key, (uint64_t)(i * D + d)) + (d == label) * apart);
    }
}

BEFORE(each)
{
    make_data(1.2);
}

static struct protocol protocol; /* the protocol senteval, with smaller batches and fewer epochs */

static struct probing_job job_of(int seeds, int folds)
{
    protocol = *protocol_find("senteval");
    protocol.batch = 8;
    protocol.most = 40;
    return (struct probing_job){.each = {.ops = cpu_ops(), .protocol = &protocol},
                                .seeds = seeds,
                                .folds = folds,
                                .data = &made.data,
                                .vector = made.vector,
                                .columns = D};
}

static double near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9)) fail_msg("%.12g, expected %.12g", value, expected);
    return value;
}

/* Compares accuracies, their mean and their deviation with values computed from predictions. */
static void adds_up(const struct probing *probing, int seeds)
{
    double accuracy[SEEDS] = {0}, mean = 0, squares = 0;
    for (int i = 0; i < probing->tested; i++) {
        int right = 0;
        for (int s = 0; s < seeds; s++) {
            const int32_t label = probing->predicted[s * probing->tested + i];
            assert_in_range(label, 0, CLASSES - 1);
            right += label == made.item[probing->item[i]].label;
            accuracy[s] += label == made.item[probing->item[i]].label;
        }
        near(probing->right[i], (double)right / seeds);
    }
    for (int s = 0; s < seeds; s++)
        mean += near(probing->of_seed[s], 100 * accuracy[s] / probing->tested);
    near(probing->accuracy, mean /= seeds);
    for (int s = 0; s < seeds; s++) squares += pow(probing->of_seed[s] - mean, 2);
    near(probing->deviation, seeds > 1 ? sqrt(squares / (seeds - 1)) : 0);
}

TEST(te_is_tested_once)
{
    const struct probing_job job = job_of(1, 0);
    const struct probing probing = probing_run(&job, &arena);
    assert_int_equal(probing_trainings(&job), 1);
    assert_int_equal(probing.tested, made.data.count[TASK_TE]);
    for (int i = 0; i < probing.tested; i++) {
        assert_int_equal(made.item[probing.item[i]].split, TASK_TE);
        if (i) assert_true(probing.item[i] > probing.item[i - 1]);
    }
    adds_up(&probing, 1);
    assert_true(probing.accuracy < 100); /* the clouds overlap */
}

TEST(seeds_differ_and_are_averaged)
{
    struct probing_job job = job_of(SEEDS, 0);
    protocol.most = 4; /* stops before all seeds give the same predictions */
    const struct probing probing = probing_run(&job, &arena);
    assert_int_equal(probing_trainings(&job), SEEDS);
    adds_up(&probing, SEEDS);
    assert_true(probing.deviation > 0);
    job.seeds = 1;
    const struct probing one = probing_run(&job, &arena);
    assert_memory_equal(one.predicted, probing.predicted,
                        (size_t)one.tested * sizeof *one.predicted);
}

/* Numbers that note() counts during the trainings. */
struct told {
    int trainings;
    int tested[ITEMS]; /* number of trainings that tested this item */
};

static void note(int training, const struct probe_data *data, void *context)
{
    struct told *told = context;
    const int *fold = folds_of(&made.data, FOLDS, &arena);
    int seen[ITEMS] = {0};
    assert_int_equal(training, told->trainings++);
    for (int role = 0; role < PROBE_ROLES; role++)
        for (int i = 0; i < data->items[role].count; i++) {
            const int item = data->items[role].item[i],
                      at = (fold[item] + FOLDS - training) % FOLDS;
            seen[item]++;
            if (role == PROBE_TEST) told->tested[item]++;
            assert_int_equal(role, at == 0 ? PROBE_TEST : at == 1 ? PROBE_DEV : PROBE_TRAIN);
            assert_int_equal(data->label[item], made.item[item].label);
        }
    for (int i = 0; i < ITEMS; i++) assert_int_equal(seen[i], 1);
}

TEST(folds_test_every_item_once)
{
    struct told told = {0};
    struct probing_job job = job_of(1, FOLDS);
    job.begins = note;
    job.each.calls.context = &told;
    const struct probing probing = probing_run(&job, &arena);
    assert_int_equal(told.trainings, FOLDS);
    assert_int_equal(probing.tested, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(told.tested[i], 1);
        assert_int_equal(probing.item[i], i);
    }
    adds_up(&probing, 1);
}

TEST(folds_and_seeds_go_together)
{
    const struct probing_job job = job_of(2, FOLDS), single = job_of(1, FOLDS);
    const struct probing probing = probing_run(&job, &arena), one = probing_run(&single, &arena);
    assert_int_equal(probing_trainings(&job), 2 * FOLDS);
    adds_up(&probing, 2);
    assert_memory_equal(one.predicted, probing.predicted, ITEMS * sizeof *one.predicted);
}

TEST(what_lies_apart_is_told_apart)
{
    make_data(40);
    for (int folds = 0; folds <= FOLDS; folds += FOLDS)
        for (int standardize = 0; standardize < 2; standardize++) {
            struct probing_job job = job_of(1, folds);
            /* A high rate corrects bad start weights in the first epochs. */
            protocol.rate = .05;
            job.each.standardize = standardize;
            const struct probing probing = probing_run(&job, &arena);
            near(probing.accuracy, 100);
            near(probing.dev, 100);
        }
}

/* A second run, with its data at other addresses, gives the same bits. */
TEST(the_same_bits_twice)
{
    const struct probing_job job = job_of(SEEDS, FOLDS);
    const struct probing first = probing_run(&job, &arena);
    memset(arena_alloc(&arena, 12345), 7, 12345);
    const struct probing second = probing_run(&job, &arena);
    assert_memory_equal(first.predicted, second.predicted,
                        (size_t)SEEDS * ITEMS * sizeof *first.predicted);
    assert_memory_equal(first.of_seed, second.of_seed, SEEDS * sizeof *first.of_seed);
    assert_true(first.accuracy == second.accuracy && first.deviation == second.deviation);
    assert_true(first.updates == second.updates);
}

AT_START(omp_set_num_threads(1)); /* one thread is fastest for such small products */
