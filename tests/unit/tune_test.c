/* Tests the key `tune` of grids: draws, trials of rows, and mistakes. The expected draws come from
 * a program in Python that computes Philox and FNV-1a (scripts/data/philox.py). */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "experiments/grid/settings.h"
#include "experiments/grid/tune.h"
#include "experiments/plan/plan.h"
#include "tests/support/here.h"
#include "tests/support/refused.h"

#define HEAD                                                                                       \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"

static struct grid *grid_with(const char *text)
{
    const char *path = here_put("g.yaml", arena_print(&arena, HEAD "%s", text));
    return grid_read(&arena, path, NULL, 0, NULL);
}

static const char *drawn(const char *path, const char *space, unsigned draws, int trial)
{
    const struct draw draw = draw_read(path, tree_parse(&arena, "g.yaml", space), &arena);
    return draw_trial(&draw, draws, trial, &arena)->text;
}

TEST(draws_are_those_of_another_program)
{
    static const struct {
        unsigned draws;
        int trial;
        const char *rate, *dropout, *warmup, *layers;
    } expected[] = {
        {1, 1, "0.3042", "0.1531", "1479", "4"},  {1, 2, "1.57", "0.2524", "1836", "4"},
        {1, 3, "1.009", "0.4494", "1068", "3"},   {1, 11, "1.428", "0.172", "1245", "2"},
        {1, 1000, "1.278", "0.3074", "661", "2"}, {2, 1, "1.583", "0.1174", "994", "2"},
        {2, 2, "1.687", "0.3804", "1442", "2"},   {2, 3, "1.218", "0.05013", "1841", "2"},
        {2, 11, "0.8804", "0.1731", "1927", "4"}, {2, 1000, "2.007", "0.3075", "1343", "2"},
    };
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const unsigned draws = expected[i].draws;
        const int trial = expected[i].trial;
        assert_string_equal(drawn("train.rate", "loguniform(0.3, 3)", draws, trial),
                            expected[i].rate);
        assert_string_equal(drawn("model.dropout", "uniform(0, 0.5)", draws, trial),
                            expected[i].dropout);
        assert_string_equal(drawn("train.warmup", "int(200, 2000)", draws, trial),
                            expected[i].warmup);
        assert_string_equal(drawn("encoder.layers", "[2, 3, 4]", draws, trial), expected[i].layers);
        assert_string_equal(drawn("encoder.layers", "{a: 2, b: 3, c: 4}", draws, trial),
                            expected[i].layers);
    }
}

TEST(rounded_numbers_stay_in_their_range)
{
    for (int trial = 1; trial < 200; trial++) {
        const double low = strtod(drawn("a", "uniform(0.12345, 0.12346)", 1, trial), NULL),
                     log = strtod(drawn("a", "loguniform(1e-05, 1.00001e-5)", 1, trial), NULL);
        assert_true(low >= 0.12345 && low <= 0.12346);
        assert_true(log >= 1e-5 && log <= 1.00001e-5);
    }
}

static bool edge(const char *space, const char *value)
{
    const struct draw draw = draw_read("a", tree_parse(&arena, "g.yaml", space), &arena);
    return draw_is_edge(&draw, tree_parse(&arena, "g.yaml", value));
}

/* A tenth of loguniform(1, 100) ends at 10^0.2 = 1.585 and begins again at 10^1.8 = 63.1. */
TEST(edges_are_outer_tenths)
{
    assert_true(edge("uniform(0, 10)", "1") && edge("uniform(0, 10)", "9"));
    assert_false(edge("uniform(0, 10)", "1.1") || edge("uniform(0, 10)", "8.9"));
    assert_true(edge("uniform(0, 10)", "11") && edge("int(0, 10)", "0"));
    assert_true(edge("loguniform(1, 100)", "1.58") && edge("loguniform(1, 100)", "63.2"));
    assert_false(edge("loguniform(1, 100)", "1.59") || edge("loguniform(1, 100)", "63"));
    assert_true(edge("[1, 2, 4]", "4") && edge("[4, 2, 1]", "4.0") && !edge("[1, 2, 4]", "2"));
    assert_true(edge("[1, 2, 4]", "5") && edge("[4, 2, 1]", "0.3") && !edge("[4, 2, 1]", "3"));
    assert_false(edge("[1, 4, 2]", "2") || edge("[a, b, c]", "a") || edge("[1, 2]", "2"));
    assert_false(edge("{a: 1, b: 2, c: 3}", "1"));
}

