/* Tests main effects: claims and means over an axis. The grid has two axes and made-up values. The
 * test computes variances, degrees of freedom and resamples independently. */
#include "experiments/grid/axis.h"

#include "core/base/pcg64.h"
#include "core/base/random.h"
#include "core/config/tree_read.h"
#include "results/sheet/sheet.h"
#include "results/store/offer.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

extern const struct offer offer_score, offer_train;
/* Initializes a struct grid_coordinate: value `at` of the axis with key `of` and index `number`. */
#define AT(of, at, number)                                                                         \
    {                                                                                              \
        .key = of, .value = at, .axis = number, .text = of " " at                                  \
    }

static const struct offer offer_quiz = {
    .kind = "quiz",
    VALUES({.name = "right", .header = "Right", .decimals = 3, .observations = observations_items},
           {.name = "time", .column = "time", .header = "Time", .decimals = 3})};

const struct offer *const *offers(void)
{
    static const struct offer *const all[] = {&offer_train, &offer_score, &offer_quiz, NULL};
    return all;
}

enum {
    LINES = 2,
    WINDOWS = 3,
    LAYERS = 2,
    SEEDS = 2,
    ITEMS = 40,
    ROWS = LINES * WINDOWS * LAYERS + 1
};
static const char *const lines[] = {"gate", "concat"}, *const windows[] = {"1", "2", "3"},
                         *const layers[] = {"1", "all"};
static struct grid grid;
static struct grid_row row[ROWS];
static struct grid_seed seed[ROWS][SEEDS];
static struct grid_stage stage[ROWS][SEEDS];
static double number[ROWS][SEEDS][ITEMS], time_of[ROWS][SEEDS];

static int row_at(int line, int window, int layer)
{
    return 1 + (line * WINDOWS + window) * LAYERS + layer;
}

static double mean_of(const double *value)
{
    double sum = 0;
    for (int i = 0; i < ITEMS; i++) sum += value[i] / ITEMS;
    return sum;
}

/* Writes the stages of a row. `better` is added to all its values: 5 for concat, and -1 for window
 * 3. */
static void fill_row(const char *runs, int r, double better)
{
    for (int s = 0; s < SEEDS; s++) {
        const struct random_key key = {7, (uint32_t)(r * SEEDS + s)};
        const char *name = arena_print(&arena, "%s seed %d", row[r].name, s);
        struct run run = run_new(runs, "quiz", name, "{}", NULL, name);
        struct item item[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            number[r][s][i] = 50 + better + 2 * random_normal(key, (uint64_t)i);
            item[i] = (struct item){.number = number[r][s][i], .class = "all", .stratum = "one"};
        }
        time_of[r][s] = 10 + better + 0.1 * random_normal(key, ITEMS);
        items_write(run.folder, "items.tsv", item, ITEMS);
        scored_items(&run,
                     arena_print(&arena,
                                 "{\"right\": %.17g, \"time\": %.17g, \"items\": %d, "
                                 "\"signature\": \"quiz|v1\"}",
                                 mean_of(number[r][s]), time_of[r][s], ITEMS),
                     1);
        stage[r][s] = (struct grid_stage){.kind = "quiz", .id = arena_text(&arena, run.id)};
        seed[r][s] = (struct grid_seed){s + 1, 1, &stage[r][s]};
    }
    row[r].count = SEEDS;
    row[r].seed = seed[r];
}

BEFORE(all)
{
    const char *runs = test_folder("axis");
    row[0] = (struct grid_row){.name = "Transformer"};
    fill_row(runs, 0, 0);
    for (int l = 0; l < LINES; l++)
        for (int w = 0; w < WINDOWS; w++)
            for (int k = 0; k < LAYERS; k++) {
                struct grid_coordinate *coordinate = ARENA_ARRAY(&arena, struct grid_coordinate, 2);
                coordinate[0] =
                    (struct grid_coordinate){.key = "window",
                                             .value = windows[w],
                                             .text = arena_print(&arena, "window %s", windows[w])};
                coordinate[1] =
                    (struct grid_coordinate){.key = "layers",
                                             .value = layers[k],
                                             .axis = 1,
                                             .text = arena_print(&arena, "layers %s", layers[k])};
                const int r = row_at(l, w, k);
                row[r] = (struct grid_row){.name = arena_print(&arena, "%s, window %s, layers %s",
                                                               lines[l], windows[w], layers[k]),
                                           .line = lines[l],
                                           .coordinates = 2,
                                           .coordinate = coordinate};
                fill_row(runs, r, (l ? 5 : 0) - (w == 2));
            }
    grid = (struct grid){.name = "demo", .rows = ROWS, .row = row};
    runs_store = table_open(runs, "{columns: [time]}", &grid);
}

