/* Tests results/table/links.h: names of rows as names of folders, and the links in these
 * folders. */
#include "core/base/digest.h"
#include "tests/support/test.h"

#include <sys/stat.h>

#include "results/table/links.h"

static const char *name_of(const char *row)
{
    char name[DIGEST_NAME];
    digest_name(row, name);
    return arena_text(&arena, name);
}

static const char *const hostile[] = {"",
                                      ".",
                                      "..",
                                      "../../../etc/passwd",
                                      "/etc/passwd",
                                      "a/b",
                                      "a/../b",
                                      "'; DROP TABLE stage; --",
                                      "\"quoted\" 'twice'",
                                      "line\nbreak\ttab\x1b[31m",
                                      "\xf0\x9f\x98\x80",
                                      "\xf0\x9f\x98\x81",
                                      "-rf",
                                      ".hidden",
                                      "$(touch canary) `touch canary`",
                                      "a b",
                                      "a  b",
                                      "a_b "};

TEST(names_are_harmless)
{
    assert_string_equal(name_of("layers=4,rate=0.1_x+y-z"), "layers=4,rate=0.1_x+y-z");
    assert_string_equal(name_of("a..b"), "a..b");
    char *start = arena_text_range(&arena, name_of("+ Hybrid (gate)"), 15);
    assert_string_equal(start, "+_Hybrid_gate_-");
    for (size_t i = 0; i < COUNT_OF(hostile); i++) {
        const char *name = name_of(hostile[i]);
        assert_true(*name && *name != '.' && *name != '-');
        assert_int_equal(strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789._=,+-"),
                         strlen(name));
        for (size_t k = 0; k < i; k++) assert_string_not_equal(name, name_of(hostile[k]));
    }
    char *longest = arena_alloc(&arena, 301);
    memset(longest, 'x', 300);
    assert_int_equal(strlen(name_of(longest)), 129);
    const char *first = name_of(longest);
    longest[299] = 'y';
    assert_string_not_equal(name_of(longest), first);
    longest[120] = 0;
    assert_string_equal(name_of(longest), longest);
}

/* Returns the number of entries of a folder. */
static int entries(const char *folder)
{
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(list);
    return count;
}

static struct grid grid_of(const char *const *row, int rows, const char *id)
{
    static const struct grid_seed none[1];
    struct grid_stage *stage = ARENA_ARRAY(&arena, struct grid_stage, 2);
    stage[0] = (struct grid_stage){.kind = "corpus", .id = id};
    stage[1] = (struct grid_stage){.kind = "train", .id = id};
    struct grid_seed *seed = ARENA_ARRAY(&arena, struct grid_seed, 2);
    seed[0] = (struct grid_seed){1, 2, stage};
    seed[1] = (struct grid_seed){22, 1, stage};
    struct grid_row *list = ARENA_ARRAY(&arena, struct grid_row, rows + 1);
    for (int i = 0; i < rows; i++)
        list[i] = (struct grid_row){.name = row[i], .count = 2, .seed = seed};
    list[rows] = (struct grid_row){.name = "quoted", .seed = none};
    return (struct grid){.name = "g", .rows = rows + 1, .row = list};
}

TEST(links_lead_to_stages)
{
    const char *runs = arena_text(&arena, test_folder("links"));
    const char *id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    file_make_folder(arena_print(&arena, "%s/stages/train-0123456789ab", runs));
    struct grid grid = grid_of(hostile, (int)COUNT_OF(hostile), id);
    links_write(runs, &grid);
    assert_int_equal(entries(arena_print(&arena, "%s/names", runs)), 1);
    assert_int_equal(entries(arena_print(&arena, "%s/names/g", runs)), (int)COUNT_OF(hostile));
    for (size_t i = 0; i < COUNT_OF(hostile); i++) {
        const char *folder = arena_print(&arena, "%s/names/g/%s", runs, name_of(hostile[i]));
        assert_int_equal(entries(folder), 2);
        char target[PATH_MAX] = "", *whole;
        assert_true(readlink(arena_print(&arena, "%s/1/train", folder), target, PATH_MAX - 1) > 0);
        assert_string_equal(target, "../../../../stages/train-0123456789ab");
        whole = realpath(arena_print(&arena, "%s/1/train", folder), NULL);
        assert_non_null(whole);
        assert_string_equal(strrchr(whole, '/'), "/train-0123456789ab");
        free(whole);
        assert_int_equal(entries(arena_print(&arena, "%s/22", folder)), 1);
    }
}

TEST(what_is_stale_goes)
{
    const char *runs = arena_text(&arena, test_folder("links_stale"));
    const char *outside = arena_print(&arena, "%s/outside", runs);
    const char *const rows[] = {"one", "two"};
    file_make_folder(outside);
    file_write(arena_print(&arena, "%s/keep", outside), "x", 1);
    struct grid grid = grid_of(rows, 2, "aaaaaaaaaaaaaaaaaaaaaaaa");
    links_write(runs, &grid);
    assert_int_equal(symlink("../../outside", arena_print(&arena, "%s/names/g/old", runs)), 0);
    grid = grid_of(rows, 1, "bbbbbbbbbbbbbbbbbbbbbbbb");
    links_write(runs, &grid);
    assert_int_equal(entries(arena_print(&arena, "%s/names/g", runs)), 1);
    assert_int_equal(entries(arena_print(&arena, "%s/names", runs)), 1);
    char target[PATH_MAX] = "";
    const char *link = arena_print(&arena, "%s/names/g/one/1/train", runs);
    assert_true(readlink(link, target, PATH_MAX - 1) > 0);
    assert_string_equal(target, "../../../../stages/train-bbbbbbbbbbbb");
    assert_true(file_exists(arena_print(&arena, "%s/keep", outside))); /* links are not followed */
}
