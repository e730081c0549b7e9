/* Tests the significance tests of stages with items: scores, and stages of the kind `quiz`, which
 * this file defines. Checks marks and p in a table, Holm's correction over the columns bleu and
 * quiz.right, claims, explanations, and refusals. */
#include "results/report/claims.h"

#include "core/base/pcg64.h"
#include "core/config/tree_read.h"
#include "results/compare/explain.h"
#include "results/store/offer.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

extern const struct offer offer_score, offer_train;
static const struct offer offer_quiz = {.kind = "quiz",
                                        VALUES({.name = "right",
                                                .header = "Right",
                                                .decimals = 1,
                                                .best = COLUMN_MOST,
                                                .traits = BY_CLASS,
                                                .observations = observations_items},
                                               {.name = "wrong",
                                                .header = "Wrong",
                                                .decimals = 1,
                                                .best = COLUMN_LEAST,
                                                .observations = observations_items},
                                               {.name = "time", .header = "Time", .decimals = 1})};

const struct offer *const *offers(void)
{
    static const struct offer *const all[] = {&offer_train, &offer_score, &offer_quiz, NULL};
    return all;
}

enum { ITEMS = 80 };

static struct run quiz_new(const char *runs, const char *name)
{
    return run_new(runs, "quiz", name, "{}", NULL, name);
}

static struct world *scored_world(const char *name)
{
    struct world *world = world_new(name);
    world->reference = scored_lines(ITEMS);
    return world;
}

/* Adds a row r. In its hypothesis, lines r % 3, r % 3 + `every`, r % 3 + 2 * `every`, .. are wrong.
 * Quiz items 0, `miss`, 2 * `miss`, .. are wrong. Items of the first half have the class "even",
 * items of the second half the class "odd"; these names do not refer to the index. The strata
 * "other" and "one" alternate. */
static void add_row(struct world *world, const char *name, int every, int miss, int items,
                    const char *device)
{
    const int r = world_add_row(world, name, 1);
    const char *hypothesis = scored_worse(world->reference, r % 3, every);
    struct run score =
        scored_new(world->runs, name, "1234567890ab", world->reference, 1, &hypothesis);
    struct run quiz = quiz_new(world->runs, arena_print(&arena, "quiz %s", name));
    struct item *item = ARENA_ARRAY(&arena, struct item, items);
    double sum[2] = {0};
    for (int i = 0; i < items; i++) {
        item[i] = (struct item){i % miss ? 100 : 0, i < items / 2 ? "even" : "odd",
                                i % 2 ? "one" : "other", 0};
        sum[i >= items / 2] += item[i].number;
    }
    items_write(quiz.folder, "items.tsv", item, items);
    const double right = (sum[0] + sum[1]) / items;
    run_append(&quiz, "metrics.jsonl",
               arena_print(&arena,
                           "{\"name\":\"right\",\"value\":%.17g,\"class\":\"even\"}\n"
                           "{\"name\":\"right\",\"value\":%.17g,\"class\":\"odd\"}\n",
                           2 * sum[0] / items, 2 * sum[1] / items));
    run_write(&quiz, "environment.json", arena_print(&arena, "{\"device\": \"%s\"}", device));
    scored_items(&quiz,
                 arena_print(&arena,
                             "{\"right\": %.17g, \"wrong\": %.17g, \"time\": 1.5, \"items\": %d, "
                             "\"signature\": \"quiz|v1\"}",
                             right, right, items),
                 1);
    world_add_stage(world, r, 0, "score", score);
    world_add_stage(world, r, 0, "quiz", quiz);
}

static struct world *three_rows(const char *name)
{
    struct world *world = scored_world(name);
    add_row(world, "Base", 4, 3, ITEMS, "cpu");
    add_row(world, "Better", 20, 20, ITEMS, "cpu");
    add_row(world, "Worse", 1, 2, ITEMS, "cpu");
    return world;
}

