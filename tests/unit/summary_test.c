/* Tests results/table/summary.h: the table of a grid, with stages in every state. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "tests/support/lease_take.h"
#include "core/config/tree_read.h"
#include "results/store/collector.h"
#include "experiments/grid/grid_record.h"
#include "results/table/summary.h"
#include "tests/support/world.h"

enum { ROWS = 3 };
enum { TRAIN, SCORE }; /* indices of a seed's stages */

static const char *const row_names[ROWS] = {"Transformer", "+ Local", "+ Gate"};

/* Makes a grid of three rows with this number of seeds. No stage has run. */
static struct world *three_rows(const char *name, int seeds)
{
    struct world *world = world_new(name);
    world->grid.title = "A title";
    world->grid.source = "Xu, Table 1";
    for (int r = 0; r < ROWS; r++) {
        world_add_row(world, row_names[r], seeds);
        for (int s = 0; s < seeds; s++) {
            const char *text = arena_print(&arena, "row %d seed %d", r, s + 1),
                       *label = arena_print(&arena, "demo/%s/%d", row_names[r], s + 1);
            const struct run train = run_new(world->runs, "train", text, "{}", NULL, label);
            world_add_stage(world, r, s, "train", train);
            text = arena_print(&arena, "%s score", text);
            world_add_stage(world, r, s, "score",
                            run_new(world->runs, "score", text, "{}", train.id, label));
        }
    }
    return world;
}

static void event(const struct run *run, const char *word)
{
    struct journal *journal = journal_open(run->folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, word, JOURNAL_NONE, NULL);
    journal_close(journal);
}

static void finish(struct world *world, int row, int seed, double bleu, const char *signature)
{
    run_done(&world->run[row][seed][TRAIN], "done",
             arena_print(&arena, "{\"parameters\": %d, \"dev_loss\": 1.5, \"steps\": 1000}",
                         3681280 + row * 1000));
    run_done(&world->run[row][seed][SCORE], "done",
             arena_print(&arena, "{\"bleu\": %.17g, \"signature\": \"%s\"}", bleu, signature));
}

TEST(one_seed_is_just_the_value)
{
    struct world *world = three_rows("summary_one", 1);
    finish(world, 0, 0, 36.1249, "sig");
    finish(world, 1, 0, 36.584, "sig");
    finish(world, 2, 0, 35.9, "sig");
    assert_string_equal(
        world_table(world,
                    "columns: [parameters, bleu, delta(bleu), dev_loss, steps, score.bleu]\n"
                    "baseline: Transformer\n"
                    "paper: {metric: \"BLEU, tokenized\", bleu: {Transformer: 27.67, + Gate: "
                    "28.310}}\n"),
        "A title (demo)\n"
        "             Parameters   BLEU  Δ BLEU  Dev loss  Steps  score.bleu  BLEU, paper\n"
        "────────────────────────────────────────────────────────────────────────────────\n"
        "Transformer   3,681,280  36.12            1.5000  1,000      36.125       27.67\n"
        "+ Local       3,682,280  36.58   +0.46    1.5000  1,000      36.584            -\n"
        "+ Gate        3,683,280  35.90   -0.22    1.5000  1,000      35.9         28.310\n"
        "One seed (1).\n"
        "Δ BLEU: difference from Transformer.\n"
        "BLEU, score.bleu: sig\n"
        "Paper, Xu, Table 1: BLEU, tokenized. Its data and metric may differ from ours: no "
        "difference is shown.\n");
}

