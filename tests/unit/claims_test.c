/* Tests results/report/claims_judge: verdicts on small grids with known answers, and refused
 * claims. */
#include "results/report/claims.h"

#include "core/config/tree_read.h"
#include "results/sheet/sheet.h"
#include "results/table/summary.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { ROWS = 4, SEEDS = 3, LINES = 60 };
static const char *const names[ROWS] = {"Transformer", "+ Local", "+ Gate", "Planned"};

static struct world *world;

/* Returns the reference lines. Each word occurs once. */
static const char *reference(void)
{
    const char *text = "";
    for (int i = 0; i < LINES; i++)
        text = arena_print(&arena, "%sa%d b%d c%d d%d e%d f%d\n", text, i, i, i, i, i, i);
    return text;
}

/* In row r with seed s, every (2 + r)-th line from line s on has a wrong last word, so later rows
 * are better. Row 3 has not run. dev_loss is 2 - r/10 + s/100. The gates of rows 0 and 1 are
 * measured on one text, and the gates of row 2 on another text. */
BEFORE(all)
{
    world = world_new("claims");
    const char *text = reference();
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, names[r], SEEDS);
        for (int s = 0; s < SEEDS; s++) {
            const char *name = arena_print(&arena, "row %d seed %d", r, s + 1);
            const char *worse = scored_worse(text, s, 2 + r);
            const struct run train = run_new(world->runs, "train", name, "{}", NULL, name);
            struct run score;
            if (r < 3) {
                score = scored_new(world->runs, name, train.id, text, 1, &worse);
                run_done(&train, "done",
                         arena_print(&arena, "{\"parameters\": %d, \"dev_loss\": %.3f}",
                                     1000 + 10 * r, 2 - r / 10. + s / 100.));
            } else {
                score = run_new(world->runs, "score", name, "{}", train.id, name);
            }
            world_add_stage(world, r, s, "train", train);
            world_add_stage(world, r, s, "score", score);
            const struct run gates = run_new(
                world->runs, "gates", arena_print(&arena, "gates of %s", name), "{}", NULL, name);
            if (r < 3)
                run_done(&gates, "done",
                         arena_print(&arena, "{\"gate\": %.3f, \"signature\": \"text:%c\"}",
                                     0.5 + r / 10. + s / 100., r < 2 ? 'a' : 'b'));
            world_add_stage(world, r, s, "gates", gates);
        }
    }
    world->grid.title = "A title";
    layout_read(NULL, &world->grid, &arena);
    runs_store = world_collect(world);
}

AFTER(all)
{
    store_close(runs_store);
}

/* Returns the verdict on one claim {text: t, ...}, judged with this number of seeds. */
static struct claim_result judge(const char *rest, int seeds)
{
    struct grid_row row[ROWS];
    struct grid some = world->grid;
    memcpy(row, world->row, sizeof row);
    for (int i = 0; i < ROWS; i++) row[i].count = seeds;
    some.row = row;
    return table_judge(runs_store, &some, rest);
}

