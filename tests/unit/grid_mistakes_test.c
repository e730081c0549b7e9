/* Tests mistakes in a grid and on its command line. Each mistake prints one line with the location,
 * the expected text and, for a misspelled word, the nearest valid word. */
#include "tests/support/test.h"

#include "experiments/plan/plan.h"
#include "tests/support/here.h"
#include "tests/support/refused.h"

#define HEAD                                                                                       \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"

/* HEAD has three lines, so the text begins in the fourth. */
static const struct {
    const char *text, *place, *parts; /* parts of the message, separated by | */
} bad_grids[] = {
    {"trian: {epochs: 3}\n", "4:1:", "a grid: unknown key \"trian\"; nearest is \"train\""},
    {"train: {epoch: 3}\n", "4:9:", "unknown key \"epoch\"; nearest is \"epochs\""},
    {"train: {epochs: 1,2}\n", "4:19:", "unknown key \"2\""},
    {"train: {epochs: \"1,2,3\"}\n", "4:17:", "several values are a sweep"},
    {"train.epochs: 3\ntrain: {epochs: 4}\n", "5:9:", "is given twice, first in line 4"},
    {"rows: [{name: a, model: small, model.preset: tiny}]\n",
     "4:32:", "\"model.preset\" is given twice, first in line 4"},
    {"table.notes: [a]\n",
     "4:1:", "table.notes: a dotted key cannot begin with \"table\"|expected table: {notes: ..}"},
    {"sweep: {bleu: [1, 2]}\nrows: [{name: A, train.rate: $bleu}]\n",
     "4:9:", "the axis bleu has the name of a table column; expected another name"},
    {"rows: {name: a}\n", "4:7:", "rows: expected a list of named rows, got a map"},
    {"rows: []\n", "4:7:", "got an empty list"},
    {"rows: [a]\n", "4:8:", "expected a map with name and options, got a single value"},
    {"rows: [{encoder.layers: 1}]\n", "4:8:", "this row has no name"},
    {"rows: [{name: \"\"}]\n", "4:15:", "the name is empty"},
    {"rows:\n  - {name: a}\n  - {name: a}\n", "6:5:", "is also the name of row 1 (line 5)"},
    {"rows: [{name: a, encodr.layers: 1}]\n",
     "4:18:", "a row: unknown key \"encodr\"; nearest is \"encoder\""},
    {"rows: [{name: a}, {name: far, decoder.layers: 0}]\n",
     "4:47:", "a whole number from 1|(row \"far\")"},
    {"rows: [{name: a, quote: 27.3}]\n", "4:25:", "quote: expected a map of columns and values"},
    {"rows: [{name: a, quote: {bleu: 1}, train.epochs: 1}]\n",
     "4:36:", "a row with quote has no run; expected no options"},
    {"rows: [{name: a, ref: x}]\n", "4:23:", "ref: hyp is missing"},
    {"rows: [{name: a, vectors: x, train.epochs: 1}]\n",
     "4:30:", "a row with vectors has no model; expected no options"},
    {"rows: [{name: a, vectors: x, hyp: y}]\n",
     "4:27:", "vectors: a row with quote or hyp has no run"},
    {"rows: [{name: a, vectors: \"\"}]\n",
     "4:27:", "vectors: expected a folder with files TASK.npy"},
    {"table: {columns: [dev_loss, delta(ter)]}\n",
     "4:29:", "table: delta(ter): no row computes it; expected evaluate.ter in the grid"},
    {"figures: [{kind: budget}]\n",
     "4:11:", "figures: budget: no row is tuned; expected the key tune"},
    {"table: {columns: [\"expected(dev_loss, 2)\"]}\n",
     "4:19:", "expected(dev_loss, 2): no row is tuned; expected the key tune"},
    {"tune: {over: {train.rate: [1]}, trials: 5}\ntable: {columns: [\"expected(dev_loss, 3)\"]}\n",
     "5:19:", "expected(dev_loss, 3): expected at most 2 trials, half of those of row"},
    {"tune: {over: {train.rate: [1]}, trials: 5}\ntable: {columns: [\"expected(bleu, 2)\"]}\n",
     "5:19:", "expected(bleu, 2): the metric of tune is dev_loss, not bleu"},
    {"tune: {over: {train.rate: [1]}, trials: 5}\ntable: {columns: [\"expected(dev_loss, x)\"]}\n",
     "5:19:", "expected a metric of tune and a budget, as in expected(dev_loss, 4)"},
#define HALVED                                                                                     \
    "train.steps: 9\nrows: [{name: a}, {name: b, encoder.layers: 2}]\n"                            \
    "tune: {over: {train.rate: [1]}, halving: {from: 3 steps, keep: 1/2}}\n"
    {HALVED "table: {columns: [\"expected(dev_loss, 3)\"]}\n",
     "7:19:", "expected(dev_loss, 3): tune.halving stops trials of row \"a\""},
    {HALVED "figures: [{kind: budget}]\n", "7:11:", "figures: budget: tune.halving stops trials"},
    {HALVED "claims: [{text: t, compare: [a, b], budget: 2 trials, expect: less}]\n",
     "7:45:", "tune.halving stops trials of row \"a\", so the best of k trials is not known"},
    {"rows: [{name: a}, {name: b, train.rate: 2}]\n"
     "claims: [{text: t, compare: [a, b], budget: 4 trials, expect: less}]\n",
     "5:45:", "budget: no row is tuned; expected the key tune"},
    {"rows: [{name: a}, {name: b, encoder.layers: 2}]\ntune: {over: {train.rate: [1]}}\n"
     "claims: [{text: t, in_all: [[a, b], [b, a]], budget: 4 trials, expect: less}]\n",
     "6:54:", "budget: expected compare: [ROW, ROW]"},
    {"rows: [{name: a}, {name: b, encoder.layers: 2}]\ntune: {over: {train.rate: [1]}}\n"
     "claims: [{text: t, compare: [a, b], budget: 4 apples, expect: less}]\n",
     "6:45:", "expected a metric of tune and a budget, as in expected(dev_loss, 4)"},
    {"figures: [{kind: bars, left: chrf}]\n",
     "4:30:", "figures: chrf: no row computes it; expected evaluate.chrf in the grid"},
    {"rows: [{name: a}, {name: b, train.rate: 2}]\n"
     "claims: [{text: t, compare: [a, b], metric: bleu, expect: less}]\n",
     "5:45:", "claims: bleu: no row computes it; expected evaluate.bleu in the grid"},
    {"sweep: [1, 2]\n", "4:8:", "sweep: expected a map such as"},
    {"sweep: {}\n", "4:8:", "sweep: expected a map such as"},
    {"sweep: {encoder.layers: 3}\n", "4:25:", "encoder.layers: expected values: a list such as"},
    {"sweep: {encoder.layers: []}\n", "4:25:", "encoder.layers: expected values"},
    {"sweep: {encoder: {layers: [1, 2]}}\n", "4:27:", "expected"},
    {"sweep: {encoder.layer: [1, 2]}\n",
     "4:9:", "\"layer\"; nearest is \"layers\"|(row \"layer=1\")"},
    {"sweep: {encodr.layers: [1, 2]}\n",
     "4:9:", "sweep: unknown key \"encodr\"; nearest is \"encoder\""},
    {"sweep: {encoder.layers: [1, 1.0]}\n", "4:29:", "; write 1"},
    {"sweep: {encoder.layers: [1, 1]}\n",
     "4:25:", "encoder.layers: value 2, 1, is also value 1; expected different values"},
    {"zip: {train.rate: [1, 2, 1], encoder.layers: [1, 1, 1]}\n",
     "4:6:", "train.rate: value 3, 1, is also value 1"},
    {"sweep: {encoder.layers: range(1,4)}\n",
     "4:25:", "expected values: a list such as [2, 4], \"range(1,7)\" in quotes"},
    {"sweep:\n  train.rate: range(3,1)\n", "5:15:", "range(3,1) is empty; its end is excluded"},
    {"sweep:\n  train.rate: range(1,3,0)\n", "5:15:", "is empty"},
    {"sweep:\n  train.rate: range(1,a)\n", "5:15:", "\"a\": expected a number, as in range(1,7)"},
    {"sweep:\n  train.rate: range(1,2,3,4)\n", "5:15:", "expected range(first,end,step)"},
    {"sweep:\n  train.rate: range(0,1,1e-9)\n", "5:15:", "has more than 10000 values"},
    {"sweep:\n  train.rate: range(1,200)\n  train.warmup: range(1,200)\n",
     "6:17:", "more than 10000 rows: 199 rows times 199 values"},
    {"rows: [{name: deep, encoder.layers: 6}]\nsweep: {encoder.layers: [1]}\n",
     "4:37:", "row \"deep\" sets this key, but the grid varies it in line 5"},
    {"sweep: {train: [{rate: 1}], train.rate: [2]}\n",
     "4:", "train and train.rate are both varied"},
    {"sweep: {model: [tiny], model.preset: [tiny]}\n",
     "4:", "model and model.preset are both varied"},
    {"sweep: {train.rate: [1]}\nzip: {train.rate: [2], encoder.layers: [1]}\n",
     "4:21:", "train.rate is varied twice"},
    {"zip: 3\n", "4:6:", "zip: expected a map such as"},
    {"zip: {train.rate: [1, 2], encoder.layers: [1, 2, 3]}\n",
     "4:43:", "encoder.layers has 3 values, train.rate has 2"},
    {"exclude: [a]\n", "4:1:", "unknown key \"exclude\""},
    {"sweep: {encoder.layers: [2]}\nwhere: encoder.layers != 2\n", "5:8:", "keeps none of 1 rows"},
    {"where: encoder.layers > 6\n", "4:8:", "keeps none of 1 rows"},
    {"where: encoder.layer > 2\n", "4:8:", "no row has \"encoder.layer\"|did you mean \"layers\"?"},
    {"where: encoder.layers >\n",
     "4:8:", "\"encoder.layers >\" ends too early: expected a value|(where)"},
    {"where: encoder.layers < two\n",
     "4:8:", "at character 18 (\"two\"): expected a number after <|(where)"},
    {"where: encoder.layers = two\n",
     "4:8:", "\"encoder.layers\" has numbers only; expected a number after =, got \"two\"|(where)"},
    {"where: name > 2 or train.rate = 1\n", "4:8:", "\"name\" has words only|(where)"},
    {"where: [a]\n", "4:8:", "where: expected a text, got a list"},
    {"train: {epochs: 0, steps: 100, validate_every: 30}\nevaluate.bleu.checkpoint: average(5)\n",
     "5:27:", "checkpoint: average(5) needs 5 validations, but the training has 4 at most"},
    {"train: {epochs: 0, steps: 3}\nevaluate.bleu.checkpoint: mean_of_best(4)\n",
     "5:27:", "mean_of_best(4) needs 4 validations, but the training has 3 at most"},
    {"evaluate.bleu.split: test\n", "4:1:", "evaluate.bleu.split: the corpus has no test text"},
    {"evaluate.bleu: {split: dev, checkpoint: average(0)}\n", "4:41:", "average(N)"},
    {"corpus.joint: false\n", "3:", "model.share: one table for both sides needs corpus.joint"},
    {"seeds: [1, 2, 1]\n", "4:15:", "seeds: 1 is given twice"},
    {"seeds: [1.5]\n", "4:9:", "a whole number"},
    {"seeds: []\n", "4:8:", "the list is empty"},
    {"seeds: {a: 1}\n", "4:8:", "expected a list of numbers"},
    {"tags: {a: 1}\n", "4:7:", "tags: expected a list of texts"},
    {"note: [a]\n", "4:7:", "note: expected a text"},
    {"base: gone.yaml\n", "4:7:", "base: there is no file"},
    {"base: /etc/passwd\n", "4:7:", "expected a path relative to this file"},
    {"base: g.yaml\n", "4:7:", "expected no cycle"},
    {"base: [a]\n", "4:7:", "base: expected a text"},
    {"model.preset: smal\n", "4:15:", "model: there is no preset \"smal\""},
    {"recipe: xu209\n", "4:9:", "recipe: there is no preset \"xu209\""},
    {"recipe: gone.yaml\n", "4:9:", "recipe: there is no file"},
    {"recipe: {preset: xu2019, warmup: 3}\n", "4:9:", "recipe: expected the name of a preset"},
    {"recipe: {warmup: 3}\n", "4:9:", "recipe: expected the name of a preset"},
    {"recipe: [xu2019]\n", "4:9:", "recipe: expected the name of a preset"},
};