TEST(columns_of_the_family_bear_marks)
{
    struct world *world = three_rows("family_marks");
    const char *text = world_table(
        world, "{columns: [bleu, quiz.right, p(quiz.right)], significance: {family: [bleu, "
               "quiz.right], correction: holm}}");
    /* Right items of 80: Base 53, Better 76, Worse 40. p of Better is 1 / 10001, because no sample
     * reverses the difference. Holm's correction multiplies it by 4. Worse differs from Base by
     * -16.2, with a standard error of 5. */
    expect_part(text, "  66.2\n");
    expect_part(text, "  95.0△△          <0.001\n");
    expect_part(text, "  50.0▽▽           0.00");
    EXPECT_PARTS(
        text, "BLEU   Right  p, Holm, Right\n", "\nBLEU: nrefs:1|", "\nRight: quiz|v1\n",
        "△, △△: better than Base (▽, ▽▽: worse), p < 0.05, 0.01, with one seed: paired "
        "bootstrap (Koehn 2004, one-sided), 10,000 samples, random seed 12345; Holm over 4 "
        "comparisons.\n",
        "With one seed (n = 1) sentences and items are sampled, not trainings");
    expect_no_part(text, "Not compared");
    expect_no_part(text, "Not tested");

    /* The family has only Right. So only Right has marks, and the notes list BLEU as not tested. */
    text =
        world_table(world, "{columns: [bleu, quiz.right], significance: {family: [quiz.right]}}");
    expect_part(text, "95.0△△");
    expect_no_part(text, "BLEU, ");
    EXPECT_PARTS(text, "Not tested: BLEU.", "better than Base");
    const char *first = strstr(text, "Better");
    assert_true(strstr(first, "△△") > strstr(first, "95.0"));

    /* p(COLUMN) tests its column even if the grid lists no family. If less is better, a larger
     * value is marked as worse (▽▽). */
    text = world_table(world, "{columns: [quiz.wrong, p(quiz.wrong)]}");
    expect_part(text, "95.0▽▽");
    expect_no_part(text, "BLEU");
    text =
        world_table(world, "{columns: [bleu, delta(quiz.right), p(quiz.right)], significance: {}}");
    expect_part(text, "+28.8△△");
}

/* Reads the p of a column in every row except the first. */
static void read_p(struct world *world, const char *yaml, const char *name, double *p)
{
    struct store *store = world_open(world, yaml);
    const struct sheet *sheet = summary_table(store, &world->grid, &arena);
    int at = 0;
    while (strcmp(sheet->column[at].header, name) != 0) at++;
    for (int i = 1; i < world->grid.rows; i++) {
        const char *text = sheet_at(sheet, i, at)->text;
        p[i - 1] = text[0] == '<' ? 0 : strtod(text, NULL);
    }
    store_close(store);
}

/* Holm (1979): sort the m values of p. Multiply the i-th value (i from 0) by m - i, to at most 1.
 * Then raise each value to at least the value before it. */