TEST(seeds_give_mean_deviation_and_number)
{
    struct world *world = three_rows("summary_seeds", 3);
    for (int s = 0; s < 3; s++) {
        finish(world, 0, s, 36 + s, "sig");     /* 37 +- 1 */
        finish(world, 1, s, 40 + 2 * s, "sig"); /* 42 +- 2 */
        finish(world, 2, s, 30, "sig");
    }
    const char *text = world_table(world, "{}");
    assert_string_equal(text, "A title (demo)\n"
                              "             Parameters          BLEU  Δ BLEU\n"
                              "─────────────────────────────────────────────\n"
                              "Transformer   3,681,280  37.00 ± 1.00\n"
                              "+ Local       3,682,280  42.00 ± 2.00   +5.00\n"
                              "+ Gate        3,683,280  30.00 ± 0.00   -7.00\n"
                              "Mean ± sample standard deviation over 3 seeds (1, 2, 3).\n"
                              "Δ BLEU: difference from Transformer.\n"
                              "BLEU: sig\n");
}

TEST(what_is_not_done_says_why)
{
    struct world *world = three_rows("summary_why", 3);
    /* Row 0: one seed is done, one failed, one diverged. Row 1: all seeds diverged. Row 2: no stage
     * has a folder. */
    finish(world, 0, 0, 36, "sig");
    event(&world->run[0][1][TRAIN], "failed");
    run_done(&world->run[0][2][TRAIN], "diverged", "{\"parameters\": 3681280}");
    for (int s = 0; s < 3; s++) {
        run_done(&world->run[1][s][TRAIN], "diverged",
                 "{\"parameters\": 3682280, \"dev_loss\": 99}");
        file_remove_tree(world->run[2][s][TRAIN].folder);
        file_remove_tree(world->run[2][s][SCORE].folder);
    }
    assert_string_equal(world_table(world, "columns: [parameters, bleu, delta(bleu), dev_loss]"),
                        "A title (demo)\n"
                        "             Parameters                               BLEU  Δ BLEU        "
                        "                    Dev loss\n"
                        "──────────────────────────────────────────────────────────────────────────"
                        "────────────────────────────\n"
                        "Transformer   3,681,280  36.00 (1/3, 1 failed, 1 diverged)          "
                        "1.5000 (1/3, 1 failed, 1 diverged)\n"
                        "+ Local       3,682,280                           diverged       -        "
                        "                    diverged\n"
                        "+ Gate              new                                new       -        "
                        "                         new\n"
                        "Mean ± sample standard deviation (number of seeds); seeds 1, 2, 3.\n"
                        "Δ BLEU: difference from Transformer.\n"
                        "BLEU: sig\n"
                        "(k/n): only k of n seeds have a value yet; the reason follows.\n"
                        "Not done: + Gate (new).\n"
                        "Failed or diverged: Transformer (2 of 3 seeds: 1 failed, 1 diverged); + "
                        "Local (diverged).\n");
    const char *text = world_table(world, "columns: [bleu]\nnotes_below: short\nnotes: Mine\n");
    assert_string_equal(
        strstr(text, "Mean ±"),
        "Mean ± sample standard deviation (number of seeds); seeds 1, 2, 3.\n"
        "BLEU: sig\n"
        "(k/n): only k of n seeds have a value yet; the reason follows. Not done: + Gate (new).\n"
        "Failed or diverged: Transformer (2 of 3 seeds: 1 failed, 1 diverged); + Local "
        "(diverged).\n"
        "Mine\n");
    text = world_table(world, "columns: [bleu]\nnotes_below: false\nnotes: Mine\n");
    expect_part(text, "new\nMine\n");
}

/* The loss of the last validation is finite, but worse than any guess. The training counts as
 * diverged, and its score is not a result. */
TEST(a_lost_training_has_no_score)
{
    struct world *world = three_rows("summary_lost", 1);
    for (int row = 0; row < 3; row++) finish(world, row, 0, 30 + row, "sig");
    run_done(&world->run[1][0][TRAIN], "done", "{\"parameters\": 3682280, \"dev_loss\": 20.01}");
    run_done(&world->run[2][0][TRAIN], "done", "{\"parameters\": 3683280, \"dev_loss\": 20}");
    const char *text = world_table(world, "columns: [parameters, dev_loss, bleu]");
    expect_part(text, "+ Local       3,682,280  diverged  diverged\n");
    expect_part(text, "+ Gate        3,683,280   20.0000     32.00\n");
    expect_part(text, "Failed or diverged: + Local (diverged).\n");
}

