/* Tests axes that the grid names: the rows that use them, the values of $name, and refusals. */
#include "tests/support/test.h"

#include "tests/support/planned.h"

#define HEAD                                                                                       \
    "grid: g\n"                                                                                    \
    "corpus: {source: a, target: b, train: t, dev: t, merges: 10}\n"                               \
    "model: {width: 16, heads: 2, feedforward: 32, share: all}\n"                                  \
    "encoder: {layers: 4}\n"                                                                       \
    "decoder: {layers: 1}\n"
#define ROW(name, layers, branches, fusion)                                                        \
    "  - {name: " name ", encoder.attention: [{layers: " layers ", branches: [" branches           \
    "]" fusion "}]}\n"
#define LOCAL ROW("local", "$layers", "{window: $window}", "")
#define GATE ROW("gate", "$layers", "global, {window: $window}", ", fusion: gate")

static struct grid *grid_of(const char *text)
{
    return planned_grid(text, 0, NULL);
}

static struct grid *typed(const char *text, const char *word)
{
    return planned_grid(text, 1, &word);
}

/* Reads a grid with one argument and with --only; each of them may be NULL. */
static struct grid *selected(const char *text, const char *word, const char *only)
{
    return grid_read(&arena, here_put("g.yaml", text), &word, word != NULL, only);
}

/* Returns encoder.attention of a row, with the values of its axes. */
static const char *attention_of(const struct grid *grid, int row)
{
    const struct tree *tree = tree_find(grid->row[row].resolved->options, "encoder.attention");
    return tree ? tree_text(&arena, tree) : "none";
}

TEST(a_row_takes_the_axes_that_it_uses)
{
    const struct grid *grid =
        grid_of(HEAD "sweep: {window: [1, 2], layers: [1, all]}\n"
                     "rows:\n"
                     "  - {name: Transformer, sweep: false}\n"
                     "  - {name: none}\n" LOCAL ROW("top", "4", "{window: $window}", "") GATE);
    assert_string_equal(planned_rows(grid), "Transformer\n"
                                            "none\n"
                                            "local, window 1, layers 1\n"
                                            "local, window 1, layers all\n"
                                            "local, window 2, layers 1\n"
                                            "local, window 2, layers all\n"
                                            "top, window 1\n"
                                            "top, window 2\n"
                                            "gate, window 1, layers 1\n"
                                            "gate, window 1, layers all\n"
                                            "gate, window 2, layers 1\n"
                                            "gate, window 2, layers all\n");
    assert_string_equal(attention_of(grid, 0), "none");
    assert_string_equal(attention_of(grid, 5), "[{layers: all, branches: [{window: 2}]}]");
    assert_string_equal(attention_of(grid, 10),
                        "[{layers: 1, branches: [global, {window: 2}], fusion: gate}]");
    const struct grid_row *row = grid->row;
    assert_int_equal(row[0].coordinates, 0);
    assert_null(row[0].line);
    assert_int_equal(row[6].coordinates, 1);
    assert_string_equal(row[6].line, "top");
    assert_string_equal(row[6].coordinate[0].key, "window");
    assert_string_equal(row[6].coordinate[0].text, "window 1");
    assert_true(row[6].coordinate[0].named);
    assert_null(grid_row_coordinate(&row[6], 0, "layers"));
    assert_string_equal(grid_row_coordinate(&row[9], 0, "layers")->value, "all");
}

TEST(options_of_axes_apply_to_every_row_but_fixed_ones)
{
    const struct grid *grid =
        grid_of(HEAD "sweep: {train.rate: [1, 2], window: [1]}\n"
                     "rows:\n"
                     "  - {name: A, sweep: false, train.rate: 3}\n"
                     "  - {name: B}\n" ROW("C", "1", "{window: $window}", ""));
    assert_string_equal(planned_rows(grid), "A\nB, rate=1\nB, rate=2\n"
                                            "C, rate=1\nC, rate=2\n");
    assert_true(grid->row[0].resolved->settings->train.rate == 3);
}

