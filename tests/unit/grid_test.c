/* Tests the language of grids: the rows of a grid, with their names and options. */
#include "tests/support/test.h"

#include <time.h>

#include "experiments/stage/rescore.h"
#include "tests/support/planned.h"

#define HEAD PLANNED
#define TYPED(text, ...)                                                                           \
    planned_grid(text, (int)COUNT_OF(((const char *[]){__VA_ARGS__})),                             \
                 (const char *[]){__VA_ARGS__})

static struct grid *grid_of(const char *text)
{
    return planned_grid(text, 0, NULL);
}

#define SCORE(settings)                                                                            \
    ((const struct score_options *)settings_evaluated(settings, &evaluation_score)->fields)

static const struct settings *settings_of(const struct grid *grid, int row)
{
    return grid->row[row].resolved->settings;
}

TEST(rows_are_multiplied_in_order)
{
    struct grid *grid = grid_of(HEAD "rows: [{name: A}, {name: B, model.dropout: 0}]\n"
                                     "sweep: {train.rate: [1, 2]}\n"
                                     "zip: {encoder.layers: [2, 4], decoder.layers: [1, 3]}\n");
    assert_string_equal(planned_rows(grid), "A, rate=1, encoder.layers=2, decoder.layers=1\n"
                                            "A, rate=1, encoder.layers=4, decoder.layers=3\n"
                                            "A, rate=2, encoder.layers=2, decoder.layers=1\n"
                                            "A, rate=2, encoder.layers=4, decoder.layers=3\n"
                                            "B, rate=1, encoder.layers=2, decoder.layers=1\n"
                                            "B, rate=1, encoder.layers=4, decoder.layers=3\n"
                                            "B, rate=2, encoder.layers=2, decoder.layers=1\n"
                                            "B, rate=2, encoder.layers=4, decoder.layers=3\n");
    const struct settings *last = settings_of(grid, 7);
    assert_int_equal(last->translator.encoder.layers, 4);
    assert_int_equal(last->translator.decoder.layers, 3);
    assert_true(last->train.rate == 2 && last->translator.model.dropout == 0);
    const struct grid_row *row = &grid->row[7];
    assert_string_equal(row->line, "B");
    assert_int_equal(row->coordinates, 3);
    assert_string_equal(row->coordinate[0].key, "train.rate");
    assert_string_equal(row->coordinate[0].value, "2");
    assert_string_equal(row->coordinate[2].key, "decoder.layers");
    assert_string_equal(row->coordinate[2].value, "3");
    assert_true(row->coordinate[1].axis == row->coordinate[2].axis);
    assert_true(row->coordinate[0].axis != row->coordinate[1].axis);
    assert_ptr_equal(row->entry, grid->row[4].entry);
}

TEST(what_changes_in_step_is_one_column_group)
{
    struct grid *grid = grid_of(HEAD "rows: [{name: A}, {name: B, model.dropout: 0}]\n"
                                     "zip: {encoder.layers: [2, 4], decoder.layers: [1, 3]}\n"
                                     "sweep: {train.rate: [1, 2]}\n"
                                     "table: {by: encoder.layers, columns: [dev_loss]}\n");
    const struct layout *layout = layout_read(grid->table, grid, &arena);
    assert_int_equal(layout->coordinates, 2);
    assert_int_equal(layout->lines, 4);
    assert_string_equal(layout->line[0].name, "A, rate=1");
    assert_string_equal(layout->line[3].name, "B, rate=2");
}

TEST(a_sweep_alone_has_no_line)
{
    struct grid *grid = grid_of(HEAD "sweep:\n  train.rate: range(0.1,0.4,0.1)\n");
    assert_string_equal(planned_rows(grid), "rate=0.1\nrate=0.2\nrate=0.3\n");
    assert_true(settings_of(grid, 2)->train.rate == 0.3);
    grid = grid_of(HEAD "sweep: {train.rate: 'range(0.1,0.4,0.1)'}\n"); /* in braces, quoted */
    assert_string_equal(planned_rows(grid), "rate=0.1\nrate=0.2\nrate=0.3\n");
    assert_null(grid->row[0].line);
    assert_null(grid->row[0].entry);
    grid = grid_of(HEAD);
    assert_string_equal(planned_rows(grid), "g\n");
    assert_int_equal(grid->row[0].coordinates, 0);
}

