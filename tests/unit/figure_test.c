/* Tests plots/figure: figures of databases in every state, and descriptions that are refused. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "plots/figure.h"
#include "tests/support/figure_grid.h"

/* Checks that all sizes of points are multiplied by `dot`, because SVG has another unit of size. */
static void expect_points_of_one_size(const struct figure_drawing *drawing)
{
    for (const char *at = drawing->file[0].bytes; (at = strstr(at, " ps "));) {
        at += strlen(" ps ");
        at += strspn(at, "0123456789.");
        assert_memory_equal(at, " * dot", strlen(" * dot"));
    }
}

/* An axis begins above 0 for BLEU from 30 to 40, and at 0 for BLEU from 1 to 40. So BLEU has points
 * instead of bars. */
TEST(bars_begin_at_0)
{
    for (int bleu = 1; bleu <= 30; bleu += 29) {
        struct world *world = figures_world("figure_axes", 1);
        world_finish(world, 0, 0, bleu, .1);
        world_finish(world, 1, 0, 40, .9);
        const struct figure_drawing bars = world_draw(world, "[{kind: bars}]");
        expect_caption(&bars, bleu == 1 ? "Bars: BLEU"
                                        : "Points, on an axis that does not begin at 0: BLEU");
        expect_assigned(&bars, "from_zero", bleu == 1);
        expect_points_of_one_size(&bars);
    }
}

TEST(window_over_checkpoints)
{
    struct world *world = figures_world("figure_window", 1);
    world_finish(world, 0, 0, 36, 0.5);
    world_finish(world, 1, 0, 37, 0.6);
    struct figure_drawing drawing = world_draw(world, "[{kind: window, x: Window size (tokens)}]");
    /* The error bars are standard deviations of checkpoints: {b-1, b, b+1} has 1, and {g-.01, g,
     * g+.01} has .01. The third row has a gap instead of a zero. */
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, 36, 35, 37, 2, 37, 36, 38, 3, n, n, n, /* left axis */
                   1, .5, .49, .51, 2, .6, .59, .61, 3, n, n, n);
    expect_caption(&drawing, "BLEU on dev, mean of the 3 best checkpoints");
    expect_caption(&drawing, "BLEU on dev: sig");
    expect_caption(&drawing, "One seed (1).");
    expect_caption(&drawing,
                   "Not drawn: BLEU on dev of %d{x}_y (new), Mean gate of %d{x}_y (new).");
    expect_drawn(&drawing, ">&lt;`date`<");
    expect_drawn(&drawing, ">%d{x}_y<");
    expect_drawn(&drawing, ">Window size (tokens)<");
    /* The caption lists the splits of all rows that are run, each split once. */
    const struct tree *options = world->row[0].options;
    world->row[0].options = NULL;
    drawing = world_draw(world, "[{kind: bars}]");
    expect_caption(&drawing, "0: BLEU on dev, mean");
    world->row[0].options = options;
    world->row[1].options = tree_parse(&arena, "x", "{evaluate: {bleu: {split: test}}}");
    drawing = world_draw(world, "[{kind: bars}]");
    expect_caption(&drawing, "0: BLEU on dev and test, mean");
}

TEST(window_over_seeds)
{
    struct world *world = figures_world("figure_seeds", 2);
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < 2 - (r == 2); s++)
            world_finish(world, r, s, 30 + r + 2 * s, 0.5 + 0.25 * s);
    const struct figure_drawing drawing =
        world_draw(world, "[{kind: window, rows: ['%d{x}_y', '3']}]");
    /* With two seeds, the error bar is the standard deviation of {30, 32}, which is sqrt(2). With
     * one seed, it is the standard deviation of its checkpoints. */
    const double sd = sqrt(2), of_gates = .25 / sqrt(2);
    EXPECT_NUMBERS(&drawing, 1, 32, 31, 33, 2, 31, 31 - sd, 31 + sd, /* left axis */
                   1, .5, .49, .51, 2, .625, .625 - of_gates, .625 + of_gates);
    expect_caption(&drawing, "Seeds: 1, 2.");
    expect_drawn(&drawing, ">BLEU on dev<");
}

TEST(what_alone_has_values_is_drawn_as_bars)
{
    struct world *world = figures_world("figure_half", 1);
    run_done(&world->run[0][0][0], "done", "{}");
    run_done(&world->run[0][0][1], "done", "{\"bleu\": 36.5}");
    struct figure_drawing drawing = world_draw(world, "[{kind: window}]");
    assert_memory_equal(data_of(&drawing), "1\t36.5\tNaN\tNaN\n", 15);
    expect_drawn(&drawing, ">BLEU on dev<");
    expect_caption(&drawing, "%d{x}_y (new), Mean gate of 3 (new), Mean gate of <`");
    drawing = world_draw(world, "[{kind: window, left: gates.gate, right: bleu}]");
    assert_memory_equal(data_of(&drawing), "1\t36.5\tNaN\tNaN\n", 15);
    expect_drawn(&drawing, ">BLEU on dev<");
    drawing = world_draw(world, "[{kind: bars}]");
    expect_drawn(&drawing, ">BLEU on dev<");
}

