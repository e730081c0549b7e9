/* Tests figures of kind profile: values along a number, bands, reference lines, and the end of the
 * trained range. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "tests/support/figure_grid.h"

/* Writes the values for 2, 10 and 1 operators, in this order. The figure must sort them. */
static void test_logic(struct world *world, int r, int s, const double accuracy[3], double majority)
{
    static const char *const class[] = {"2", "10", "1"};
    const char *text = arena_print(&arena, "logic of row %d, seed %d", r, s + 1);
    world->run[r][s][1] = run_new(world->runs, "logic", text, "{}", NULL, "demo/x/1");
    world->stage[r][s][1] = (struct grid_stage){.kind = "logic", .id = world->run[r][s][1].id};
    for (int c = 0; c < 3; c++)
        run_append(&world->run[r][s][1], "metrics.jsonl",
                   arena_print(&arena,
                               "{\"name\":\"accuracy\",\"value\":%g,\"class\":\"%s\"}\n"
                               "{\"name\":\"majority\",\"value\":%g,\"class\":\"%s\"}\n",
                               accuracy[c], class[c], majority + c, class[c]));
    run_done(&world->run[r][s][1], "done", "{\"accuracy\": 50, \"signature\": \"sig\"}");
}

static void trained_on(struct world *world, int r, const char *bins)
{
    world->row[r].options =
        tree_parse(&arena, "x", arena_print(&arena, "{logic: {bins: %s}}", bins));
}

static struct world *world_of_two(const char *name)
{
    struct world *world = figures_world(name, SEEDS);
    for (int s = 0; s < SEEDS; s++)
        test_logic(world, 0, s, (const double[]){80 + s, 60 + 2 * s, 98 + s}, 50);
    for (int s = 0; s < SEEDS - 1; s++)
        test_logic(world, 1, s, (const double[]){70 + 2 * s, 40, 90}, 50);
    for (int r = 0; r < ROWS; r++) trained_on(world, r, "0-2");
    return world;
}

/* A band reaches 4.302653 standard errors to each side (t with 2 degrees of freedom). The standard
 * errors are 1 / sqrt(3) and 2 / sqrt(3). Bands end at 100%. */
TEST(lines_bands_and_marks)
{
    struct world *world = world_of_two("figure_profile");
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: profile, left: logic.accuracy, x: Operators}]");
    const double n = (double)NAN, reach = 4.302652729911275 / sqrt(3);
    EXPECT_NUMBERS(&drawing, 1, 99, 99 - reach, 100, 2, 81, 81 - reach, 81 + reach, 10, 62,
                   62 - 2 * reach, 62 + 2 * reach,          /* three seeds */
                   1, 90, n, n, 2, 71, n, n, 10, 40, n, n,  /* two seeds */
                   1, 52, n, n, 2, 50, n, n, 10, 51, n, n); /* majority */
    expect_caption(&drawing,
                   "Points: Accuracy (%), mean of 2 to 3 seeds; bars: 95% t interval of the mean");
    expect_caption(&drawing, "Dotted: of each number of operators the most frequent relation");
    expect_caption(&drawing, "Not drawn: %d{x}_y");
    assert_non_null(strstr(drawing.file[0].bytes, "mark = 6\n"));
    assert_non_null(strstr(drawing.file[0].bytes, "marked = 4\n"));
    expect_drawn(&drawing, ">Trained on 0-2<");
    expect_drawn(&drawing, ">Majority<");
    expect_drawn(&drawing, ">Operators<");
    assert_non_null(strstr(drawing.file[3].bytes, "3\t3\tclass\t10\tlogic.accuracy\t2\t62\t62\t"));
    assert_non_null(strstr(drawing.file[3].bytes, "3\tMajority\tclass\t"));
    const struct figure_drawing reordered = world_draw(
        world, "[{kind: profile, left: logic.accuracy, rows: ['%d{x}_y', '3', '<`date`']}]");
    expect_same_data(&reordered, &drawing); /* a preceding row without results changes nothing */
    assert_non_null(strstr(reordered.file[0].bytes, "mark = 6\n"));
}

TEST(rows_that_differ)
{
    struct world *world = world_of_two("figure_profile_rows");
    trained_on(world, 1, "0-10");
    struct figure_drawing drawing = world_draw(world, "[{kind: profile, left: logic.accuracy}]");
    assert_non_null(strstr(drawing.file[0].bytes, "marked = 0\n"));
    /* The trained range has all numbers of the test, so its end is not marked. */
    drawing = world_draw(world, "[{kind: profile, left: logic.accuracy, rows: ['<`date`']}]");
    assert_non_null(strstr(drawing.file[0].bytes, "marked = 0\n"));
    expect_caption(&drawing, "Points: Accuracy (%), mean of the 2 seeds.");
    expect_drawn(&drawing, ">Number of operators<"); /* the default label comes from the measure */
    test_logic(world, 2, 0, (const double[]){1, 2, 3}, 40);
    drawing = world_draw(world, "[{kind: profile, left: logic.accuracy}]");
    assert_non_null(strstr(drawing.file[0].bytes, "against = 0\n"));
}

/* Classes that are words keep their order. A measure without a reference value has no reference
 * line. */
TEST(words_and_mistakes)
{
    struct world *world = world_of_two("figure_profile_words");
    for (int c = 0; c < 2; c++)
        run_append(&world->run[0][0][1], "metrics.jsonl",
                   arena_print(&arena, "{\"name\":\"relation\",\"value\":%d,\"class\":\"%s\"}\n",
                               30 - c, c ? "<" : "v"));
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: profile, left: logic.relation, rows: ['3']}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, 30, n, n, 2, 29, n, n);
    assert_non_null(strstr(drawing.file[0].bytes, "marked = 0\n"));
    expect_drawn(&drawing, ">&lt;<");
    EXPECT_DIE("no value by class is called \"bleu\"",
               world_draw(world, "[{kind: profile, left: bleu}]"));
    EXPECT_DIE("grid.yaml:1:2: figures: a profile figure needs left",
               world_draw(world, "[{kind: profile}]"));
}
