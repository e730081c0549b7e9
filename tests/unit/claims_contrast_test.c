/* Tests claims about contrasts: two differences, slopes and steps along an axis, and several
 * comparisons. Expected numbers were computed with NumPy and SciPy, from the formulas in
 * results/stats/pooled.h. */
#include "results/report/claims.h"

#include "core/base/random.h"
#include "core/config/tree_read.h"
#include "results/sheet/sheet.h"
#include "results/store/offer.h"
#include "results/table/learned.h"
#include "tests/support/grid_table.h"
#include "tests/support/scored.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

extern const struct offer offer_score, offer_train;
static const struct offer offer_quiz = {
    .kind = "quiz",
    VALUES({.name = "right", .header = "Right", .decimals = 3, .observations = observations_items},
           {.name = "time", .column = "time", .header = "Time", .decimals = 3})};

const struct offer *const *offers(void)
{
    static const struct offer *const all[] = {&offer_train, &offer_score, &offer_quiz, NULL};
    return all;
}

enum { LINES = 2, WINDOWS = 4, SEEDS = 3, ITEMS = 30, PLAIN = LINES * WINDOWS, ROWS = PLAIN + 2 };
static const char *const lines[] = {"local", "gate"}, *const windows[] = {"1", "2", "4", "8"},
                         *const words[] = {"none", "small", "large", "huge"};
/* The last rows are Transformer, and Planned, which has not run. */
static const double time_of[ROWS - 1][SEEDS] = {
    {10.0, 10.4, 9.9},  {10.9, 10.5, 11.2}, {11.6, 11.9, 11.2},
    {12.1, 12.9, 12.4}, {11.0, 11.3, 10.8}, {12.3, 11.9, 12.4},
    {13.9, 13.2, 13.6}, {15.1, 14.6, 15.5}, {10.1, 10.6, 10.0}};
static double right[ROWS][SEEDS][ITEMS];
static struct world *world;

static struct run quiz(const char *name, int r, int s)
{
    struct run run = run_new(world->runs, "quiz", name, "{}", NULL, name);
    struct item item[ITEMS];
    double mean = 0;
    for (int i = 0; i < ITEMS; i++) {
        right[r][s][i] =
            random_normal((struct random_key){3, (uint32_t)(r * SEEDS + s)}, (uint64_t)i);
        item[i] = (struct item){.number = right[r][s][i], .class = "", .stratum = ""};
        mean += right[r][s][i] / ITEMS;
    }
    items_write(run.folder, "items.tsv", item, ITEMS);
    scored_items(&run,
                 arena_print(&arena,
                             "{\"right\": %.17g, \"time\": %.17g, \"items\": %d, \"signature\": "
                             "\"quiz|v1\"}",
                             mean, time_of[r][s], ITEMS),
                 1);
    return run;
}

BEFORE(all)
{
    world = world_new("contrast");
    for (int r = 0; r < ROWS; r++) {
        const int w = r % WINDOWS;
        const char *name =
            r == PLAIN       ? "Transformer"
            : r == PLAIN + 1 ? "Planned"
                             : arena_print(&arena, "%s, window %s", lines[r / WINDOWS], windows[w]);
        world_add_row(world, name, SEEDS);
        for (int s = 0; s < SEEDS; s++) {
            const char *run = arena_print(&arena, "%s seed %d", name, s);
            const char *train = arena_print(&arena, "train of %s", run);
            world_add_stage(world, r, s, "train",
                            run_new(world->runs, "train", train, "{}", NULL, train));
            world_add_stage(world, r, s, "quiz",
                            r < ROWS - 1 ? quiz(run, r, s)
                                         : run_new(world->runs, "quiz", run, "{}", NULL, run));
        }
        if (r >= PLAIN) continue;
        struct grid_coordinate *at = ARENA_ARRAY(&arena, struct grid_coordinate, 2);
        at[0] = (struct grid_coordinate){.key = "window", .value = windows[w], .plain = windows[w]};
        at[1] = (struct grid_coordinate){.key = "size", .value = words[w]};
        world->row[r].line = lines[r / WINDOWS];
        world->row[r].coordinates = 2;
        world->row[r].coordinate = at;
    }
    runs_store = world_open(world, "{columns: [time]}");
}

AFTER(all)
{
    store_close(runs_store);
}

static void expect_near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) fail_msg("%.12g, expected %.12g", value, expected);
}

static struct claim_result judge(const char *claim)
{
    return grid_judge(&world->grid, runs_store, claim);
}

static void expect_test(const char *claim, double difference, double p)
{
    const struct claim_result result = judge(claim);
    assert_int_equal(result.test, CLAIM_STUDENT);
    expect_near(result.difference, difference, 1e-9);
    expect_near(result.p, p, 1e-7);
}

