/* Tests frames by an axis, logarithmic axes, heat maps, and error bars that end at a bound. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "tests/support/figure_grid.h"

#define AT(of, at, number)                                                                         \
    {                                                                                              \
        .key = of, .value = at, .axis = number, .named = true, .text = of " " at                   \
    }

static const struct grid_coordinate coordinates[ROWS][2] = {
    {AT("window", "1", 0), AT("depth", "2", 1)},
    {AT("window", "9", 0), AT("depth", "2", 1)},
    {AT("window", "1", 0), AT("depth", "6", 1)}};

/* Makes three rows of the sweep "gate", with one seed. Window and depth are (1, 2), (9, 2) and (1,
 * 6), and BLEU is 20, 30 and 40. */
static struct world *swept(const char *name)
{
    struct world *world = figures_world(name, 1);
    for (int r = 0; r < ROWS; r++) {
        world->row[r].line = "gate";
        world->row[r].coordinates = 2;
        world->row[r].coordinate = coordinates[r];
        run_done(&world->run[r][0][0], "done", "{}");
        run_done(&world->run[r][0][1], "done", arena_print(&arena, "{\"bleu\": %d}", 20 + 10 * r));
    }
    return world;
}

static const double n = (double)NAN;

/* Each frame has two blocks of data: the only line, "gate", and its seeds. */
TEST(a_frame_for_each_value_of_an_axis)
{
    struct world *world = swept("figure_frames");
    struct figure_drawing drawing =
        world_draw(world, "[{kind: lines, axis: window, frame: depth}]");
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 9, 30, n, n, 1, 20, 9, 30, /* depth 2 */
                   1, 40, n, n, 1, 40);                              /* depth 6 */
    expect_drawn(&drawing, ">depth 2<");
    expect_drawn(&drawing, ">depth 6<");
    /* A row that is not on the axis is in every frame. */
    world->row[2].coordinates = 0;
    drawing = world_draw(world, "[{kind: bars, frame: window}]");
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 2, 40, n, n, 1, 30, n, n, 2, 40, n, n);
    expect_drawn(&drawing, ">window 9<");
    expect_drawn(&drawing, ">gate, depth 2<");
}

/* Each frame has a bar and a point of the line for each row. Both axes are the same in all frames,
 * and each has its title once. */
TEST(frames_have_two_axes)
{
    struct world *world = figures_world("figure_frames_right", 1);
    for (int r = 0; r < ROWS; r++) {
        world_finish(world, r, 0, 20 + 10 * r, 0.6 - 0.1 * r);
        world_place(world, r, "gate", "window", r ? "9" : "1");
    }
    const struct figure_drawing drawing = world_draw(world, "[{kind: window, frame: window}]");
    EXPECT_NUMBERS(&drawing, 1, 20, 19, 21, 1, .6, .59, .61, /* window 1 */
                   1, 30, 29, 31, 1, 40, 39, 41, 1, .5, .49, .51, 1, .4, .39, .41);
    expect_assigned(&drawing, "panels", 2);
    expect_count(&drawing, ">BLEU on dev<", 1);
    expect_count(&drawing, ">Mean gate<", 1);
    expect_caption(&drawing, "Right axis: Mean gate");
}

/* Two rows of the sweep have one line on each axis. Dev BLEU is 10 and 20, the loss 4 and 2. */
TEST(curves_of_two_frames_have_two_axes)
{
    struct world *world = figures_world("figure_frames_curve", 1);
    for (int r = 0; r < 2; r++) {
        world_train(world, r, 0, 2, 4 + r, true);
        world_place(world, r, "gate", "window", r ? "9" : "1");
    }
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: curve, frame: window, rows: [gate]}]");
    EXPECT_NUMBERS(&drawing, 100, 10, n, n, 200, 20, n, n, 100, 4, n, n, 200, 2, n, n, /* 1 */
                   100, 10, n, n, 200, 20, n, n, 100, 5, n, n, 200, 2.5, n, n);
    expect_assigned(&drawing, "blocks", 2);
    expect_count(&drawing, ">Dev loss (nats per token)<", 1);
}

/* A row that is on no axis of a heat map has no cell, so its frame is left out. */
TEST(frames_without_points_are_left_out)
{
    struct world *world = swept("figure_frames_empty");
    world_place(world, 2, "gate", "depth", "6");
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: heat, axis: window, frame: depth}]");
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 2, 30, n, n);
    expect_assigned(&drawing, "panels", 1);
    expect_drawn(&drawing, ">gate<");
}