#define TUNE                                                                                       \
    "tune: {over: {train.rate: [1, 2, 3], model.dropout: \"uniform(0, 0.5)\"}, trials: 4}\n"

/* Returns the options of a trial of a row, for comparisons. */
static const char *trial(const struct grid *grid, int row, int number)
{
    const struct tree *options = grid->row[row].tuned->trial[number].resolved->options;
    return arena_print(&arena, "%s %s", tree_text(&arena, tree_find(options, "train.rate")),
                       tree_text(&arena, tree_find(options, "model.dropout")));
}

TEST(trials_of_all_rows_have_the_same_values)
{
    const char *rows = "train.rate: 1.5\nmodel.dropout: 0.25\nrows:\n  - {name: A}\n"
                       "  - {name: B, encoder.layers: 1}\n";
    const struct grid *grid = grid_with(arena_print(&arena, "%s" TUNE, rows));
    assert_string_equal(trial(grid, 0, 0), "1.5 0.25");
    for (int t = 0; t < 4; t++) assert_string_equal(trial(grid, 0, t), trial(grid, 1, t));
    assert_string_not_equal(trial(grid, 0, 1), trial(grid, 0, 2));
    const struct grid *more =
        grid_with("train.rate: 1.5\nmodel.dropout: 0.25\nrows:\n  - {name: C, encoder.layers: 2}\n"
                  "  - {name: A, tune: {over: {train.warmup: \"int(10, 90)\"}}}\n"
                  "  - {name: B, encoder.layers: 1, tune: false}\n"
                  "tune: {over: {model.dropout: \"uniform(0, 0.5)\", train.rate: [1, 2, 3]},"
                  " trials: 9}\n");
    for (int t = 0; t < 4; t++) {
        assert_string_equal(trial(grid, 0, t), trial(more, 0, t));
        assert_string_equal(trial(grid, 0, t), trial(more, 1, t));
    }
    assert_int_equal(more->row[1].tuned->keys, 3);
    assert_null(more->row[2].tuned);
    assert_int_equal(more->row[0].tuned->trials, 9);
}

TEST(a_product_has_all_combinations)
{
    const struct grid *grid = grid_with(
        "tune: {over: {train.rate: [1, 2], model.dropout: {none: 0, some: 0.2, more: 0.5}},"
        " grid: true}\n");
    static const char *const expected[] = {"1 0", "1 0.2", "1 0.5", "2 0", "2 0.2", "2 0.5"};
    assert_int_equal(grid->row[0].tuned->trials, 7);
    for (int t = 1; t < 7; t++) assert_string_equal(trial(grid, 0, t), expected[t - 1]);
}

/* The draws of search i have the seed draws + i. Trial 0 of each search is the row as written. */
TEST(searches_have_their_own_draws)
{
    const char *head = "train.rate: 1.5\nmodel.dropout: 0.25\nseeds: [1, 2, 3]\n";
    const struct grid *grid = grid_with(arena_print(
        &arena, "%stune: {over: {model.dropout: \"uniform(0, 0.5)\"}, trials: 4, repeats: 3}\n",
        head));
    assert_int_equal(grid->row[0].tuned->searches, 3);
    for (int t = 0; t < 12; t++) {
        const char *value =
            t % 4 ? drawn("model.dropout", "uniform(0, 0.5)", 1 + (unsigned)t / 4, t % 4) : "0.25";
        assert_string_equal(trial(grid, 0, t), arena_print(&arena, "1.5 %s", value));
    }
}

TEST(trials_may_be_shorter)
{
    const struct grid *grid =
        grid_with("train.epochs: 6\ntune: {over: {train.rate: [1, 2]}, trials: 3, epochs: 3}\n");
    for (int t = 0; t < 3; t++) {
        const struct grid_resolved *resolved = grid->row[0].tuned->trial[t].resolved;
        assert_int_equal(resolved->settings->train.epochs, 3);
    }
    tune_choose(&grid->row[0], (const int[]){1}, &arena);
    assert_int_equal(grid->row[0].resolved->settings->train.epochs, 6);
}