/* sum w^2 s^2 / n over four rows, pooled over the nine rows of the grid. In the second claim, one
 * row has the weight -2. In the third one, the equal row of both differences is left out. */
TEST(two_differences)
{
    expect_test("compare: [['gate, window 2', 'gate, window 1'], ['local, window 2', 'local, "
                "window 1']], metric: time, expect: greater",
                0.4, 0.1612174138);
    expect_test("compare: [['gate, window 4', 'gate, window 2'], ['gate, window 2', 'gate, window "
                "1']], metric: time, expect: greater",
                0.2, 0.3413938305);
    const struct claim_result two =
        judge("compare: ['gate, window 1', 'local, window 1'], metric: time, expect: less");
    expect_test("compare: [['gate, window 1', Transformer], ['local, window 1', Transformer]], "
                "metric: time, expect: less",
                two.difference, two.p);
    const struct claim_result wide =
        judge("compare: [['gate, window 8', 'gate, window 1'], ['local, window 8', 'local, window "
              "1']], metric: time, expect: greater");
    assert_int_equal(wide.verdict, CLAIM_SUPPORTED);
    expect_near(wide.p, 0.000246646514, 1e-9);
    assert_int_equal(wide.pair.pooled, 9);
    assert_false(wide.pair.paired);
}

/* The weighted sum of the items' means has the same resamples for all rows. */
TEST(items_of_two_differences)
{
    const struct claim_result result =
        judge("compare: [['gate, window 2', 'gate, window 1'], ['local, window 2', 'local, window "
              "1']], metric: quiz.right, expect: greater");
    double item[ITEMS] = {0}, d = 0, mean = 0, squares = 0;
    static const int row[] = {WINDOWS + 1, WINDOWS, 1, 0}, sign[] = {1, -1, -1, 1};
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < 4; k++)
            for (int s = 0; s < SEEDS; s++) item[i] += sign[k] * right[row[k]][s][i] / SEEDS;
    for (int i = 0; i < ITEMS; i++) mean += item[i] / ITEMS;
    for (int i = 0; i < ITEMS; i++) squares += pow(item[i] - mean, 2) / ITEMS;
    d = mean;
    expect_near(result.difference, d, 1e-9);
    /* the bootstrap's standard deviation of a mean, from 10,000 samples */
    expect_near(result.pair.result.known.spread, sqrt(squares / ITEMS),
                0.03 * sqrt(squares / ITEMS));
}

/* Rows of the same trainings, which are scored in two ways, are paired by seed. */
TEST(differences_of_the_same_trainings_are_paired)
{
    struct grid two = world->grid;
    struct grid_row row[ROWS];
    struct grid_stage stage[4][SEEDS][2];
    struct grid_seed seed[4][SEEDS];
    memcpy(row, world->row, sizeof row);
    for (int r = 0; r < 4; r++) {
        for (int s = 0; s < SEEDS; s++) {
            stage[r][s][0] = world->row[r / 2 * 2].seed[s].stage[0];
            stage[r][s][1] = world->row[r].seed[s].stage[1];
            seed[r][s] = (struct grid_seed){s + 1, 2, stage[r][s]};
        }
        row[r].seed = seed[r];
    }
    two.row = row;
    const struct claim_result result = grid_judge(&two, runs_store,
                                                  "compare: [['local, window 2', 'local, window "
                                                  "1'], ['local, window 8', 'local, window 4']], "
                                                  "metric: time, expect: less");
    assert_true(result.pair.paired);
    /* the differences by seed are 0.4, -0.9, 0.1: t = -0.3379 with 2 degrees of freedom */
    expect_near(result.difference, -0.4 / 3, 1e-9);
    expect_near(result.p, student_share(-0.4 / 3 / sqrt(0.4633333333 / 3), 2), 1e-7);
}

/* One slope for each seed, and a t-test of the three slopes. */
TEST(slopes)
{
    expect_test("row: local, along: window, metric: time, expect: greater", 0.3159420290,
                0.004953188842);
    expect_test("row: 'local, window 4', along: window, scale: log, metric: time, expect: greater",
                0.78, 0.002636246118);
    expect_test("row: local, along: window, scale: rank, metric: time, expect: greater", 0.78,
                0.002636246118);
    expect_test("row: local, along: size, scale: rank, metric: time, expect: greater", 0.78,
                0.002636246118);
    assert_int_equal(table_claims(&world->grid, "claims: [{text: t, row: gate, along: window, "
                                                "metric: time, expect: greater}]\n")
                         .count,
                     1);
}