TEST(gates_by_layer)
{
    struct world *world = figures_world("figure_layers", 2);
    world_finish(world, 0, 0, 36, 0.5);
    world_finish(world, 0, 1, 36, 0.7);
    world_finish(world, 1, 0, 36, 0.9);
    const struct figure_drawing drawing = world_draw(world, "[{kind: layers, y: Weight}]");
    /* Layer 2 has no gates. The error bar of layer 1 is the root of the mean of 0.03^2 and 0.06^2.
     * In layer 3 it is three times as long. */
    const double sd = sqrt((0.0009 + 0.0036) / 2), n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .6 - sd, .6 + sd, 2, n, n, n, 3, .2, .2 - 3 * sd, .2 + 3 * sd,
                   1, .9, .87, .93, 2, n, n, n, 3, .3, .21, .39);
    expect_caption(&drawing, "n = 40 gates per layer");
    expect_caption(&drawing, "bars: standard deviation of single gates, cut at 0 and 1.");
    expect_caption(&drawing, "Not drawn: %d{x}_y (new).");
    expect_drawn(&drawing, ">Weight<");
}

/* The kind lines has lines along a dimension, whose other names are layers, profile and shares. */
TEST(lines_along_a_dimension)
{
    struct world *world = figures_world("figure_along", 1);
    world_finish(world, 0, 0, 36, 0.5);
    const struct figure_drawing named = world_draw(world, "[{kind: layers, y: Weight}]"),
                                along = world_draw(
                                    world,
                                    "[{kind: lines, axis: layer, left: gates.gate, y: Weight}]");
    for (int i = 0; i < named.files; i++)
        assert_string_equal(along.file[i].bytes, named.file[i].bytes);
    EXPECT_DIE("figures: a layers figure has no axis",
               world_draw(world, "[{kind: layers, axis: layer}]"));
    EXPECT_DIE("figures: no value by share of tr is called \"bleu\"",
               world_draw(world, "[{kind: lines, axis: share, left: bleu}]"));
}

/* Writes values by class, before the call of world_finish. Class "b" has 0.1 more than class "a".
 * If `c` is true, the class "c 100%" has values of sets. */
static void classes(struct world *world, int r, int s, double a, bool c)
{
    const struct run *score = &world->run[r][s][1];
    run_append(score, "metrics.jsonl",
               arena_print(&arena,
                           "{\"name\":\"items\",\"value\":%g,\"class\":\"a\"}\n"
                           "{\"name\":\"items\",\"value\":%g,\"class\":\"b\"}\n"
                           "{\"name\":\"bleu\",\"value\":99,\"set\":4,\"class\":\"b\"}\n",
                           a, a + 0.1));
    for (int set = 0; c && set <= 2; set++)
        run_append(score, "metrics.jsonl",
                   arena_print(&arena,
                               "{\"name\":\"items\",\"value\":%g,\"class\":\"c 100%%\"%s}\n",
                               0.7 + set, set ? arena_print(&arena, ",\"set\":%d", set) : ""));
}

TEST(points_by_class)
{
    struct world *world = figures_world("figure_classes", 2);
    classes(world, 0, 0, .5, false);
    classes(world, 0, 1, .7, false);
    classes(world, 1, 0, .4, true);
    for (int i = 0; i < 3; i++) world_finish(world, i / 2, i % 2, 30, .5);
    struct figure_drawing drawing = world_draw(world, "[{kind: classes, left: score.items}]");
    /* The standard deviation of the seeds, {.5, .7}, is sqrt(.02). For class c, the standard
     * deviation of its checkpoints, {1.7, 2.7}, is sqrt(.5). */
    const double sd = sqrt(.02), of_sets = sqrt(.5), n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .6 - sd, .6 + sd, 2, .7, .7 - sd, .7 + sd, 3, n, n,
                   n, /* row 2 */
                   1, .4, n, n, 2, .5, n, n, 3, .7, .7 - of_sets, .7 + of_sets);
    expect_caption(&drawing, "Points: score.items on dev, ");
    expect_caption(&drawing, "Seeds: 1, 2.");
    expect_caption(&drawing, "Not drawn: %d{x}_y (new).");
    expect_drawn(&drawing, ">c 100%<");
    expect_drawn(&drawing, ">&lt;`date`<");
    /* The error bar of BLEU shows its checkpoints, without values by class. */
    drawing = world_draw(world, "[{kind: bars, rows: '<`date`'}]");
    EXPECT_NUMBERS(&drawing, 1, 30, 29, 31);
    EXPECT_DIE("there is no class \"d\"; expected one of: a, b, c 100%",
               world_draw(world, "[{kind: bars, left: {column: score.items, class: d}}]"));
    EXPECT_DIE("no stage has values of \"gates.gate_sd",
               world_draw(world, "[{kind: classes, left: gates.gate_sd}]"));
}