TEST(values_may_have_names)
{
    struct grid *grid = grid_of(
        HEAD "sweep:\n"
             "  encoder.attention: {none: [], one: [{layers: 1, branches: [{window: 1}]}]}\n"
             "zip: [{train: {slow: {rate: 1, warmup: 9}, fast: {rate: 2}}}]\n");
    assert_string_equal(planned_rows(grid),
                        "attention=none, train=slow\nattention=none, train=fast\n"
                        "attention=one, train=slow\nattention=one, train=fast\n");
    assert_true(settings_of(grid, 2)->train.warmup == 9);
    assert_string_equal(grid->row[2].coordinate[0].value, "one");
    grid = grid_of(HEAD "sweep: {model.dropout: {none: 0, some: 0.2}}\nwhere: dropout != none\n");
    assert_string_equal(planned_rows(grid), "g\n");
    grid = grid_of(HEAD "sweep: {model.dropout: {none: 0, some: 0.2}}\nwhere: dropout < 0.1\n");
    assert_string_equal(planned_rows(grid), "g\n");
}

TEST(presets_can_be_swept)
{
    here_put("m.yaml", "model: {width: 8, heads: 2, share: all}\n");
    here_put("n.yaml", "model: {width: 24, heads: 2, share: all}\n");
    struct grid *grid = grid_of("grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\n"
                                "sweep: {model: {small: m.yaml, large: n.yaml}}\n"
                                "where: not (model = large and train.rate = 1e0)\n"
                                "rows: [{name: A, train.rate: 1.0}, {name: B, train.rate: 2}]\n");
    assert_string_equal(planned_rows(grid), "A, model=small\nB, model=small\nB, model=large\n");
    assert_int_equal(settings_of(grid, 2)->translator.model.width, 24);
    assert_string_equal(tree_find(grid->row[2].options, "model.preset")->text, "n.yaml");
    assert_null(tree_find(grid->row[2].resolved->options, "model.preset"));
    grid = grid_of(HEAD "rows: [{name: A, model: n.yaml, model.dropout: 0.25}]\n");
    assert_true(settings_of(grid, 0)->translator.model.dropout == 0.25);
    assert_string_equal(tree_find(grid->row[0].options, "model.preset")->text, "n.yaml");
    /* A preset can be combined with another option, in either order. */
    grid = TYPED(HEAD, "model=n.yaml", "model.dropout=0.25");
    assert_true(settings_of(grid, 0)->translator.model.dropout == 0.25);
    assert_string_equal(tree_find(grid->row[0].options, "model.preset")->text, "n.yaml");
    grid = TYPED(HEAD, "model.dropout=0.25", "model=n.yaml");
    assert_true(settings_of(grid, 0)->translator.model.dropout == 0.25);
    grid = grid_of("grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\n"
                   "sweep: {model: [m.yaml, n.yaml], model.dropout: [0.2]}\n");
    assert_int_equal(settings_of(grid, 1)->translator.model.width, 24);
    assert_true(settings_of(grid, 1)->translator.model.dropout == 0.2);
}

/* Each of these sources overrides the sources before it: preset of the model, recipe, keys of the
 * grid, row, command line. */