TEST(cells_of_two_axes)
{
    struct world *world = swept("figure_heat");
    struct figure_drawing drawing = world_draw(world, "[{kind: heat, axis: window, down: depth}]");
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 2, 30, n, n, 1, 40, n, n);
    expect_caption(&drawing, "Cells: BLEU on dev.");
    expect_drawn(&drawing, ">40.00<");
    expect_count(&drawing, ">–<", 1); /* window 9, depth 6 */
    expect_caption(&drawing, "–: no value.");
    assert_non_null(strstr(drawing.file[3].bytes, "\t6\twindow\t1\tbleu\t1\t40\t40\t\t\n"));
    drawing = world_draw(world, "[{kind: heat, axis: window}]"); /* the default of down is row */
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 2, 30, n, n, 1, 40, n, n);
    expect_drawn(&drawing, ">gate, depth 6<");
    world_finish(world, 0, 0, 20, .6);
    drawing = world_draw(world, "[{kind: heat, axis: layer, left: gates.gate, rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 1, .6, .6, .6, 2, n, n, n, 3, .2, n, n);
    expect_count(&drawing, ">–<", 1);
    if (drawing.image) assert_null(strstr(drawing.image, "NaN"));
    expect_caption(&drawing, "–: no value.");
    world_finish(world, 1, 0, 30, .5);
    world_finish(world, 2, 0, 40, .7);
    /* In the frame of depth 6, window 9 has no cell in any layer. gnuplot 5.4 crashes if it gets
     * labels without any position. */
    drawing = world_draw(
        world, "[{kind: heat, axis: layer, down: window, frame: depth, left: gates.gate}]");
    expect_assigned(&drawing, "panels", 2);
    expect_drawn(&drawing, ">depth 6<");
    drawing = world_draw(world, "[{kind: heat, axis: window, down: depth, from: 0, to: 30}]");
    expect_assigned(&drawing, "scale_low", 0);
    expect_assigned(&drawing, "scale_high", 30);
    expect_caption(&drawing, "The axis is cut at 0 and 30; some values are outside.");
    static const char clash[] = "[{kind: heat, axis: layer, down: window, left: gates.gate}]";
    EXPECT_DIE("grid.yaml:1:48: figures.rows: \"3\" and \"%d{x}_y\" are in the same cell; expected "
               "a frame for each, or one row, as rows: [\"%d{x}_y\"]",
               world_draw(world, clash));
    /* The command line may have made these rows, so the other outputs of the grid are drawn. */
    world->grid.words.varied = true;
    drawing = world_draw(world, clash);
    assert_non_null(strstr(drawing.failure, "are in the same cell; expected a frame for each"));
}

/* Fails the test unless the SVG draws the text in this color. */
static void expect_color(const struct figure_drawing *drawing, const char *text, const char *color)
{
    expect_drawn(drawing, text);
    if (!gnuplot_find(&arena)) return;
    const char *at = strstr(drawing->image, text);
    while (strncmp(at, "fill=\"", 6) != 0) at--;
    if (strncmp(at + 6, color, strlen(color)) != 0) fail_msg("%s is in %.20s", text, at);
}

/* The scale is 20 to 40. At 32.5, the gray of gnuplot's palette is 0.375 ^ (1 / 1.5) = 0.520. Its
 * luminance is 0.233, so the contrast of black is 5.7 and that of white 3.7. At 37 the luminance is
 * 0.064, and the contrast of white is 9.2. */
TEST(numbers_of_cells_have_contrast)
{
    struct world *world = swept("figure_contrast");
    const char *yaml = "[{kind: heat, axis: window, down: depth}]";
    run_done(&world->run[1][0][1], "done", "{\"bleu\": 32.5}");
    struct figure_drawing drawing = world_draw(world, yaml);
    expect_color(&drawing, ">32.50<", "rgb(0,0,0)");
    run_done(&world->run[1][0][1], "done", "{\"bleu\": 37}");
    drawing = world_draw(world, yaml);
    expect_color(&drawing, ">37.00<", "rgb(255,255,255)");
}

/* The limits of the left axis are 1, 2 or 5 times a power of ten. */
TEST(axes_are_logarithmic)
{
    struct world *world = swept("figure_log");
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: lines, axis: window, x: log, y: [log, Score], rows: [gate]}]");
    EXPECT_NUMBERS(&drawing, 1, 20, n, n, 9, 30, n, n, 1, 40, n, n, 1, 20, 9, 30, 1, 40);
    expect_assigned(&drawing, "log_x", 1);
    expect_drawn(&drawing, ">Score<");
    assert_non_null(strstr(drawing.file[0].bytes, "\nleft_low = 20\nleft_high = 50\n"));
    run_done(&world->run[1][0][1], "done", "{\"bleu\": 0}");
    const struct figure_drawing zero = world_draw(world, "[{kind: bars, y: log}]");
    assert_string_equal(zero.failure,
                        "grid.yaml:1:18: figures.y: log: expected numbers above 0; <`date` has 0");
}

