/* Tests results/table/controls.h: which tasks take part in a mean over a group. */

#include "core/config/tree_read.h"
#include "results/report/claims.h"
#include "results/table/controls.h"
#include "tests/support/quiz.h"

/* t is the mean over s / sqrt(n): for the margins 1, 2, 3 it is 2 / 0.577 = 3.46. The limits of
 * Student's table are 6.31, 2.92 and 2.35 with 1, 2 and 3 degrees of freedom. They are one-sided,
 * with p = 0.05. */
TEST(margins_are_tested_over_seeds)
{
    static const struct {
        double margin[4];
        int seeds;
        bool above;
    } cases[] = {{{0.1}, 1, true},          {{0}, 1, false},    {{-0.1}, 1, false},
                 {{2, 2}, 2, true},         {{0, 0}, 2, false}, {{-2, -2}, 2, false},
                 {{1, 1.3}, 2, true},       /* t = 1.15 / 0.15 = 7.7 */
                 {{1, 1.5}, 2, false},      /* t = 1.25 / 0.25 = 5 */
                 {{1, 2, 3}, 3, true},      /* t = 3.46 */
                 {{0, 2, 3}, 3, false},     /* t = 1.67 / 0.882 = 1.9 */
                 {{-1, -2, -3}, 3, false},  /* t = -3.46 */
                 {{1, 2, 3, 0.5}, 4, true}, /* t = 1.625 / 0.554 = 2.93 */
                 {{1, 2, 4, 0}, 4, false}}; /* t = 1.75 / 0.854 = 2.05 */
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(controls_above(cases[i].margin, cases[i].seeds), cases[i].above);
}

static const char *claims_of(struct world *world, const char *table, const char *yaml)
{
    return claims_print(world->runs, table, yaml, &world->grid);
}

/* Tense is 90 for Base and 80 for Better, with 50 at the start. Verbs is 70 and 60, without
 * controls. Length is 50 for Base, and 50, 40 and 35 at the start by seed. So t of its margins 0,
 * 10 and 15 is 1.9: the mean is above 0, but not significantly. Length failed in Better. */
static struct world *three_tasks(const char *name)
{
    struct world *world = quiz_world(name, 2, 3);
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 8 + 8 * r);
            add_part(world, r, s, "Tense@out@start", 40);
            add_part(world, r, s, "Verbs@out", 24 + 8 * r);
            if (r)
                add_failed(world, r, s, "Length@out");
            else
                add_part(world, r, s, "Length@out", 40);
            add_part(world, r, s, "Length@out@start", s ? 44 + 4 * s : 40);
        }
    return world;
}

#define GROUPS "groups: {All: [quiz.Tense, quiz.Length, quiz.Verbs]}"

TEST(a_mean_leaves_out_tasks_that_are_not_above_their_controls)
{
    static const char yaml[] =
        "{columns: [mean(All), delta(mean(All))], " GROUPS ", significance: {family: [mean(All)]}}";
    struct world *world = three_tasks("controls_mean");
    const char *text = world_table(world, yaml);
    EXPECT_PARTS(text, "Base    80.00 ± 0.00", "Better  70.00 ± 0.00⇓ ", "-10.00",
                 "\nmean(All): without Length (not above controls).\n");
    assert_null(strstr(strstr(text, "mean(All): without") + 1, "mean(All): without")); /* once */
    expect_no_part(text, "Not done");
    EXPECT_PARTS(world_explain(world, yaml, "Better", "mean(All)"), "70.00 ± 0.00",
                 "mean(All): without Length (not above controls)", "quiz.Verbs@out",
                 "Against Base, n = 3");
    expect_no_part(world_explain(world, yaml, "Better", "mean(All)"), "quiz.Length@out");
    text = claims_of(world, yaml,
                     "[{text: A, compare: [Base, Better], metric: mean(All), expect: greater},"
                     " {text: B, compare: [Base, Better], metric: quiz.Tense, expect: greater}]");
    EXPECT_PARTS(text, "1. A   supported      +10.00", "2. B   supported      +10.0",
                 "alpha 0.05; mean(All): without Length (not above controls); ");
    assert_null(strstr(strstr(text, "\n2. Tense of"), "without Length"));
    /* Four stages of each of three seeds: Tense and Verbs of both rows. */
    EXPECT_PARTS(text, "not above controls); resampled over items; 6 and 6 stages.");
}

