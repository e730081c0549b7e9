/* Builds a grid of three rows by hand and checks the data and the drawing of its figures. */
#include "tests/support/figure_grid.h"

#include "core/base/journal.h"
#include "core/config/tree_read.h"
#include "tests/support/test.h"

static const char *const kind_names[KINDS] = {"train", "score", "gates"};
static const char *const row_names[ROWS] = {"3", "<`date`", "%d{x}_y"};

struct world *figures_world(const char *name, int seeds)
{
    struct world *world = world_new(name);
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, row_names[r], seeds);
        for (int s = 0; s < seeds; s++)
            for (int k = 0; k < KINDS; k++) {
                const char *text =
                    arena_print(&arena, "%s of row %d, seed %d", kind_names[k], r, s + 1);
                world_add_stage(world, r, s, kind_names[k],
                                run_new(world->runs, kind_names[k], text, "{}", NULL, "demo/x/1"));
            }
        world->row[r].options = tree_parse(&arena, "x", "{evaluate: {bleu: {split: dev}}}");
    }
    world->grid.title = "A title";
    layout_read(NULL, &world->grid, &arena);
    return world;
}

static struct journal *start(const struct run *run)
{
    struct journal *journal = journal_open(run->folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    return journal;
}

static void metric(struct journal *journal, const char *name, double value, int layer, int set)
{
    journal_metric(journal, &(struct metric){.name = name,
                                             .step = JOURNAL_NONE,
                                             .value = value,
                                             .layer = layer,
                                             .head = JOURNAL_NONE,
                                             .set = set,
                                             .n = 40});
}

void world_finish(struct world *world, int r, int s, double bleu, double gate)
{
    struct journal *score = start(&world->run[r][s][1]), *gates = start(&world->run[r][s][2]);
    for (int i = 0; i < 3; i++) {
        metric(score, "bleu", bleu + i - 1, JOURNAL_NONE, i + 1);
        metric(gates, "gate", gate + 0.01 * (i - 1), JOURNAL_NONE, i + 1);
        metric(gates, "gate", 0.99, 1, i + 1); /* must not be taken for the value of the layer */
    }
    metric(gates, "gate", gate, JOURNAL_NONE, JOURNAL_NONE);
    for (int layer = 1; layer <= 3; layer += 2) {
        metric(gates, "gate", gate / layer, layer, JOURNAL_NONE);
        metric(gates, "gate_sd", 0.03 * layer * (s + 1), layer, JOURNAL_NONE);
    }
    journal_close(score);
    journal_close(gates);
    run_done(&world->run[r][s][0], "done", "{\"dev_loss\": 1.5}");
    run_done(&world->run[r][s][1], "done",
             arena_print(&arena, "{\"bleu\": %.17g, \"signature\": \"sig\"}", bleu));
    run_done(&world->run[r][s][2], "done",
             arena_print(&arena, "{\"gate\": %.17g, \"unknown_words\": 14.46}", gate));
}

void world_place(struct world *world, int r, const char *line, const char *axis, const char *value)
{
    struct grid_coordinate *coordinate = ARENA_NEW(&arena, struct grid_coordinate);
    *coordinate = (struct grid_coordinate){.key = axis,
                                           .value = value,
                                           .named = true,
                                           .text = arena_print(&arena, "%s %s", axis, value)};
    world->row[r].line = line;
    world->row[r].coordinates = 1;
    world->row[r].coordinate = coordinate;
}

void world_train(struct world *world, int r, int s, int validations, double first, bool bleu)
{
    struct journal *journal = start(&world->run[r][s][0]);
    for (int i = 1; i <= validations; i++) {
        const int step = 100 * i + 2 * s; /* epochs of another seed have another length */
        journal_value(journal, step, "dev_loss", first / i);
        if (bleu) journal_value(journal, step, "dev_bleu", 10 * i + s);
    }
    journal_close(journal);
}

void world_log(struct world *world, int r, int s, int every, int steps)
{
    struct journal *journal = start(&world->run[r][s][0]);
    for (int step = every; step <= steps; step += every)
        journal_value(journal, step, "loss", step + s);
    journal_close(journal);
}

struct figure_drawing world_draw(struct world *world, const char *yaml)
{
    const struct tree *list = tree_parse(&arena, "grid.yaml", yaml);
    const struct figure_list figures = figure_read(list, &world->grid, &arena);
    struct store *store = world_collect(world);
    const struct figure_drawing drawing =
        figure_draw(store, &world->grid, &figures.figure[0], GNUPLOT_SVG, &arena);
    store_close(store);
    return drawing;
}

const char *data_of(const struct figure_drawing *drawing)
{
    return drawing->file[1].bytes;
}

void expect_numbers(const struct figure_drawing *drawing, int count, const double *value)
{
    const char *at = data_of(drawing);
    for (int i = 0; i < count; i++) {
        char *end;
        const double got = strtod(at, &end);
        if (end == at || isnan(got) != isnan(value[i]) || fabs(got - value[i]) > 1e-9)
            fail_msg("number %d of\n%s  expected: %g", i + 1, data_of(drawing), value[i]);
        at = end;
    }
    assert_int_equal(strspn(at, "\n"), strlen(at));
}

void expect_assigned(const struct figure_drawing *drawing, const char *name, double value)
{
    const char *line = arena_print(&arena, "\n%s = %g\n", name, value);
    if (!strstr(drawing->file[0].bytes, line)) fail_msg("not in the script: %s", line);
}

void expect_count(const struct figure_drawing *drawing, const char *text, int count)
{
    if (!gnuplot_find(&arena)) return;
    expect_drawn(drawing, text);
    int found = 0;
    for (const char *at = drawing->image; (at = strstr(at, text)); at++) found++;
    if (found != count) fail_msg("%s is in the figure %d times, expected %d", text, found, count);
}

void expect_same_data(const struct figure_drawing *one, const struct figure_drawing *other)
{
    assert_string_equal(data_of(one), data_of(other));
}

void expect_caption(const struct figure_drawing *drawing, const char *text)
{
    for (int i = 0; i < drawing->captions; i++)
        if (strstr(drawing->caption[i], text)) return;
    for (int i = 0; i < drawing->captions; i++) print_message("%s\n", drawing->caption[i]);
    fail_msg("no caption says: %s", text);
}

void expect_drawn(const struct figure_drawing *drawing, const char *text)
{
    if (gnuplot_find(&arena)) {
        if (drawing->failure) fail_msg("%s", drawing->failure);
        if (!strstr(drawing->image, text)) fail_msg("not in the figure: %s", text);
    }
}
