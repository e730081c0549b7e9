/* Tests figures of analyses of frozen encoders: gates before training, errors of classes, and
 * centers and windows from the files of stages. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/base/npy.h"
#include "tests/support/figure_grid.h"

static void gates(struct world *world, int r, const char *name, double value, const char *of)
{
    run_append(&world->run[r][0][2], "metrics.jsonl",
               arena_print(&arena, "{\"name\":\"%s\",\"value\":%.17g,%s}\n", name, value, of));
}

/* Before training, row 1 has gates of 0.5 and 0.25 in layers 1 and 3. Row 2 has no values before
 * training. */
TEST(layers_before_training)
{
    struct world *world = figures_world("figure_start", 1);
    gates(world, 0, "gate_start", 0.5, "\"layer\":1");
    gates(world, 0, "gate_start", 0.25, "\"layer\":3");
    gates(world, 0, "gate_start", 0.99, "\"layer\":3,\"head\":1");
    world_finish(world, 0, 0, 36, 0.6);
    world_finish(world, 1, 0, 36, 0.9);
    const struct figure_drawing drawing = world_draw(world, "[{kind: layers}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .57, .63, 2, n, n, n, 3, .2, .11, .29, /* row 1 */
                   1, .9, .87, .93, 2, n, n, n, 3, .3, .21, .39,           /* row 2 */
                   1, .5, n, n, 2, n, n, n, 3, .25, n, n,                  /* row 1 untrained */
                   1, n, n, n, 2, n, n, n, 3, n, n, n);
    expect_caption(&drawing, "Hollow: of the parameters that training began with.");
    expect_drawn(&drawing, ">Before training<");
    assert_non_null(
        strstr(drawing.file[3].bytes, "3\tBefore training\tlayer\t3\tgates.gate_start"));
    const struct figure_drawing reordered =
        world_draw(world, "[{kind: layers, rows: ['%d{x}_y', '3', '<`date`']}]");
    expect_same_data(&reordered, &drawing); /* a preceding row without results changes nothing */
    const struct figure_drawing without = world_draw(world, "[{kind: layers, rows: ['<`date`']}]");
    assert_non_null(strstr(without.file[0].bytes, "untrained = 0\n"));
    assert_null(strstr(without.file[2].bytes, "Before training"));
}

/* With one seed, error bars show the standard errors of its stage (gate_se). With two seeds, they
 * show the standard deviation over seeds. */
TEST(classes_with_errors)
{
    struct world *world = figures_world("figure_errors", 1);
    const char *noun = "\"n\":1200,\"layer\":1,\"class\":\"NOUN\"",
               *verb = "\"n\":7,\"layer\":1,\"class\":\"VERB\"";
    gates(world, 0, "gate", 0.6, noun);
    gates(world, 0, "gate_se", 0.02, noun);
    gates(world, 0, "gate_start", 0.5, noun);
    gates(world, 0, "gate", 0.4, verb);
    gates(world, 0, "gate_se", 0.1, verb);
    gates(world, 0, "gate_start", 0.45, verb);
    world_finish(world, 0, 0, 36, 0.6);
    const char *yaml = "[{kind: classes, left: {column: gates.gate, layer: 1}}]";
    const struct figure_drawing drawing = world_draw(world, yaml);
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .58, .62, 2, .4, .3, .5, 1, .5, n, n, 2, .45, n, n);
    expect_caption(&drawing, "layer 1, n = 7 to 1,200 by class; bars: ");
    expect_caption(&drawing, "bars: standard error by bootstrap over sentences.");
    expect_caption(&drawing, "mean gate (weight of the second branch) over positions and heads");
    expect_drawn(&drawing, ">Before training<");
    const struct figure_drawing reordered =
        world_draw(world, "[{kind: classes, left: {column: gates.gate, layer: 1}, rows: "
                          "['<`date`', '3']}]");
    expect_same_data(&reordered, &drawing);
}