/* Reads the grid and the descriptions of its results, as a verb does. */
static void read_all(const char *path, const char *const *word, int words)
{
    struct plan plan = {0};
    struct grid *grid = grid_read(&arena, path, word, words, NULL);
    plan.grid = grid;
    plan_read_drawn(&plan, grid, &arena);
}

TEST(grids_are_refused_in_one_line)
{
    const char *path = arena_print(&arena, "%s/g.yaml", here);
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(bad_grids); i++) {
        here_put("g.yaml", arena_print(&arena, HEAD "%s", bad_grids[i].text));
        EXPECT_DIE("", read_all(path, NULL, 0));
        const char *place = arena_print(&arena, "%s:%s", path, bad_grids[i].place);
        wrong += !refused_says(bad_grids[i].text, place, bad_grids[i].parts);
    }
    assert_int_equal(wrong, 0);
}

TEST(recipes_are_refused_at_their_place)
{
    const char *path = arena_print(&arena, "%s/g.yaml", here);
    here_put("g.yaml", HEAD "recipe: r.yaml\n");
    here_put("r.yaml", "train.warmup: 3\ncorpus: {merges: 9}\n");
    EXPECT_DIE("r.yaml:2:1: a preset: unknown key \"corpus\"",
               grid_read(&arena, path, NULL, 0, NULL));
    here_put("r.yaml", "base: s.yaml\n");
    EXPECT_DIE("r.yaml:1:7: base: there is no file", grid_read(&arena, path, NULL, 0, NULL));
    here_put("s.yaml", "base: r.yaml\n");
    EXPECT_DIE("s.yaml:1:7: base: ", grid_read(&arena, path, NULL, 0, NULL));
}