TEST(recipes_lie_between_model_and_grid)
{
    here_put("m.yaml", "model: {width: 8, heads: 2, share: all, dropout: 0.1, relu_dropout: 0.1}\n"
                       "train: {warmup: 10, rate: 10, steps: 10, beta2: 0.9}\n");
    here_put("r.yaml", "model: {dropout: 0.2}\ntrain: {warmup: 20, rate: 20, steps: 20}\n"
                       "evaluate.bleu: {split: dev, beam: 2}\n");
    here_put("s.yaml", "train: {warmup: 30}\n");
    here_put("t.yaml", "base: r.yaml\ntrain: {warmup: 50}\n");
    const char *text = "grid: g\ncorpus: {source: a, target: b, train: t, dev: t}\nmodel: m.yaml\n"
                       "recipe: r.yaml\ntrain: {rate: 40, steps: 40}\n"
                       "rows: [{name: A, train.steps: 50}, {name: B, recipe: s.yaml}]\n";
    const struct grid *grid = grid_of(text);
    const struct settings *a = settings_of(grid, 0), *b = settings_of(grid, 1);
    assert_true(a->translator.model.width == 8 && a->translator.model.relu_dropout == 0.1);
    assert_true(a->translator.model.dropout == 0.2 && b->translator.model.dropout == 0.1);
    assert_true(a->train.beta2 == 0.9);
    assert_true(a->train.warmup == 20 && b->train.warmup == 30);
    assert_true(a->train.rate == 40 && b->train.rate == 40);
    assert_true(a->train.steps == 50 && b->train.steps == 40);
    assert_true(settings_evaluated(a, &evaluation_score)->asked && SCORE(a)->beam.beam == 2 &&
                !settings_evaluated(b, &evaluation_score)->asked);
    assert_string_equal(tree_find(grid->row[0].resolved->options, "recipe")->text, "r.yaml");
    assert_string_equal(tree_find(grid->row[1].resolved->options, "recipe")->text, "s.yaml");
    grid = TYPED(text, "train.rate=60", "recipe=s.yaml");
    a = settings_of(grid, 0);
    assert_true(a->train.rate == 60 && a->train.warmup == 30 && a->translator.model.dropout == 0.1);
    grid = grid_of("grid: g\ncorpus: {source: a, target: b, train: t}\nmodel: m.yaml\n"
                   "sweep: {recipe: [r.yaml, s.yaml]}\nwhere: recipe != r.yaml\ncorpus.dev: t\n");
    assert_string_equal(planned_rows(grid), "g\n");
    assert_null(tree_find(grid_of(HEAD)->row[0].resolved->options, "recipe"));
    a = settings_of(TYPED(text, "recipe=t.yaml"), 0);
    assert_true(a->train.warmup == 50 && a->translator.model.dropout == 0.2);

    /* ~ removes a key and everything below it, from the grid, its base, the recipe or the model. */
    here_put("n.yaml", text);
    grid = grid_of(
        "grid: h\nbase: n.yaml\nmodel.dropout: ~\n"
        "rows: [{name: A, train.warmup: ~, evaluate: ~}, {name: B, recipe: ~, train.rate: ~}]\n");
    a = settings_of(grid, 0), b = settings_of(grid, 1);
    assert_true(a->translator.model.dropout ==
                settings_of(grid_of(HEAD), 0)->translator.model.dropout);
    assert_true(a->train.warmup == settings_of(grid_of(HEAD), 0)->train.warmup);
    assert_true(a->train.rate == 40 && b->train.rate == settings_of(grid_of(HEAD), 0)->train.rate);
    assert_true(b->train.warmup == 10 && a->train.steps == 40);
    assert_null(tree_find(grid->row[0].resolved->options, "evaluate"));
    assert_null(tree_find(grid->row[1].resolved->options, "recipe"));
    grid = grid_of("grid: h\nbase: n.yaml\nrows: ~\nsweep: {train.rate: {none: ~, ten: 10}}\n");
    assert_string_equal(planned_rows(grid), "rate=none\nrate=ten\n");
    assert_true(settings_of(grid, 0)->train.rate == settings_of(grid_of(HEAD), 0)->train.rate);
    assert_true(settings_of(grid, 1)->train.rate == 10);
}