/* Every step to the next value must be positive; p is the largest one. */
TEST(steps)
{
    const struct claim_result rising =
        judge("row: local, along: window, metric: time, expect: rising");
    assert_int_equal(rising.verdict, CLAIM_SUPPORTED);
    expect_near(rising.p, 0.01074426244, 1e-7);
    expect_near(rising.difference, 0.7, 1e-9);
    expect_near(rising.against, 1, 1e-12);
    const struct claim_result falling =
        judge("row: local, along: window, metric: time, expect: falling");
    assert_int_equal(falling.verdict, CLAIM_CONTRADICTED);
    expect_near(falling.p, 0.9977148042, 1e-7);
    expect_near(falling.against, 3 * 0.00228519576, 1e-7); /* the smallest p of three */
    const struct claim_result most =
        judge("row: local, along: window, metric: time, expect: rising, smallest: 0.6");
    assert_int_equal(most.verdict, CLAIM_INCONCLUSIVE);
}

/* A claim about all comparisons has the largest p, and is one member of the family. */
TEST(in_all)
{
    const char *all = "in_all: [['gate, window 1', 'local, window 1'], ['gate, window 2', 'local, "
                      "window 2']], metric: time, expect: greater",
               *swept = "in_all: [[gate, local]], metric: time, expect: greater";
    const struct claim_result result = judge(all);
    double p = 0;
    for (int w = 0; w < 2; w++)
        p = fmax(p, judge(arena_print(&arena,
                                      "compare: ['gate, window %s', 'local, window %s'], metric: "
                                      "time, expect: greater",
                                      windows[w], windows[w]))
                        .p);
    expect_near(result.p, p, 1e-12);
    assert_true(result.member);
    expect_near(result.holm, p, 1e-12);
    assert_int_equal(judge(swept).verdict, CLAIM_SUPPORTED);
    const struct claims claims =
        table_claims(&world->grid, arena_print(&arena, "claims: [{text: t, %s}]\n", swept));
    assert_int_equal(claims.count, 1);
    assert_int_equal(claims.claim->contrasts, WINDOWS);
    const char *text = sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
    expect_part(text, "1. Time of gate, window 1 against local, window 1 (the weakest of 4 "
                      "comparisons), expected greater");
}

/* `equal` is two one-sided tests. The larger p is that of d < 2. */
TEST(equal_within)
{
    const struct claim_result result = judge("compare: ['gate, window 1', 'local, window 1'], "
                                             "metric: time, expect: equal, smallest: 2");
    expect_near(result.difference, 0.93333333333, 1e-9);
    expect_near(result.p, 0.000603890494, 1e-8);
    expect_near(result.against, 1 - 0.000603890494, 1e-8);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    expect_near(result.detectable, 0.8519180928, 1e-6); /* both tests in 9 of 10 cases */
}

/* (t[0.95] + t[0.8]) error with 18 degrees of freedom. With n seeds, the error is multiplied by
 * sqrt(3 / n), and there are 18 (n - 1) / 2 degrees of freedom. */
TEST(detectable)
{
    const struct claim_result result = judge("compare: ['gate, window 1', 'local, window 1'], "
                                             "metric: time, expect: greater, smallest: 0.4");
    expect_near(result.detectable, 0.7217189818, 1e-6);
    expect_near(result.floor, 0, 0);
    assert_int_equal(result.plan.seeds, 10);
    expect_near(result.plan.items, 0, 0);
    const struct claims claims = table_claims(
        &world->grid, "claims: [{text: t, compare: ['gate, window 1', 'local, window 1'], metric: "
                      "time, expect: greater, smallest: 0.4}, {text: t, compare: ['gate, window "
                      "1', 'local, window 1'], metric: quiz.right, expect: greater, smallest: "
                      "0.1}]\n");
    const char *text = sheet_string(claims_sheet(runs_store, &world->grid, &claims, &arena));
    expect_part(text, "Detectable in 4 of 5 cases: 0.722. 0.4 Time needs 10 seeds.");
    expect_part(text, "0.1 Right: not decidable with these 30 items; about ");
}

/* The detectable difference with n seeds, and `times` as many items. */
static double detectable_with(const struct difference_known *known, int n, double times)
{
    const struct student_part seeds = {known->of_seeds.variance * SEEDS / n,
                                       known->of_seeds.freedom * (n - 1) / (SEEDS - 1)},
                              items = {known->spread * known->spread / times, ITEMS * times - 1};
    return fiducial_quantile(0.95, seeds, items) + fiducial_quantile(0.8, seeds, items);
}

/* If the floor is above `smallest`, twice the items are planned that would just suffice with an
 * infinite number of seeds. */
