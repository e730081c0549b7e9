/* Tests the partial results of the stage `probe`. The kept results of a setting are restored
 * unchanged, but only for the same training with the same stamp. Deleted results are not
 * restored. */
#include "experiments/stage/kind_probe.c"
#include "tests/support/test.h"

enum { DEV = 3, TEST = 5, BIGGEST = (1 << 24) - 1 };

static struct probe_data data = {.items[PROBE_DEV].count = DEV, .items[PROBE_TEST].count = TEST};
static struct partial partial;

BEFORE(each)
{
    partial = (struct partial){
        .folder = arena_text(&arena, test_folder("stage")), .stamp = "a1", .data = &data};
}

static struct probe_trained empty(void)
{
    return (struct probe_trained){.predicted[PROBE_DEV] = ARENA_ARRAY(&arena, int32_t, DEV),
                                  .predicted[PROBE_TEST] = ARENA_ARRAY(&arena, int32_t, TEST),
                                  .likelihood = ARENA_ARRAY(&arena, float, TEST)};
}

/* Returns a different result for each number. */
static struct probe_trained made(int number)
{
    struct probe_trained trained = empty();
    trained.evaluations = 40 + number;
    trained.best = 30 + number;
    trained.updates = BIGGEST - number;
    for (int i = 0; i < DEV; i++) trained.predicted[PROBE_DEV][i] = 100 * number + i;
    for (int i = 0; i < TEST; i++) trained.predicted[PROBE_TEST][i] = 1000 - 100 * number - i;
    for (int i = 0; i < TEST; i++) trained.likelihood[i] = -1.1F / (float)(1 + i + number);
    return trained;
}

static void is_known(int setting, const struct probe_trained *expected)
{
    struct probe_trained got = empty();
    assert_true(known(setting, &got, &partial));
    assert_int_equal(got.evaluations, expected->evaluations);
    assert_int_equal(got.best, expected->best);
    assert_int_equal(got.updates, expected->updates);
    assert_memory_equal(got.predicted[PROBE_DEV], expected->predicted[PROBE_DEV],
                        DEV * sizeof(int32_t));
    assert_memory_equal(got.predicted[PROBE_TEST], expected->predicted[PROBE_TEST],
                        TEST * sizeof(int32_t));
    assert_memory_equal(got.likelihood, expected->likelihood, TEST * sizeof(float));
}

static void is_unknown(int setting)
{
    struct probe_trained got = empty();
    assert_false(known(setting, &got, &partial));
}

TEST(what_is_kept_comes_back)
{
    const struct probe_trained two = made(2), eleven = made(5);
    is_unknown(2);
    keep(&partial, 2, &two);
    keep(&partial, 11, &eleven);
    is_known(2, &two);
    is_known(11, &eleven);
    is_unknown(1);
}

TEST(others_know_nothing_of_it)
{
    const struct probe_trained two = made(2), other = made(4);
    keep(&partial, 2, &two);
    partial.training = 1;
    is_unknown(2);
    keep(&partial, 2, &other);
    partial.training = 0;
    is_known(2, &two);
    partial.stamp = "a2";
    is_unknown(2);
}

TEST(items_of_another_number_are_refused)
{
    const struct probe_trained two = made(2);
    keep(&partial, 2, &two);
    struct probe_data other = data;
    other.items[PROBE_TEST].count--;
    partial.data = &other;
    struct probe_trained got = empty();
    EXPECT_DIE("belongs to another probe; remove the file", known(2, &got, &partial));
}

TEST(all_is_forgotten_and_nothing_else)
{
    const struct probe_trained two = made(2);
    int files;
    file_write(arena_print(&arena, "%s/items.tsv", partial.folder), "x", 1);
    keep(&partial, 2, &two);
    partial.stamp = "a2";
    keep(&partial, 3, &two);
    forget(&partial);
    is_unknown(3);
    const char **name = file_folder_names(&arena, partial.folder, &files);
    assert_int_equal(files, 1);
    assert_string_equal(name[0], "items.tsv");
}