/* The first of two seeds has no results. Values, errors and counts come from the second seed. */
TEST(after_an_open_seed)
{
    struct world *world = figures_world("figure_open_seed", 2);
    run_append(&world->run[0][1][2], "metrics.jsonl",
               "{\"name\":\"gate\",\"value\":0.6,\"n\":1200,\"layer\":1,\"class\":\"NOUN\"}\n"
               "{\"name\":\"gate_se\",\"value\":0.02,\"layer\":1,\"class\":\"NOUN\"}\n");
    world_finish(world, 0, 1, 36, 0.6);
    struct figure_drawing drawing =
        world_draw(world, "[{kind: classes, left: {column: gates.gate, layer: 1}}]");
    EXPECT_NUMBERS(&drawing, 1, .6, .58, .62);
    expect_caption(&drawing, ", n = 1,200 by class;");
    drawing = world_draw(world, "[{kind: layers, rows: ['3']}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .54, .66, 2, n, n, n, 3, .2, .02, .38);
}

/* Replaces the stage `gates` of a row by a stage `localness` with these numbers. */
static void localness(struct world *world, int r, const float (*number)[7], int rows, int columns)
{
    char digest[DIGEST_TEXT];
    const char *text = arena_print(&arena, "localness of row %d", r);
    struct run *run = &world->run[r][0][2];
    *run = run_new(world->runs, "localness", text, "{}", NULL, "demo/x/1");
    world->stage[r][0][2] = (struct grid_stage){.kind = "localness", .id = run->id};
    const char *path = arena_print(&arena, "%s/localness.npy", run->folder);
    npy_write(path, *number, rows, columns);
    digest_file(path, digest);
    run_done(run, "done",
             arena_print(&arena, "{}, \"outputs\": {\"localness.npy\": \"%s\"}", digest));
}

/* Columns: layer, head, sentence, position, number of keys, center, window. */
static const float small[][7] = {{1, 1, 1, 0, 4, 0.5F, 1},
                                 {1, 1, 1, 1, 4, 3, 1.5F},
                                 {1, 2, 1, 0, 4, 0, 1.75F},
                                 {1, 2, 1, 1, 4, 2, 9.5F},
                                 {3, 1, 1, 0, 4, 0.25F, 9.75F}};

#define NONE "\tNaN\tNaN\n"
/* All points are drawn, because they are fewer than the maximum. */
TEST(centers_and_windows)
{
    struct world *world = figures_world("figure_scatter", 1);
    localness(world, 0, small, COUNT_OF(small), 7);
    struct figure_drawing drawing = world_draw(world, "[{kind: scatter}]");
    const char *data = data_of(&drawing);
    assert_string_equal(data, "1\t0.5" NONE "1.5\t3" NONE "1.75\t0" NONE "9.5\t2" NONE
                              "\n\n9.75\t0.25" NONE);
    expect_caption(&drawing, "Points: 5 positions, drawn at random (seed 1), at most 200");
    expect_caption(&drawing, "of n = 1 to 4: positions and heads of all seeds, none averaged.");
    expect_caption(&drawing, "Not drawn: <`date` (new), %d{x}_y (new).");
    expect_drawn(&drawing, ">Layer 3<");
    const struct figure_drawing reordered =
        world_draw(world, "[{kind: scatter, rows: ['<`date`', '3']}]");
    expect_same_data(&reordered, &drawing);
    drawing = world_draw(world, "[{kind: scatter, points: 2}]");
    expect_caption(&drawing, "Points: 3 positions");
    drawing = world_draw(world, "[{kind: scatter, left: localness.offset}]");
    assert_non_null(strstr(data_of(&drawing), "9.5\t1" NONE));
    assert_non_null(strstr(data_of(&drawing), "1.5\t2" NONE));
    expect_drawn(&drawing, ">Center - position (tokens)<");
}

/* At most 24 bins are drawn, so the windows from 1 to 9.75 have bins of 0.5. In layer 1, the first
 * bin has the window 1, the second has 1.5 and 1.75, and the 18th has 9.5. */
TEST(shares_of_windows)
{
    struct world *world = figures_world("figure_histogram", 1);
    localness(world, 0, small, COUNT_OF(small), 7);
    const struct figure_drawing drawing = world_draw(world, "[{kind: histogram}]");
    const char *data = data_of(&drawing);
    const char first[] = "1.25\t25" NONE "1.75\t50" NONE "2.25\t0" NONE;
    assert_memory_equal(data, first, strlen(first));
    assert_non_null(strstr(data, "9.75\t25" NONE));
    assert_non_null(strstr(data, "9.75\t100" NONE));
    expect_caption(&drawing, "shares of bins of 0.5 tokens in % of n = 1 to 4 a row and layer");
}

/* data.tsv has all digits of the measured values. */
TEST(places_whole)
{
    struct world *world = figures_world("figure_places", 1);
    const float one[][7] = {{1, 1, 1, 0, 4, 0.5F, 10.53896141F}};
    localness(world, 0, one, 1, 7);
    const struct figure_drawing drawing = world_draw(world, "[{kind: scatter}]");
    assert_non_null(strstr(drawing.file[3].bytes, "\twindow\t10.5389614105"));
}

/* Heads have lines even if the layer itself has no value of the class. */
TEST(heads_of_a_class)
{
    struct world *world = figures_world("figure_heads", 1);
    struct run *run = &world->run[0][0][2];
    *run = run_new(world->runs, "ablate", "ablate of row 0", "{}", NULL, "demo/x/1");
    world->stage[0][0][2] = (struct grid_stage){.kind = "ablate", .id = run->id};
    gates(world, 0, "rise", 0.25, "\"layer\":1,\"head\":1,\"class\":\"head\"");
    gates(world, 0, "rise", 0.5, "\"layer\":1,\"head\":2,\"class\":\"head\"");
    gates(world, 0, "rise", 0.125, "\"layer\":2,\"head\":1,\"class\":\"head\"");
    run_done(run, "done", "{\"rise\": 0.25}");
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: heads, left: {column: ablate.rise, class: head}, rows: ['3']}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .25, n, n, 2, .125, n, n, 1, .5, n, n, 2, n, n, n);
    expect_caption(&drawing, "Heads of \"3\".");
}