TEST(where_keeps_rows)
{
    const char *grid = HEAD "rows: [{name: A}, {name: B}]\n"
                            "sweep: {train.rate: [1, 2], model.dropout: [0, 0.10]}\n";
    static const struct {
        const char *rest, *names;
    } cases[] = {
        {"where: not (train.rate = 1 or name = A and model.dropout = 0)",
         "A, dropout=0.10\nB, dropout=0\nB, dropout=0.10\n"},
        {"where: not (train.rate = 1.0 and model.dropout = 1e-1 or name = B)",
         "A, rate=1, dropout=0\nA, rate=2, dropout=0\nA, rate=2, dropout=0.10\n"},
        {"where: name != 'A, rate=1, dropout=0' and not (encoder.layers = 2 and name = B)",
         "A, rate=1, dropout=0.10\nA, rate=2, dropout=0\nA, rate=2, dropout=0.10\n"},
        {"where: rate == 2 and name ~ B", "B, dropout=0\nB, dropout=0.10\n"},
        {"where: name = A and rate = 1 or name = 'B, rate=2, dropout=0'",
         "A, rate=1, dropout=0\nA, rate=1, dropout=0.10\nB, rate=2, dropout=0\n"},
        {"where: name != A and rate = 1", "B, dropout=0\nB, dropout=0.10\n"},
        {"where: train.rate = 2 and model.dropout > 0 and encoder.layers == 2", "A\nB\n"},
        {"where: not (rate=1 or name ~ A) && train.epochs >= 1 and model.dropout > 0 # a default",
         "B\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = planned_rows(grid_of(arena_print(&arena, "%s%s\n", grid, cases[i].rest)));
        if (strcmp(got, cases[i].names) != 0) fail_msg("%s:\n%s", cases[i].rest, got);
    }
}

TEST(where_looks_into_lists)
{
    struct grid *grid =
        grid_of(HEAD "rows:\n"
                     "  - {name: A}\n"
                     "  - {name: B, encoder.attention: [{layers: 1, branches: [{window: 1}]}]}\n"
                     "  - {name: C, encoder.attention: [{layers: 1, branches: [{window: 3}]}]}\n"
                     "  - {name: quoted, quote: {metric: m, bleu: 27.3}}\n"
                     "where: encoder.attention.window < 3\n");
    assert_string_equal(planned_rows(grid),
                        "B\nquoted\n"); /* a row that does not run has no options */
}

TEST(quoted_rows_have_no_run)
{
    struct grid *grid =
        grid_of(HEAD "seeds: [1, 2]\n"
                     "rows:\n"
                     "  - {name: quoted, quote: {metric: m, bleu: 27.3}, section: Others}\n"
                     "  - {name: A}\n"
                     "  - {name: other, hyp: out.txt, rule: true, label: x}\n"
                     "sweep: {train.rate: [1, 2]}\n");
    assert_string_equal(planned_rows(grid), "quoted\nA, rate=1\nA, rate=2\nother\n");
    assert_true(!grid->row[0].resolved && grid->row[1].resolved && !grid->row[3].resolved);
    assert_null(grid->row[0].options);
    assert_string_equal(tree_find(grid->row[0].entry, "quote.bleu")->text, "27.3");
    assert_int_equal(grid->row[3].coordinates, 0);
}

TEST(the_command_line_sweeps)
{
    const char *rows = HEAD "rows: [{name: A}, {name: B, encoder.layers: 4}]\n";
    struct grid *grid = TYPED(rows, "train.rate=1,2", "model.dropout=0");
    assert_string_equal(planned_rows(grid), "A, rate=1\nA, rate=2\nB, rate=1\nB, rate=2\n");
    assert_true(settings_of(grid, 3)->translator.model.dropout == 0);
    assert_int_equal(settings_of(grid, 3)->translator.encoder.layers, 4);
    grid = TYPED(rows, "encoder.layers=range(1,7,2)"); /* overrides the rows' options */
    assert_string_equal(planned_rows(grid), "A, layers=1\nA, layers=3\nA, layers=5\n"
                                            "B, layers=1\nB, layers=3\nB, layers=5\n");
    assert_int_equal(settings_of(grid, 4)->translator.encoder.layers, 3);
    grid = TYPED(rows, "encoder.layers=range(3,1,-1)");
    assert_string_equal(planned_rows(grid), "A, layers=3\nA, layers=2\nB, layers=3\nB, layers=2\n");
    grid = TYPED(HEAD, "encoder.attention=[],[{layers: 1, branches: [{window: 1}]}]");
    assert_string_equal(planned_rows(grid),
                        "attention=[]\nattention=[{layers: 1, branches: [{window: 1}]}]\n");
    grid = TYPED(HEAD, "corpus.train=\"x,y\"");
    assert_string_equal(settings_of(grid, 0)->corpus.part[0].text[0], "x,y");
    grid = TYPED(HEAD, "corpus.train='x,y',z");
    assert_string_equal(planned_rows(grid), "train=x,y\ntrain=z\n");
    /* The map of a section is merged with other options of the section. It does not replace
     * them. */
    grid = TYPED(rows, "train.epochs=3", "train={warmup: 5}");
    assert_int_equal(settings_of(grid, 0)->train.epochs, 3);
    assert_int_equal(settings_of(grid, 0)->train.warmup, 5);
    grid = TYPED(HEAD "sweep: {train.rate: [1, 2]}\n", "train={warmup: 5}");
    assert_string_equal(planned_rows(grid), "rate=1\nrate=2\n");
    assert_int_equal(settings_of(grid, 1)->train.warmup, 5);
    EXPECT_DIE("command line: train={epochs: 4}: \"epochs\" is given twice, first in command line: "
               "train.epochs=3",
               TYPED(rows, "train.epochs=3", "train={epochs: 4}"));
    EXPECT_DIE(
        "command line: train.epochs=3: \"train.epochs\" is given twice, first in command line: "
        "train=4",
        TYPED(rows, "train=4", "train.epochs=3"));
    EXPECT_DIE("train.rate is given twice, also as train.rate=1,2",
               TYPED(HEAD, "train.rate=1,2", "train.rate=3"));
}

TEST(the_command_line_changes_a_sweep)
{
    const char *sweep = HEAD "sweep: {encoder.layers: [1, 2], train.rate: [1, 2]}\n";
    assert_string_equal(planned_rows(TYPED(sweep, "encoder.layers=5")), "rate=1\nrate=2\n");
    assert_string_equal(planned_rows(TYPED(sweep, "encoder.layers=5,6", "train.rate=3")),
                        "layers=5\nlayers=6\n");
    struct grid *grid = TYPED(sweep, "~encoder.layers");
    assert_string_equal(planned_rows(grid), "rate=1\nrate=2\n");
    assert_int_equal(settings_of(grid, 0)->translator.encoder.layers, 6); /* the option's default */
}

TEST(a_tilde_is_the_default)
{
    const char *text = HEAD "seeds: [4, 5]\nrows: [{name: A}, {name: B, model.dropout: 0.5}]\n";
    struct grid *grid = TYPED(text, "~model.dropout", "~seeds");
    assert_true(settings_of(grid, 1)->translator.model.dropout == 0.1);
    assert_int_equal(grid->seeds, 1);
    assert_int_equal(grid->seed[0], 1);
    assert_true(settings_of(grid_of(text), 1)->translator.model.dropout == 0.5);
    grid = TYPED(text, "seeds=range(1,4)");
    assert_int_equal(grid->seeds, 3);
    assert_int_equal(grid->seed[2], 3);
    grid = TYPED(text, "seeds=+6,9");
    assert_int_equal(grid->seeds, 4);
    assert_int_equal(grid->seed[3], 9);
    grid = TYPED(text, "seeds=+range(6,8)");
    assert_int_equal(grid->seeds, 4);
    assert_int_equal(grid->seed[3], 7);
}

/* In a YAML list, commas split a name into several texts. These texts are joined again, except
 * texts that are names themselves. */
TEST(parts_of_a_name_are_joined)
{
    const struct grid *grid =
        grid_of(HEAD "sweep: {train.rate: [1, 2]}\nrows: [{name: T}, {name: A, "
                     "sweep: false}, {name: B, sweep: false}, "
                     "{name: \"A, B\", sweep: false}]\n"
                     "table: {baseline: [T, rate=2, A, B], notes: [T, rate=3]}\n");
    assert_string_equal(
        tree_text(&arena, grid_names_join(grid, tree_get(grid->table, "baseline"), &arena)),
        "[\"T, rate=2\", A, B]");
    assert_string_equal(
        tree_text(&arena, grid_names_join(grid, tree_get(grid->table, "notes"), &arena)),
        "[T, rate=3]");
}

TEST(a_base_lies_beneath)
{
    file_make_folder(arena_print(&arena, "%s/sub", here));
    here_put("sub/m.yaml", "model: {width: 8, heads: 2, share: all}\n");
    here_put("sub/root.yaml", "corpus: {source: a, target: b, train: t, dev: t}\nmodel: m.yaml\n"
                              "train: {rate: 2, warmup: 9}\nseeds: [1, 2]\n");
    here_put("sub/base.yaml", "grid: b\ntitle: Base\nbase: root.yaml\ntags: [x]\ntrain.rate: 3\n"
                              "rows: [{name: A}, {name: B}]\n"
                              "table: {columns: [dev_loss], baseline: B}\n");
    struct grid *grid = grid_of("grid: g\nbase: sub/base.yaml\nnote: n\ntrain: {epochs: 5}\n"
                                "sweep: {encoder.layers: [1, 2]}\n"
                                "table: {columns: [parameters, dev_loss], baseline: ~}\n");
    assert_string_equal(grid->name, "g");
    assert_string_equal(grid->title, "Base");
    assert_string_equal(planned_rows(grid), "A, layers=1\nA, layers=2\nB, layers=1\nB, layers=2\n");
    assert_int_equal(grid->seeds, 2);
    const struct settings *settings = settings_of(grid, 0);
    assert_true(settings->train.rate == 3 && settings->train.warmup == 9);
    assert_int_equal(settings->train.epochs, 5);
    assert_int_equal(settings->translator.model.width, 8); /* relative to the file that names it */
    assert_int_equal(grid->tags.count, 1);
    assert_string_equal(grid->tags.text[0], "x");
    assert_string_equal(grid->note, "n");
    assert_true(tree_is_nothing(tree_get(grid->table, "baseline"))); /* no baseline */
    assert_int_equal(tree_get(grid->table, "columns")->count, 2);
    grid = grid_of("grid: g\nbase: sub/base.yaml\nrows: ~\ntable: ~\n");
    assert_string_equal(planned_rows(grid), "g\n");
    /* A map with a ~ changes the map of the base. A map without ~ replaces it. */
    here_put("sub/deep.yaml", "grid: d\nbase: base.yaml\nsweep: {encoder.layers: [1, 2], "
                              "train.rate: [1, 2]}\n"
                              "table: {significance: {alpha: 0.01, marks: arrows}}\n");
    grid = grid_of("grid: g\nbase: sub/deep.yaml\nsweep: {train.rate: ~}\n"
                   "table: {significance: {alpha: ~, samples: 100}}\n");
    assert_string_equal(planned_rows(grid), "A, layers=1\nA, layers=2\nB, layers=1\nB, layers=2\n");
    assert_string_equal(tree_text(&arena, tree_get(grid->table, "significance")),
                        "{marks: arrows, samples: 100}");
    /* If a ~ has nothing to remove, it is a value. */
    grid = grid_of("grid: g\nbase: sub/deep.yaml\n"
                   "sweep: {train.warmup: {default: ~, short: 9}}\n");
    assert_string_equal(planned_rows(grid), "A, warmup=default\nA, warmup=short\n"
                                            "B, warmup=default\nB, warmup=short\n");
    grid = grid_of("grid: g\nbase: sub/deep.yaml\nsweep: {encoder.layers: ~, train.rate: ~}\n"
                   "table: {significance: {samples: 100}}\n");
    assert_string_equal(planned_rows(grid), "A\nB\n");
    assert_string_equal(tree_text(&arena, tree_get(grid->table, "significance")), "{samples: 100}");
}

static double seconds_of_rows(int rows)
{
    struct arena_stream yaml;
    arena_stream_open(&yaml);
    fputs(HEAD "rows:\n", yaml.out);
    for (int i = 0; i < rows; i++)
        fprintf(yaml.out, "  - {name: Row number %d, train.rate: 1}\n", i);
    const char *text = arena_stream_close(&arena, &yaml);
    const clock_t start = clock(); /* processor time, because the machine may be busy */
    assert_int_equal(grid_of(text)->rows, rows);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* 3,000 rows take 0.2 s. The time must not grow quadratically. */
TEST(time_grows_with_the_rows)
{
    double few = 1e9, many = 1e9;
    for (int i = 0; i < 3;
         i++) { /* minimum of three measurements, because other load can only increase the time */
        few = fmin(few, seconds_of_rows(300));
        many = fmin(many, seconds_of_rows(3000));
    }
    print_message("300 rows: %.3f s, 3000 rows: %.3f s\n", few, many);
    assert_true(many < 40 * few + 0.1 * test_slow());
    struct grid *grid = grid_of(HEAD "sweep:\n  train.rate: range(1,31)\n"
                                     "  train.warmup: range(1,101)\nwhere: train.rate != 7\n");
    assert_int_equal(grid->rows, 2900);
}

/* If a row sets only train.steps, its train.epochs is 0, in the settings, in a table and in
 * `where`. */
TEST(steps_alone_leave_no_epochs)
{
    const struct grid *grid = grid_of(HEAD "rows: [{name: A}, {name: B, train.steps: 7},"
                                           " {name: C, train: {steps: 7, epochs: 3}}]\n");
    static const char *const epochs[] = {"10", "0", "3"};
    for (int r = 0; r < 3; r++) {
        assert_int_equal(settings_of(grid, r)->train.epochs, atoi(epochs[r]));
        assert_string_equal(layout_option(grid, &grid->row[r], "train.epochs", &arena), epochs[r]);
    }
    assert_string_equal(planned_rows(grid_of(HEAD "rows: [{name: A}, {name: B, train.steps: 7}]\n"
                                                  "where: train.epochs < 10\n")),
                        "B\n");
}

/* If a row has a stack, the stack defines the number of layers. The number in a preset does not
 * apply. */
TEST(a_stack_says_layers)
{
    here_put("layers.yaml", "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"
                            "encoder: {layers: 2}\ndecoder: {layers: 1}\n");
#define STACKS                                                                                     \
    "grid: g\ncorpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                      \
    "model.preset: layers.yaml\n"                                                                  \
    "rows: [{name: A}, {name: B, encoder.stack: [{onlstm: 1}, {lstm: {layers: 2}}, {san: {}}]}"
    const struct grid *grid = grid_of(STACKS ", {name: C, encoder.stack: ~, model.dropout: 0}]\n");
    static const char *const layers[] = {"2", "4", "2"};
    for (int r = 0; r < 3; r++) {
        assert_int_equal(settings_of(grid, r)->translator.encoder.layers, atoi(layers[r]));
        assert_string_equal(layout_option(grid, &grid->row[r], "encoder.layers", &arena),
                            layers[r]);
    }
    assert_string_equal(planned_rows(grid_of(STACKS "]\nwhere: encoder.layers > 2\n")), "B\n");
}

/* If an option of a row refers to an axis, layout_option returns the value of the axis instead of
 * its name. */
TEST(an_option_is_what_its_axis_says)
{
    const struct grid *grid =
        grid_of(HEAD "rows: [{name: A, encoder.stack: [{lstm: {direction: $to}}, $top]}, {name: B, "
                     "encoder.stack: [{lstm: 1}, {san: 1}], sweep: false}]\n"
                     "sweep: {to: [forward, backward], top: [{san: 1}]}\n");
    static const char *const stacks[] = {"[{lstm: {direction: forward}}, {san: 1}]",
                                         "[{lstm: {direction: backward}}, {san: 1}]",
                                         "[{lstm: 1}, {san: 1}]"};
    for (int r = 0; r < 3; r++)
        assert_string_equal(layout_option(grid, &grid->row[r], "encoder.stack", &arena), stacks[r]);
}

ALL_TESTS(here_open);