AFTER(all)
{
    store_close(runs_store);
}

TEST(points_differ_in_one_axis)
{
    int found[ROWS];
    assert_int_equal(axis_points(&grid, "window", row_at(1, 1, 0), found), WINDOWS);
    for (int w = 0; w < WINDOWS; w++) assert_int_equal(found[w], row_at(1, w, 0));
    assert_int_equal(axis_points(&grid, "layers", row_at(0, 2, 1), found), LAYERS);
    assert_int_equal(axis_points(&grid, "window", 0, found), 0); /* baseline: no points */
    int(*pair)[2];
    assert_int_equal(axis_pairs(&grid, "window", (const char *[]){"1", "3"}, &pair, &arena),
                     LINES * LAYERS);
    for (int i = 0; i < LINES * LAYERS; i++) {
        assert_int_equal(pair[i][0], row_at(i / LAYERS, 0, i % LAYERS));
        assert_int_equal(pair[i][1], row_at(i / LAYERS, 2, i % LAYERS));
    }
}

/* Row a has two places, (window 1, layers 1) and (window 1, layers all), because both compute the
 * same. It is compared at each of its places. */
TEST(a_row_may_stand_at_several_places)
{
    static const struct grid_coordinate both[] = {AT("window", "1", 0), AT("layers", "1", 1),
                                                  AT("window", "1", 0), AT("layers", "all", 1)},
                                        one[] = {AT("window", "3", 0), AT("layers", "1", 1)},
                                        all[] = {AT("window", "3", 0), AT("layers", "all", 1)};
    struct grid_row few[] = {
        {.name = "a", .line = "gate", .coordinates = 2, .more = 1, .coordinate = both},
        {.name = "b", .line = "gate", .coordinates = 2, .coordinate = one},
        {.name = "c", .line = "gate", .coordinates = 2, .coordinate = all}};
    const struct grid small = {.name = "small", .rows = 3, .row = few};
    int(*pair)[2], found[3];
    assert_int_equal(axis_pairs(&small, "window", (const char *[]){"1", "3"}, &pair, &arena), 2);
    assert_true(pair[0][0] == 0 && pair[0][1] == 1 && pair[1][0] == 0 && pair[1][1] == 2);
    assert_int_equal(axis_pairs(&small, "layers", (const char *[]){"1", "all"}, &pair, &arena), 1);
    assert_true(pair[0][0] == 1 && pair[0][1] == 2);
    assert_int_equal(axis_points(&small, "layers", 0, found), 1);
    assert_int_equal(axis_points(&small, "window", 0, found), 3);
}

static struct claims read_claims(const char *yaml)
{
    return table_claims(&grid, yaml);
}

static struct claim_result judge(const char *rest, int rows)
{
    struct grid some = grid;
    some.rows = rows;
    return grid_judge(&some, runs_store, rest);
}

/* A swept row on either side of a claim makes one claim per combination of axis values. */
TEST(swept_rows_stand_at_either_side)
{
    static const char *const compare[] = {"gate, Transformer", "Transformer, gate"};
    for (int side = 0; side < 2; side++) {
        const struct claims claims = read_claims(
            arena_print(&arena, "claims: [{text: t, compare: [%s], metric: time, expect: less}]\n",
                        compare[side]));
        assert_int_equal(claims.count, WINDOWS * LAYERS);
        for (int i = 0; i < claims.count; i++) {
            assert_int_equal(claims.claim[i].contrast->row[side][0], row_at(0, 0, 0) + i);
            assert_int_equal(claims.claim[i].contrast->row[!side][0], 0);
        }
    }
}

/* A claim about a swept row alone also becomes one claim per combination of axis values. */
TEST(claims_within_a_swept_row)
{
    const struct claims claims = read_claims(
        "claims: [{text: t, row: gate, metric: quiz.time, against: 10, expect: less}]\n");
    assert_int_equal(claims.count, WINDOWS * LAYERS);
    for (int i = 0; i < claims.count; i++)
        assert_int_equal(claims.claim[i].contrast->row[0][0], row_at(0, 0, 0) + i);
    EXPECT_DIE("row: there is no row \"gat\"",
               read_claims("claims: [{text: t, row: gat, metric: quiz.time, against: 10, expect: "
                           "less}]\n"));
}