TEST(verdicts)
{
    static const struct {
        const char *claim;
        int seeds;
        enum claim_verdict verdict;
        const char *note;
    } cases[] = {
        {"compare: [+ Local, Transformer], expect: greater", 3, CLAIM_SUPPORTED, NULL},
        {"compare: [+ Local, Transformer], expect: greater", 1, CLAIM_ONE_SEED,
         "one seed: p covers the sentences"},
        {"compare: [+ Local, Transformer], expect: less", 1, CLAIM_ONE_SEED, "one seed"},
        {"compare: [+ Local, Transformer], expect: equal, smallest: 90", 1, CLAIM_ONE_SEED,
         "one seed"},
        {"compare: [+ Local, Transformer], expect: less", 3, CLAIM_CONTRADICTED, NULL},
        {"compare: [Transformer, + Local], expect: less", 3, CLAIM_SUPPORTED, NULL},
        {"compare: [+ Local, Transformer], expect: greater, smallest: 90", 3, CLAIM_CONTRADICTED,
         NULL},
        {"compare: [+ Local, Transformer], expect: equal, smallest: 90", 3, CLAIM_SUPPORTED, NULL},
        {"compare: [+ Local, Transformer], expect: equal, smallest: 0.01", 3, CLAIM_CONTRADICTED,
         NULL},
        {"compare: [+ Gate, Planned], expect: greater", 3, CLAIM_NOT_RUN, "Planned: new"},
        /* the difference is 0.1 and its standard error 0.01 sqrt(2/3), so t is 12.2 */
        {"compare: [+ Local, Transformer], metric: dev_loss, expect: less", 3, CLAIM_SUPPORTED,
         NULL},
        {"compare: [+ Local, Transformer], metric: dev_loss, expect: less, smallest: 0.1", 3,
         CLAIM_INCONCLUSIVE, NULL},
        {"compare: [+ Local, Transformer], metric: dev_loss, expect: less, smallest: 0.2", 3,
         CLAIM_CONTRADICTED, NULL},
        {"compare: [+ Local, Transformer], metric: dev_loss, expect: less", 1, CLAIM_ONE_SEED,
         "expected two or more"},
        {"compare: [+ Local, Transformer], metric: parameters, expect: greater", 1, CLAIM_SUPPORTED,
         NULL},
        {"compare: [+ Local, Transformer], metric: parameters, expect: greater, smallest: 10", 3,
         CLAIM_CONTRADICTED, NULL},
        {"compare: [+ Local, Transformer], metric: parameters, expect: equal, smallest: 11", 3,
         CLAIM_SUPPORTED, NULL},
        {"compare: [+ Local, Transformer], metric: gates.gate, expect: greater", 3, CLAIM_SUPPORTED,
         NULL},
        {"compare: [+ Gate, Transformer], metric: gates.gate, expect: greater", 3, CLAIM_UNTESTED,
         "another signature"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct claim_result result = judge(cases[i].claim, cases[i].seeds);
        if (result.verdict != cases[i].verdict)
            fail_msg("%s: %s", cases[i].claim, claim_verdicts[result.verdict]);
        if (cases[i].note ? !result.note || !strstr(result.note, cases[i].note)
                          : result.note != NULL)
            fail_msg("%s: %s", cases[i].claim, result.note ? result.note : "no note");
    }
}

/* The losses are 1.9, 1.91, 1.92 and 2, 2.01, 2.02. So the difference d is -0.1, and its standard
 * error is 0.01 sqrt(2/3). The variance is pooled with the equal variance of the third row, which
 * gives 6 degrees of freedom. The 90% interval is d -+ 1.943180281 standard errors. */
TEST(interval)
{
    const struct claim_result loss =
        judge("compare: [+ Local, Transformer], metric: dev_loss, expect: less", 3);
    const double half = 1.943180281 * 0.01 * sqrt(2 / 3.);
    assert_float_equal(loss.difference, -0.1, 1e-12);
    assert_float_equal(loss.low, -0.1 - half, 1e-9);
    assert_float_equal(loss.high, -0.1 + half, 1e-9);
    assert_int_equal(loss.pair.seeds, 3);
    assert_int_equal(loss.pair.pooled, 3);
    for (int k = 0; k < 2; k++) assert_int_equal(loss.stages[k], 3);
    assert_string_equal(loss.stage[0][0], world->run[1][0][0].id);

    const struct claim_result bleu =
        judge("compare: [+ Local, Transformer], expect: greater, alpha: 0.01", 3);
    const struct claim_result wide =
        judge("compare: [+ Local, Transformer], expect: greater, alpha: 0.2", 3);
    assert_true(bleu.low < wide.low && wide.low < wide.difference);
    assert_true(wide.high < bleu.high && wide.difference < wide.high);
    assert_string_equal(bleu.stage[0][0], world->run[1][0][1].id);
}

/* Holm's method with two claims doubles the smaller p. The larger p is raised to at least this
 * result. The claim without runs does not count. */
TEST(holm_is_over_all_that_have_run)
{
    const struct claims claims = table_claims(
        &world->grid,
        "claims:\n- {text: t, compare: [Planned, Transformer], expect: greater}\n"
        "- {text: t, compare: [+ Local, Transformer], expect: greater}\n"
        "- {text: t, compare: [+ Local, Transformer], metric: dev_loss, expect: less}\n");
    struct sampler sampler = sampler_open(runs_store, &world->grid, &arena);
    const struct claim_result *result = claims_judge(&sampler, &claims);
    assert_false(result[0].member);
    const double least = fmin(result[1].p, result[2].p);
    assert_true(least > 0 && least < 0.5);
    for (int i = 1; i < 3; i++) {
        assert_true(result[i].member);
        assert_float_equal(result[i].holm, fmax(2 * least, result[i].p), 1e-12);
    }
}

static void refuse(const char *claim, const char *says)
{
    EXPECT_DIE(says, table_claims(&world->grid, arena_print(&arena, "claims: %s\n", claim)));
}

TEST(refused)
{
    static const struct said cases[] = {
        {"{a: 1}", "claims: expected a list"},
        {"[{text: t, compare: [+ Local, Transformer]}]", "expect is missing"},
        {"[{text: t, compare: [+ Lokal, Transformer], expect: less}]",
         "grid.yaml:1:30: compare: there is no row \"+ Lokal\"; nearest is \"+ Local\""},
        {"[{text: t, compare: + Local, expect: less}]", "expected two rows"},
        {"[{undertrained: allow}]", "text is missing"},
        {"[{text: t, compare: [+ Local, + Local], expect: less}]", "expected two different rows"},
        {"[{text: t, compare: [+ Local, Transformer], expect: lesser}]", "nearest is \"less\""},
        {"[{text: t, compare: [+ Local, Transformer], expect: equal}]",
         "expected smallest, the difference"},
        {"[{text: t, compare: [+ Local, Transformer], expect: less, metric: blue}]",
         "did you mean \"bleu\""},
        {"[{text: t, compare: [+ Local, Transformer], expect: less, metric: delta(bleu)}]",
         "is not a value of a row"},
        {"[{text: t, compare: [+ Local, Transformer], expect: less, alpha: 0.7}]", "alpha"},
        {"[{text: t, compared: [+ Local, Transformer], expect: less}]", "nearest is \"compare\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) refuse(cases[i].text, cases[i].says);
    EXPECT_DIE("no column \"train.dev_los\"; did you mean \"train.dev_loss\"?",
               judge("compare: [+ Local, Transformer], metric: train.dev_los, expect: less", 3));
}

static const char *sheet_of(const char *yaml)
{
    const struct claims claims = table_claims(&world->grid, yaml);
    return sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
}

/* A claim is contradicted by the p of the opposite direction. The table shows the p of the expected
 * direction, so a note explains the verdict. */
TEST(the_sheet_says_what_contradicts)
{
    const char *text =
        sheet_of("claims:\n- {text: Local hurts, compare: [+ Local, Transformer], expect: less}\n");
    expect_part(text, "1. Local hurts  contradicted");
    expect_part(text,
                "A claim is contradicted by the p of the opposite direction, which is corrected in "
                "the same way.\n");
}

TEST(sheet)
{
    const char *text = sheet_of(
        "claims:\n- {text: Local helps, compare: [+ Local, Transformer], expect: greater}\n"
        "- {text: Planned helps, compare: [Planned, Transformer], expect: greater}\n"
        "- {text: Loss, compare: [+ Local, Transformer], metric: dev_loss, expect: less}\n");
    expect_part(text, "1. Local helps    supported");
    expect_part(text, "2. Planned helps  not run");
    expect_part(text,
                "\n1. BLEU of + Local against Transformer, expected greater, alpha "
                "0.05; resampled over sentences; variance between seeds pooled over 3 rows; 3 and "
                "3 stages.");
    expect_part(text, "Planned: new");
    expect_part(
        text, "Verdicts are by p, Holm: corrected over 2 claims, without claims that are not run");
    expect_part(text, "With two seeds or more, p and interval are by Student's t. The variance is "
                      "that between seeds ");
    expect_part(text,
                "Interval: 90%. p: one-sided, for the expected direction (near 1: the opposite "
                "direction). ");
    expect_part(text,
                "\nResampled: both sides over the same items (paired bootstrap, 10,000 samples, "
                "random seed 12345).\nBLEU: nrefs:1|");
}