TEST(the_floor_of_the_items)
{
    const struct claim_result result = judge("compare: ['gate, window 1', 'local, window 1'], "
                                             "metric: quiz.right, expect: greater, smallest: 0.1");
    const struct difference_known *known = &result.pair.result.known;
    const double floor = known->spread *
                         (student_quantile(0.95, ITEMS - 1) + student_quantile(0.8, ITEMS - 1)),
                 times = 2 * pow(floor / 0.1, 2);
    expect_near(result.floor, floor, 1e-9);
    expect_near(result.detectable, detectable_with(known, SEEDS, 1), 1e-9);
    expect_near(result.plan.items, ITEMS * times, 1e-6);
    assert_true(detectable_with(known, result.plan.seeds, times) <= 0.1);
    assert_true(detectable_with(known, result.plan.seeds - 1, times) > 0.1);
}

TEST(not_run)
{
    static const char *const claims[] = {
        "compare: [['gate, window 1', Planned], ['local, window 1', Transformer]]",
        "in_all: [['gate, window 1', Transformer], ['gate, window 1', Planned]]"};
    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        const struct claim_result result =
            judge(arena_print(&arena, "%s, metric: time, expect: greater", claims[i]));
        assert_int_equal(result.verdict, CLAIM_NOT_RUN);
        expect_part(result.note, "Planned: ");
    }
    /* A main effect needs all pairs. */
    struct grid open = world->grid;
    struct grid_row row[ROWS];
    memcpy(row, world->row, sizeof row);
    row[PLAIN - 1].seed = world->row[PLAIN + 1].seed; /* gate, window 8 has not run */
    open.row = row;
    const struct claim_result effect =
        grid_judge(&open, runs_store, "compare: {window: [8, 1]}, metric: time, expect: greater");
    assert_int_equal(effect.verdict, CLAIM_NOT_RUN);
    expect_part(effect.note, "1 of 2 pairs have no values (gate, window 8: ");
    /* With a limit of 10, seed 3 of (local, window 1) did not learn. Two rows are compared with all
     * seeds. */
    struct grid some = world->grid;
    some.learned = learned_read(
        tree_parse(&arena, "grid.yaml", "{metric: quiz.time, at_least: 10}\n"), &some, &arena);
    const struct claim_result slope =
        grid_judge(&some, runs_store, "row: local, along: window, metric: time, expect: greater");
    assert_int_equal(slope.verdict, CLAIM_NOT_RUN);
    expect_part(slope.note, "local, window 1: seed 3 did not learn");
    assert_int_equal(grid_judge(&some, runs_store,
                                "compare: ['gate, window 8', 'local, window 1'], metric: time, "
                                "expect: greater")
                         .verdict,
                     CLAIM_SUPPORTED);
}

TEST(refused)
{
    static const struct said cases[] = {
        {"row: local, along: windw, expect: less",
         "grid.yaml:1:39: along: no row has the axis \"windw\"; nearest is \"window\""},
        {"row: local, along: size, expect: less", "along: size: a slope over words: \"none\" is no "
                                                  "number; expected numbers, or scale: rank"},
        {"row: Transformer, along: window, expect: less",
         "along: window: the row \"Transformer\" has 0 values of this axis"},
        {"row: local, along: window, scale: square, expect: less", "scale: "},
        {"compare: [gate, local], scale: log, expect: less", "scale: expected along: AXIS"},
        {"compare: [gate, local], expect: rising",
         "expect: expected greater, less or equal; rising and falling need row: NAME and along: "
         "AXIS"},
        {"row: local, along: window, compare: [gate, local], expect: less",
         "a claim: expected one of compare, compare with along, in_all, and row with"},
        {"compare: [[gate, local], [gate]], expect: less",
         "compare: expected two rows, as in [+ Gate, Transformer]"},
        {"compare: [[gate, local], [gate, lokal]], expect: less", "there is no row \"lokal\""},
        {"compare: [gate, window 1, size smal, local], expect: less",
         "compare: there is no row \"gate, window 1, size smal\"; nearest is \"gate, window 1\""},
        {"compare: [[gate, Transformer], [gate, Transformer]], expect: less",
         "both differences have the same rows"},
        {"compare: [[gate, gate], [local, Transformer]], expect: less", "two different rows"},
        {"in_all: [gate, local], expect: less", "in_all: expected a list of comparisons"},
        {"in_all: [[gate, local]], compare: [gate, local], expect: less",
         "a claim: expected one of compare, compare with along, in_all, and row with"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says,
                   table_claims(&world->grid,
                                arena_print(&arena, "claims: [{text: t, %s}]\n", cases[i].text)));
    struct grid zero = world->grid;
    struct grid_row row[ROWS];
    struct grid_coordinate at[] = {{.key = "window", .value = "0", .plain = "0"},
                                   {.key = "size", .value = "none"}};
    memcpy(row, world->row, sizeof row);
    row[0].coordinate = at;
    zero.row = row;
    EXPECT_DIE("scale: log: window has the value 0; expected values above 0",
               table_claims(&zero, "claims: [{text: t, row: local, along: window, scale: log, "
                                   "expect: less}]\n"));
}
