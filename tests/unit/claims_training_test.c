/* Tests results/report/claims_training: claims that more training could reverse, on given training
 * curves. Also tests the remarks of a table about such rows. */
#include "results/report/claims.h"

#include "core/base/journal.h"
#include "core/config/tree_read.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

enum { SEEDS = 3, STEPS = 900, MOST = 9 };

/* A row and its dev metric: `first` at the first validation, `last` at step 900, and `middle` at
 * the validations between them. The three seeds differ by 0.002. */
struct row {
    const char *name, *kind;
    int validations, warmup;
    double first, middle, last;
    const char *options; /* further options of the section train */
};

static const struct row rows[] = {
    {"Base", "train", MOST, 300, 4, 2.02, 2.00, ""},
    {"Near", "train", MOST, 300, 4, 1.98, 1.97, ""},    /* difference -0.04, then -0.03 */
    {"Turning", "train", MOST, 300, 4, 1.92, 1.95, ""}, /* difference -0.1, then -0.05 */
    {"Learning", "train", MOST, 300, 4, 1.96, 1.85,
     ""}, /* improves by 0.11, more than half of 0.15 */
    {"Far", "train", MOST, 300, 4, 1.04, 1.00, ""},
    {"Late", "train", MOST, 300, 4, 3, 1.5, ""},
    {"Warming", "train", MOST, 901, 4, 1.04, 1.00, ""},
    {"Warm", "train", MOST, 900, 4, 1.04, 1.00, ""},
    {"Short", "train", 4, 300, 4, 1.04, 1.00, ""},
    {"Equal", "train", MOST, 300, 4, 2.021, 2.001, ""},
    {"Cosine", "train", MOST, 300, 4, 1.04, 1.00, "schedule: cosine, steps: 900"},
    {"Longer cosine", "train", MOST, 300, 4, 1.04, 1.00, "schedule: cosine, steps: 1349"},
    {"Line", "train", MOST, 300, 4, 1.04, 1.00, "schedule: linear, steps: 900"},
    {"Longer line", "train", MOST, 300, 4, 1.04, 1.00, "schedule: linear, steps: 1350"},
    {"Line of 299", "train", MOST, 299, 4, 1.04, 1.00, "schedule: linear, steps: 900"},
    {"Symbols", "relate", MOST, 300, 50, 80, 81, ""},
    {"More symbols", "relate", MOST, 300, 50, 85, 91, ""}, /* improves by 6, more than half of 10 */
};
enum { ROWS = COUNT_OF(rows) };

static struct world *world;

static void put_curve(const struct run *run, const struct row *row, double shift)
{
    struct journal *journal = journal_open(run->folder);
    const char *metric = strcmp(row->kind, "relate") ? "dev_loss" : "dev_accuracy";
    for (int i = 1; i <= row->validations; i++) {
        const int step = STEPS - (row->validations - i) * 100;
        const double value = i == 1 ? row->first : step < STEPS ? row->middle : row->last;
        journal_value(journal, step, metric, value + shift);
    }
    journal_close(journal);
}

BEFORE(all)
{
    world = world_new("claims_training");
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, rows[r].name, SEEDS);
        world->row[r].options = tree_parse(
            &arena, "options.yaml",
            arena_print(&arena, "{train: {warmup: %d, %s}}\n", rows[r].warmup, rows[r].options));
        for (int s = 0; s < SEEDS; s++) {
            const char *name = arena_print(&arena, "row %d seed %d", r, s + 1);
            const double shift = 0.002 * (s - 1);
            const struct run train = run_new(world->runs, rows[r].kind, name, "{}", NULL, name);
            put_curve(&train, &rows[r], shift);
            run_done(&train, "done",
                     arena_print(&arena, "{\"steps\": %d, \"parameters\": %d, \"dev_loss\": %.4f}",
                                 STEPS, r, fmin(rows[r].last, 5) + shift)); /* above 5: diverged */
            world_add_stage(world, r, s, rows[r].kind, train);
            const char *reader = arena_print(&arena, "gates of %s", name);
            const struct run gates = run_new(world->runs, "gates", reader, "{}", train.id, reader);
            run_done(&gates, "done", arena_print(&arena, "{\"gate\": %.4f}", r + shift));
            world_add_stage(world, r, s, "gates", gates);
            const char *speeds = arena_print(&arena, "speed of %s", name);
            const struct run speed = run_new(world->runs, "speed", speeds, "{}", NULL, speeds);
            run_done(&speed, "done",
                     arena_print(&arena, "{\"steps_per_second\": %.4f}", r + shift));
            world_add_stage(world, r, s, "speed", speed);
        }
    }
    layout_read(NULL, &world->grid, &arena);
    runs_store = world_collect(world);
}