TEST(the_grids_own_options_use_axes)
{
    const struct grid *grid = grid_of(HEAD "sweep: {window: [1, 2]}\n"
                                           "encoder.attention: [{layers: 1, branches: [{window: "
                                           "$window}]}]\n");
    assert_string_equal(planned_rows(grid), "window 1\nwindow 2\n");
    grid = grid_of(HEAD "sweep: {window: [1, 2]}\n"
                        "encoder.attention: [{layers: 1, branches: [{window: $window}]}]\n"
                        "rows: [{name: A}, {name: B, encoder.attention: []}]\n");
    assert_string_equal(planned_rows(grid), "A, window 1\nA, window 2\nB\n");
    /* $$ is a dollar sign, even in a grid without axes. */
    grid = grid_of(HEAD "corpus.test: a$$n\n");
    assert_string_equal(tree_text(&arena, tree_find(grid->row[0].resolved->options, "corpus.test")),
                        "a$n");
}

TEST(values_of_an_option_use_axes)
{
    static const char *const sweep[] = {"train.rate: [$n, 3], n: [1, 2]",
                                        "n: [1, 2], train.rate: [$n, 3]"};
    for (size_t i = 0; i < COUNT_OF(sweep); i++) {
        const struct grid *grid = grid_of(arena_print(&arena, "%ssweep: {%s}\n", HEAD, sweep[i]));
        assert_int_equal(grid->rows, 3); /* with rate 3, both values of n give the same point */
        assert_true(grid->row[0].resolved->settings->train.rate == 1);
    }
}

TEST(a_value_is_any_yaml_and_may_have_a_label)
{
    const struct grid *grid = grid_of(
        HEAD "sweep:\n"
             "  mix: {alone: [{window: $window}], both: [global, {window: $window}]}\n"
             "  window: {narrow: 1, wide: 2}\n"
             "rows: [{name: A, encoder.attention: [{layers: 1, branches: $mix, fusion: sum}]}]\n"
             "where: mix = both\n");
    assert_string_equal(planned_rows(grid), "A, window narrow\nA, window wide\n");
    assert_string_equal(attention_of(grid, 0),
                        "[{layers: 1, branches: [global, {window: 1}], fusion: sum}]");
    assert_string_equal(attention_of(grid, 1),
                        "[{layers: 1, branches: [global, {window: 2}], fusion: sum}]");
    assert_string_equal(grid->row[0].coordinate[1].plain, "1");
    assert_null(grid->row[0].coordinate[0].plain);
}

TEST(names_stand_inside_of_words)
{
    const struct grid *grid =
        grid_of(HEAD "sweep: {n: [1, 2], m: [3]}\n"
                     "rows: [{name: $5, encoder.attention: [{layers: \"${n}-${m}\", branches: "
                     "[{window: \"${n}0\"}]}]}]\n");
    assert_string_equal(planned_rows(grid), "$5, n 1\n$5, n 2\n");
    assert_string_equal(attention_of(grid, 1), "[{layers: 2-3, branches: [{window: 20}]}]");
    grid = grid_of(HEAD "sweep: {n: [1, 2]}\n"
                        "encoder.attention: [{layers: $n, branches: [global]}]\n"
                        "corpus.test: a$$n$n$\n");
    assert_string_equal(tree_text(&arena, tree_find(grid->row[1].resolved->options, "corpus.test")),
                        "a$n2$");
}

TEST(keys_of_a_zip_change_together)
{
    const struct grid *grid = grid_of(HEAD "zip: {n: [1, 1, 2], m: [3, 4, 5]}\n"
                                           "rows:\n" ROW("A", "$n", "{window: 1}", "")
                                               ROW("B", "$n", "{window: $m}", ""));
    assert_string_equal(planned_rows(grid),
                        "A, n 1\nA, n 2\nB, n 1, m 3\nB, n 1, m 4\nB, n 2, m 5\n");
}

