/* Tests margins: the value of a part minus the value of its control, by seed. */

#include "core/config/tree_read.h"
#include "results/report/claims.h"
#include "tests/support/quiz.h"

/* Each part has 80 items. With 0, 8 and 16 wrong items, its accuracy is 100, 90 and 80 percent. */
TEST(a_margin_is_the_mean_difference_by_seed)
{
    struct world *world = quiz_world("margin_value", 2, 3);
    for (int s = 0; s < 3; s++) {
        add_part(world, 0, s, "Tense@out", 8 * s);
        if (s < 2) add_part(world, 0, s, "Tense@out@start", 24);
        if (s == 2) add_failed(world, 0, s, "Tense@out@start");
        add_part(world, 0, s, "Tense@bag", 8 + 8 * s);
        add_part(world, 1, s, "Tense@out", 0);
    }
    const char *text = world_table(world, "{columns: [quiz.Tense, margin(quiz.Tense), "
                                          "'margin(quiz.Tense@out, bag)'], bold: false}");
    EXPECT_PARTS(text, "Tense − start", "Tense@out − bag\n", "90.0 ± 10.0");
    expect_part(text, "+25.0 ± 7.1 (2/3, 1 failed)"); /* 30 and 20 by seed */
    expect_part(text, "+10.0 ± 0.0 (3)\n");           /* 10 for each seed */
    expect_part(text, "Better  100.0 ± 0.0 (3)");
    expect_part(text, " (3)                             -                -\n"); /* no controls */
    expect_no_part(text, "Done before");
    text = world_table(world, "{columns: ['delta(margin(quiz.Tense, bag))']}");
    expect_part(text, "Δ Tense − bag\n");
}

/* A control whose signature differs is not comparable. */
TEST(a_margin_of_other_items_is_not_comparable)
{
    struct world *world = quiz_world("margin_other", 1, 1);
    add_part(world, 0, 0, "Tense@out", 8);
    const struct run run = add_stage(world, 0, 0, "quiz", "Tense@bag");
    run_done(&run, "done", "{\"right\": 70, \"items\": 80, \"signature\": \"another\"}");
    expect_part(world_table(world, "{columns: ['margin(quiz.Tense, bag)']}"),
                "Base          n/c\n");
}

/* Accuracies of the three seeds are 100, 70 and 40. Base has a margin of 10 over start for each
 * seed. This margin is significant only if a value and its control are paired by seed. */
TEST(seeds_of_a_margin_are_paired)
{
    struct world *world = quiz_world("margin_paired", 2, 3);
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 24 * s);
            add_part(world, r, s, "Tense@out@start", 24 * s + 8 * !r);
            add_part(world, r, s, "Tense@bag", 24 * s);
        }
    const char *text = world_table(world, "{columns: [quiz.Tense, margin(quiz.Tense), 'margin(quiz."
                                          "Tense, bag)', p(margin(quiz.Tense))], significance: "
                                          "{correction: holm}}");
    expect_part(text, "Base    70.0 ± 30.0   +10.0 ± 0.0‡    0.0 ± 0.0                  <0.001\n");
    expect_part(text, "Better  70.0 ± 30.0     0.0 ± 0.0     0.0 ± 0.0                   1.000\n");
    EXPECT_PARTS(text,
                 "†, ‡: better than the control, Base (↓, ⇓: worse), p < 0.05, 0.01: Student's t, "
                 "two-sided, over seeds (paired where both rows are the same trainings) and items",
                 "Holm over 1 comparison, separately over the 2 margins of a row.\n");
    expect_part(
        world_explain(world, "{columns: ['margin(quiz.Tense)']}", "Base", "margin(quiz.Tense)"),
        "The variance between seeds is pooled over 2 rows, and is");
}

/* Accuracies of Base are 100, 70 and 40 by seed. Better and Third are 10 lower for each seed.
 * Better reads the same trainings as Base, so seeds are paired, and Better is significantly worse.
 * Third reads other trainings and is not significantly worse. */
TEST(rows_of_the_same_trainings_are_paired)
{
    static const char *const id[2][SEEDS] = {{"a1", "a2", "a3"}, {"b1", "b2", "b3"}};
    struct world *world = quiz_world("margin_rows", 3, 3);
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 3; r++) {
            add_part(world, r, s, "Tense@out", 24 * s + 8 * (r > 0));
            world->stage[r][s][world->seed[r][s].count++] =
                (struct grid_stage){.kind = "train", .id = id[r == 2][s]};
        }
    const char *yaml = "{columns: [quiz.Tense], significance: {}}",
               *text = world_table(world, yaml);
    expect_part(text, "Better  60.0 ± 30.0⇓\nThird   60.0 ± 30.0\n");
    expect_part(text, "two-sided, over seeds (paired where both rows are the same trainings) and "
                      "items (");
    struct store *store = world_open(world, yaml);
    const struct sheet *sheet = summary_table(store, &world->grid, &arena);
    expect_part(sheet->caption[sheet->about_bold - 1],
                "(Student's t over seeds and, for resampled values, items; ");
    store_close(store);
    world->grid.rows = 2;
    expect_part(world_table(world, yaml), "two-sided, over paired seeds and items (");
}