/* Returns s^2 / n of two values, the squared standard error of their mean. */
static double part(const double *value)
{
    return (value[0] - value[1]) * (value[0] - value[1]) / 4;
}

static void expect_near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) fail_msg("%.12g, expected %.12g", value, expected);
}

/* A side has one value per seed: its mean over all pairs at this seed. The significance test is
 * Welch's t-test of these two values per side. */
TEST(pairs_are_pooled_seed_by_seed)
{
    double side[2][SEEDS] = {{0}};
    for (int s = 0; s < SEEDS; s++)
        for (int l = 0; l < LINES; l++)
            for (int k = 0; k < LAYERS; k++)
                for (int i = 0; i < 2; i++)
                    side[i][s] += time_of[row_at(l, 2 * i, k)][s] / (LINES * LAYERS);
    const double d = (side[0][0] + side[0][1] - side[1][0] - side[1][1]) / 2, a = part(side[0]),
                 b = part(side[1]);
    const struct claim_result result =
        judge("compare: {window: [1, 3]}, metric: time, expect: greater", ROWS);
    assert_int_equal(result.stages[0], LINES * LAYERS * SEEDS);
    assert_int_equal(result.pair.seeds, SEEDS);
    assert_int_equal(result.test, CLAIM_STUDENT);
    assert_int_equal(result.verdict, CLAIM_SUPPORTED);
    expect_near(result.difference, d, 1e-9);
    expect_near(result.p, student_share(-d / sqrt(a + b), (a + b) * (a + b) / (a * a + b * b)),
                1e-9);
    const struct claim_result other =
        judge("compare: {window: [3, 1]}, metric: time, expect: less", ROWS);
    expect_near(other.difference, -d, 1e-9);
    expect_near(other.p, result.p, 1e-12);
    /* The grid ends after row (gate, window 3, layers 1), so only one pair is complete. */
    assert_int_equal(
        judge("compare: {window: [1, 3]}, metric: time, expect: greater", row_at(0, 2, 0) + 1)
            .stages[0],
        SEEDS);
}

/* The metric is a mean of items. So d can be resampled in one list: the difference of each item,
 * averaged over pairs and seeds. */
TEST(items_are_pooled_too)
{
    enum { SAMPLES = 10000 };
    static double resampled[SAMPLES];
    double item[ITEMS] = {0}, side[2][SEEDS] = {{0}}, mean = 0, spread = 0;
    const double share = 1. / (LINES * LAYERS);
    for (int l = 0; l < LINES; l++)
        for (int k = 0; k < LAYERS; k++)
            for (int s = 0; s < SEEDS; s++) {
                const double *a = number[row_at(l, 0, k)][s], *b = number[row_at(l, 2, k)][s];
                side[0][s] += mean_of(a) * share;
                side[1][s] += mean_of(b) * share;
                for (int i = 0; i < ITEMS; i++) item[i] += (a[i] - b[i]) * share / SEEDS;
            }
    struct pcg64 random = pcg64_seed(12345);
    for (int t = 0; t < SAMPLES; t++) {
        for (int i = 0; i < ITEMS; i++) resampled[t] += item[pcg64_below(&random, ITEMS)] / ITEMS;
        mean += resampled[t] / SAMPLES;
    }
    for (int t = 0; t < SAMPLES; t++)
        spread += (resampled[t] - mean) * (resampled[t] - mean) / (SAMPLES - 1);
    const double d = (side[0][0] + side[0][1] - side[1][0] - side[1][1]) / 2, a = part(side[0]),
                 b = part(side[1]);
    const struct student_part of_seeds = {a + b, (a + b) * (a + b) / (a * a + b * b)},
                              of_items = {spread, ITEMS - 1};
    const struct claim_result result =
        judge("compare: {window: [1, 3]}, metric: quiz.right, expect: greater", ROWS);
    expect_near(result.difference, d, 1e-9);
    expect_near(result.p, fiducial_share(-d, of_seeds, of_items), 1e-9);
}

TEST(the_sheet_says_how_many)
{
    const struct claims claims =
        read_claims("claims:\n- {text: Narrow, compare: {window: [1, 3]}, metric: time, expect: "
                    "greater}\n- {text: Same, compare: {layers: [1, all]}, metric: time, expect: "
                    "equal, smallest: 0.0001}\n");
    const char *text = sheet_string(claims_sheet(runs_store, &grid, &claims, &arena));
    expect_part(text, "\n1. Time of window 1 against window 3 over 4 pairs of rows, expected "
                      "greater, alpha 0.05; 8 and 8 stages.");
    expect_part(text,
                "\n2. Time of layers 1 against layers all over 6 pairs of rows, expected equal");
    expect_part(text, "Verdicts are by p, Holm: corrected over 2 claims, ");
}

