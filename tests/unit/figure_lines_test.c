/* Tests figures of kind lines: means, intervals, groups and horizontal lines. Also tests data.tsv
 * of every kind. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "tests/support/figure_grid.h"

/* Initializes a struct grid_coordinate: value `at` of the axis with key `of` and index `number`. */
#define AT(of, at, number)                                                                         \
    {                                                                                              \
        .key = of, .value = at, .axis = number, .text = of " " at                                  \
    }

static void score(struct world *world, int r, int s, double bleu)
{
    run_done(&world->run[r][s][0], "done", "{}");
    run_done(&world->run[r][s][1], "done", arena_print(&arena, "{\"bleu\": %g}", bleu));
}

/* Makes row r a result of the sweep `line`. */
static void sweep(struct world *world, int r, const char *line, int coordinates,
                  const struct grid_coordinate *coordinate)
{
    world->row[r].line = line;
    world->row[r].coordinates = coordinates;
    world->row[r].coordinate = coordinate;
}

static const char *table_of(const struct figure_drawing *drawing)
{
    static const char head[] = "row\tgroup\taxis\tplace\tcolumn\tseed\tvalue\tmean\tlow\thigh\n";
    assert_string_equal(drawing->file[3].name, "data.tsv");
    assert_memory_equal(drawing->file[3].bytes, head, strlen(head));
    return drawing->file[3].bytes + strlen(head);
}

/* Three seeds have an interval, which reaches 4.302653 standard errors to each side (t with 2
 * degrees of freedom). The standard error is 1 / sqrt(3). Two seeds have no interval. The window 9
 * is drawn before 10, although it comes later in the grid. */
TEST(lines_over_an_axis)
{
    static const struct grid_coordinate at[] = {AT("window", "10", 0), AT("window", "9", 0)};
    struct world *world = figures_world("figure_lines", SEEDS);
    for (int s = 0; s < SEEDS; s++) score(world, 0, s, 20 + s);
    for (int s = 0; s < SEEDS; s++) score(world, 1, s, 31 + s);
    for (int s = 0; s < SEEDS - 1; s++) score(world, 2, s, 28 + 2 * s);
    sweep(world, 1, "gate", 1, &at[0]);
    sweep(world, 2, "gate", 1, &at[1]);
    struct figure_drawing drawing = world_draw(world, "[{kind: lines, axis: window}]");
    const double n = (double)NAN, reach = 4.302652729911275 / sqrt(3);
    EXPECT_NUMBERS(&drawing, 9, 29, n, n, 10, 32, 32 - reach, 32 + reach, /* means */
                   0, 21, n, n,                                           /* on no axis */
                   9, 28, 9, 30, 10, 31, 10, 32, 10, 33);                 /* seeds */
    expect_caption(&drawing,
                   "Points: BLEU on dev, mean of 2 to 3 seeds; bars: 95% t interval of the mean");
    expect_caption(&drawing, "Small dots: seeds.");
    expect_drawn(&drawing, ">gate<");
    expect_drawn(&drawing, ">window<");
    assert_string_equal(strstr(table_of(&drawing), "%d"),
                        "%d{x}_y\tgate\twindow\t9\tbleu\t1\t28\t29\t\t\n"
                        "%d{x}_y\tgate\twindow\t9\tbleu\t2\t30\t29\t\t\n"
                        "%d{x}_y\tgate\twindow\t9\tbleu\t3\t\t29\t\t\n");
    const char first[] = "3\t3\twindow\t\tbleu\t1\t20\t21\t\t\n";
    assert_memory_equal(table_of(&drawing), first, strlen(first));
    drawing = world_draw(world, "[{kind: lines, axis: window, rows: ['%d{x}_y'], x: Window size}]");
    EXPECT_NUMBERS(&drawing, 9, 29, n, n, 9, 28, 9, 30);
    expect_caption(&drawing, "Points: BLEU on dev, mean of the 2 seeds.");
    expect_drawn(&drawing, ">Window size<");
}

/* Values that are words have the order of the grid. The name of a group lists the other
 * coordinates, except on axes that are zipped with the drawn axis. The caption lists rows without a
 * value. */