/* Seven items differ between the part and start: all are better. Twenty items differ between the
 * part and bag: all are worse. So p is 2 / 2^7 for start. It is the larger p of the row's two
 * margins, so Holm's correction does not change it. Margins of other rows have no influence. */
TEST(a_margin_of_one_seed_has_a_hollow_mark)
{
    struct world *world = quiz_world("margin_hollow", 2, 1);
    for (int r = 0; r < 2; r++) {
        add_part(world, r, 0, "Tense@out", 40);
        add_part(world, r, 0, "Tense@out@start", 47);
        add_part(world, r, 0, "Tense@bag", 20);
    }
    const char *text =
        world_table(world, "{columns: [margin(quiz.Tense), 'margin(quiz.Tense, bag)', "
                           "p(margin(quiz.Tense)), swapped(margin(quiz.Tense))], "
                           "significance: {correction: holm}}");
    EXPECT_PARTS(text, "+8.8△ ", "-25.0▽▽", " 0.016 ");
    expect_part(text, " 0.01"); /* this p is estimated from random samples */
    expect_part(text,
                "△, △△: better than the control (▽, ▽▽: worse), p < 0.05, 0.01, "
                "with one seed: McNemar's exact test (1947, two-sided); Holm over the 2 margins of "
                "a row.\n");
}

static const char *claims_of(struct world *world, const char *yaml)
{
    return claims_print(world->runs, "{columns: [quiz.Tense]}", yaml, &world->grid);
}

/* The caption prints the common fields of the signatures once, and the fields that differ once for
 * each part. Parts with different signatures may have a mean. */
TEST(captions_say_once_what_parts_share)
{
    struct world *world = quiz_world("margin_captions", 2, 2);
    for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 8);
            add_part(world, r, s, "Length@out", r ? 72 : 24);
            add_part(world, r, s, "Length@out@start", 80);
            add_part(world, r, s, "Length@bag", 80);
        }
    const char *text =
        world_table(world, "{columns: [quiz.Tense, mean(Both), margin(quiz.Length)], groups: "
                           "{Both: [quiz.Tense, quiz.Length]}}");
    expect_part(text, "80.00 ± 0.00"); /* Base: the mean of 90 and 70 */
    EXPECT_PARTS(text,
                 "\nTense, Both, Length − start: quiz|v1\nTense: task:Tense|items:80; Length − "
                 "start: task:Length|items:80\n",
                 "\nQuizzes: by heart.\n");
    expect_part(text, "\nGuessed: Base (Length@out@start); Better (Length@out, Length@out@start)"
                      ".\n"); /* Length@bag is not shown, so it is not named here */
    text = claims_of(world, "[{text: A, compare: [Base, Better], metric: quiz.Tense, expect: less},"
                            " {text: B, compare: [Base], metric: margin(quiz.Length), expect: "
                            "greater}]");
    expect_part(text, "\nTense: quiz|task:Tense|v1|items:80; Length − start: quiz|task:Length|v1|");
}

/* The margin is 10 for each seed of Base and 20 for each seed of Better. Accuracies are 100, 70 and
 * 40 by seed. */
/* The best control of Base is the bag, 80 percent; of Better it is a guess of 99.5 percent. */
TEST(claims_compare_rows_with_their_best_control)
{
    struct world *world = quiz_world("margin_best", 2, 3);
    for (int s = 0; s < 3; s++) {
        struct item *item = ARENA_ARRAY(&arena, struct item, ITEMS);
        for (int i = 0; i < ITEMS; i++) item[i] = (struct item){i ? 100 : 0, "", "", 0};
        const struct run guessed = add_stage(world, 1, s, "quiz", "Verbs@out");
        add_part(world, 0, s, "Tense@out", 8);
        add_part(world, 0, s, "Tense@out@start", 24);
        add_part(world, 0, s, "Tense@bag", 16);
        add_part(world, 1, s, "Tense@out", 0);
        add_part(world, 0, s, "Verbs@out", 8 + s);
        items_write(guessed.folder, "items.tsv", item, ITEMS);
        scored_items(&guessed,
                     arena_print(&arena,
                                 "{\"right\": 98.75, \"guess\": %g, \"items\": %d, "
                                 "\"signature\": \"quiz|task:Verbs|v1|items:%d\"}",
                                 99.5, ITEMS, ITEMS),
                     1);
    }
    const char *text = claims_of(
        world, "[{text: A, compare: [Better, Base], metric: quiz.Tense, expect: greater},"
               " {text: B, compare: [Better, Base], metric: quiz.Verbs, expect: greater}]");
    EXPECT_PARTS(text, "; above the best control: Base +10.0 (+4.4 to +15.6) over bag; ",
                 "; above the best control: Better -0.8");
}

