/* Figures of what frozen encoders do inside: gates before training, errors of classes. */
#include "tests/support/test.h"

#include <math.h>

#include "core/config/tree_read.h"
#include "tests/support/figures.h"

static void gates(struct world *world, int r, const char *name, double value, const char *of)
{
    run_append(
        &world->run[r][0][2], "metrics.jsonl",
        arena_print(&world->arena, "{\"name\":\"%s\",\"value\":%.17g,%s}\n", name, value, of));
}

/* Row 1 was 0.5 and 0.25 in layers 1 and 3 before training, row 2 was not asked. */
static void layers_before_training(void **state)
{
    (void)state;
    struct world *world = world_new("figure_start", 1);
    gates(world, 0, "gate_start", 0.5, "\"layer\":1");
    gates(world, 0, "gate_start", 0.25, "\"layer\":3");
    gates(world, 0, "gate_start", 0.99, "\"layer\":3,\"head\":1");
    world_finish(world, 0, 0, 36, 0.6);
    world_finish(world, 1, 0, 36, 0.9);
    const struct figure_drawing drawing = world_draw(world, "[{kind: layers}]");
    const double n = (double)NAN;
    EXPECT_NUMBERS(&drawing, 1, .6, .57, .63, 2, n, n, n, 3, .2, .11, .29, /* row 1 */
                   1, .9, .87, .93, 2, n, n, n, 3, .3, .21, .39,           /* row 2 */
                   1, .5, 2, n, 3, .25, 1, n, 2, n, 3, n);
    expect_caption(&drawing, "Dashed: of the parameters that training began with.");
    expect_drawn(&drawing, ">Before training<");
    assert_non_null(
        strstr(drawing.file[3].bytes, "3\tBefore training\tlayer\t3\tgates.gate_start"));
    const struct figure_drawing without = world_draw(world, "[{kind: layers, rows: ['<`date`']}]");
    assert_non_null(strstr(without.file[0].bytes, "untrained = 0\n"));
    assert_null(strstr(without.file[2].bytes, "Before training"));
    world_free(world);
}

/* One seed: bars are the errors of its stage. Two: the deviation over seeds. */
static void classes_with_errors(void **state)
{
    (void)state;
    struct world *world = world_new("figure_errors", 1);
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
    EXPECT_NUMBERS(&drawing, 1, .6, .58, .62, 2, .4, .3, .5, 1, .5, 2, .45);
    expect_caption(&drawing, "n, words: NOUN 1,200; VERB 7.");
    expect_caption(&drawing, "Error bars: standard error by bootstrap over sentences.");
    expect_caption(&drawing, "mean gate (weight of the second branch) over positions and heads");
    expect_drawn(&drawing, ">Before training<");
    world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_before_training),
        cmocka_unit_test(classes_with_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
