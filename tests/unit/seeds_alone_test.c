/* Tests significance tests over seeds for values without items: marks, p and captions of dev
 * losses, gates and times in a table. A claim about the same two rows has the same p. */

#include "core/config/tree_read.h"
#include "results/compare/explain.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { SEEDS = 3 };

/* Adds a row of trainings. Dev losses are around `loss`, with standard deviation 0.01. Gates are a
 * tenth of the losses, and times in seconds are 100 times the losses. */
static void add_row(struct world *world, const char *name, int seeds, double loss)
{
    const int r = world_add_row(world, name, seeds);
    for (int s = 0; s < seeds; s++) {
        const char *one = arena_print(&arena, "%s %d", name, s);
        const double value = loss + 0.01 * (s - 1);
        struct run train = run_new(world->runs, "train", one, "{}", NULL, one);
        run_write(&train, "events.jsonl",
                  arena_print(&arena,
                              "{\"event\":\"done\",\"time\":5000,\"clock\":%.17g,"
                              "\"attempt\":1}\n",
                              100 * value));
        run_done(&train, "done",
                 arena_print(&arena, "{\"parameters\": %d, \"dev_loss\": %.17g}", 1000 + s, value));
        world_add_stage(world, r, s, "train", train);
        const char *gate = arena_print(&arena, "gates of %s", one);
        struct run gates = run_new(world->runs, "gates", gate, "{}", NULL, gate);
        run_done(&gates, "done",
                 arena_print(&arena, "{\"gate\": %.17g, \"signature\": \"text:a\"}", value / 10));
        world_add_stage(world, r, s, "gates", gates);
    }
}

/* Makes three rows with losses 2 (Base), 1.97 (Mid) and 1.996 (Near). A difference has the standard
 * error 0.01 sqrt(2/3), with six degrees of freedom. Mid has t = 3.674 and p = 0.0104. Near has t =
 * 0.490 and p = 0.642. Here p is found from the angle a with tan a = t / sqrt 6. For six degrees, p
 * = 1 - sin a (1 + cos^2 a / 2 + 3 cos^4 a / 8). */
static struct world *three_rows(const char *name)
{
    struct world *world = world_new(name);
    add_row(world, "Base", SEEDS, 2);
    add_row(world, "Mid", SEEDS, 1.97);
    add_row(world, "Near", SEEDS, 1.996);
    return world;
}

TEST(dev_losses_have_marks)
{
    struct world *world = three_rows("seeds_alone");
    const char *text = world_table(world, "{columns: [dev_loss, p(dev_loss)], significance: {}}");
    EXPECT_PARTS(
        text, "Mid   1.9700 ± 0.0100†", "  0.010\n", "  0.642\n",
        "†, ‡: better than Base (↓, ⇓: worse), p < 0.05, 0.01: Student's t, two-sided, over seeds "
        "alone, on this text; not corrected for several comparisons.\n");
    expect_part(text, "Mean ± sample standard deviation over 3 seeds (1, 2, 3).\n");
    text = world_table(world, "{columns: [dev_loss], significance: {against: Mid}}");
    expect_part(text, "Base  2.0000 ± 0.0100↓");
    text = world_table(world, "{columns: [dev_loss, p(dev_loss)], "
                              "significance: {correction: holm}}");
    expect_part(text, "  0.021\n"); /* twice 0.0104 */
    expect_part(text, "Holm over 2 comparisons");
}

/* Neither direction of a gate is better, so arrows show more and less. Less time is better. If no
 * family is given, all columns with values are compared, because no column has items. */
TEST(gates_and_times_have_marks)
{
    struct world *world = three_rows("seeds_gates");
    const char *text = world_table(world, "{columns: [gates.gate, wall], significance: {}}");
    expect_part(text, "0.1970 ± 0.0010↓");
    expect_part(text, "Student's t, two-sided, over seeds alone, on this text");
    expect_part(text,
                "better than Base (↓, ⇓: worse), or more and less where no direction is better");
    expect_part(strstr(text, "Mid"), "†"); /* the mark of the time */
    expect_part(world_table(world, "{columns: [wall, p(wall)]}"), "  0.010\n");
    const char *yaml = "{columns: [gates.gate, wall], significance: {}}";
    expect_part(world_explain(world, yaml, "Mid", "gates.gate"), "cases: 0.0027 Mean gate\n");
    expect_part(world_explain(world, yaml, "Mid", "wall"), "cases: 2.73");
    text = world_table(world, "{columns: [dev_loss, wall], significance: {family: [dev_loss]}}");
    expect_no_part(text, "Time over");
}

/* Values without items are tested next to BLEU, which has items. They have a separate Holm family
 * of four comparisons, and 4 * 0.0104 is below 0.05. In one family of six comparisons, 6 * 0.0104
 * would be above 0.05. */