TEST(claims_are_of_margins)
{
    struct world *world = quiz_world("margin_claims", 2, 3);
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 24 * s);
            add_part(world, r, s, "Tense@bag", 24 * s + 8 * (r + 1));
        }
    const char *text = claims_of(
        world, "[{text: Taught, compare: [Base], metric: 'margin(quiz.Tense, bag)', expect: "
               "greater}, {text: More, compare: [Better, Base], metric: 'margin(quiz.Tense, bag)', "
               "expect: greater}, {text: Much, compare: [Base], metric: 'margin(quiz.Tense, bag)', "
               "expect: greater, smallest: 15}]");
    EXPECT_PARTS(text, "1. Taught  supported          +10.0  +7.2 to +12.8",
                 "2. More    supported          +10.0", "3. Much    contradicted       +10.0",
                 "1. Tense − bag of Base against its control, expected greater, alpha 0.05; paired "
                 "by seed; resampled over items; variance between seeds pooled over 2 rows; 3 and "
                 "3 stages.",
                 "2. Tense − bag of Better against Base, expected greater, alpha 0.05; resampled "
                 "over items; 6 and 6 stages.");
    EXPECT_DIE("compare: one row is compared with its control; expected two rows, or a margin",
               claims_of(world, "[{text: A, compare: [Base], metric: quiz.Tense, expect: less}]"));
}

/* For each seed, Better is 10 better in Tense and equal in Length. So its mean of the group is 5
 * better. */
TEST(means_of_groups_are_tested)
{
    static struct grid_member member[] = {{"Syntax", "quiz.Tense"}, {"Syntax", "quiz.Length"}};
    struct world *world = quiz_world("margin_means", 2, 3);
    world->grid.words.members = COUNT_OF(member);
    world->grid.words.member = member;
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 24 - 8 * r);
            add_part(world, r, s, "Length@out", 40);
        }
    const char *text = world_table(world, "{columns: [mean(Syntax), quiz.Tense, quiz.Length], "
                                          "significance: {correction: holm}}");
    expect_part(text, "60.00 ± 0.00"); /* Base: the mean of 70 and 50 */
    /* In a tenth of Tense's items, the rows differ by 100. So Tense differs by 10 with standard
     * error 3.35, and the mean of the group by 5 with standard error 1.68. t = 2.98 and p = 0.004,
     * which Holm's correction multiplies by 3. The detectable difference is (1.99 + 0.85) 1.68 =
     * 4.8. */
    expect_part(text, "65.00 ± 0.00†");
    expect_part(
        world_explain(world, "{columns: [mean(Syntax), quiz.Tense]}", "Better", "mean(Syntax)"),
        "in 4 of 5 cases: 4.7");
    expect_part(
        world_explain(world, "{columns: [mean(Syntax), quiz.Tense]}", "Better", "quiz.Tense"),
        "in 4 of 5 cases: 9.");
    expect_part(text, "Holm over 3 comparisons"); /* Syntax, Tense, and Length, which is equal */
    expect_part(text, "\nSyntax, Tense, Length: quiz|v1\nTense: task:Tense|");
    text = claims_of(world, "[{text: A, compare: [Better, Base], metric: mean(Syntax), expect: "
                            "greater}]");
    expect_part(text, "A   supported       +5.00  +2.2");
    EXPECT_DIE("mean: there is no group \"Syntaxx\"; nearest is \"Syntax\"",
               world_table(world, "{columns: [mean(Syntaxx)]}"));
    EXPECT_DIE("mean: there is no group \"Syntaxx\"; nearest is \"Syntax\"",
               claims_of(world, "[{text: A, compare: [Better, Base], metric: mean(Syntaxx), "
                                "expect: greater}]"));
}

/* By seed, margins of Tense are 10 for Base and 20 for Better. Margins of Length are 30 for both.
 * So the mean margins are 20 and 25, although Tense differs by 10 between seeds. */