TEST(running_and_stopped_and_new)
{
    struct world *world = three_rows("summary_running", 1);
    struct lease *lease = lease_take(world->run[0][0][TRAIN].folder);
    event(&world->run[0][0][TRAIN], "started");
    event(&world->run[1][0][TRAIN], "saved");
    const char *text = world_table(world, "columns: [bleu]");
    lease_release(lease);
    EXPECT_PARTS(text, "Transformer  running\n", "+ Local      stopped\n",
                 "+ Gate           new\n");
}

TEST(deltas_take_common_seeds_and_equal_signatures)
{
    struct world *world = three_rows("summary_delta", 3);
    finish(world, 0, 0, 30, "sig a");
    finish(world, 0, 1, 40, "sig a");
    finish(world, 1, 1, 41, "sig a");
    finish(world, 1, 2, 99, "sig a");
    finish(world, 2, 0, 33, "sig b");
    const char *text = world_table(world, "columns: [delta(bleu)]");
    EXPECT_PARTS(text, "+ Local      +1.00 (1/3)\n", "+ Gate               n/c\n",
                 "n/c: not comparable");
    text = world_table(world, "columns: [bleu]");
    expect_part(text, "BLEU of Transformer, + Local: sig a\n"
                      "BLEU of + Gate: sig b\n");
}

/* The note below a column of differences lists the baselines. */
TEST(differences_say_from_what)
{
    struct world *world = three_rows("summary_from", 1);
    for (int row = 0; row < ROWS; row++) finish(world, row, 0, 30 + row, "sig");
    expect_part(world_table(world,
                            "columns: [delta(bleu), {column: delta(dev_loss), header: Gain}]\n"
                            "baseline: [Transformer, + Local]\n"),
                "\nΔ BLEU, Gain: difference from Transformer, + Local.\n");
    expect_part(
        world_table(world, "columns: [bleu, delta(bleu)]\nsignificance: {against: + Gate}\n"),
        "\nΔ BLEU: difference from Transformer.\n");
    expect_no_part(world_table(world, "columns: [bleu]\n"), "difference from");
    expect_no_part(world_table(world, "columns: [delta(bleu)]\nbaseline: ~\n"), "difference from");
}

/* One stage `speed` measures all rows with options, for all seeds together. */
TEST(one_stage_of_all_rows)
{
    struct world *world = three_rows("summary_speed", 2);
    struct run speed = run_new(world->runs, "speed", "speed", "{}", NULL, "demo/speed");
    run_write(&speed, "environment.json",
              "{\"host\": \"h\", \"device\": \"cpu\", \"products\": \"1\", \"threads\": 2}");
    run_done(&speed, "done", "{\"steps_per_second.1\": 1.5, \"steps_per_second.2\": 1.25}");
    world->row[0].options = world->row[2].options = tree_parse(&arena, "options", "{}");
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < 2; s++)
            world->stage[r][s][0] = (struct grid_stage){.kind = "speed", .id = speed.id};
    const char *text = world_table(world, "columns: [speed, delta(speed)]");
    assert_non_null(strstr(text, "Transformer             1.50         \n") ||
                    strstr(text, "Transformer             1.50\n"));
    expect_part(text, "+ Gate                  1.25              -0.25\n");
    expect_part(text, "\nSpeed (steps/s): measured on host h, device cpu, products 1, "
                      "threads 2\n");
    run_done(&speed, "done",
             "{\"steps_per_second.1\": 215, \"spread.1\": 0.124, \"target_tokens_per_second.1\": 9,"
             " \"steps_per_second.2\": 82, \"spread.2\": 0.0251}");
    text = world_table(world, "columns: [speed, speed.target_tokens_per_second]");
    EXPECT_PARTS(text, "215.00 (12%) ", " 82.00 (2.5%)");
    /* Rows with the same trainings have the same speed, measured for the first of them. */
    for (int r = 0; r < ROWS; r++)
        for (int s = 0; s < 2; s++)
            world->stage[r][s][1] =
                (struct grid_stage){.kind = "train", .id = world->run[0][s][TRAIN].id};
    text = world_table(world, "columns: [speed]");
    const char *gate = strstr(text, "+ Gate");
    expect_part(text, "Transformer     215.00 (12%)\n");
    expect_part(gate, "+ Gate          215.00 (12%)\n");
}