/* Both claims have the same p, and Holm's method doubles it. */
TEST(claims_are_one_family)
{
    const struct claims claims = read_claims(
        "claims:\n- {text: a, compare: ['gate, window 1, layers 1', Transformer], metric: time, "
        "expect: greater}\n- {text: b, compare: ['gate, window 1, layers 1', Transformer], metric: "
        "time, expect: greater}\n");
    struct sampler sampler = sampler_open(runs_store, &grid, &arena);
    const struct claim_result *result = claims_judge(&sampler, &claims);
    assert_true(result[0].member && result[1].member);
    expect_near(result[0].p, result[1].p, 1e-12);
    expect_near(result[0].holm, fmin(1, 2 * result[0].p), 1e-12);
    expect_near(result[1].holm, fmin(1, 2 * result[1].p), 1e-12);
}

/* Both rows have the same trainings, and score them in two ways. So the rows are paired by seed.
 * The variance of the mean difference is s_d^2 / n, with n - 1 = 1 degree of freedom, and Welch's
 * formula is not used. */
TEST(the_same_trainings_are_paired)
{
    static const char *const id[SEEDS] = {"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"};
    const int of[] = {row_at(0, 0, 0), row_at(0, 2, 0)};
    struct grid_row two_rows[2];
    struct grid_seed seeds[2][SEEDS];
    struct grid_stage stages[2][SEEDS][2];
    for (int r = 0; r < 2; r++) {
        two_rows[r] = row[of[r]];
        two_rows[r].seed = seeds[r];
        for (int s = 0; s < SEEDS; s++) {
            stages[r][s][0] = stage[of[r]][s];
            stages[r][s][1] = (struct grid_stage){.kind = "train", .id = id[s]};
            seeds[r][s] = (struct grid_seed){s + 1, 2, stages[r][s]};
        }
    }
    const struct grid two = {.name = "two", .rows = 2, .row = two_rows};
    assert_true(comparison_is_paired(&two, 0, 1));
    assert_false(comparison_is_paired(&grid, of[0], of[1]));
    stages[1][1][1].id = id[0]; /* the rows now share only the training of the first seed */
    assert_false(comparison_is_paired(&two, 0, 1));
    stages[1][1][1].id = id[1];
    double d[SEEDS];
    for (int s = 0; s < SEEDS; s++) d[s] = time_of[of[0]][s] - time_of[of[1]][s];
    const struct claim_result result =
        grid_judge(&two, runs_store, "compare: {window: [1, 3]}, metric: time, expect: greater");
    assert_true(result.pair.paired);
    expect_near(result.p, student_share(-(d[0] + d[1]) / 2 / sqrt(part(d)), 1), 1e-9);
}

static const char *cell_of(const double *value)
{
    return arena_print(&arena, "  %.3f ± %.3f", (value[0] + value[1]) / 2,
                       fabs(value[0] - value[1]) / sqrt(2));
}

TEST(a_column_is_a_mean_over_an_axis)
{
    const char *text =
        table_print(runs_store->runs, "{columns: [time, \"mean($window, time)\"]}", &grid);
    double value[SEEDS] = {0};
    for (int s = 0; s < SEEDS; s++)
        for (int w = 0; w < WINDOWS; w++) value[s] += time_of[row_at(1, w, 1)][s] / WINDOWS;
    const char *cell = arena_print(&arena, "%s\n", cell_of(value));
    int cells = 0;
    for (const char *at = text; (at = strstr(at, cell)); at++) cells++;
    assert_int_equal(cells, WINDOWS); /* one per line of concat with layers all */
    expect_part(text, "Time, mean over window\n");
    expect_part(text, "\nMean ± sample standard deviation over 2 seeds (1, 2).");
    expect_part(text, "                       -\n"); /* the baseline has no mean over window */
    /* A column can be a mean over an axis of any column, even of the mean of a group. */
    text = table_print(runs_store->runs,
                       "{groups: {All: [time]}, columns: [time, {column: \"mean($window, "
                       "mean(All))\", decimals: 3}]}",
                       &grid);
    expect_part(text, "All, mean over window\n");
    expect_part(text, cell);
    /* In a table by window, the mean over windows has one line, and the mean over layers has one
     * line per window. */
    struct grid swept = grid;
    swept.row = &row[1];
    swept.rows = ROWS - 1;
    text = table_print(runs_store->runs,
                       "{by: window, columns: [\"mean($window, time)\", \"mean($layers, time)\"]}",
                       &swept);
    expect_part(text, "Time, mean over window        window 1  ");
    expect_part(text, cell_of(value));
}