/* True if the grid is refused because the root of this file is not a map. */
static bool root_is_refused(const char *file, const char *got)
{
    EXPECT_DIE("", grid_read(&arena, arena_print(&arena, "%s/g.yaml", here), NULL, 0, NULL));
    return refused_says(file, arena_print(&arena, "%s/%s:1:1:", here, file),
                        arena_print(&arena, "expected keys and values (a map)|%s", got));
}

/* A file without keys is a mistake, and does not count as empty. The file may be the grid, its
 * base, or any kind of preset. */
TEST(files_without_keys_are_refused)
{
    static const char *const root[][2] = {{"- a\n- b\n", "got a list"},
                                          {"[]\n", "got a list"},
                                          {"word\n", "got a single value"},
                                          {"3\n", "got a single value"},
                                          {"\"\"\n", "got a single value"}};
    static const char *const above[] = {"base: root.yaml\n", "recipe: root.yaml\n",
                                        "model: root.yaml\ncorpus: {merges: 10}\n",
                                        "corpus: root.yaml\n", "recipe: r.yaml\n"};
    here_put("r.yaml", "base: root.yaml\n");
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(root); i++) {
        here_put("g.yaml", root[i][0]);
        wrong += !root_is_refused("g.yaml", root[i][1]);
        here_put("root.yaml", root[i][0]);
        for (size_t k = 0; k < COUNT_OF(above); k++) {
            here_put("g.yaml", arena_print(&arena, "grid: g\n%s", above[k]));
            wrong += !root_is_refused("root.yaml", root[i][1]);
        }
    }
    assert_int_equal(wrong, 0);
}

