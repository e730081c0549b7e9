/* Tests results/table/learned: rows with a seed that did not learn, in tables and in claims. */
#include "results/table/learned.h"

#include <math.h>

#include "core/config/tree_read.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { ROWS = 3, SEEDS = 3 };

/* Dev accuracy and dev loss of each row and seed. The last seed of the last row has not run. */
static const double accuracy[ROWS][SEEDS] = {{59, 86, 60}, {87, 88, 89}, {90, 64.9, 0}},
                    loss[ROWS][SEEDS] = {{1.25, 0.5, 1.5}, {0.5, 0.6, 0.7}, {0.4, 1, 0}};
static const char *const names[ROWS] = {"SAN", "LSTM", "Hybrid"};

static struct world *world;

BEFORE(all)
{
    world = world_new("learned");
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, names[r], SEEDS);
        for (int s = 0; s < SEEDS; s++) {
            const char *name = arena_print(&arena, "row %d seed %d", r, s + 1);
            const struct run run = run_new(world->runs, "relate", name, "{}", NULL, name);
            if (accuracy[r][s] > 0)
                run_done(&run, "done",
                         arena_print(&arena,
                                     "{\"parameters\": 7, \"dev_accuracy\": %g, \"dev_loss\": %g}",
                                     accuracy[r][s], loss[r][s]));
            world_add_stage(world, r, s, "relate", run);
        }
    }
    runs_store =
        world_open(world, "{columns: [relate.parameters, relate.dev_accuracy, relate.dev_loss, "
                          "delta(relate.dev_loss)], baseline: LSTM}");
}

AFTER(all)
{
    store_close(runs_store);
}

static const struct learned *read_text(const char *yaml)
{
    return learned_read(tree_parse(&arena, "grid.yaml", yaml), &world->grid, &arena);
}

static const char *table_of(const char *yaml)
{
    world->grid.learned = yaml ? read_text(yaml) : NULL;
    return sheet_string(summary_table(runs_store, &world->grid, &arena));
}

TEST(values_are_not_averaged)
{
    const char *text = table_of(NULL);
    expect_part(text, "SAN              7  68.33 ± 15.31 (3)");
    assert_null(strstr(text, "Learned"));
    text = table_of("{metric: relate.dev_accuracy, at_least: 65}");
    expect_part(text, "SAN              7  59.00, 86.00, 60.00  1.2500, 0.5000, 1.5000");
    expect_part(text, "LSTM             7  88.00 ± 1.00  ");
    expect_part(text, "Hybrid           7  90.00, 64.90 (2/3)");
    expect_part(text, "+0.4833"); /* mean of SAN minus mean of LSTM */
    expect_part(text, "\nLearned (Dev at least 65): 5 of 8 seeds; SAN (1 of 3; not: seed 1, 3); "
                      "Hybrid (1 of 2; not: seed 2). Rows with a seed that did not learn list "
                      "their values by seed; differences and tests cover all seeds.\n");
    expect_part(table_of("{metric: relate.dev_accuracy, at_least: 59}"),
                "\nLearned (Dev at least 59): 8 of 8 seeds.\n");
    expect_part(table_of("{metric: relate.dev_loss, at_most: 1}"),
                "\nLearned (Dev loss at most 1): 6 of 8 seeds; SAN (1 of 3; not: seed 1, 3).");
}

TEST(claims_say_the_share)
{
    const char *yaml = "claims: [{text: t, compare: [SAN, LSTM], metric: relate.dev_loss, "
                       "expect: greater}]\n";
    world->grid.learned = read_text("{metric: relate.dev_accuracy, at_least: 65}");
    const struct claims claims = table_claims(&world->grid, yaml);
    const char *text = sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
    expect_part(text, "+0.4833"); /* difference over all seeds */
    expect_part(text, "; learned: 1 of 3 and 3 of 3 seeds, Fisher's exact p 0.400; variance");
    expect_part(text,
                "\nLearned (Dev at least 65): 5 of 8 seeds; SAN (1 of 3; not: seed 1, 3); Hybrid");
}

/* The first claim is about seeds of one row, so there are no shares to compare. In the second, a
 * number is the other side: it has no stages and no seeds. */
TEST(one_row_has_no_share_to_compare)
{
    const char *yaml = "claims: [{text: t, compare: [SAN, SAN], seeds: [1, 2-3], metric: "
                       "relate.dev_loss, expect: greater}, {text: t, row: LSTM, against: 1, "
                       "metric: relate.dev_loss, expect: less}]\n";
    world->grid.learned = read_text("{metric: relate.dev_accuracy, at_least: 65}");
    const struct claims claims = table_claims(&world->grid, yaml);
    const char *text = sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
    assert_null(strstr(text, "Fisher"));
    assert_null(strstr(text, "paired by seed"));
    expect_part(text, "; 1 and 2 stages.");
    expect_part(text, "\n2. Dev loss of LSTM against 1, expected less, alpha 0.05; 3 stages.");
}

/* Counts of tables out of all tables with the same sums. The first is Fisher's lady and the tea. */
TEST(shares_are_compared_exactly)
{
    static const struct {
        struct learned_row a, b;
        double p;
    } cases[] = {
        {{4, 3, NULL}, {4, 1, NULL}, 34.0 / 70}, {{5, 0, NULL}, {5, 5, NULL}, 2.0 / 252},
        {{5, 3, NULL}, {5, 4, NULL}, 1},         {{3, 0, NULL}, {5, 0, NULL}, 1},
        {{3, 3, NULL}, {5, 1, NULL}, 10.0 / 70}, {{2, 2, NULL}, {0, 0, NULL}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(fabs(learned_p(&cases[i].a, &cases[i].b) - cases[i].p) < 1e-12);
        assert_true(fabs(learned_p(&cases[i].b, &cases[i].a) - cases[i].p) < 1e-12);
    }
}

TEST(refused)
{
    static const struct said cases[] = {
        {"{at_least: 3}", "grid.yaml:1:1: learned: expected a metric and one of at_least and"},
        {"{metric: dev_loss}", "expected a metric and one of"},
        {"{metric: dev_loss, at_least: 3, at_most: 3}", "expected a metric and one of"},
        {"{metric: dev_loss, atleast: 3}", "nearest is \"at_least\""},
        {"{metric: dev_los, at_most: 3}", "did you mean \"dev_loss\""},
        {"{metric: delta(bleu), at_least: 3}", "is not a value of a stage"},
        {"{metric: dev_loss, at_most: many}", "at_most"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, read_text(cases[i].text));
}