TEST(margins_of_groups_are_tested)
{
    static struct grid_member member[] = {{"Syntax", "quiz.Tense"}, {"Syntax", "quiz.Length"}};
    struct world *world = quiz_world("margin_groups", 2, 3);
    world->grid.words.members = COUNT_OF(member);
    world->grid.words.member = member;
    for (int s = 0; s < 3; s++)
        for (int r = 0; r < 2; r++) {
            add_part(world, r, s, "Tense@out", 8 + 8 * s);
            add_part(world, r, s, "Tense@out@start", 16 + 8 * s + 8 * r);
            add_part(world, r, s, "Length@out", 16);
            add_part(world, r, s, "Length@out@start", 40);
        }
    const char *text = world_table(
        world, "{columns: [mean(Syntax), margin(mean(Syntax)), p(mean(Syntax)), "
               "p(margin(mean(Syntax))), margin(quiz.Tense)], significance: {correction: "
               "holm}}");
    EXPECT_PARTS(text, "Syntax − start", "80.00 ± 5.00  +20.00 ± 0.00‡",
                 "80.00 ± 5.00  +25.00 ± 0.00‡");
    expect_part(text, "1.000"); /* p(mean(Syntax)): both rows have equal means */
    EXPECT_PARTS(text, "<0.001", "over the 2 margins of a row");
    text = claims_of(world, "[{text: A, compare: [Base], metric: margin(mean(Syntax)), expect: "
                            "greater}, {text: B, compare: [Better, Base], metric: "
                            "margin(mean(Syntax)), expect: greater}]");
    EXPECT_PARTS(text, "A   supported", "+20.00", "+5.00");
    add_failed(world, 0, 0, "Tense@late"); /* a failed stage of another part has no effect */
    expect_part(world_table(world, "{columns: [margin(mean(Syntax))]}"), "+20.00");
    /* One of two seeds lacks a control. */
    world = quiz_world("margin_lacks", 1, 2);
    world->grid.words.members = COUNT_OF(member);
    world->grid.words.member = member;
    for (int s = 0; s < 2; s++) {
        add_part(world, 0, s, "Tense@out", 8);
        add_part(world, 0, s, "Tense@out@start", 16);
        add_part(world, 0, s, "Length@out", 8);
        if (s)
            add_failed(world, 0, s, "Length@out@start");
        else
            add_part(world, 0, s, "Length@out@start", 32);
    }
    text = world_table(world, "{columns: [mean(Syntax), margin(mean(Syntax))]}");
    EXPECT_PARTS(text, "90.00 ± 0.00 (2)", "+20.00 (1/2, 1 failed)");
}

TEST(mistakes_are_refused)
{
    static const char *const parts[] = {"quiz.Tense@out", "quiz.Tense@out@start", "quiz.Length@out",
                                        NULL};
    struct grid_row row = {.name = "Base"};
    struct grid grid = {.name = "demo", .rows = 1, .row = &row, .words = {.part = parts}};
    static const char *const columns[][2] = {
        {"margin(quiz.Length)", "grid.yaml:1:12: margin(quiz.Length): no row has the control start "
                                "of quiz.Length; expected "
                                "evaluate.quiz.controls: [start]"},
        {"'margin(quiz.Tense, bag)'",
         "no row has the control bag of quiz.Tense; expected evaluate.quiz.controls: [bag]"},
        {"'margin(quiz.Tense, bags)'", "did you mean \"margin(quiz.Tense, bag)\"?"},
        {"margin(wall)", "\"margin(wall)\": wall has no control of this name"},
        {"margin(quiz.Tense, bag)", "no column \"margin(quiz.Tense\"; a name with a comma needs "
                                    "quotes: \"margin(quiz.Tense, ..)\""},
        {"margin(dev_loss)", "did you mean \"delta(dev_loss)\"?"},
        {"margin(margin(quiz.Tense))", "margin(quiz.Tense) has no control of this name"},
        {"'margin(mean(Both))'", "margin(mean(Both)): no row has the control start of quiz.Length"},
        {"'margin(mean(Both), bags)'", "did you mean \"margin(mean(Both), bag)\"?"},
        {"margin(mean(Losses))",
         "margin(mean(Losses)): \"dev_loss\" of the group Losses has no control start"},
        {"centered(mean(Losses))",
         "centered(mean(Losses)): the columns of Losses have no per-item values"},
        {"p(mean(Losess))", "mean: there is no group \"Losess\"; nearest is \"Losses\""},
        {"{column: p(mean(Both)), class: a}", "is not a value of a stage"},
    };
    layout_read(tree_parse(&arena, "grid.yaml", "{columns: [margin(quiz.Tense)]}"), &grid, &arena);
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        const char *text = arena_print(&arena,
                                       "{columns: [%s], groups: {Losses: [dev_loss], Both: "
                                       "[quiz.Tense, quiz.Length]}}",
                                       columns[i][0]);
        EXPECT_DIE(columns[i][1],
                   layout_read(tree_parse(&arena, "grid.yaml", text), &grid, &arena));
    }
}