TEST(words_are_refused_in_one_line)
{
    static const struct {
        const char *word, *place, *message;
    } cases[] = {
        {"train.epoch=3", "command line: ", "\"epoch\"; nearest is \"epochs\""},
        {"trian.epochs=3",
         "command line: ", "options: unknown key \"trian\"; nearest is \"train\""},
        {"epochs=3", "command line: ", "\"epochs\" is a key of a section; expected train.epochs"},
        {"~table.nothing", "command line: ", "the grid's table has no nothing"},
        {"table=3", "command line: ", "expected a key of the table, as in table.bold=false"},
        {"~table", "command line: ", "expected a key of the table"},
        {"table.blod=true", "command line: ", "table: unknown key \"blod\"; nearest is \"bold\""},
        {"table.bold=fals", "command line: ", "bold: unknown word \"fals\"; nearest is \"false\""},
        {"train.epochs=", "command line: ", "an empty text is written 'train.epochs=\"\"'"},
        {"train.epochs=1,,2", "command line: ", "a value is empty"},
        {"train.epochs=1,", "command line: ", "a value is empty"},
        {"=3", "command line: ", "expected key=value, as in train.epochs=3, or ~key"},
        {"train.epochs", "command line: ", "expected key=value"},
        {"~", "command line: ", "expected ~key, as in ~model.dropout"},
        {"~train.epochs=3", "command line: ", "expected ~key"},
        {"~trian.epochs", "command line: ", "nearest is \"train\""},
        {"~train.epochs", "command line: ", "no row sets \"train.epochs\""},
        {"train.epochs=1,x", "command line: ", "expected a whole number"},
        {"train.epochs=1,x", "command line: ", "(row \"A, rate=1, warmup=5, layers=1, epochs=x\")"},
        {"train.epochs=range(4,1)", "command line: ", "its end is excluded"},
        {"train.epochs=[1", "command line: ", ""},
        {"train.warmup=7",
         "command line: ", "train.warmup is paired with decoder.layers by the grid's zip"},
        {"train={rate: 5}", "command line: train={rate: 5}: ",
         "train: the grid varies a part of it, train.rate; expected one of the two"},
        {"seeds=1,1", "command line: ", "1 is given twice"},
        {"seeds=a", "command line: ", "expected a whole number"},
        {"seeds=+", "command line: ", "expected a whole number"},
        {"rows=3", "command line: ", "options: unknown key \"rows\""},
    };
    const char *path = arena_print(&arena, "%s/g.yaml", here);
    here_put("g.yaml", HEAD "rows: [{name: A}]\nsweep: {train.rate: [1, 2]}\n"
                            "zip: {train.warmup: [5, 6], decoder.layers: [1, 2]}\n");
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EXPECT_DIE("", read_all(path, &cases[i].word, 1));
        wrong += !refused_says(cases[i].word, cases[i].place, cases[i].message);
    }
    assert_int_equal(wrong, 0);
}