/* Each frame has the heads of its row. */
TEST(heads_by_axis)
{
    struct world *world = figures_world("figure_heads_frames", 1);
    for (int r = 0; r < 2; r++) {
        world_place(world, r, "gate", "window", r ? "9" : "1");
        gates(world, r, "gate", 0.25 + r, "\"layer\":1,\"head\":1");
        gates(world, r, "gate", 0.5 + r, "\"layer\":1,\"head\":2");
        world_finish(world, r, 0, 36, 0.6);
    }
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: heads, left: gates.gate, frame: window, rows: [gate]}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .25, n, n, 1, .5, n, n, 1, 1.25, n, n, 1, 1.5, n, n);
    expect_count(&drawing, ">Head 2<", 1);
}

TEST(files_that_are_none)
{
    struct world *world = figures_world("figure_files", 1);
    const float wrong[][7] = {{1, 1, 1, 0, 4, 0.5F, 1}, {99, 1, 1, 1, 4, 3, 1.5F}};
    localness(world, 0, wrong, 2, 7);
    struct figure_drawing drawing = world_draw(world, "[{kind: scatter}]");
    assert_non_null(strstr(drawing.failure, "row 2 has 99 in column 1, expected 1 to 64"));
    localness(world, 1, wrong, 7, 2);
    drawing = world_draw(world, "[{kind: scatter, rows: ['<`date`']}]");
    assert_non_null(strstr(drawing.failure, "localness.npy has 2 columns, expected 7"));
    const float none[][7] = {{1, 1, 1, 0, 4, 0.5F, (float)NAN}};
    localness(world, 2, none, 1, 7);
    drawing = world_draw(world, "[{kind: histogram, rows: ['%d{x}_y']}]");
    assert_non_null(strstr(drawing.failure, "row 1 has nan in column 7"));
}