TEST(equal_points_are_one_row)
{
    const struct grid *grid = grid_of(HEAD "sweep: {window: [1, 2], layers: [1, 1-4, all]}\n"
                                           "rows:\n  - {name: T, sweep: false}\n" LOCAL);
    assert_string_equal(planned_rows(grid), "T\n"
                                            "local, window 1, layers 1\n"
                                            "local, window 1, layers 1-4\n"
                                            "local, window 2, layers 1\n"
                                            "local, window 2, layers 1-4\n");
    const struct grid_row *row = grid->row;
    assert_int_equal(row[1].more, 0);
    assert_int_equal(row[2].more, 1);
    assert_string_equal(grid_row_coordinate(&row[2], 0, "layers")->value, "1-4");
    assert_string_equal(grid_row_coordinate(&row[2], 1, "layers")->value, "all");
    assert_string_equal(grid_row_coordinate(&row[2], 1, "window")->value, "1");
    /* A name at any of its places selects the row. */
    assert_true(grid_row_meant(&row[2], "local, window 1, layers all"));
    assert_true(grid_row_meant(&row[2], "local, window 1, layers 1-4"));
    assert_false(grid_row_meant(&row[2], "local, window 2, layers all"));
    assert_false(grid_row_meant(&row[2], "local, window 1, layers all, x"));
    assert_false(grid_row_meant(&row[2], "local, window 1"));
    assert_int_equal(grid_row_beside(grid, "local, window 2, layers all", 0), 4);
    /* Rows that the grid lists separately are distinct, even if they compute the same. */
    grid = grid_of(HEAD "rows: [{name: A}, {name: B}]\n");
    assert_int_equal(grid->rows, 2);
}

TEST(rows_go_by_the_names_of_axes)
{
    static const char text[] =
        HEAD "sweep: {window: {narrow: 1, wide: 3}, layers: [1, 2]}\n"
             "rows:\n  - {name: T, sweep: false, encoder.attention: [{layers: 1, branches: "
             "[{window: 3}]}]}\n" LOCAL;
    const char *kept = arena_print(
        &arena, "%swhere: not (window = wide and layers = 2 or window = 1 and layers = 1)\n", text);
    assert_string_equal(planned_rows(grid_of(kept)), "T\n"
                                                     "local, window narrow, layers 2\n"
                                                     "local, window wide, layers 1\n");
    /* `window` means the axis, not the option. So T, which is not on the axis, is not selected. */
    kept = arena_print(&arena, "%swhere: window > 2\n", text);
    assert_string_equal(planned_rows(grid_of(kept)), "local, layers 1\nlocal, layers 2\n");
    kept = arena_print(&arena,
                       "%swhere: encoder.attention.window > 2 and not name ~ \"layers 2\"\n", text);
    assert_string_equal(planned_rows(grid_of(kept)), "T\nlocal\n");
    kept = HEAD "sweep: {window: [1, 3], layers: [1, 2]}\n"
                "where: not (encoder.attention.window = 3 and encoder.attention.layers = 2)\n"
                "rows:\n" LOCAL;
    assert_string_equal(planned_rows(grid_of(kept)), "local, window 1, layers 1\n"
                                                     "local, window 1, layers 2\n"
                                                     "local, window 3, layers 1\n");
    /* All spellings of a number are equal. */
    kept = HEAD "rows: [{name: A, train.rate: $r}]\n"
                "sweep: {r: [1, 2.0, .5], model.dropout: {no: 0, some: 0.10}}\n"
                "where: not (r = 1.0 or r = 0.5 or model.dropout = .1)\n";
    assert_string_equal(planned_rows(grid_of(kept)), "A\n");
}

/* --only selects rows as the grid's key `where` does. A condition is true for a row if it is true
 * at one of its places. A name may have values of axes. */