TEST(bases_do_not_run_in_circles)
{
    const char *path = arena_print(&arena, "%s/c0.yaml", here);
    for (int i = 0; i < 9; i++)
        here_put(arena_print(&arena, "c%d.yaml", i),
                 i < 8 ? arena_print(&arena, "grid: c\nbase: c%d.yaml\n", i + 1) : HEAD);
    EXPECT_DIE("c7.yaml:2:7: base: the chain of files is longer than 8",
               grid_read(&arena, path, NULL, 0, NULL));
    path = arena_print(&arena, "%s/c1.yaml", here);
    assert_string_equal(grid_read(&arena, path, NULL, 0, NULL)->name, "c");
    here_put("c8.yaml", HEAD "base: ./c3.yaml\n");
    EXPECT_DIE("c8.yaml:4:7: base: ", grid_read(&arena, path, NULL, 0, NULL));
    assert_non_null(strstr(test_die_message, "is its own base"));
    here_put("d.yaml", "base: e.yaml\n");
    here_put("e.yaml", "grid: ../x\n");
    EXPECT_DIE("it names a file",
               grid_read(&arena, arena_print(&arena, "%s/e.yaml", here), NULL, 0, NULL));
    here_put("e.yaml", HEAD);
    EXPECT_DIE("a grid needs a name of its own",
               grid_read(&arena, arena_print(&arena, "%s/d.yaml", here), NULL, 0, NULL));
}

ALL_TESTS(here_open);