TEST(lines_of_words_and_groups)
{
    static const struct grid_coordinate at[][3] = {
        {AT("encoder.layers", "wide", 0), AT("model.width", "8", 0), AT("train.rate", "0.5", 1)},
        {AT("encoder.layers", "narrow", 0), AT("model.width", "16", 0), AT("train.rate", "0.5", 1)},
        {AT("encoder.layers", "wide", 0), AT("model.width", "8", 0), AT("train.rate", "2", 1)}};
    struct world *world = figures_world("figure_words", 1);
    for (int r = 0; r < ROWS; r++) sweep(world, r, "gate", 3, at[r]);
    score(world, 0, 0, 30);
    score(world, 1, 0, 31);
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: lines, axis: encoder.layers}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, 30, n, n, 2, 31, n, n, 1, 30, 2, 31);
    expect_caption(&drawing, "Points: BLEU on dev.");
    expect_caption(&drawing, "Not drawn: %d{x}_y (new).");
    expect_drawn(&drawing, ">layers<");
    const struct figure_drawing reordered = world_draw(
        world, "[{kind: lines, axis: encoder.layers, rows: ['%d{x}_y', '3', '<`date`']}]");
    expect_same_data(&reordered, &drawing); /* a preceding row without results changes nothing */
    assert_string_equal(
        table_of(&drawing),
        "3\tgate, train.rate 0.5\tencoder.layers\twide\tbleu\t1\t30\t30\t\t\n"
        "<`date`\tgate, train.rate 0.5\tencoder.layers\tnarrow\tbleu\t1\t31\t31\t\t\n"
        "%d{x}_y\tgate, train.rate 2\tencoder.layers\twide\tbleu\t1\t\t\t\t\n");
    EXPECT_DIE("figures.axis: there is no axis \"encoder.layer\"; nearest is \"encoder.layers\"",
               world_draw(world, "[{kind: lines, axis: encoder.layer}]"));
    EXPECT_DIE("grid.yaml:1:2: figures: a lines figure needs the axis",
               world_draw(world, "[{kind: lines}]"));
    EXPECT_DIE("grid.yaml:1:21: figures: a bars figure has no axis",
               world_draw(world, "[{kind: bars, axis: encoder.layers}]"));
    sweep(world, 0, NULL, 0, NULL);
    EXPECT_DIE("grid.yaml:1:22: figures.axis: none of the figure's rows is on the axis",
               world_draw(world, "[{kind: lines, axis: encoder.layers, rows: ['3']}]"));
    sweep(world, 1, NULL, 0, NULL);
    sweep(world, 2, NULL, 0, NULL);
    EXPECT_DIE("the grid has none", world_draw(world, "[{kind: lines, axis: encoder.layers}]"));
}

/* The rows of the table's baseline have a separate, dotted line, which is drawn below the other
 * lines. */
TEST(the_baselines_line_is_dotted)
{
    static const struct grid_coordinate at[] = {AT("window", "1", 0), AT("window", "2", 0)};
    struct world *world = figures_world("figure_baseline", 1);
    for (int r = 0; r < ROWS; r++) score(world, r, 0, 30 + r);
    sweep(world, 0, "base", 1, &at[0]);
    sweep(world, 1, "gate", 1, &at[0]);
    sweep(world, 2, "base", 1, &at[1]);
    layout_read(tree_parse(&arena, "t", "{baseline: base}"), &world->grid, &arena);
    const struct figure_drawing drawing = world_draw(world, "[{kind: lines, axis: window}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, 31, n, n, 1, 30, n, n, 2, 32, n, n, 1, 31, 1, 30, 2, 32);
    expect_caption(&drawing, "Dotted with points: the baseline.");
}

/* Seeds that share a stage have one value, as in a table. */
TEST(a_stage_of_all_seeds_is_one_point)
{
    static const struct grid_coordinate at[] = {AT("window", "1", 0), AT("window", "2", 0)};
    struct world *world = figures_world("figure_shared", SEEDS);
    for (int s = 0; s < SEEDS; s++) score(world, 0, s, 20 + s);
    score(world, 1, 0, 31);
    for (int s = 1; s < SEEDS; s++)
        for (int k = 0; k < 2; k++) world->stage[1][s][k] = world->stage[1][0][k];
    sweep(world, 0, "gate", 1, &at[0]);
    sweep(world, 1, "gate", 1, &at[1]);
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: lines, axis: window, rows: ['3', '<`date`']}]");
    const double n = (double)NAN, reach = 4.302652729911275 / sqrt(3);
    EXPECT_NUMBERS(&drawing, 1, 21, 21 - reach, 21 + reach, 2, 31, n, n, /* means */
                   1, 20, 1, 21, 1, 22, 2, 31);                          /* seeds */
}

TEST(tables_of_the_other_kinds)
{
    struct world *world = figures_world("figure_tables", 1);
    world_finish(world, 0, 0, 36, 0.5);
    world_train(world, 1, 0, 1, 6, false);
    struct figure_drawing drawing = world_draw(world, "[{kind: bars, rows: ['3', '<`date`']}]");
    assert_string_equal(table_of(&drawing), "3\t3\t\t\tbleu\t1\t36\t36\t35\t37\n"
                                            "<`date`\t<`date`\t\t\tbleu\t1\t\t\t\t\n");
    drawing = world_draw(world, "[{kind: layers, left: {column: gates.gate, set: 2}}]");
    assert_string_equal(table_of(&drawing),
                        "3\t3\tlayer\t1\tgates.gate set 2\t1\t0.99\t0.99\t\t\n");
    drawing = world_draw(world, "[{kind: curve}]");
    assert_string_equal(table_of(&drawing), "<`date`\t<`date`\tstep\t100\tdev_loss\t\t\t6\t\t\n");
}