TEST(some_rows_are_meant_at_any_place)
{
    static const char text[] = HEAD "sweep: {window: [1], layers: [1, 2, 1-4, all]}\nrows:\n"
                                    "  - {name: T, sweep: false}\n" LOCAL;
    assert_string_equal(planned_rows(grid_of(text)),
                        "T\nlocal, layers 1\nlocal, layers 2\nlocal, layers 1-4\n");
    static const struct {
        const char *text;
        bool only[4];
    } cases[] = {
        {"layers = 1-4", {false, false, false, true}},
        {"layers = all", {false, false, false, true}},
        {"name = 'local, layers all'", {false, false, false, true}},
        {"layers = all or layers = 1", {false, true, false, true}},
        {"name = local", {false, true, true, true}},
        {"name != local", {true, false, false, false}},
        {"local", {false, true, true, true}},
        {"local, layers all", {false, false, false, true}},
        {"local, window 1, layers 2", {false, false, true, false}},
        {"name = local and not layers = 1", {false, false, true, true}},
        {"name != T and name != 'local, layers 2'", {false, true, false, true}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const bool *only = selected(text, NULL, cases[i].text)->only;
        if (memcmp(only, cases[i].only, sizeof cases[i].only) != 0) fail_msg("%s", cases[i].text);
    }
    EXPECT_DIE("command line: --only: no row has layers = \"3\"; expected one of: 1, 2, 1-4, all",
               selected(text, NULL, "layers = 3"));
    EXPECT_DIE("--only: no row has layers = \"al\"; nearest is \"all\"",
               selected(text, NULL, "name = local and layers = al"));
    EXPECT_DIE("--only: no row has share = \"al\"; nearest is \"all\"",
               selected(text, NULL, "share = al"));
    EXPECT_DIE("--only: no row has name ~ \"Local\"; nearest is \"local\"",
               selected(text, NULL, "name ~ Local"));
    EXPECT_DIE("\"name = T and layers = all\" matches no row of g; its rows: T; local, layers 1; ",
               selected(text, NULL, "name = T and layers = all"));
    EXPECT_DIE("--only: there is no row \"local, layers 3\"; nearest is \"local, layers 1\"",
               selected(text, NULL, "local, layers 3"));
    /* If an axis has labels, a number is compared with the value of the option. */
    static const char drop[] = HEAD "sweep: {train.rate: [1, 2], model.dropout: {no: 0, so: 0.2}}\n"
                                    "rows: [{name: A}]\n";
    EXPECT_DIE("no row has rate = \"3\"", selected(drop, NULL, "dropout = 0 and rate = 3"));
    EXPECT_DIE("--only: there is no row \"A, rate=3\"", selected(drop, NULL, "A, rate=3"));
    EXPECT_DIE("where keeps none",
               grid_of(HEAD "rows: [{name: T}]\nwhere: share != all and share = all\n"));
    EXPECT_DIE("g.yaml:7:8: where: no row has share = \"al\"; nearest is \"all\"",
               grid_of(HEAD "rows: [{name: T}]\nwhere: share = al\n"));
}

/* An option of the command line may be valid for only one of the rows. */
TEST(rows_that_are_not_selected_are_not_checked)
{
    static const char text[] =
        HEAD "sweep: {window: [1, 2]}\nrows:\n  - {name: T, sweep: false}\n" ROW(
            "local", "4", "{window: $window}", "");
    EXPECT_DIE("(row \"local, window 1\")", selected(text, "encoder.layers=2", NULL));
    const struct grid *grid = selected(text, "encoder.layers=2", "T");
    assert_string_equal(planned_rows(grid), "T\nlocal, window 1\nlocal, window 2\n");
    assert_true(grid->only[0] && !grid->only[1] && !grid->only[2]);
    assert_non_null(grid->row[0].resolved);
    assert_null(grid->row[1].resolved);
    EXPECT_DIE("(row \"local, window 1\")", selected(text, "encoder.layers=2", "local"));
    /* A valid row is resolved, even if it is not selected. */
    assert_non_null(selected(text, "train.rate=2", "T")->row[1].resolved);
}

TEST(names_have_values_of_axes)
{
#define NAMED(axes, name)                                                                          \
    HEAD axes "\nrows:\n  - {name: T $x$, sweep: false}\n  - {name: '" name                        \
              "', encoder.attention: [{layers: $layers, branches: [{window: $window}]}]}\n"
#define SWEEP "sweep: {window: [1, 3], layers: [1, 2]}"
#define ZIP "sweep: {layers: [1, 2]}\nzip: {window: [1, 3], width: [narrow, wide]}"
    assert_string_equal(planned_rows(grid_of(NAMED(SWEEP, "local $window"))),
                        "T $x$\nlocal 1, layers 1\nlocal 1, layers 2\n"
                        "local 3, layers 1\nlocal 3, layers 2\n");
    /* A key of a zip represents its axis. Two dollar signs are plain text. */
    assert_string_equal(planned_rows(typed(NAMED(ZIP, "${width} $m=$window$"), "layers=2")),
                        "T $x$\nnarrow $m=1$\nwide $m=3$\n");
    const struct grid *grid = grid_of(NAMED(ZIP, "$width: $layers"));
    assert_string_equal(grid->row[2].name, "wide: 1");
    assert_int_equal(grid_row_called(grid, "narrow: 2"), 3);
    assert_int_equal(grid_row_called(grid, "narrow: 3"), -1);
    assert_true(grid_row_meant(&grid->row[2], "$width: $layers"));
    EXPECT_DIE("g.yaml:9:12: sweep: there is no axis \"windo\"; nearest is \"window\"",
               grid_of(NAMED(SWEEP, "local $windo")));
    /* So does the key of a zip in a label. So may be a brace after $. */
    grid = grid_of(NAMED(ZIP, "local', label: '$width"));
    assert_string_equal(grid_row_coordinate(&grid->row[1], 0, "width")->value, "narrow");
    assert_string_equal(planned_rows(typed(NAMED(SWEEP, "x ${}^2$"), "layers=2")),
                        "T $x$\nx ${}^2$, window 1\nx ${}^2$, window 3\n");
    EXPECT_DIE("g.yaml:10:12: \"local ${\": expected the name of an axis and }",
               grid_of(NAMED(ZIP, "local ${")));
    EXPECT_DIE("\"T $window\": the row does not use $window",
               grid_of(NAMED(SWEEP, "local") "  - {name: T $window, sweep: false}\n"));
    EXPECT_DIE("there is no axis \"layer\"; nearest is \"layers\"",
               grid_of(NAMED(SWEEP, "local") "  - {name: T, label: $layer, train.rate: 2}\n"));
}

TEST(an_axis_with_one_value_is_not_in_names)
{
    static const char text[] = HEAD "sweep: {window: [1, 3], layers: [2]}\nrows:\n"
                                    "  - {name: T, sweep: false}\n" LOCAL;
    const struct grid *grid = typed(text, "window=3");
    assert_string_equal(planned_rows(grid), "T\nlocal\n");
    assert_string_equal(grid_row_coordinate(&grid->row[1], 0, "window")->value, "3");
    assert_int_equal(grid_row_called(grid, "local, window 3, layers 2"), 1);
    assert_int_equal(grid_row_called(grid, "local, layers 2"), 1);
    assert_int_equal(grid_row_called(grid, "local, window 1, layers 2"), -1);
    assert_int_equal(grid_row_called(grid, "local, layers 2, window 3"), -1);
    assert_int_equal(grid_row_called(grid, "local, "), -1);
    assert_string_equal(planned_rows(grid_of(text)), "T\nlocal, window 1\nlocal, window 3\n");
    /* The axis is in the name if two rows would otherwise have the same name. */
    grid = grid_of(HEAD "sweep: {window: [1]}\nrows:\n  - {name: local, sweep: false}\n"
                        "  - {name: local, encoder.attention: [{layers: 1, branches: [{window: "
                        "$window}]}]}\n");
    assert_string_equal(planned_rows(grid), "local\nlocal, window 1\n");
}

TEST(the_command_line_knows_axes)
{
    static const char text[] = HEAD "sweep: {window: {narrow: 1, wide: 3}, layers: [1, 2]}\n"
                                    "rows:\n" LOCAL;
    assert_string_equal(planned_rows(typed(text, "window=wide,5")), "local, window wide, layers 1\n"
                                                                    "local, window wide, layers 2\n"
                                                                    "local, window 5, layers 1\n"
                                                                    "local, window 5, layers 2\n");
    assert_string_equal(planned_rows(typed(text, "window=3")),
                        "local, layers 1\nlocal, layers 2\n");
    const struct grid *grid = typed(text, "layers=2");
    assert_string_equal(planned_rows(grid), "local, window narrow\nlocal, window wide\n");
    assert_string_equal(attention_of(grid, 1), "[{layers: 2, branches: [{window: 3}]}]");
    grid = typed(HEAD "sweep: {mix: {one: [global], two: [global, forward]}}\n"
                      "encoder.attention: [{layers: 1, branches: $mix, fusion: sum}]\n",
                 "mix=two,[forward, backward]");
    assert_string_equal(planned_rows(grid), "mix two\nmix [forward, backward]\n");
    EXPECT_DIE("~window: window is an axis of the grid and has no default; expected "
               "window=VALUE",
               typed(text, "~window"));
    EXPECT_DIE("unknown key \"window\"", typed(text, "window.x=3"));
    EXPECT_DIE("unknown key \"windo\"; nearest is \"window\"", typed(text, "windo=3"));
}

TEST(a_row_beside_is_at_the_same_place)
{
    const struct grid *grid = grid_of(HEAD "sweep: {window: [1, 2], layers: [1, 4, all]}\n"
                                           "rows:\n  - {name: T, sweep: false}\n" LOCAL GATE ROW(
                                               "top", "4", "{window: $window}", ""));
    const struct grid *summary = grid;
    for (int r = 0; r < grid->rows; r++) {
        if (strncmp(grid->row[r].name, "gate", 4)) continue;
        const char *other = arena_print(&arena, "local%s", strchr(grid->row[r].name, ','));
        assert_string_equal(grid->row[grid_row_beside(summary, "local", r)].name, other);
        const char *window = grid_row_coordinate(&summary->row[r], 0, "window")->value;
        assert_string_equal(grid->row[grid_row_beside(summary, "top", r)].name,
                            arena_print(&arena, "top, window %s", window));
        assert_int_equal(grid_row_beside(summary, "T", r), 0);
    }
}

static void expect_refused(const char *text, const char *place, const char *problem)
{
    EXPECT_DIE(place, grid_of(text));
    EXPECT_DIE(problem, grid_of(text));
}

#define PROBE "evaluate.probe.tasks: mine.yaml\n"

TEST(what_stands_below_evaluate_is_swept_by_its_own_words)
{
    static const char two[] = HEAD PROBE "sweep: {probe.path: [encoder.1, bag]}\n"
                                         "where: probe.path != bag\n"
                                         "rows: [{name: A}, {name: B}]\n"
                                         "table: {by: probe.path, columns: [probe.A]}\n";
    struct grid *grid = grid_of(two);
    assert_string_equal(planned_rows(grid), "A\nB\n");
    assert_string_equal(grid->row[0].coordinate[0].key, "evaluate.probe.path");
    assert_string_equal(layout_read(grid->table, grid, &arena)->by, "evaluate.probe.path");
    assert_string_equal(planned_rows(typed(two, "probe.path=encoder.2,encoder.3")),
                        "A, path=encoder.2\n"
                        "A, path=encoder.3\n"
                        "B, path=encoder.2\n"
                        "B, path=encoder.3\n");
    assert_string_equal(planned_rows(typed(two, "~probe.path")), "A\nB\n");
}

TEST(all_layers_are_one_value_of_a_path)
{
    struct grid *grid = grid_of(HEAD PROBE "sweep: {probe.path: [encoder.4, layers]}\n");
    assert_string_equal(planned_rows(grid), "path=encoder.4\npath=layers\n");
    const struct tree *path = tree_find(grid->row[1].resolved->options, "evaluate.probe.path");
    assert_string_equal(tree_text(&arena, path), "[encoder.1, encoder.2, encoder.3, encoder.4]");
}

TEST(what_is_wrong_is_said_with_its_place)
{
    static const struct {
        const char *text, *place, *problem;
    } wrong[] = {
        {"sweep: {window: [1]}\n", "6:9:", "window: no row uses $window"},
        {"rows: [{name: A, sweep: false}]\nsweep: {train.rate: [1, 2]}\n",
         "7:9:", "train.rate: no row varies it, because all rows have sweep: false or no run"},
        {"sweep: {dropout: [0, 0.1]}\n",
         "6:9:", "dropout: no row uses $dropout; did you mean the option \"model.dropout\"?"},
        {"sweep: {windows: [1], layers: [1]}\nrows:\n" LOCAL,
         "8:77:", "there is no axis \"window\"; nearest is \"windows\""},
        {"encoder.attention: [{layers: $layers, branches: [global]}]\n",
         "6:30:", "$layers: the grid has no axis of that name"},
        {"sweep: {seeds: [1, 2]}\n", "6:9:", "seeds is a key of grids"},
        {"sweep: {name: [1, 2]}\n", "6:9:", "name is a key of rows"},
        {"sweep: {seed: [1, 2]}\n", "6:9:", "seed is a word of filters; expected another name"},
        {"sweep: {kind: [1, 2]}\n", "6:9:", "kind is a word of filters"},
        {"zip: {status: [1, 2]}\n", "6:7:", "status is a word of filters"},
        {"sweep: {and: [1, 2]}\n", "6:9:", "and is a word of filters"},
        {"sweep: {or: [1, 2]}\n", "6:9:", "or is a word of filters"},
        {"sweep: {not: [1, 2]}\n", "6:9:", "not is a word of filters"},
        {"sweep: {'a b': [1]}\n", "6:9:", "\"a b\": expected an option, or letters"},
        {"sweep: {n: {a: 1, a: 2}}\n", "6:19:", "key \"a\" is given twice"},
        {"sweep: {n: [1, 1]}\nencoder.attention: [{layers: $n, branches: [global]}]\n",
         "6:12:", "value 2, 1, is also value 1"},
        {"sweep: {a: [$b], b: [$a]}\ntrain.rate: $a\n", "6:9:", "a: its values refer to $a itself"},
        {"sweep: {n: [[1, 2]]}\nencoder.attention: [{layers: \"1-${n}\", branches: [global]}]\n",
         "7:30:", "\"1-${n}\": $n is a list here; expected a single word"},
        {"sweep: {n: [1]}\nencoder.attention: [{layers: 1-${n}, branches: [global]}]\n",
         "7:33:", "put a text with brackets or braces in quotes, as \"1-${last}\""},
        {"sweep: {n: [1]}\ntrain.rate: ${n\n",
         "7:13:", "\"${n\": expected the name of an axis and }"},
        {"sweep: {n: [1]}\nrows: [{name: A, train.rate: $n, sweep: false}, {name: B, train.rate: "
         "$n}]\n",
         "7:30:", "$n: a row with sweep: false has no axes"},
        {"rows: [{name: A, sweep: [1]}]\n", "6:25:", "expected false, for a row without axes"},
        {"sweep: {n: [1]}\nwhere: m = 1\ntrain.rate: $n\n", "7:8:", "no row has \"m\""},
        {"sweep: {n: [x]}\ntrain.rate: $n\n", "6:13:", "expected a number"},
        {"sweep: {prob.path: [bag]}\n", "6:9:", "unknown key \"prob\"; nearest is \"probe\""},
        {"sweep: {probe.path: layers}\n", "6:21:", "expected values: a list such as [2, 4]"},
        {PROBE "sweep: {probe.path: [bag], evaluate.probe.path: [bag]}\n",
         "7:21:", "evaluate.probe.path is varied twice"},
        {PROBE "where: probe.pth = bag\n",
         "7:8:", "no row has \"probe.pth\"; did you mean \"path\"?"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        expect_refused(arena_print(&arena, "%s%s", HEAD, wrong[i].text), wrong[i].place,
                       wrong[i].problem);
}

int main(void)
{
    static const char tasks[] = "groups: [G]\ntasks: [{name: A, file: a.txt, group: G}]\n";
    here = test_folder("axes");
    put_text(arena_print(&arena, "%s/mine.yaml", here), tasks);
    return tests_run();
}