/* With all tasks, Base is (90 + 50 + 70) / 3. */
TEST(a_table_may_take_all_tasks)
{
    struct world *world = three_tasks("controls_all");
    const char *text = world_table(world, "{columns: [mean(All)], means: all, " GROUPS "}");
    EXPECT_PARTS(text, "Base    70.00 ± 0.00", "Better        failed");
    expect_no_part(text, "without Length");
    EXPECT_DIE(
        "grid.yaml:1:26: means: unknown word \"abov\"; nearest is \"above\"; expected one of: "
        "above, all",
        world_table(world, "{columns: [bleu], means: abov}"));
}

/* The margin of Base is -10 and that of Better is +40, so the mean over the rows is above 0. */
TEST(rows_are_averaged)
{
    struct world *world = quiz_world("controls_rows", 2, 1);
    for (int r = 0; r < 2; r++) {
        add_part(world, r, 0, "Tense@out", 48 - 40 * r);
        add_part(world, r, 0, "Tense@out@start", 40);
    }
    expect_part(world_table(world, "{columns: [mean(G)], groups: {G: [quiz.Tense]}}"),
                "Base    40.00\nBetter  90.00\n");
}

/* Tense is above its start, but below the bag. Length is above both, but below a guess. */
TEST(the_best_control_decides)
{
    static const char yaml[] = "{columns: [mean(G)], groups: {G: [quiz.Tense, quiz.Length]}}";
    struct world *world = quiz_world("controls_best", 2, 1);
    for (int r = 0; r < 2; r++) {
        add_part(world, r, 0, "Tense@out", 16);
        add_part(world, r, 0, "Tense@out@start", 40);
        add_part(world, r, 0, "Tense@bag", 8);
        add_part(world, r, 0, "Length@out@start", 40);
        const struct run run = add_stage(world, r, 0, "quiz", "Length@out");
        run_done(&run, "done",
                 "{\"right\": 70, \"guess\": 75, \"items\": 80, \"signature\": \"v\"}");
    }
    const char *text = world_table(world, yaml);
    EXPECT_PARTS(text, "Base    not above controls\nBetter  not above controls\n",
                 "\nmean(G): without ");
    expect_no_part(text, "Not done");
    text = claims_of(world, yaml,
                     "[{text: A, compare: [Base, Better], metric: mean(G), expect: greater}]");
    EXPECT_PARTS(text, "1. A   not run", "Base: not above controls");
}

/* Tense is above a guess. The length alone, which a stage of the text has measured, is better than
 * Tense. This counts only if that stage has the same guess, so that it has the same test items. */
TEST(a_baseline_of_the_text)
{
    static const char yaml[] = "{columns: [mean(G)], groups: {G: [quiz.Tense]}}";
    for (int same = 0; same < 2; same++) {
        struct world *world = quiz_world(same ? "controls_text" : "controls_other_text", 2, 1);
        for (int r = 0; r < 2; r++) {
            const struct run text = add_stage(world, r, 0, "lesson", "Tense"),
                             run = add_stage(world, r, 0, "quiz", "Tense@out");
            run_done(&text, "done",
                     same ? "{\"guess\": 50, \"length\": 75}" : "{\"guess\": 51, \"length\": 75}");
            run_done(&run, "done",
                     "{\"right\": 70, \"guess\": 50, \"items\": 80, \"signature\": \"v\"}");
        }
        expect_part(world_table(world, yaml),
                    same ? "Base    not above controls\n" : "Base    70.00\n");
    }
}
