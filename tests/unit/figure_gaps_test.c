/* Tests figures whose first seed or row has no results, and figures with stages of several tasks or
 * splits. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/base/npy.h"
#include "core/config/tree_read.h"
#include "tests/support/figure_grid.h"

/* The first of two seeds has no results. The error bar shows the checkpoints of the second seed. */
TEST(checkpoints_of_the_second_seed)
{
    struct world *world = figures_world("figure_second_seed", 2);
    world_finish(world, 0, 1, 36, 0.6);
    const struct figure_drawing drawing = world_draw(world, "[{kind: bars, rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 1, 36, 35, 37); /* checkpoints: 35, 36, 37 */
    expect_caption(&drawing, "checkpoints");
}

/* The first of two seeds has no file. The points come from the file of the second seed. */
TEST(positions_of_the_second_seed)
{
    struct world *world = figures_world("figure_second_file", 2);
    const float number[][7] = {{1, 1, 1, 0, 4, 0.5F, 1}, {1, 1, 1, 1, 4, 3, 1.5F}};
    char digest[DIGEST_TEXT];
    for (int s = 0; s < 2; s++) {
        struct run *run = &world->run[0][s][2];
        *run = run_new(world->runs, "localness", s ? "second" : "first", "{}", NULL, "demo/x/1");
        world->stage[0][s][2] = (struct grid_stage){.kind = "localness", .id = run->id};
    }
    const char *path = arena_print(&arena, "%s/localness.npy", world->run[0][1][2].folder);
    npy_write(path, *number, 2, 7);
    digest_file(path, digest);
    run_done(&world->run[0][1][2], "done",
             arena_print(&arena, "{}, \"outputs\": {\"localness.npy\": \"%s\"}", digest));
    const struct figure_drawing drawing = world_draw(world, "[{kind: scatter, rows: ['3']}]");
    assert_non_null(strstr(data_of(&drawing), "1\t0.5\tNaN"));
    assert_non_null(strstr(data_of(&drawing), "1.5\t3\tNaN"));
}

/* Two rows are scored on dev, the third on test. */
TEST(splits_of_all_rows)
{
    struct world *world = figures_world("figure_splits", 1);
    for (int r = 0; r < ROWS; r++) world_finish(world, r, 0, 30 + r, 0.5);
    world->row[2].options = tree_parse(&arena, "x", "{evaluate: {bleu: {split: test}}}");
    const struct figure_drawing drawing = world_draw(world, "[{kind: bars}]");
    assert_non_null(strstr(drawing.file[2].bytes, "BLEU on dev and test"));
}

/* Adds a stage of another task, and then stages of the task Tense at two layers. */
static void probe(struct world *world, int r, const double accuracy[2], double majority)
{
    for (int layer = 0; layer <= 2; layer++) {
        const char *part =
            layer ? arena_print(&arena, "Tense@encoder.%d", layer) : "Length@encoder.1";
        const char *text = arena_print(&arena, "%s of row %d", part, r);
        const struct run run = run_new(world->runs, "probe", text, "{}", NULL, "demo/x/1");
        if (layer)
            run_done(&run, "done",
                     arena_print(&arena, "{\"accuracy\": %g, \"majority\": %g}",
                                 accuracy[layer - 1], majority));
        world_add_stage(world, r, 0, "probe", run)->part = part;
    }
}

TEST(layers_of_a_task)
{
    const double n = (double)NAN;
    struct world *world = figures_world("figure_views", 1); /* its first row has no results */
    probe(world, 1, (const double[]){60, 80}, 55);
    probe(world, 2, (const double[]){70, 75}, 50);
    const struct figure_drawing drawing = world_draw(world, "[{kind: layers, left: probe.Tense}]");
    EXPECT_NUMBERS(&drawing, 1, 60, n, n, 2, 80, n, n, 1, 70, n, n, 2, 75, n, n);
    expect_caption(&drawing, "Points: Tense: Accuracy (%).");
}

/* Adds the stages of a task at two layers, with the values by share of 60 items at both. */
static void shares(struct world *world, int r, const char *task, const double accuracy[2])
{
    for (int layer = 1; layer <= 2; layer++) {
        const char *part = arena_print(&arena, "%s@encoder.%d", task, layer);
        const struct run run =
            run_new(world->runs, "probe", arena_print(&arena, "%s of row %d", part, r), "{}", NULL,
                    "demo/x/1");
        for (int step = 30; step <= 60; step += 30)
            run_append(&run, "metrics.jsonl",
                       arena_print(&arena,
                                   "{\"name\":\"share_accuracy\",\"value\":%g,\"step\":%d}\n",
                                   accuracy[layer - 1] - 60 + step, step));
        run_done(&run, "done",
                 arena_print(&arena, "{\"accuracy\": %g, \"majority\": 50}", accuracy[layer - 1]));
        world_add_stage(world, r, 0, "probe", run)->part = part;
    }
}

/* Tense has the accuracies 60 and 80 in two layers, Length has 70 and 100. */
TEST(means_of_groups)
{
    static const char groups[] =
        "{groups: {Both: [probe.Tense, probe.Length], Other: [bleu], Last: [probe.Tense@encoder.2, "
        "probe.Length@encoder.2]}, columns: [bleu]}";
    const double n = (double)NAN;
    struct world *world = figures_world("figure_groups", 1);
    shares(world, 0, "Tense", (const double[]){60, 80});
    shares(world, 0, "Length", (const double[]){70, 100});
    shares(world, 1, "Tense", (const double[]){60, 80}); /* a mean needs all columns */
    layout_read(tree_parse(&arena, "grid.yaml", groups), &world->grid, &arena);
    struct figure_drawing drawing = world_draw(world, "[{kind: layers, left: mean(Both)}]");
    EXPECT_NUMBERS(&drawing, 1, 65, n, n, 2, 90, n, n);
    expect_caption(&drawing, "Points: Both: Accuracy (%).");
    expect_caption(&drawing, "Not drawn: <`date`");
    drawing = world_draw(world, "[{kind: heat, axis: layer, left: mean(Both), rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 1, 65, n, n, 2, 90, n, n);
    world->row[0].options =
        tree_parse(&arena, "x", "{evaluate: {probe: {code: true}, bleu: {split: dev}}}");
    drawing = world_draw(world, "[{kind: shares, left: mean(Last), rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 50, 60, n, n, 100, 90, n, n);
    EXPECT_DIE("grid.yaml:1:23: figures: no value by layer is called \"mean(Other)\"",
               world_draw(world, "[{kind: layers, left: mean(Other)}]"));
    EXPECT_DIE("grid.yaml:1:23: mean: there is no group \"Bth\"; nearest is \"Both\"",
               world_draw(world, "[{kind: layers, left: mean(Bth)}]"));
}

/* Adds a stage with a map of one branch, for a sentence of two pieces. */
static void map(struct world *world, int r, const float weight[4])
{
    char digest[2][DIGEST_TEXT];
    const struct run run = run_new(world->runs, "maps", arena_print(&arena, "maps of row %d", r),
                                   "{}", NULL, "demo/x/1");
    const char *path = arena_print(&arena, "%s/maps.npy", run.folder),
               *pieces = "sentence\tplace\tpiece\n1\t1\tone\n1\t2\ttwo\n";
    float number[4][7];
    for (int i = 0; i < 4; i++) {
        const float row[] = {1, 1, 1, 0, (float)(1 + i / 2), (float)(1 + i % 2), weight[i]};
        memcpy(number[i], row, sizeof row);
    }
    npy_write(path, number[0], 4, 7);
    digest_file(path, digest[0]);
    digest_bytes(pieces, strlen(pieces), digest[1]);
    run_write(&run, "pieces.tsv", pieces);
    run_done(
        &run, "done",
        arena_print(&arena,
                    "{\"rows\": 4}, \"outputs\": {\"maps.npy\": \"%s\", \"pieces.tsv\": \"%s\"}",
                    digest[0], digest[1]));
    world_add_stage(world, r, 0, "maps", run);
}

TEST(maps_after_an_open_row)
{
    struct world *world = figures_world("figure_maps", 1);
    map(world, 1, (const float[]){0.75F, 0.25F, 0.375F, 0.625F});
    map(world, 2, (const float[]){1, 0, 0.5F, 0.5F});
    const struct figure_drawing drawing = world_draw(world, "[{kind: map}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .75, n, n, 1, .375, n, n, 2, .25, n, n, 2, .625, n, n, /* by key */
                   1, 1, n, n, 1, .5, n, n, 2, 0, n, n, 2, .5, n, n);
    assert_non_null(strstr(drawing.file[2].bytes, "\none\t1\ntwo\t2\n"));
    expect_caption(&drawing, "white is 0, black the largest weight of the branch");
    /* A weight of 1 does not count, because its query has only one key. */
    assert_non_null(strstr(drawing.file[0].bytes, "\nlargest_1 = 0.75\n"));
    expect_caption(&drawing, "Not drawn: 3 (new).");
}