TEST(captions_warn)
{
    struct world *world = three_rows("summary_warn", 1);
    for (int r = 0; r < ROWS; r++) {
        struct journal *journal = journal_open(world->run[r][0][TRAIN].folder);
        static const double loss[ROWS][3] = {{3, 2, 1}, {3, 1, 2}, {1, 1, 1}};
        for (int i = 0; i < 3; i++) journal_value(journal, 10 * i, "dev_loss", loss[r][i]);
        journal_close(journal);
        run_write(&world->run[r][0][TRAIN], "environment.json",
                  r == 1 ? "{\"device\": \"cuda\", \"products\": \"2\"}"
                         : "{\"device\": \"cpu\", \"products\": \"1\"}");
        finish(world, r, 0, 30, "sig");
        run_done(&world->run[r][0][TRAIN],
                 r == 1   ? "done\", \"code\": \"train 0123456789abcdef, term.gauss 1"
                 : r == 2 ? "done\", \"code\": \"fedcba9876543210"
                          : "done\", \"code\": \"train fedcba9876543210",
                 "{}");
    }
    const char *text = world_table(world, "{}");
    assert_non_null(
        strstr(text, "\nUndertrained (lowest dev loss at the last validation): Transformer.\n"));
    expect_part(text, "\nRows differ in device: cpu (Transformer, + Gate); "
                      "cuda (+ Local).\n");
    expect_part(text, "\nRows differ in products: 1 (Transformer, + Gate); "
                      "2 (+ Local).\n");
    expect_part(text, "\nRows differ in code of train: fedcba98 (Transformer, + Gate); "
                      "01234567 (+ Local).\n");
    expect_no_part(text, "gauss");
}

/* Seeds that diverged are not counted. */
TEST(undertrained_are_counted_by_seed)
{
    struct world *world = three_rows("summary_undertrained", 3);
    for (int s = 0; s < 3; s++) {
        struct journal *journal = journal_open(world->run[0][s][TRAIN].folder);
        for (int i = 0; i < 3; i++) /* the last seed's loss rises at the end */
            journal_value(journal, 10 * i, "dev_loss", s == 2 && i == 2 ? 2.5 : 3 - i);
        journal_close(journal);
        run_done(&world->run[0][s][TRAIN], s ? "done" : "diverged", "{}");
    }
    expect_part(world_table(world, "{}"),
                "\nUndertrained (lowest dev loss at the last validation): "
                "Transformer (1 of 2 seeds).\n");
}

/* Sets the merged options of a row. */
static void set_options(struct world *world, int row, const char *yaml)
{
    world->row[row].options = tree_parse(&arena, "options.yaml", yaml);
}

TEST(captions_say_how_was_translated)
{
    struct world *world = three_rows("summary_search", 1);
    world->grid.words.defaults = tree_parse(
        &arena, "defaults.yaml",
        "evaluate: {bleu: {split: test, checkpoint: best, beam: 4, length_penalty: 0.6}}");
    for (int r = 0; r < ROWS; r++) set_options(world, r, "{}");
    expect_part(world_table(world, "{columns: [score.bp]}"),
                "\nTranslations: test, checkpoint best, beam 4, length penalty 0.6.\n");
    set_options(world, 1, "evaluate: {bleu: {beam: 1, split: dev}}");
    const char *text = world_table(world, "{}");
    expect_part(text, "\nTranslations of Transformer, + Gate: test, checkpoint best, "
                      "beam 4, length penalty 0.6.\n"
                      "Translations of + Local: dev, checkpoint best, beam 1, length "
                      "penalty 0.6.\n");
    expect_no_part(world_table(world, "{columns: [dev_loss]}"), "Translations");
}

