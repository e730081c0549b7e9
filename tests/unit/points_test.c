/* Tests results/table/points.h: lines for other programs, each with one point and seed of a
 * grid. */
#include "tests/support/test.h"

#include <jansson.h>

#include "core/config/tree_read.h"
#include "results/sheet/escape.h"
#include "results/table/column.h"
#include "results/table/points.h"
#include "tests/support/world.h"

enum { ROWS = 3, SEEDS = 2 };

static const struct grid_coordinate coordinate[] = {
    {.key = "window", .value = "-1", .axis = 0, .named = true},
    {.key = "layers", .value = "=low", .axis = 1, .named = true},
    {.key = "window", .value = "3", .axis = 0, .named = true},
    {.key = "layers", .value = "all", .axis = 1, .named = true},
    {.key = "model.heads", .value = "8", .axis = 0},
};

static const char *const options[ROWS] = {"{model: {heads: 8, dropout: 0.10}, train: {steps: 3}}",
                                          "{model: {dropout: 0.1}, train: {steps: 3}}",
                                          "{model: {dropout: 0.1}, train: {steps: 3}, encoder: "
                                          "{attention: [{layers: 1, branches: [global]}]}}"};

static const struct tree *tree_of(const char *text)
{
    return tree_parse(&arena, "test", text);
}

static struct run made(const char *runs, const char *kind, const char *text, const char *json)
{
    return run_new(runs, kind, text, json, NULL, text);
}

static void fill(struct world *world, int row, int seed, struct run speed)
{
    const char *given =
                   arena_print(&arena, "{\"model\": {\"heads\": %d}, \"seed\": 1}", row ? 4 : 8),
               *runs = world->runs;
    const struct run train = made(runs, "train", arena_print(&arena, "t %d/%d", row, seed), given),
                     score = made(runs, "score", arena_print(&arena, "s %d/%d", row, seed), "{}"),
                     probe = made(runs, "probe", arena_print(&arena, "p %d/%d", row, seed),
                                  "{\"part\": \"Tense\"}");
    world_add_stage(world, row, seed, "train", train);
    world_add_stage(world, row, seed, "score", score);
    world_add_stage(world, row, seed, "probe", probe)->part = "Tense";
    world_add_stage(world, row, seed, "speed", speed);
    if (row == 2 && seed == 1) return;
    const bool lost = row == 1 && seed == 1;
    run_done(&train, lost ? "diverged" : "done", "{\"parameters\": 1000, \"dev_loss\": 0.1}");
    run_done(&score, "done",
             "{\"bleu\": 30.25, \"signature\": \"=a|b\", \"split\": \"dev\", "
             "\"code\": \"0123\"}");
    run_done(&probe, "done", "{\"accuracy\": 0.30000000000000004, \"items\": 5}");
}

/* Makes three rows with two seeds. Each seed has a training, its score and a probe. One speed stage
 * belongs to all rows. Row 2 has two points on two axes. Seed 2 of row 1 diverged, and seed 2 of
 * row 2 has not run. */
static struct world *three_rows(const char *name)
{
    struct world *world = world_new(name);
    const struct run speed = made(world->runs, "speed", "speed", "{}");
    run_done(&speed, "done",
             "{\"steps_per_second.1\": 5.5, \"steps_per_second.2\": 4.5, "
             "\"steps_per_second.3\": 3.5, \"rows\": 3}");
    for (int row = 0; row < ROWS; row++) {
        world_add_row(world, row == 1 ? "=1+1" : "row, \"quoted\"", SEEDS);
        for (int seed = 0; seed < SEEDS; seed++) fill(world, row, seed, speed);
        world->row[row].options = tree_of(options[row]);
    }
    world->row[1].coordinates = 1;
    world->row[1].coordinate = &coordinate[4];
    world->row[2].coordinates = 2;
    world->row[2].more = 1;
    world->row[2].coordinate = coordinate;
    world->grid.name = "g";
    world->grid.words.defaults = tree_of("{model: {heads: 4}, encoder: {attention: []}}");
    return world;
}

/* Collects the runs. Returns the printed points. */
static char *printed(const struct world *world, enum export_format format)
{
    struct store *store = world_collect(world);
    return PRINTED(points_print(store, &world->grid, format, out));
    store_close(store);
}