/* So rows without keys of their own have the same trials. */
TEST(own_keys_of_a_row_vary_slowest)
{
    const struct grid *grid =
        grid_with("rows:\n  - {name: A}\n  - {name: B, tune: {over: {train.warmup: [10, 20]}}}\n"
                  "tune: {over: {train.rate: [1, 2], model.dropout: [0, 0.2]}, grid: true}\n");
    for (int t = 1; t < 5; t++) assert_string_equal(trial(grid, 0, t), trial(grid, 1, t));
    assert_int_equal(grid->row[1].tuned->trials, 9);
    assert_string_equal(trial(grid, 1, 5), "1 0");
}

/* A chosen value of a map is known by its content, also for the row as written. */
TEST(trial_0_has_the_label_of_its_value)
{
    const struct grid *grid = grid_with(
        "tune:\n  over:\n    encoder.attention:\n"
        "      plain: [{layers: all, branches: [global]}]\n"
        "      local: [{layers: all, branches: [{window: 1}]}]\n    train.rate: [1, 2]\n");
    struct tuned *tuned = grid->row[0].tuned;
    tuned->chosen = (const int[]){0};
    assert_ptr_equal(tuned_value(tuned, 0, 0), tuned->key[0].written->item[0]);
}

TEST(a_default_may_be_outside_of_its_space)
{
    static const char *const written[] = {"", "train.weight_decay: 0\n"};
    for (size_t i = 0; i < COUNT_OF(written); i++) {
        const struct grid *grid = grid_with(arena_print(
            &arena, "%stune: {over: {train.weight_decay: \"loguniform(5, 50)\"}}\n", written[i]));
        struct tuned *tuned = grid->row[0].tuned;
        tuned->chosen = (const int[]){0};
        const struct tree *value = tuned_value(tuned, 0, tuned_key(tuned, "train.weight_decay"));
        assert_string_equal(value->text, "0");
        assert_true(draw_is_edge(tuned->key, value));
    }
}

/* Options of a preset, or of the whole grid, are those of trial 0. */
TEST(axes_may_be_beside_the_tuned_options)
{
    here_put("a.yaml", "model: {dropout: 0.2}\n");
    here_put("b.yaml", "model: {dropout: 0.3}\n");
    const struct grid *grid = grid_with(
        "train.rate: 2\n"
        "sweep: {train: {x: {warmup: 10}, y: {warmup: 20}}, model.preset: [./a.yaml, ./b.yaml]}\n"
        "tune: {over: {train.rate: [1], model.dropout: [0.4]}}\n");
    assert_int_equal(grid->rows, 4);
}

/* A value may be any YAML value. A trial has only the sections that its metric needs. */
TEST(trials_have_what_the_metric_needs)
{
    const struct grid *grid = grid_with(
        "evaluate: {bleu: {split: train, beam: 3}, chrf: {}, gates: {split: dev}}\n"
        "encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]\n"
        "tune:\n  metric: bleu\n  over:\n    encoder.attention:\n"
        "      gate: [{layers: all, branches: [global, {window: 2}], fusion: gate}]\n"
        "      none: [{layers: 1, branches: [{window: 3}]}]\n");
    const struct tuned *tuned = grid->row[0].tuned;
    assert_int_equal(tuned->trials, 12);
    for (int t = 0; t < 12; t++) {
        const struct tree *options = tuned->trial[t].resolved->options;
        assert_string_equal(tree_text(&arena, tree_find(options, "evaluate")),
                            "{bleu: {split: dev, beam: 3}}");
    }
    assert_non_null(tree_find(grid->row[0].resolved->options, "evaluate.gates"));
}

TEST(rungs_grow_up_to_the_end)
{
    static const struct {
        const char *halving;
        int rungs, rung[4], kept[4];
    } expected[] = {{"from: 8 epochs, keep: 1/3", 2, {8, 24}, {4, 2}},
                    {"from: 7 epochs, keep: 0.4", 3, {7, 18, 44}, {5, 2, 1}},
                    {"from: 25 epochs, keep: 1/2", 2, {25, 50}, {6, 3}},
                    {"from: 71 epochs, keep: 0.999", 1, {71}, {12}}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const struct grid *grid = grid_with(arena_print(
            &arena, "train.epochs: 72\ntune: {over: {train.rate: [1]}, halving: {%s}}\n",
            expected[i].halving));
        const struct tuned *tuned = grid->row[0].tuned;
        assert_int_equal(tuned->rungs, expected[i].rungs);
        for (int r = 0; r < tuned->rungs; r++) {
            assert_int_equal(tuned->rung[r], expected[i].rung[r]);
            assert_int_equal(halving_kept(&tuned->tune->halving, tuned->trials, r),
                             expected[i].kept[r]);
        }
    }
}