/* Below a table with BLEU, rows with a brevity penalty below 0.9 are named. */
TEST(captions_name_short_translations)
{
    struct world *world = three_rows("summary_brevity", 2);
    static const char *const bp[] = {"0.9", "0.89", "0.95", "0.91", "0.5", "0.6"};
    for (int i = 0; i < 2 * ROWS; i++)
        run_done(&world->run[i / 2][i % 2][SCORE], "done",
                 arena_print(&arena, "{\"bleu\": 20, \"bp\": %s}", bp[i]));
    expect_part(world_table(world, "{}"),
                "\nShort translations, which lower BLEU (brevity penalty, score.bp, below 0.9): "
                "Transformer, + Gate.\n");
    expect_no_part(world_table(world, "{columns: [dev_loss, score.bp]}"), "Short translations");
}

/* If `caption` is a list, its texts are notes. Grids that are older than the key `notes` have such
 * lists. */
TEST(one_caption_is_the_sentence_of_the_table)
{
    struct grid grid = {.name = "g"};
    static const char *const tables[][4] = {
        {"caption: Of windows\nnotes: [One., Two.]", "One.", "Two.", "Of windows"},
        {"caption: [Zero.]\nnotes: One.", "Zero.", "One.", NULL},
        {"caption: ~\nnotes: [One.]", "One.", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        struct store *store = store_open(test_folder("summary_caption"));
        layout_read(tree_parse(&arena, "grid.yaml", tables[i][0]), &grid, &arena);
        const struct sheet *sheet = summary_table(store, &grid, &arena);
        int count = 0;
        while (count < 3 && tables[i][1 + count]) count++;
        assert_int_equal(sheet->captions, count);
        for (int k = 0; k < count; k++) assert_string_equal(sheet->caption[k], tables[i][1 + k]);
        assert_int_equal(sheet->sentence != NULL, i == 0);
        if (sheet->sentence) assert_string_equal(sheet->sentence, "Of windows");
        store_close(store);
    }
    EXPECT_DIE("caption",
               layout_read(tree_parse(&arena, "grid.yaml", "caption: {a: b}"), &grid, &arena));
}

TEST(names_of_values_are_checked)
{
    static const char *const wrong[] = {
        "columns: [score.blue]", "{columns: [mean(A)], groups: {A: [bleu, score.blue]}}",
        "{columns: [bleu], paper: {metric: m, score.blue: {Transformer: 1}}}"};
    struct world *world = three_rows("summary_names", 1);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        EXPECT_DIE("no column \"score.blue\"; did you mean \"score.bleu\"?",
                   world_table(world, wrong[i]));
    EXPECT_DIE("no column \"score.signature\"", world_table(world, "columns: [score.signature]"));
}

TEST(wrong_tables_are_refused)
{
    static const struct said cases[] = {
        {"colums: [bleu]", "grid.yaml:1:1"},
        {"columns: [bleu, blue]", "grid.yaml:1:17: no column \"blue\"; did you mean \"bleu\"?"},
        {"columns: [delta(blue)]", "did you mean \"delta(bleu)\"?"},
        {"columns: [delta(delta(bleu))]", "no column \"delta(delta(bleu))\""},
        {"columns: blue", "grid.yaml:1:10: no column \"blue\"; did you mean \"bleu\"?"},
        {"columns: []", "expected a list"},
        {"baseline: Transfomer",
         "table: there is no row \"Transfomer\"; nearest is \"Transformer\""},
        {"paper: {bleu: {Transformer: 27}}", "metric is missing"},
        {"paper: {metric: m, bleu: {Trans: 27}}", "there is no row \"Trans\"; expected one of: "},
        {"paper: {metric: m, bleu: {Transformer: many}}", "a printed value"},
        {"paper: {metric: m, bleu: 27}", "expected a map from rows to values"},
        {"paper: 27", "paper: expected"},
        {"paper: {metric: m, comparable: true}", "grid.yaml:1:20: no column \"comparable\""},
        {"paper: {metric: m, bleu: {Transformer: {En-De: 27}}}", "the table has no axis"},
        {"columns: [{colum: bleu}]", "nearest is \"column\""},
        {"columns: [{header: x}]", "a column: its name is missing"},
        {"columns: [{column: bleu, form: big}]", "form"},
        {"columns: [{column: bleu, decimals: -1}]", "decimals"},
        {"columns: [delt(bleu)]", "did you mean \"delta(bleu)\"?"},
        {"columns: [delta(has(a.b))]", "no column"},
        {"columns: [p(parameters)]", "parameters is a size"},
        {"columns: [mean(Surface)]", "table.groups is missing"},
        {"{columns: [mean(Surfac)], groups: {Surface: [bleu]}}", "nearest is \"Surface\""},
        {"{columns: [mean(A)], groups: {A: [has(a.b)]}}", "expected columns of values"},
        {"groups: {A: bleu}", "groups: A: expected a list"},
        {"baseline: []", "the list is empty"},
        {"baseline: [Transformer, + Lokal]", "nearest is \"+ Local\""},
        {"by: corpus", "grid.yaml:1:5: by: no row has the axis \"corpus\""},
        {"by: {headings: {a: b}}", "by: expected"},
        {"transpose: maybe", "transpose"},
        {"significance: {alpha: [0.01, 0.05]}", "the smaller level last"},
        {"significance: {alpha: 0}", "alpha"},
        {"significance: {samples: 10}", "samples"},
        {"significance: {alpha: 0.001, samples: 999}", "needs at least 1000 samples, got 999"},
        {"significance: {test: randomization, alpha: 0.001, trials: 500}", "at least 1000 trials"},
        {"columns: [trian.steps]", "there is no kind of stage \"trian\"; nearest is \"train\""},
        {"groups: {A: [bleu, trian.steps]}", "grid.yaml:1:20: trian.steps: there is no kind"},
        {"paper: {metric: m, scroe.bp: {Transformer: 1}}", "nearest is \"score\""},
        {"significance: {correction: bonferroni}", "none"},
        {"significance: {against: Nobody}", "no row \"Nobody\""},
    };
    static const char *const kinds[] = {"train", "score", NULL};
    struct world *world = three_rows("summary_wrong", 1);
    world->grid.words.kind = kinds;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        EXPECT_DIE(cases[i].says, layout_read(tree_parse(&arena, "grid.yaml", cases[i].text),
                                              &world->grid, &arena));
}

TEST(the_record_of_a_grid_is_collected)
{
    struct world *world = three_rows("summary_record", 2);
    world->grid.title = "'; DROP TABLE grid; --";
    record_write(world->runs, "demo", &world->grid);
    struct store *store = store_open(world->runs);
    assert_int_equal(collect_runs(store).bad, 0);
    sqlite3_stmt *ask =
        store_ask(store,
                  "SELECT title, group_concat(text, ' ') FROM (SELECT title, row || "
                  "seed || member.kind || (stage.id = member.stage) AS text FROM "
                  "grid JOIN member ON grid.number = member.grid JOIN stage ON "
                  "stage.id = member.stage WHERE grid.grid = ? AND position = 1 "
                  "ORDER BY seed, place)",
                  "s", "demo");
    assert_true(store_next(ask));
    assert_string_equal(store_text(ask, 0, &arena), world->grid.title);
    assert_string_equal(store_text(ask, 1, &arena),
                        "+ Local1train1 + Local1score1 + Local2train1 + Local2score1");
    store_finish(ask);
    store_close(store);
}
