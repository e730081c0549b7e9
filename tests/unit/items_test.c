/* Tests results/store/items. Items and sums of clusters are written and read back. Invalid files
 * are refused with the line. */
#include "results/store/items.h"

#include "tests/support/refused.h"

TEST(round_trip)
{
    const struct item written[] = {{0.1, "noun", "tense", 0},
                                   {100, "", "", 0},
                                   {-3.5e-200, "a b: c", "ö", 0},
                                   {1 / 3., "", "depth", 0}};
    const char *folder = test_folder("items"), *problem = NULL;
    assert_string_equal(items_file(0, 1, &arena), "items.tsv");
    assert_string_equal(items_file(1, 2, &arena), "items.2.tsv");
    items_write(folder, "items.tsv", written, COUNT_OF(written));

    size_t bytes;
    char *text = file_read(&arena, arena_print(&arena, "%s/items.tsv", folder), 0, &bytes);
    assert_string_equal(text, "number\tclass\tstratum\n0.1\tnoun\ttense\n100\t\t\n"
                              "-3.5e-200\ta b: c\tö\n0.3333333333333333\t\tdepth\n");
    int count;
    const struct item *read = tsv_read(&arena, "x", &items_form, text, bytes, &count, &problem);
    assert_non_null(read);
    assert_null(problem);
    assert_int_equal(count, COUNT_OF(written));
    for (int i = 0; i < count; i++) {
        assert_true(read[i].number == written[i].number);
        assert_string_equal(read[i].class, written[i].class);
        assert_string_equal(read[i].stratum, written[i].stratum);
    }
    EXPECT_CHECK("item 1: a tab or a line break",
                 items_write(folder, "items.tsv", &(struct item){1, "a\tb", "", 0}, 1));
    EXPECT_CHECK("item 1 has the number inf",
                 items_write(folder, "items.tsv", &(struct item){1e308 * 10, "", "", 0}, 1));
}

TEST(weights)
{
    const struct item written[] = {{12.5, "", "", 7}, {0, "noun", "", 0.1}},
                      mixed[] = {{1, "", "", 2}, {1, "", "", 0}};
    const char *folder = test_folder("items_weights"), *problem = NULL;
    items_write(folder, "items.tsv", written, COUNT_OF(written));
    size_t bytes;
    char *text = file_read(&arena, arena_print(&arena, "%s/items.tsv", folder), 0, &bytes);
    assert_string_equal(text, "number\tclass\tstratum\tweight\n12.5\t\t\t7\n0\tnoun\t\t0.1\n");
    int count;
    const struct item *read = tsv_read(&arena, "x", &items_form, text, bytes, &count, &problem);
    assert_non_null(read);
    assert_int_equal(count, COUNT_OF(written));
    for (int i = 0; i < count; i++) {
        assert_true(read[i].number == written[i].number && read[i].weight == written[i].weight);
        assert_string_equal(read[i].class, written[i].class);
    }
    EXPECT_CHECK("item 2 has the weight 0",
                 items_write(folder, "items.tsv", mixed, COUNT_OF(mixed)));
    EXPECT_CHECK("item 2 has the weight 2",
                 items_write(folder, "items.tsv", (const struct item[]){mixed[1], mixed[0]}, 2));
}

TEST(clusters)
{
    const char *path = arena_print(&arena, "%s/" CLUSTERS_FILE, test_folder("clusters"));
    const struct cluster_sum written[] = {
        {.cluster = 100000, .layer = 0, .class = "", .count = 3, .sum = 1. / 3},
        {.cluster = 7, .layer = 2, .class = "a b", .count = 1, .sum = -1e-300}};
    const char *problem = NULL;
    size_t bytes;
    int count;
    tsv_write(path, &clusters_form, written, COUNT_OF(written));
    char *text = file_read(&arena, path, 1 << 16, &bytes);
    assert_string_equal(text, "cluster\tlayer\tclass\tcount\tsum\n"
                              "100000\t0\t\t3\t0.3333333333333333\n7\t2\ta b\t1\t-1e-300\n");
    const struct cluster_sum *read =
        tsv_read(&arena, path, &clusters_form, text, bytes, &count, &problem);
    assert_null(problem);
    assert_int_equal(count, 2);
    assert_true(read[0].sum == written[0].sum && read[0].count == 3 && read[0].layer == 0);
    assert_true(read[1].cluster == 7 && read[1].layer == 2 && read[1].sum == written[1].sum);
    assert_string_equal(read[1].class, "a b");
}

#define SUMS "cluster\tlayer\tclass\tcount\tsum\n"

/* Reads a text as sums of clusters if it begins with their header, else as items. Returns the
 * reason why it is refused. */
static const char *problem_of(struct arena *into, char *text, size_t bytes)
{
    const struct tsv_form *form = strncmp(text, SUMS, 7) ? &items_form : &clusters_form;
    const char *problem = NULL;
    int count;
    assert_null(tsv_read(into, "x", form, text, bytes, &count, &problem));
    return problem;
}

TEST(refused)
{
#define FIRST "number\tclass\tstratum\n"
#define WEIGHTED "number\tclass\tstratum\tweight\n"
    static const struct refused_file cases[] = {
        {"", 0, "x:1: there is no item"},
        {FIRST, 0, "x:2: there is no item"},
        {"number\tclass\n1\t\t\n", 0, "x:1: expected \"number, class, stratum\""},
        {"1\t\t\n", 0, "x:1: expected \"number"},
        {FIRST "1\ta\n", 0, "x:2: 2 columns between tabs; expected number, class and stratum"},
        {FIRST "1\ta\tb\tc\n", 0, "x:2: 4 columns"},
        {FIRST "1\t\t\n\n", 0, "x:3: 1 columns"},
        {FIRST "1\t\t\nnan\t\t\n", 0, "x:3: \"nan\" is not a number"},
        {FIRST "1,5\t\t\n", 0, "x:2: \"1,5\" is not a number"},
        {FIRST "\t\t\n", 0, "x:2: \"\" is not a number"},
        {FIRST "1e999\t\t\n", 0, "x:2: \"1e999\" is not a number"},
        {FIRST "1\t\t\n1\t\t", 0,
         "x:3: the line has no line break at its end; the file is truncated"},
        {WEIGHTED "1\t\t\n", 0,
         "x:2: 3 columns between tabs; expected number, class, stratum and w"},
        {WEIGHTED "1\t\t\t2\n1\t\t\t0\n", 0,
         "x:3: \"0\" is not a weight; expected a number above 0"},
        {WEIGHTED "1\t\t\tnan\n", 0, "x:2: \"nan\" is not a weight"},
        {FIRST "1\ta\0\t\n", sizeof(FIRST "1\ta\0\t\n") - 1, "x:2: a NUL byte"},
        {SUMS, 0, "x:2: there is no sum"},
        {"cluster\n1\n", 0, "x:1: expected \"cluster, layer, class, count, sum\""},
        {SUMS "1\t1\t\t1\n", 0, "x:2: 4 columns between tabs; expected cluster, layer"},
        {SUMS "0\t1\t\t1\t2\n", 0, "x:2: \"0\" is not a cluster; expected a whole number from 1"},
        {SUMS "1\t1.5\t\t1\t2\n", 0, "x:2: \"1.5\" is not a layer; expected a whole number from 0"},
        {SUMS "1\t1\t\t0\t2\n", 0, "x:2: \"0\" is not a count; expected a number above 0"},
        {SUMS "1\t1\t\t1\tinf\n", 0, "x:2: \"inf\" is not a sum"},
    };
    refused_files_check(cases, COUNT_OF(cases), problem_of);
}