/* 0.1 and 0.30000000000000004 are the shortest decimals that read back to the same doubles. */
TEST(csv_is_a_line_per_point_and_seed)
{
    struct world *world = three_rows("points_csv");
    char *text = printed(world, EXPORT_CSV);
    static const char row[] = "g,\"row, \"\"quoted\"\"\",";
    const char *result = "0.1,1000,30.25,=a|b,0.30000000000000004,5,";
    assert_string_equal(
        text, arena_print(&arena,
                          "grid,row,seed,status,wall,axis.window,axis.layers,option.model.heads,"
                          "option.encoder.attention,dev_loss,parameters,bleu,score.signature,"
                          "probe.Tense,probe.Tense.items,speed.rows,speed\n"
                          "%s1,done,0,,,8,[],%s3,5.5\n%s2,done,0,,,8,[],%s3,5.5\n"
                          "g,=1+1,1,done,0,,,4,[],%s3,4.5\n"
                          "g,=1+1,2,diverged,,,,4,[],,1000,,,,,,\n"
                          "%s1,done,0,-1,=low,4,\"[{layers: 1, branches: [global]}]\",%s3,3.5\n"
                          "%s1,done,0,3,all,4,\"[{layers: 1, branches: [global]}]\",%s3,3.5\n"
                          "%s2,new,,-1,=low,4,\"[{layers: 1, branches: [global]}]\",,,,,,,3,3.5\n"
                          "%s2,new,,3,all,4,\"[{layers: 1, branches: [global]}]\",,,,,,,3,3.5\n",
                          row, result, row, result, result, row, result, row, result, row, row));
}

TEST(every_line_of_jsonl_has_all_keys)
{
    struct world *world = three_rows("points_jsonl");
    char *text = printed(world, EXPORT_JSONL), *next = text;
    int lines = 0, nulls = 0;
    for (char *end; (end = strchr(next, '\n')); next = end + 1, lines++) {
        json_t *json = json_loadb(next, (size_t)(end - next), JSON_REJECT_DUPLICATES, NULL);
        json_t *results = json_object_get(json, "results"), *value;
        const char *key;
        assert_int_equal(json_object_size(json), 8);
        assert_int_equal(json_object_size(json_object_get(json, "axes")), 2);
        assert_int_equal(json_object_size(json_object_get(json, "options")), 2);
        assert_int_equal(json_object_size(results), 8);
        json_object_foreach(results, key, value) {
            struct column column;
            const char *kind = strchr(key, '.') ? NULL : key;
            nulls += json_is_null(value);
            if (strstr(key, ".signature")) continue; /* a text about how the score was computed */
            if (!column_find(key, &column, NULL, &arena)) fail_msg("no column %s", key);
            assert_int_equal(kind != NULL, column.measure && column.measure->column);
        }
        json_decref(json);
    }
    assert_int_equal(lines, 8);
    /* The diverged seed has 7 nulls; it has only its number of parameters. The missing seed has 6
     * nulls at each of two points; it has only the speed. */
    assert_int_equal(nulls, 7 + 6 + 6);
}

/* If the grid's file is missing, rows have no options. Then the options of stages are printed. */
TEST(without_trees_options_are_those_of_stages)
{
    struct world *world = three_rows("points_record");
    for (int row = 0; row < ROWS; row++) world->row[row].options = NULL;
    world->grid.words = (struct grid_words){0};
    char *text = printed(world, EXPORT_CSV);
    assert_non_null(strstr(text, ",axis.layers,option.model.heads,dev_loss,"));
    assert_non_null(strstr(text, "\"\",1,done,0,,,8,0.1,1000,"));
    assert_non_null(strstr(text, "g,=1+1,1,done,0,,,4,0.1,1000,"));
}

/* A row of quoted values has no run. It does not affect the options of later rows. */
TEST(options_are_of_all_rows_with_runs)
{
    struct world *world = three_rows("points_quoted");
    world->row[1].count = 0;
    char *text = printed(world, EXPORT_CSV);
    assert_non_null(strstr(text, ",option.model.heads,option.encoder.attention,dev_loss,"));
    assert_non_null(strstr(text, "1,done,0,,,8,[],0.1,"));
    assert_non_null(strstr(text, "1,done,0,3,all,4,\"[{layers: 1, branches: [global]}]\",0.1,"));
    assert_null(strstr(text, "=1+1"));
}