AFTER(all)
{
    store_close(runs_store);
}

TEST(verdicts)
{
    static const struct {
        const char *claim;
        enum claim_verdict verdict;
        const char *note; /* part of the note; NULL: no note */
    } cases[] = {
        {"compare: [Near, Base], expect: less", CLAIM_UNDERTRAINED, "dev_loss of Base improves"},
        {"compare: [Turning, Base], expect: less", CLAIM_UNDERTRAINED,
         "the difference in dev_loss goes from -0.1 to -0.05"},
        {"compare: [Base, Turning], expect: less", CLAIM_UNDERTRAINED,
         "the difference in dev_loss goes from 0.1 to 0.05"},
        {"compare: [Learning, Base], expect: less", CLAIM_UNDERTRAINED,
         "dev_loss of Learning improves by 0.11, more than half of the difference, 0.15"},
        /* Turning - 2 Base + Equal: -0.099, then -0.049 */
        {"compare: [[Turning, Base], [Base, Equal]], expect: less", CLAIM_UNDERTRAINED,
         "the difference in dev_loss goes from -0.099 to -0.049"},
        /* Near is the weakest comparison */
        {"in_all: [[Turning, Base], [Near, Base]], expect: less", CLAIM_UNDERTRAINED,
         "undertrained: Near against Base: in the last third of training dev_loss of Base improves "
         "by 0.02, more than half of the difference, 0.03"},
        {"compare: [Far, Base], expect: less", CLAIM_SUPPORTED, NULL},
        {"compare: [Far, Base], expect: greater", CLAIM_CONTRADICTED, NULL},
        {"compare: [Warming, Base], expect: less", CLAIM_UNDERTRAINED,
         "undertrained: the warm-up of Warming is 901 steps, its training 900"},
        {"compare: [Warm, Base], expect: less", CLAIM_SUPPORTED, NULL},
        {"compare: [Far, Base], expect: less, smallest: 1", CLAIM_INCONCLUSIVE, NULL},
        /* values of encoders depend on the training; sizes and speeds do not */
        {"compare: [Near, Base], metric: gates.gate, expect: greater", CLAIM_UNDERTRAINED, "Base"},
        {"compare: [Far, Base], metric: gates.gate, expect: greater", CLAIM_SUPPORTED, NULL},
        {"compare: [Warming, Base], metric: speed.steps_per_second, expect: greater",
         CLAIM_SUPPORTED, NULL},
        {"compare: [Warming, Base], metric: parameters, expect: greater", CLAIM_SUPPORTED, NULL},
        /* expect: equal (D is expected near 0), and claims about one row, which have no D
         * (claims.h) */
        {"compare: [Equal, Base], expect: equal, smallest: 0.1", CLAIM_SUPPORTED, NULL},
        {"compare: [Equal, Base], expect: equal, smallest: 0.03", CLAIM_UNDERTRAINED,
         "dev_loss of Equal improves by 0.02, more than half of the difference, 0.03"},
        {"compare: [Equal, Base], metric: gates.gate, expect: equal, smallest: 99", CLAIM_SUPPORTED,
         NULL},
        {"compare: [Late, Base], metric: gates.gate, expect: equal, smallest: 99",
         CLAIM_UNDERTRAINED,
         "dev_loss of Late improves by 1.5, more than half of its whole improvement, 2.5"},
        {"compare: [Near, Base], expect: equal, smallest: 0.001", CLAIM_UNDERTRAINED,
         "half of the difference"},
        {"row: Base, against: 9, metric: gates.gate, expect: less", CLAIM_SUPPORTED, NULL},
        {"row: Late, against: 9, metric: gates.gate, expect: less", CLAIM_UNDERTRAINED,
         "whole improvement, 2.5"},
        {"row: Warming, against: 9, metric: gates.gate, expect: less", CLAIM_UNDERTRAINED, "901"},
        /* a larger dev_accuracy is better */
        {"compare: [More symbols, Symbols], metric: gates.gate, expect: greater",
         CLAIM_UNDERTRAINED, "dev_accuracy of More symbols improves by 6"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const bool metric = strstr(cases[i].claim, "metric:");
        const struct claim_result result = table_judge(
            runs_store, &world->grid,
            arena_print(&arena, "%s%s", metric ? "" : "metric: dev_loss, ", cases[i].claim));
        if (result.verdict != cases[i].verdict || result.training_unknown)
            fail_msg("%s: %s", cases[i].claim, claim_verdicts[result.verdict]);
        if (cases[i].note ? !result.note || !strstr(result.note, cases[i].note)
                          : result.note != NULL)
            fail_msg("%s: %s", cases[i].claim, result.note ? result.note : "no note");
    }
}

/* Judges a claim about a grid with two sweeps of three rows each. Their axis x has the values 1, 2
 * and 4. */
static struct claim_result judge_along(const int on[6], const char *claim)
{
    static const char *const x[] = {"1", "2", "4"};
    struct grid grid = world->grid;
    struct grid_row row[ROWS];
    struct grid_coordinate at[6];
    memcpy(row, world->row, sizeof row);
    grid.row = row;
    for (int i = 0; i < 6; i++) {
        at[i] = (struct grid_coordinate){.key = "x", .value = x[i % 3], .plain = x[i % 3]};
        row[on[i]].line = i < 3 ? "first" : "second";
        row[on[i]].coordinate = &at[i];
        row[on[i]].coordinates = 1;
    }
    return table_judge(runs_store, &grid,
                       arena_print(&arena, "along: x, metric: dev_loss, expect: less, %s", claim));
}

TEST(along_an_axis)
{
    /* weights of the slope: (x - 7/3) / (14/3); values 2.02, 1.98, 1.92, then 2, 1.97, 1.95 */
    struct claim_result result = judge_along((const int[]){0, 1, 2, 3, 4, 5}, "row: Base");
    expect_part(result.note, "the difference in dev_loss goes from -0.032857 to -0.015714");
    assert_true(fabs(result.difference + 0.0157142857) < 1e-9);
    /* heights 1/6, 1/2, 1/3; differences 0.041, 0.1, 0, then 0.031, 0.05, 0 */
    result = judge_along((const int[]){9, 0, 7, 1, 2, 4}, "compare: [Equal, Near]");
    expect_part(result.note, "the difference in dev_loss goes from 0.056833 to 0.030167");
    assert_true(fabs(result.difference - 0.0301666667) < 1e-9);
}

static const char *sheet_of(const char *claims)
{
    const struct claims read =
        table_claims(&world->grid, arena_print(&arena, "claims: %s\n", claims));
    return sheet_string(claims_sheet(runs_store, &world->grid, &read, &arena));
}

#define CLAIM(name, rest)                                                                          \
    "{text: " name ", compare: [" rest ", Base], metric: dev_loss, expect: less}"

TEST(too_few_validations)
{
    const char *text = sheet_of("[" CLAIM("few", "Short") ", " CLAIM("many", "Far") "]");
    EXPECT_PARTS(text, "1. few   supported, training not known  ", "2. many  supported  ");
}

/* A schedule that ends low needs a row of 1.5 times the budget: 1349 of 900 steps are too few. */
TEST(schedules_that_end_low)
{
    const char *text = sheet_of("[" CLAIM("few", "Cosine") ", " CLAIM("enough", "Line") ", " CLAIM(
        "longest", "Longer line") ", " CLAIM("other", "Line of 299") "]");
    EXPECT_PARTS(text, "1. few      supported, training not known  ", "2. enough   supported  ",
                 "3. longest  supported, training not known  ",
                 "4. other    supported, training not known  ");
}

TEST(a_user_may_allow_it)
{
    const char *text =
        sheet_of("[" CLAIM("one", "Near") ", {text: two, compare: [Near, Base], "
                                          "metric: dev_loss, expect: less, undertrained: allow}]");
    EXPECT_PARTS(text, "1. one  inconclusive (undertrained)  ", "2. two  supported ",
                 "undertrained, allowed: in the last third of training dev_loss of Base");
    EXPECT_DIE("undertrained", sheet_of("[{text: t, undertrained: alow}]"));
}

TEST(tables_name_rows_in_their_warmup)
{
    const char *text = sheet_string(summary_table(runs_store, &world->grid, &arena));
    expect_part(text, "\nUndertrained (the warm-up did not end): Warming.\n");
    expect_part(text, "\nUndertrained (lowest dev loss at the last validation): Base, Near, Lea");
}
