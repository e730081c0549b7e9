/* results/store/clusters: sums come back to the bit, and what is no such file is refused. */
#include "tests/support/refused.h"

#include "results/store/clusters.h"

#define FIRST "cluster\tlayer\tclass\tcount\tsum\n"

TEST(round_trip)
{
    const char *folder = test_folder("clusters"), *problem = NULL;
    const char *path = arena_print(&arena, "%s/" CLUSTERS_FILE, folder);
    const struct cluster_sum written[] = {
        {.cluster = 1, .layer = 0, .class = "", .count = 3, .sum = 1. / 3},
        {.cluster = 1, .layer = 2, .class = "NOUN", .count = 0, .sum = 0}, /* of nothing */
        {.cluster = 7, .layer = 2, .class = "a b", .count = 1, .sum = -1e-300}};
    size_t bytes;
    int count;
    clusters_write(folder, written, COUNT_OF(written));
    char *text = file_read(&arena, path, 1 << 16, &bytes);
    const struct cluster_sum *read = clusters_read(&arena, path, text, bytes, &count, &problem);
    assert_null(problem);
    assert_int_equal(count, 2);
    assert_true(read[0].sum == written[0].sum && read[0].count == 3 && read[0].layer == 0);
    assert_true(read[1].cluster == 7 && read[1].layer == 2 && read[1].sum == written[2].sum);
    assert_string_equal(read[1].class, "a b");
}

static const char *problem_of(struct arena *into, char *text, size_t bytes)
{
    const char *problem = NULL;
    int count;
    assert_null(clusters_read(into, "x", text, bytes, &count, &problem));
    return problem;
}

TEST(refused)
{
    static const struct refused_file cases[] = {
        {"", 0, "x:1: there is no sum"},
        {FIRST, 0, "x:2: there is no sum"},
        {"cluster\n1\n", 0, "x:1: expected \"cluster, layer, class, count, sum\""},
        {FIRST "1\t1\t\t1\n", 0, "x:2: 4 columns between tabs; expected cluster, layer"},
        {FIRST "1\t1\t\t1\t2\n\n", 0, "x:3: 1 columns"},
        {FIRST "0\t1\t\t1\t2\n", 0, "x:2: \"0\" and \"1\" are no cluster and layer"},
        {FIRST "1\t1.5\t\t1\t2\n", 0, "x:2: \"1\" and \"1.5\" are no cluster and layer"},
        {FIRST "1\t1\t\t0\t2\n", 0, "x:2: \"0\" is no count; expected a number above 0"},
        {FIRST "1\t1\t\t1\tinf\n", 0, "x:2: \"inf\" is no number"},
        {FIRST "1\t1\t\t1\t2", 0, "x:2: the line has no end; the file was cut off"},
        {FIRST "1\t1\t\0\t1\t2\n", sizeof(FIRST "1\t1\t\0\t1\t2\n") - 1, "x:2: a NUL byte"},
    };
    refused_files_check(cases, COUNT_OF(cases), problem_of);
}