TEST(the_longest_warm_up_is_that_of_the_space)
{
    static const struct {
        const char *over;
        int steps;
    } expected[] = {{"train.warmup: \"int(20, 2000)\"", 2000},
                    {"train.warmup: [30, 70, 10]", 70},
                    {"train.rate: [1, 2]", 50},
                    {"train.warmup: [30, 20], train.rate: [1, 2]", 50},
                    {"train.schedule: [constant]", 50}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const struct grid *grid = grid_with(arena_print(
            &arena,
            "train: {steps: 80, warmup: 50}\ntune: {over: {%s}, halving: {from: 9 steps, "
            "keep: 1/2}}\n",
            expected[i].over));
        assert_int_equal(plan_longest_warmup(grid->row[0].tuned, &arena), expected[i].steps);
    }
    const struct grid *none = grid_with(
        "train: {steps: 80, schedule: constant}\ntune: {over: {train.rate: [1]}, halving: "
        "{from: 9 steps, keep: 1/2}}\n");
    assert_int_equal(plan_longest_warmup(none->row[0].tuned, &arena), 0);
}

/* HEAD has three lines, so the text begins in the fourth. */
static const struct refused_tune {
    const char *text, *place, *part;
} refusals[] = {
    {"tune: {over: {train.rate: \"logunifrm(1, 2)\"}}\n", "4:27:",
     "tune: train.rate: there is no distribution \"logunifrm\"; nearest is \"loguniform\""},
    {"tune: {over: {train.rate: loguniform(1, 2)}}\n",
     "4:27:", "expected loguniform(a, b), uniform(a, b), int(a, b), a list or a map of values"},
    {"tune: {over: {train.rate: [1, int(1, 2)]}}\n", "4:31:", "expected a number"},
    {"tune:\n  over:\n    train.rate: uniform(1)\n", "6:17:", "expected loguniform(a, b), "},
    {"tune:\n  over:\n    train.rate: uniform(1, 2, 3)\n", "6:17:", "expected loguniform(a, b), "},
    {"tune:\n  over:\n    train.rate: uniform(2, 1)\n", "6:17:", "a first number below the second"},
    {"tune:\n  over:\n    train.rate: uniform(x, 1)\n", "6:17:", "expected a number"},
    {"tune:\n  over:\n    train.rate: loguniform(0, 1)\n", "6:17:", ", and above 0"},
    {"tune:\n  over:\n    train.warmup: int(1.5, 3)\n", "6:19:", "a whole number"},
    {"tune:\n  over:\n    train.warmup: uniform(1, 3)\n", "6:19:", "is an integer; expected int("},
    {"tune:\n  over:\n    train.rate: 3\n", "6:17:", "expected loguniform(a, b), "},
    {"tune:\n  over:\n    train.rate: []\n", "6:17:", "there is no value"},
    {"tune:\n  over:\n    model.dropout: uniform(0, 2)\n", "6:20:", "model.dropout: "},
    {"tune:\n  over:\n    model.dropout: uniform(-1, 0.5)\n", "6:20:", "model.dropout: "},
    {"tune:\n  over:\n    encoder.layers: [1, 2, x]\n", "6:28:", "encoder.layers: "},
    {"tune:\n  over:\n    train.rat: [1]\n", "6:5:", "\"train.rat\"; nearest is \"train.rate\""},
    {"tune:\n  over:\n    evaluate.bleu.beam: [1]\n", "6:5:", "there is no option of the training"},
    {"rows: [{name: A, train.rate: 2}]\ntune:\n  over:\n    train.rate: [1]\n",
     "4:30:", "train.rate: row \"A\" sets this key, but tune varies it in line 7"},
    {"sweep: {train.rate: [1, 2]}\ntune: {over: {train.rate: [3]}}\n",
     "5:27:", "train.rate: row \"rate=1\" sets this key"},
    {"sweep: {train: {x: {rate: 1}, y: {rate: 2}}}\ntune: {over: {train.rate: [3]}}\n",
     "4:27:", "train.rate: row \"train=x\" sets this key, but tune varies it in line 5"},
    {"zip: {train: {x: {rate: 1}, y: {rate: 2}}, encoder.layers: [1, 2]}\n"
     "tune: {over: {train.rate: [3]}}\n",
     "4:25:", "train.rate: row \"train=x, layers=1\" sets this key"},
    {"train.rate: $w\nsweep: {w: [1, 2]}\ntune: {over: {train.rate: [3]}}\n",
     "5:13:", "train.rate: row \"w 1\" sets this key"},
    {"tune: {over: {corpus.dev: [t, u]}, metric: bleu}\n",
     "4:15:", "corpus.dev: may change the text of dev or test"},
    {"tune: {over: {corpus.lowercase: [true, false]}, metric: bleu}\n",
     "4:15:", "corpus.lowercase: may change the text of dev or test"},
    {"corpus.dev_every: 9\nrows: [{name: A, corpus.dev: ~}]\n"
     "tune: {over: {corpus.train_limit: [5, 6]}, metric: bleu}\n",
     "6:15:", "corpus.train_limit: may change the text of dev or test"},
    {"tune: {over: {train: {rate: [1, 2]}}}\n",
     "4:15:", "there is no option of the training \"train\""},
    {"tune: {over: {train.rate: 'uniform([1, 2)'}}\n", "4:27:", "expected a number"},
    {"tune: {over: {train.rate: 'uniform(1, 2'}}\n", "4:27:", "expected loguniform(a, b), "},
    {"tune: {over: {train.rate: [1]}, trials: 1}\n", "4:41:", "tune.trials: "},
    {"tune: {over: {train.rate: [1]}, finalists: 1}\n", "4:44:", "expected 0, or at least 2"},
    {"rows: [{name: A}, {name: A (trial 12)}]\ntune: {over: {train.rate: [1]}}\n",
     "4:26:", "\"A (trial 12)\" is the name of a trial; expected another name"},
    {"rows: [{name: A, tune: true}]\ntune: {over: {train.rate: [1]}}\n",
     "4:24:", "tune: expected false, or over: "},
    {"tune: {over: {train.rate: [1]}, metric: test_loss}\n",
     "4:41:", "tune.metric: there is no metric on dev \"test_loss\""},
    {"tune: {over: {train.rate: [1]}, metric: blue}\n",
     "4:41:", "there is no metric on dev \"blue\"; nearest is \"bleu\""},
    {"tune: {over: {train.rate: [1]}, metric: bleu}\n", "4:7:", "expected evaluate.bleu"},
    {"tune: {over: {corpus.merges: [10, 20]}}\n",
     "4:15:", "may change the tokens, and dev_loss is per token; expected metric: bleu or "},
    {"tune: {over: {train.rate: [1]}, trials: 0}\n", "4:41:", "tune.trials: "},
    {"tune: {over: {train.rate: [1]}, trials: 2, finalists: 3}\n", "4:7:", "at most the 2 trials"},
    {"tune: {over: {train.rate: [1]}, trial: 2}\n", "4:33:", "nearest is \"trials\""},
    {"tune: {over: {train.rate: [1]}, trials: 2, grid: true}\n",
     "4:41:", "expected one of the two"},
    {"tune: {over: {train.rate: \"uniform(1, 2)\"}, grid: true}\n",
     "4:27:", "with grid: true, expected a list or a map"},
    {"tune: {trials: 2}\n", "4:7:", "tune: expected over"},
    {"seeds: [1, 7]\ntune: {over: {train.rate: [1]}, seed: 7}\n",
     "5:39:", "tune.seed: 7 is a seed of the grid"},
    {"seeds: [1, 9]\ntune: {over: {train.rate: [1]}, seed: 7, finalists: 2}\n",
     "5:39:", "tune.seed: 9, which finalists need, is a seed of the grid"},
    {"tune: {over: {train.rate: [1]}, metric: chrf}\n",
     "4:41:", "there is no metric on dev \"chrf\""},
    {"train.epochs: 6\ntune: {over: {train.rate: [1]}, epochs: 7}\n",
     "5:7:", "tune.epochs: 7: expected at most the train.epochs of row"},
    {"train.steps: 6\ntune: {over: {train.rate: [1]}, epochs: 7}\n",
     "5:7:", "which has train.steps"},
    {"tune: {over: {train.epochs: [4, 5]}, epochs: 3}\n",
     "4:15:", "train.epochs: is also that of tune.epochs"},
    {"seeds: [1, 2]\ntune: {over: {train.rate: [1]}, repeats: 2}\n",
     "5:42:", "tune.repeats: expected 1, or at least 3"},
    {"seeds: [1, 2]\ntune: {over: {train.rate: [1]}, repeats: 3}\n",
     "5:42:", "expected 3 seeds in the grid, got 2"},
    {"seeds: [1, 2, 13]\ntune: {over: {train.rate: [1]}, seed: 7, repeats: 3}\n",
     "5:39:", "tune.seed: 13, which repeats need, is a seed of the grid"},
    {"seeds: [1, 2, 3]\ntune: {over: {train.rate: [1]}, repeats: x}\n", "5:42:", "tune.repeats: "},
    {"rows: [{name: A, tune: {over: {train.rate: [1]}}}]\n", "4:24:", "the grid has no key tune"},
    {"rows: [{name: A, tune: {ovr: {}}}]\ntune: {over: {train.rate: [1]}}\n", "4:25:", "\"over\""},
    {"rows: [{name: A, tune: {over: {train.rate: [2]}}}]\ntune: {over: {train.rate: [1]}}\n",
     "4:32:", "train.rate: is given twice"},
#define HALVING(text) "train.epochs: 30\ntune: {over: {train.rate: [1]}, halving: {" text "}}\n"
    {HALVING("from: 8 epochs, keep: 1"), "5:65:", "tune.halving.keep: expected a share between 0"},
    {HALVING("from: 8 epochs, keep: 0"), "5:65:", "as in 1/3, got \"0\""},
    {HALVING("from: 8 epochs, keep: 3/1"), "5:65:", "as in 1/3, got \"3/1\""},
    {HALVING("from: 8 epochs, keep: 1/0"), "5:65:", "as in 1/3, got \"1/0\""},
    {HALVING("from: 8 epochs, keep: -1/3"), "5:65:", "as in 1/3, got \"-1/3\""},
    {HALVING("from: 8 epochs, keep: a third"), "5:65:", "as in 1/3, got \"a third\""},
    {HALVING("from: 8, keep: 1/3"), "5:49:", "a number of epochs or steps, as in 8 epochs, got"},
    {HALVING("from: 8 hours, keep: 1/3"), "5:49:", "as in 8 epochs, got \"8 hours\""},
    {HALVING("from: epochs, keep: 1/3"), "5:49:", "as in 8 epochs, got \"epochs\""},
    {HALVING("from: 0 epochs, keep: 1/3"), "5:49:", "tune.halving.from: "},
    {HALVING("from: 30 epochs, keep: 1/3"), "5:49:", "expected less than a trial has, 30 epochs"},
    {HALVING("from: 8 steps, keep: 1/3"), "5:49:", "than a trial has, which is in epochs"},
    {HALVING("from: 8 epochs"), "5:42:", "tune.halving.keep must be given"},
    {HALVING("form: 8 epochs, keep: 1/3"), "5:43:", "nearest is \"from\""},
    {"tune: {over: {train.rate: [1]}, halving: 3}\n", "4:42:", "tune.halving"},
    {"tune: {over: {train.epochs: [3, 4]}, halving: {from: 2 epochs, keep: 1/3}}\n",
     "4:15:", "train.epochs: tune.halving compares trials of the same length"},
    {"train: {epochs: 30, schedule: cosine}\n"
     "tune: {over: {train.rate: [1]}, halving: {from: 8 epochs, keep: 1/3}}\n",
     "4:31:", "train.schedule: cosine has other learning rates in a shorter training"},
    {"train.epochs: 30\ntune: {over: {train.schedule: [linear]}, halving: {from: 8 epochs, keep: "
     "1/3}}\n",
     "5:32:", "train.schedule: linear has other learning rates in a shorter training"},
    {"evaluate.bleu: {split: dev, checkpoint: start}\ntune: {over: {train.rate: [1]}}\n",
     "4:41:", "tune: start: expected best, last"},
};

TEST(mistakes_are_refused_in_one_line)
{
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        EXPECT_DIE("", grid_with(refusals[i].text));
        const char *place = arena_print(&arena, "%s/g.yaml:%s ", here, refusals[i].place);
        wrong += !refused_says(refusals[i].text, place, refusals[i].part);
    }
    assert_int_equal(wrong, 0);
}

ALL_TESTS(here_open);