TEST(holm_is_over_the_family)
{
    struct world *world = scored_world("family_holm");
    enum { COUNT = 4 };
    double plain[COUNT], holm[COUNT], wanted[COUNT];
    add_row(world, "Base", 6, 6, ITEMS, "cpu");
    add_row(world, "Some", 9, 9, ITEMS, "cpu");
    add_row(world, "More", 10, 13, ITEMS, "cpu");
    const char *yaml = "{columns: [{column: p(bleu), header: a}, {column: p(quiz.right), header: "
                       "b}], significance: {samples: 1000, correction: %s}}";
    for (int b = 0; b < 2; b++) {
        const char *name = b ? "b" : "a";
        read_p(world, arena_print(&arena, yaml, "none"), name, plain + 2 * b);
        read_p(world, arena_print(&arena, yaml, "holm"), name, holm + 2 * b);
    }
    for (int i = 0; i < COUNT; i++) {
        int smaller = 0;
        for (int k = 0; k < COUNT; k++) smaller += plain[k] < plain[i];
        wanted[i] = fmin(1, (COUNT - smaller) * plain[i]);
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            if (plain[k] < plain[i]) wanted[i] = fmax(wanted[i], wanted[k]);
    for (int i = 0; i < COUNT; i++) {
        assert_true(plain[i] > 0.001);
        assert_float_equal(holm[i], wanted[i], 1e-9);
    }
}

TEST(classes_are_tested_each)
{
    struct world *world = three_rows("family_classes");
    const char *text = world_table(
        world, "{columns: [quiz.right, {column: quiz.right, class: all}], significance: "
               "{family: [{column: quiz.right, class: all}], correction: holm}}");
    EXPECT_PARTS(text, "Right  Right: even  Right: odd",
                 "\nRight, Right: even, Right: odd: quiz|v1\n", "Holm over 4 comparisons",
                 "95.0       95.0△△");
    text =
        world_table(world, "{columns: [{column: quiz.right, class: odd}, {column: p(quiz.right), "
                           "class: odd, header: P}], significance: {}}");
    EXPECT_PARTS(text, "Right: odd       P\n", "△△");
    expect_no_part(text, "even");
    EXPECT_DIE("class: there is no class \"ode\"; nearest is \"odd\"",
               world_table(world, "{columns: [bleu, {column: p(quiz.right), class: ode}]}"));
    EXPECT_DIE("class: there is no class \"eve\"; nearest is \"even\"",
               world_table(world, "{columns: [{column: quiz.right, class: all}], significance: "
                                  "{family: [{column: quiz.right, class: eve}]}}"));
}

/* In the class "odd", both items are wrong in row Base, and both are right in row Few. So every
 * resample has the same difference. */
TEST(what_does_not_vary_detects_nothing)
{
    struct world *world = scored_world("family_constant");
    add_row(world, "Base", 4, 1, 4, "cpu");
    add_row(world, "Few", 20, 5, 4, "cpu");
    const char *yaml = "{columns: [{column: p(quiz.right), class: odd}]}";
    expect_part(world_table(world, yaml), "0.250");
    expect_part(world_explain(world, yaml, "Few", "p(quiz.right): odd"),
                "cases: unknown, because no value varies\n");
}

TEST(other_items_are_not_paired)
{
    struct world *world = scored_world("family_other");
    add_row(world, "Base", 4, 3, ITEMS, "cpu");
    add_row(world, "Short", 20, 20, ITEMS - 20, "cpu");
    add_row(world, "Elsewhere", 20, 20, ITEMS, "cuda");
    add_row(world, "Spoiled", 20, 20, ITEMS, "cpu");
    file_write(arena_print(&arena, "%s/stages/quiz-%.12s/items.tsv", world->runs,
                           world->stage[3][0][1].id),
               "x\n", 2);
    const char *text = world_table(world, "{columns: [bleu, quiz.right, p(quiz.right)], "
                                          "significance: {family: [bleu, quiz.right]}}");
    expect_part(text, "Not compared: Short (Right: 60 items, not 80); Elsewhere "
                      "(Right: other device: cuda, not cpu); Spoiled (Right: ");
    expect_part(text, "items.tsv has changed since it was written");
    expect_part(text, "n/c");
    expect_part(text, "Rows differ in device: cpu (Base, Short, Spoiled); cuda (Elsewhere).");
    text = world_table(world, "{columns: [quiz.right], significance: {family: [quiz.right]}}");
    expect_part(text, "compared: Short (Right: 60 items, not 80); Else");
    text = world_table(world, "{columns: [{column: quiz.right, class: odd}], baseline: Short, "
                              "significance: {family: [{column: quiz.right, class: odd}]}}");
    expect_part(text, "Base (Right: odd: 40 items, not 30)");
}

static struct claim_result judge(struct world *world, struct store *store, const char *rest)
{
    return table_judge(
        store, &world->grid,
        arena_print(&arena, "compare: [Better, Base], metric: quiz.right, %s", rest));
}

/* Every third of 60 items is wrong in row Base, and every fourth in row Better. Differences are
 * multiples of 100 / 60, which a double cannot represent exactly. The limit is the key `smallest`
 * of a claim. Many resampled differences are equal to the limit. They must not count as above the
 * limit, despite rounding. The expected p is computed from integer counts of items, without
 * rounding. */
TEST(a_limit_is_reached)
{
    enum { FEW = 60, LIMITS = 6 };
    struct world *world = scored_world("family_limit");
    add_row(world, "Base", 3, 3, FEW, "cpu");
    add_row(world, "Better", 5, 4, FEW, "cpu");
    struct store *store = world_open(world, "{columns: [quiz.right]}");
    struct pcg64 random = pcg64_seed(significance_usual.seed);
    int reached[LIMITS + 1] = {0};
    for (int k = 0; k < significance_usual.samples; k++) {
        int more = 0;
        for (int i = 0; i < FEW; i++) {
            /* two strata: first the items with odd index, then the others */
            const int drawn = (int)pcg64_below(&random, FEW / 2);
            const int item = 2 * drawn + (i < FEW / 2);
            more += (item % 4 != 0) - (item % 3 != 0);
        }
        for (int limit = 1; limit <= LIMITS; limit++) reached[limit] += more <= limit;
    }
    for (int limit = 1; limit <= LIMITS; limit++) {
        const char *rest =
            arena_print(&arena, "expect: greater, smallest: %.17g", 100. * limit / FEW);
        assert_float_equal(judge(world, store, rest).p,
                           (reached[limit] + 1.) / (significance_usual.samples + 1.), 1e-12);
    }
    store_close(store);
}

TEST(claims_are_resampled)
{
    struct world *world = three_rows("family_claims");
    struct store *store = world_open(world, "{columns: [quiz.right]}");
    static const struct {
        const char *rest;
        bool below, contrary; /* p < 0.05; p of the opposite direction < 0.05 */
    } cases[] = {
        /* Better is 28.75 above Base, with a standard error of 5.6. */
        {"expect: greater", true, false},
        {"expect: greater, smallest: 10", true, false},
        {"expect: greater, smallest: 28", false, false},
        {"expect: greater, smallest: 60", false, true},
        {"expect: equal, smallest: 60", true, false},
        {"expect: equal, smallest: 5", false, true},
        {"expect: less", false, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct claim_result result = judge(world, store, cases[i].rest);
        assert_int_equal(result.verdict, CLAIM_ONE_SEED);
        if ((result.p < 0.05) != cases[i].below || (result.against < 0.05) != cases[i].contrary)
            fail_msg("%s: %g, %g", cases[i].rest, result.p, result.against);
        assert_int_equal(result.test, CLAIM_BOOTSTRAP);
        assert_string_equal(result.pair.items, "items");
        assert_float_equal(result.difference, 28.75, 1e-9);
        assert_string_equal(result.note,
                            "one seed: p covers the items, but not the variance between trainings");
    }

    const struct claims claims = table_claims(
        &world->grid,
        "claims:\n- {text: one, compare: [Better, Base], metric: quiz.right, expect: greater}\n"
        "- {text: two, compare: [Better, Base], expect: greater}\n"
        "- {text: three, compare: [Worse, Base], metric: quiz.right, expect: less}\n"
        "- {text: four, compare: [Worse, Base], metric: {column: quiz.right, class: odd}, expect: "
        "less}\n");
    const char *text = sheet_string(claims_sheet(store, &world->grid, &claims, &arena));
    expect_part(text,
                "\nResampled: both sides over the same items (paired bootstrap, 10,000 samples, "
                "random seed 12345).\n");
    expect_no_part(text, "Holm: corrected"); /* claims with one seed are not corrected */
    expect_part(text, "Right, Right: odd: quiz|v1");
    store_close(store);
}

static const char *explanation(struct world *world, const char *column)
{
    struct store *store = world_open(world, "{columns: [bleu, quiz.right, {column: quiz.right, "
                                            "class: odd}, quiz.time]}");
    const char *text =
        PRINTED(explain_cell(store, &world->grid, "Better", column, "sanlab run", out));
    store_close(store);
    return text;
}

TEST(explanations_have_the_test)
{
    struct world *world = three_rows("family_explain");
    expect_part(explanation(world, "bleu"), "over sentences alone");
    EXPECT_PARTS(explanation(world, "quiz.right"), "  quiz   done  ",
                 "Against Base, n = 1:\n  difference of mean Right +28.75, 95% from ",
                 "4 of 5 cases: ", " Right\n");
    expect_part(explanation(world, "Right: odd"), "difference of mean Right: odd ");
    expect_part(explanation(world, "quiz.time"), "Against Base: not compared (one seed)\n");
}

TEST(refused)
{
    static const struct said cases[] = {
        {"{columns: [bleu, parameters], significance: {family: [parameters]}}",
         "grid.yaml:1:55: family: parameters is a size; expected a column of values such as bleu"},
        {"{columns: [bleu], significance: {family: [delta(bleu)]}}",
         "family: delta(bleu) is a difference"},
        {"{columns: [bleu, 'mean($window)'], significance: {family: ['mean($window)']}}",
         "family: mean($window) is a mean over rows"},
        {"{columns: [bleu], significance: {family: [bleu, quiz.right]}}",
         "grid.yaml:1:49: family: the table does not show \"quiz.right\""},
        {"{columns: [quiz.right], significance: {family: [{column: quiz.right, class: odd}]}}",
         "family: the table does not show \"quiz.right: odd\""},
        {"{columns: [bleu], significance: {family: [bleu, bleu]}}",
         "family: \"bleu\" is listed twice"},
        {"{columns: [bleu], significance: {family: bleu}}", "family: expected a list of columns"},
        {"{columns: [bleu], significance: {family: []}}", "family: expected a list of columns"},
        {"{columns: [bleu, p(quiz.right)], significance: {family: [bleu]}}",
         "p(quiz.right): the column inside p(..) is not listed in family"},
        {"{columns: [centered(quiz.time)]}",
         "\"centered(quiz.time)\": quiz.time has no items to resample"},
        {"{columns: [p(parameters)]}", "\"p(parameters)\": parameters is a size"},
        {"{columns: [p(blue)]}", "did you mean \"p(bleu)\"?"},
        {"{columns: [{column: p(bleu), class: odd}]}", "has no values by class"},
        {"{columns: [bleu], significance: {famly: [bleu]}}", "nearest is \"family\""},
    };
    struct world *world = three_rows("family_refused");
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, layout_read(tree_parse(&arena, "grid.yaml", cases[i].text),
                                              &world->grid, &arena));
}