static void refuse(const char *claim, const char *says)
{
    EXPECT_DIE(says,
               read_claims(arena_print(&arena, "claims: [{text: t, %s, expect: less}]\n", claim)));
}

TEST(refused)
{
    static const struct said cases[] = {
        {"compare: {windw: [1, 3]}",
         "grid.yaml:1:30: compare: no row has the axis \"windw\"; nearest is \"window\""},
        {"compare: {window: [1, 4]}", "grid.yaml:1:42: window: there is no value \"4\"; "},
        {"compare: {layers: [1, al]}", "nearest is \"all\""},
        {"compare: {window: [1, 1]}", "compare: window: expected two values, not 1 twice"},
        {"compare: {window: [1]}", "expected one axis with two of its values"},
        {"compare: {window: [1, 3], layers: [1, all]}", "expected one axis with two of its values"},
        {"metric: \"mean($window, time)\", compare: {window: [1, 3]}", "is not a value of a row"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) refuse(cases[i].text, cases[i].says);
    EXPECT_DIE(
        "grid.yaml:1:12: mean($windw, time): no row has the axis \"windw\"; nearest is \"window\"",
        layout_read(tree_parse(&arena, "grid.yaml", "{columns: [\"mean($windw, time)\"]}"), &grid,
                    &arena));
    EXPECT_DIE("did you mean \"mean($window, time)\"?",
               layout_read(tree_parse(&arena, "grid.yaml", "{columns: [\"mean($window, tme)\"]}"),
                           &grid, &arena));
    /* No pair: the only row with window 1 is gate, and the only row with window 3 is concat. */
    struct grid_row few[] = {row[row_at(0, 0, 0)], row[row_at(1, 2, 0)]};
    struct grid small = {.name = "small", .rows = 2, .row = few};
    const struct tree *effect =
        tree_parse(&arena, "grid.yaml", "[{text: t, compare: {window: [1, 3]}, expect: less}]\n");
    EXPECT_DIE(
        "compare: no row with window 1 has a partner with window 3 that agrees in all other axes",
        claims_read(effect, &small, &arena));
    small.row = row; /* the baseline is the only row */
    small.rows = 1;
    EXPECT_DIE("compare: no row has the axis \"window\": the grid has no axes",
               claims_read(effect, &small, &arena));
}

/* In a table by an axis, a line has the label of its rows as name. `baseline` and `paper` also find
 * the line by the name of its only row. Neither row here has a value on the axis, and O has only
 * quoted values. */
TEST(a_labels_row_is_named)
{
    struct grid_row some[] = {row[0], row[row_at(0, 0, 0)], row[row_at(1, 2, 0)], {.name = "O"}};
    some[0].entry = tree_parse(&arena, "grid.yaml", "{label: Base}");
    some[3].entry = tree_parse(&arena, "grid.yaml", "{label: X, quote: {metric: m, bleu: 3}}");
    struct grid few = {.name = "few", .rows = COUNT_OF(some), .row = some};
    layout_read(
        tree_parse(&arena, "grid.yaml",
                   arena_print(&arena,
                               "{by: window, baseline: O, paper: {metric: m, bleu: {%s: 2, O: 4}}}",
                               row[0].name)),
        &few, &arena);
    const struct layout *layout = few.layout;
    const int base = layout->of_paper.value[0].cell.line,
              others = layout->of_paper.value[1].cell.line;
    assert_int_equal(layout->of_paper.count, 2);
    assert_int_equal(layout->paper.left_out, 0);
    assert_string_equal(layout->line[base].name, "Base");
    assert_string_equal(layout->line[others].name, "X");
    for (int i = 0; i < layout->lines; i++) assert_int_equal(layout->line[i].baseline.line, others);
    EXPECT_DIE(
        "grid.yaml:1:24: table: there is no row \"P\"; expected one of: ",
        layout_read(tree_parse(&arena, "grid.yaml", "{by: window, baseline: P}"), &few, &arena));
}