TEST(axes_name_dimensions)
{
    struct world *world = figures_world("figure_dimensions", 1);
    world_finish(world, 0, 0, 36, .6);
    run_append(&world->run[1][0][1], "metrics.jsonl",
               "{\"name\":\"bp\",\"value\":8,\"layer\":2}\n");
    world_finish(world, 1, 0, 37, .3);
    /* In layer 1, all three checkpoints have .99, so the error bar has length 0. */
    struct figure_drawing drawing =
        world_draw(world, "[{kind: window, right: {column: gates.gate, layer: 1}, rows: ['3']}]");
    EXPECT_NUMBERS(&drawing, 1, 36, 35, 37, 1, .6, .6, .6);
    expect_drawn(&drawing, ">Mean gate layer 1<");
    drawing =
        world_draw(world, "[{kind: bars, left: {column: gates.gate, layer: 3, header: ignored}}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .2, n, n, 2, .1, n, n, 3, n, n, n);
    /* A metric that no kind lists has no limits, and no dotted line. */
    drawing = world_draw(world, "[{kind: layers, left: score.bp}]");
    EXPECT_NUMBERS(&drawing, 1, n, n, n, 2, 8, n, n);
    expect_caption(&drawing, "Points: score.bp on dev");
    assert_null(strstr(drawing.file[0].bytes, "dotted = 1"));
    drawing = world_draw(world, "[{kind: layers, left: {column: gates.gate, set: 2}}]");
    EXPECT_NUMBERS(&drawing, 1, .99, n, n, 1, .99, n, n);
    expect_caption(&drawing, "Dotted: both branches weigh the same.");
}

static const double half = 0.70710678118654752, /* standard deviation of {b, b + 1} */
    n = (double)NAN;
#define AROUND(mean, deviation) mean, (mean) - (deviation), (mean) + (deviation)

TEST(learning_curves)
{
    struct world *world = figures_world("figure_curve", 2);
    world_train(world, 0, 0, 3, 6, true);
    world_train(world, 0, 1, 2, 8,
                true); /* not finished: the curve ends at the last step of both seeds */
    world_train(world, 1, 0, 1, 5, true);
    run_done(&world->run[1][0][0], "done", "{}");
    struct figure_drawing drawing = world_draw(world, "[{kind: curve}]");
    EXPECT_NUMBERS(&drawing, 101, AROUND(10.5, half), 201, AROUND(20.5, half), 100, 10, n, n, 101,
                   AROUND(7, 2 * half), 201, AROUND(3.5, half), 100, 5, n, n);
    expect_caption(&drawing, "Points: Dev BLEU; bars: standard deviation over seeds, shaded.");
    expect_caption(&drawing, "Right axis: Dev loss (nats per token).");
    expect_caption(&drawing, "Dashed, with small marks: right axis.");
    expect_assigned(&drawing, "right_high", 8); /* without the bar to 8.41, which is not drawn */
    expect_caption(&drawing, "Not drawn: the end of 3 (");
    expect_caption(&drawing, "%d{x}_y (new)");
    expect_drawn(&drawing, ">Dev loss (nats per token)<");
    /* If both axes have the same metric, it is drawn once. Mathematics in a label is drawn as plain
     * text. */
    drawing = world_draw(world, "[{kind: curve, left: dev_loss, y: Loss on dev, rows: '3'}]");
    EXPECT_NUMBERS(&drawing, 101, AROUND(7, 2 * half), 201, AROUND(3.5, half));
    expect_drawn(&drawing, ">Loss on dev<");
    drawing = world_draw(world, "[{kind: curve, right: none, rows: '3'}]");
    EXPECT_NUMBERS(&drawing, 101, AROUND(10.5, half), 201, AROUND(20.5, half));
    expect_drawn(&drawing, ">Optimizer steps<");
    drawing = world_draw(world, "[{kind: curve, right: none, rows: '3', from: 0, to: 15}]");
    expect_assigned(&drawing, "left_high", 15);
    expect_caption(&drawing, "The axis is cut at 0 and 15; some values are outside.");
}

/* The seeds log every 2 and every 3 steps. The curve has only their common steps. */
TEST(losses_are_joined_by_step)
{
    struct world *world = figures_world("figure_log", 2);
    world_log(world, 0, 0, 2, 12);
    world_log(world, 0, 1, 3, 12);
    run_done(&world->run[0][0][0], "diverged", "{}");
    struct figure_drawing drawing = world_draw(world, "[{kind: curve, left: loss, right: none}]");
    EXPECT_NUMBERS(&drawing, 6, AROUND(6.5, half), 12, AROUND(12.5, half));
    expect_caption(&drawing, "Not drawn: the end of 3 (diverged)");
}

TEST(loss_alone_has_the_left_axis)
{
    struct world *world = figures_world("figure_loss", 1);
    world_train(world, 0, 0, 3, 6, false);
    const struct figure_drawing drawing = world_draw(world, "[{kind: curve}]");
    EXPECT_NUMBERS(&drawing, 100, 6, n, n, 200, 3, n, n, 300, 2, n, n);
    expect_drawn(&drawing, ">Dev loss (nats per token)<");
}

TEST(nothing_yet_says_so)
{
    struct world *world = figures_world("figure_nothing", 1);
    static const char *const kinds[] = {
        "window", "bars", "layers", "classes, left: score.bp", "profile, left: score.bp", "curve"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        const struct figure_drawing drawing =
            world_draw(world, arena_print(&arena, "[{kind: %s, title: 'My 100%%'}]", kinds[i]));
        expect_drawn(&drawing, ">No values yet<");
        expect_drawn(&drawing, ">My 100%<");
        expect_caption(&drawing, "3 (new), ");
    }
}

TEST(wrong_descriptions_are_refused)
{
    struct world *world = figures_world("figure_wrong", 1);
    static const struct said cases[] = {
        {"{kind: curve}", "expected a list"},
        {"[curve]", "grid.yaml:1:2: figures: expected a map"},
        {"[{title: x}]", "figures.kind must be given"},
        {"[{kind: windows}]", "window"},
        {"[{kind: heatmap}]",
         "grid.yaml:1:9: figures.kind: unknown word \"heatmap\"; nearest is \"heat\""},
        {"[{kind: curve, x: [logg, Steps]}]",
         "grid.yaml:1:20: figures.x: expected [log, LABEL], got \"logg\"; nearest is \"log\""},
        {"[{kind: curve, y: [Loss, lgo]}]", "figures.y: expected [log, LABEL], got \"lgo\""},
        {"[{kind: curve, y: [log, A, B]}]", "figures.y: expected [log, LABEL], got "},
        {"[{kind: curve, colour: red}]", "colour"},
        {"[{kind: map, from: 0, to: 1}]", "a map figure has no from"},
        {"[{kind: curve, to: 3, from: 4}]",
         "grid.yaml:1:29: figures: expected limits of the left axis"},
        {"[{kind: lines, from: 3, to: 1}]", "expected limits of the left axis"},
        {"[{kind: lines, dotted: 1}]", "expected limits of the left axis"},
        {"[{kind: window, left: blue}]", "no column \"blue\"; did you mean \"bleu\"?"},
        {"[{kind: window, left: delta(bleu)}]", "is not a value of a row"},
        {"[{kind: curve, right: dev_los}]", "nearest is \"dev_loss\""},
        {"[{kind: layers, right: bleu}]", "a layers figure has no right axis"},
        {"[{kind: layers, left: bleu}]",
         "figures: no value by layer is called \"bleu\"; expected one "
         "of: gates.gate, "},
        {"[{kind: classes, left: bleu}]", "figures: no value by class is called \"bleu\"; "},
        {"[{kind: layers, left: {column: gates.gate, layer: 2}}]",
         "grid.yaml:1:51: figures: layer: this figure draws every layer; remove the key"},
        {"[{kind: layers, left: {column: score.bp, class: all}}]", "expected one class"},
        {"[{kind: classes}]", "grid.yaml:1:2: figures: a classes figure needs left"},
        {"[{kind: classes, left: localness.window}]",
         "grid.yaml:1:24: figures: no value by class is called \"localness.window\""},
        {"[{kind: classes, left: wall}]", "no value by class is called \"wall\""},
        {"[{kind: bars, left: {column: gates.gate, layer: 0}}]", "layer: expected a whole number"},
        {"[{kind: bars, left: {column: bleu, layer: 1}}]",
         "grid.yaml:1:43: layer: \"bleu\" has no values by layer"},
        {"[{kind: window, right: {column: score.bp, class: all}}]",
         "grid.yaml:1:50: figures: class: all selects several values of a row"},
        {"[{kind: curve, left: {column: dev_loss}}]", "the column of a figure: expected a text"},
        {"[{kind: bars, rows: ['4']}]", "grid.yaml:1:22: figures.rows: there is no row \"4\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, figure_read(tree_parse(&arena, "grid.yaml", cases[i].text),
                                              &world->grid, &arena));
    assert_int_equal(figure_read(NULL, &world->grid, &arena).count, 0);
}