/* BLEU of the three seeds is 98, 99 and 100. The interval would be 99 +- 2.48, but its bar ends at
 * 100. */
TEST(a_bar_ends_at_the_bound)
{
    struct world *world = figures_world("figure_bound", SEEDS);
    static const struct grid_coordinate at = AT("window", "1", 0);
    for (int s = 0; s < SEEDS; s++) {
        run_done(&world->run[0][s][0], "done", "{}");
        run_done(&world->run[0][s][1], "done", arena_print(&arena, "{\"bleu\": %d}", 98 + s));
    }
    world->row[0].line = "gate";
    world->row[0].coordinates = 1;
    world->row[0].coordinate = &at;
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: lines, axis: window, rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 1, 99, 99 - 4.302652729911275 / sqrt(3), 100, 1, 98, 1, 99, 1, 100);
    assert_non_null(strstr(drawing.file[0].bytes, "\nbar_at_high = 1\n"));
}

TEST(wrong_axes_are_refused)
{
    struct world *world = swept("figure_wrong_axes");
    static const struct said cases[] = {
        {"[{kind: bars, frame: windw}]",
         "grid.yaml:1:22: figures.frame: there is no axis \"windw\"; nearest is \"window\""},
        {"[{kind: heat, axis: window, down: dept}]",
         "grid.yaml:1:35: figures.down: there is no axis \"dept\"; nearest is \"depth\""},
        {"[{kind: shares, left: gates.gate_sd}]",
         "figures: no value by share of tr is called \"gates.gate_sd\""},
        {"[{kind: bars, left: number}]",
         "\"number\" is not a value of a row; expected a column like bleu or gates.gate"},
        {"[{kind: heat}]", "grid.yaml:1:2: figures: a heat figure needs the axis"},
        {"[{kind: heat, axis: window, down: window}]", "both axes of a heat figure are \"window\""},
        {"[{kind: lines, axis: window, frame: window}]",
         "grid.yaml:1:37: figures.frame: \"window\" is also an axis of the figure"},
        {"[{kind: lines, axis: window, x: logg}]",
         "grid.yaml:1:33: figures.x: expected [log, LABEL], got \"logg\"; nearest is \"log\""},
        {"[{kind: heat, axis: layer}]", "figures: no value by layer is called \"bleu\""},
        {"[{kind: map, frame: windw}]", "grid.yaml:1:21: figures: a map figure has no frame"},
        {"[{kind: heads, frame: depth}]", "heads of 3 rows are too many lines; expected one row, "
                                          "as rows: [\"3\"], or one row in each "
                                          "frame"},
        {"[{kind: bars, x: log}]",
         "grid.yaml:1:18: figures.x: the horizontal axis of a bars figure cannot be logarithmic"},
        {"[{kind: lines, axis: window, y: log, from: -1, to: 3}]",
         "grid.yaml:1:44: figures.from: a logarithmic axis begins above 0"},
        {"[{kind: lines, axis: window, right: dev_loss}]", "a lines figure has no right axis"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, figure_read(tree_parse(&arena, "grid.yaml", cases[i].text),
                                              &world->grid, &arena));
    static const struct grid_coordinate words[] = {AT("window", "0", 0), AT("window", "wide", 0)};
    for (int r = 0; r < 2; r++) {
        world->row[r].coordinates = 1;
        world->row[r].coordinate = &words[r];
    }
    EXPECT_DIE(
        "grid.yaml:1:33: figures.x: log: expected numbers above 0; the axis \"window\" has 0",
        figure_read(tree_parse(&arena, "grid.yaml", "[{kind: lines, axis: window, x: log}]"),
                    &world->grid, &arena));
}

TEST(frames_that_do_not_fit_are_refused)
{
    enum { MANY = 200 };
    static struct grid_row row[MANY];
    static struct grid_coordinate coordinate[MANY];
    struct world *world = swept("figure_many");
    for (int r = 0; r < MANY; r++) {
        coordinate[r] = (struct grid_coordinate){.key = "window",
                                                 .value = arena_print(&arena, "%d", r),
                                                 .named = true,
                                                 .text = "window"};
        row[r] = world->row[0];
        row[r].name = arena_print(&arena, "row %d", r);
        row[r].coordinates = 1;
        row[r].coordinate = &coordinate[r];
    }
    struct grid grid = world->grid;
    grid.row = row;
    grid.rows = MANY;
    EXPECT_DIE("grid.yaml:1:22: figures.frame: 200 frames for \"window\" do not fit on a page; "
               "expected at most 18",
               figure_read(tree_parse(&arena, "grid.yaml", "[{kind: bars, frame: window}]"), &grid,
                           &arena));
}