TEST(values_stand_beside_items)
{
    enum { LINES = 40 };
    struct world *world = three_rows("seeds_items");
    world->reference = scored_lines(LINES);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < SEEDS; s++) {
            const char *one = arena_print(&arena, "score %d %d", r, s);
            const char *hypothesis = scored_worse(world->reference, s, 3 + r);
            world_add_stage(
                world, r, s, "score",
                scored_new(world->runs, one, "1234567890ab", world->reference, 1, &hypothesis));
        }
    const char *text = world_table(
        world, "{columns: [bleu, dev_loss, gates.gate], significance: {correction: holm}}");
    EXPECT_PARTS(text, "1.9700 ± 0.0100†", "0.1970 ± 0.0010↓",
                 "seeds and sentences (10,000 resamples, random seed 12345)",
                 "Holm over 2 comparisons, separately over 4 comparisons of values without "
                 "items.\n");
    expect_no_part(text, "Not tested");
    text = world_table(world, "{columns: [bleu, dev_loss, wall, p(wall)], significance: "
                              "{correction: holm}}");
    expect_part(
        text, "Holm over 4 comparisons, separately over 2 comparisons of values without items.\n");
    text = world_table(world, "{columns: [bleu, dev_loss], significance: {family: [bleu], "
                              "correction: holm}}");
    EXPECT_PARTS(text, "1.9700 ± 0.0100\n", "Holm over 2 comparisons.\n", "Not tested: Dev loss.");
}

/* With one seed there is no p. A remark names the row that is not compared. */
TEST(one_seed_has_no_mark)
{
    struct world *world = world_new("seeds_one");
    add_row(world, "Base", 1, 2);
    add_row(world, "Mid", 1, 1);
    const char *text = world_table(world, "{columns: [dev_loss, p(dev_loss)], significance: {}}");
    expect_part(text, "Mid     0.9900          n/c\n");
    expect_part(text, "Not compared: Mid (Dev loss: one seed).");
}

TEST(tables_and_claims_agree)
{
    struct world *world = three_rows("seeds_claims");
    struct store *store = world_open(world, "{columns: [dev_loss, p(dev_loss)]}");
    const struct claim_result result =
        table_judge(store, &world->grid, "compare: [Mid, Base], metric: dev_loss, expect: less");
    assert_float_equal(2 * result.p, 0.010401720935464098, 1e-9);
    assert_int_equal(result.pair.pooled, 3);
    const struct claims claims =
        table_claims(&world->grid,
                     "claims: [{text: t, compare: [Mid, Base], metric: dev_loss, expect: less}]\n");
    const char *text = sheet_string(claims_sheet(store, &world->grid, &claims, &arena));
    expect_part(text, "variance between seeds pooled over 3 rows; ");
    expect_part(text, "For values that are not resampled, p and interval hold for this text only.");
    text = PRINTED(explain_cell(store, &world->grid, "Mid", "dev_loss", "sanlab run", out));
    expect_part(text, "Against Base, n = 3:\n  difference of mean Dev loss -0.0300, 95% "
                      "from -0.0500 to -0.0100\n"); /* 2.447 * 0.00816 = 0.01998 */
    expect_part(text, "The variance between seeds is pooled over 3 rows, and is the pair's own "
                      "where that is larger (F test, p < 0.25).\n");
    expect_part(text, "Student's t over seeds alone, two-sided");
    expect_part(text, "4 of 5 cases: 0.0274 Dev loss\n"); /* (2.447 + 0.906) 0.00816 */
    expect_no_part(text, "bootstrap");
    store_close(store);
}

/* Rows of the same trainings count once, for example one model that is scored in two ways. */
TEST(the_same_trainings_count_once)
{
    struct world *world = three_rows("seeds_same");
    const int r = world_add_row(world, "Again", SEEDS);
    for (int s = 0; s < SEEDS; s++) {
        world_add_stage(world, r, s, "train", world->run[2][s][0]);
        world_add_stage(world, r, s, "gates", world->run[2][s][1]);
    }
    const char *yaml = "{columns: [dev_loss, p(dev_loss)], significance: {}}";
    expect_part(world_table(world, yaml), "  0.010\n");
    expect_part(world_explain(world, yaml, "Mid", "dev_loss"),
                "The variance between seeds is pooled over 3 rows, and is");
}

/* A baseline may be one cell of a line. Every other cell is compared with this cell, also a cell of
 * the same line. */
TEST(a_baseline_may_be_one_cell)
{
    static struct grid_coordinate coordinate[] = {
        {.key = "window", .value = "1", .text = "window 1"},
        {.key = "window", .value = "2", .text = "window 2"}};
    struct world *world = world_new("seeds_cell");
    static const double loss[] = {2.03, 2, 1.97, 1.996};
    static const char *const name[] = {"gate", "gate", "local", "local"};
    for (int i = 0; i < 4; i++) {
        add_row(world, arena_print(&arena, "%s, %s", name[i], coordinate[i % 2].text), SEEDS,
                loss[i]);
        world->row[i].line = name[i];
        world->row[i].coordinates = 1;
        world->row[i].coordinate = &coordinate[i % 2];
    }
    const char *text = world_table(
        world, "{by: window, columns: [dev_loss, delta(dev_loss), p(dev_loss)], baseline: \"gate, "
               "window 2\", significance: {}}");
    /* With four rows there are 8 degrees of freedom, and a difference of 0.03 has p = 0.0063. */
    EXPECT_PARTS(text, "gate   2.0300 ± 0.0100⇓     +0.0300        0.006  2.0000 ± 0.0100",
                 "local  1.9700 ± 0.0100‡     -0.0300        0.006  1.9960 ± 0.0100",
                 "     -0.0040        0.637\n", "better than gate, window 2 (↓, ⇓: worse)");
    text = world_table(world, "{by: window, columns: [dev_loss], significance: {against: \"gate, "
                              "window 2\"}}");
    EXPECT_PARTS(text, "2.0300 ± 0.0100⇓", "1.9700 ± 0.0100‡");
    text = world_table(world, "{by: window, columns: [delta(dev_loss)], baseline: gate}");
    expect_part(text, "local   -0.0600   -0.0040\n"); /* a whole line: compared by window */
}
