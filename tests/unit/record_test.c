/* Tests experiments/grid/grid_record.h: records of grids that ran, and which record a query
 * selects. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "experiments/grid/grid_record.h"

/* Returns a grid with one row, one seed and one stage. */
static struct grid grid_of(const char *digest, const char *row, const char *id)
{
    struct grid_stage *stage = ARENA_NEW(&arena, struct grid_stage);
    struct grid_seed *seed = ARENA_NEW(&arena, struct grid_seed);
    struct grid_row *one = ARENA_NEW(&arena, struct grid_row);
    *stage = (struct grid_stage){.kind = "train", .id = id};
    *seed = (struct grid_seed){.seed = 3, .count = 1, .stage = stage};
    *one = (struct grid_row){.name = row, .count = 1, .seed = seed};
    return (struct grid){.name = "g", .digest = digest, .rows = 1, .row = one};
}

/* Writes a record with a modification time that is `age` seconds before a fixed time. */
static void put(const char *runs, const char *name, const struct grid *grid, int age)
{
    const char *path = arena_print(&arena, "%s/grids/%s/%s.json", runs, grid->name, name);
    struct timespec when[2] = {{.tv_sec = 1700000000 - age}, {.tv_sec = 1700000000 - age}};
    record_write(runs, name, grid);
    assert_int_equal(utimensat(AT_FDCWD, path, when, 0), 0);
}

static const char *recalled(const char *runs, const char *digest, const char *row)
{
    struct grid grid = grid_of(digest, row, "none");
    return record_recall(runs, &grid, &arena) ? grid.row[0].seed[0].stage[0].id : NULL;
}

TEST(the_newest_with_the_digest_answers)
{
    const char *runs = test_folder("record_recall");
    struct grid a = grid_of("a", "Row", "first"), again = grid_of("a", "Row", "second"),
                b = grid_of("b", "Row", "third"), torn = grid_of("a", "Row", "fourth");
    torn.incomplete = true;
    put(runs, "1", &a, 40);
    put(runs, "2", &again, 30);
    put(runs, "3", &b, 20);
    put(runs, "4", &torn, 10);
    assert_string_equal(recalled(runs, "a", "Row"), "second");
    assert_string_equal(recalled(runs, "b", "Row"), "third");
    assert_null(recalled(runs, "c", "Row"));
    assert_null(recalled(runs, "a", "Other"));
}

TEST(what_was_written_is_read)
{
    const char *runs = test_folder("record_read"), *const word[] = {"train.rate=2", "~a.b"};
    struct grid *record;
    struct grid grid = grid_of("a", "Row", "first");
    grid.file = "my/g.yaml";
    grid.assignments = 2;
    grid.assignment = word;
    put(runs, "1", &grid, 0);
    assert_int_equal(record_read(runs, "g", &record, &arena), 1);
    assert_string_equal(record->file, "my/g.yaml");
    assert_string_equal(record->assignment[1], "~a.b");
    assert_int_equal(record->assignments, 2);
    assert_string_equal(record->digest, "a");
    assert_int_equal(record->row[0].seed[0].seed, 3);
    assert_false(record->incomplete);
    assert_int_equal(record_read(runs, "h", &record, &arena), 0);
    assert_int_equal(record_read(runs, "../grids/g", &record, &arena), 0);
    assert_int_equal(record_read(runs, "..", &record, &arena), 0);
}

/* These files are not valid records. A reader must skip them. */
TEST(what_is_no_record_is_left_out)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{\"grid\": \"g\"}",
        "{\"grid\": \"h\", \"rows\": []}",
        "{\"grid\": \"g\", \"rows\": {}}",
        "{\"grid\": \"g\", \"rows\": [1]}",
        "{\"grid\": \"g\", \"rows\": [{\"name\": 1, \"seeds\": []}]}",
        "{\"grid\": \"g\", \"rows\": [{\"name\": \"Row\", \"seeds\": 1}]}",
        "{\"grid\": \"g\", \"rows\": [{\"name\": \"Row\", \"seeds\": [{\"stages\": [{}]}]}]}",
        "{\"grid\": \"g\", \"rows\": [], \"words\": [1]}",
    };
    const char *runs = test_folder("record_bad");
    struct grid *record;
    struct grid grid = grid_of("a", "Row", "first");
    put(runs, "good", &grid, 0);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        put_text(arena_print(&arena, "%s/grids/g/%zu.json", runs, i), bad[i]);
    file_write(arena_print(&arena, "%s/grids/g/2.txt", runs), "", 0);
    assert_int_equal(record_read(runs, "g", &record, &arena), 1);
    assert_string_equal(record->row[0].seed[0].stage[0].id, "first");
}
