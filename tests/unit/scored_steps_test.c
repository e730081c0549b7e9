/* Tests results/table/sample_scored.c: the steps that a score scored, and the dev loss at these
 * steps. Also tests the note below a table with dev loss and BLEU. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "core/config/tree_read.h"
#include "results/sheet/number_format.h"
#include "results/table/sample.h"
#include "tests/support/runs.h"
#include "tests/support/grid_table.h"

enum { ROWS = 2, SEEDS = 2 };

/* Options and results of the training and the score of one seed. Validations are at steps 300, 500
 * and 900. */
struct seed {
    const char *train, *score; /* options as JSON (NULL: {}) */
    double loss[3],
        bleu; /* dev losses; dev BLEU at step 300, which falls by 1 at each validation */
    const char *recorded; /* scored_steps of the score; NULL: an older score, without it */
};

static struct grid grid_of(const char *runs, int seeds, struct seed seed[ROWS][SEEDS])
{
    static const char *const names[ROWS] = {"A", "B"};
    struct grid_row *row = ARENA_ARRAY(&arena, struct grid_row, ROWS);
    for (int r = 0; r < ROWS; r++) {
        struct grid_seed *seeds_of = ARENA_ARRAY(&arena, struct grid_seed, seeds);
        for (int s = 0; s < seeds; s++) {
            const struct seed *from = &seed[r][s];
            const char *text = arena_print(&arena, "row %d seed %d", r, s);
            struct run train =
                run_new(runs, "train", text, from->train ? from->train : "{}", NULL, "demo/x/1");
            struct run score = run_new(runs, "score", arena_print(&arena, "%s score", text),
                                       from->score ? from->score : "{}", train.id, "demo/x/1");
            struct journal *journal = journal_open(train.folder);
            static const int step[3] = {300, 500, 900};
            for (int i = 0; i < 3; i++) {
                journal_value(journal, step[i], "dev_loss", from->loss[i]);
                journal_value(journal, step[i], "dev_bleu", from->bleu - i);
            }
            journal_value(journal, 950, "loss", 1);
            journal_close(journal);
            run_done(&train, "done", arena_print(&arena, "{\"dev_loss\": %g}", from->loss[2]));
            run_done(&score, "done",
                     from->recorded ? arena_print(&arena, "{\"bleu\": 30, \"scored_steps\": %s}",
                                                  from->recorded)
                                    : "{\"bleu\": 30}");
            struct grid_stage *stage = ARENA_ARRAY(&arena, struct grid_stage, 2);
            stage[0] = (struct grid_stage){.kind = "train", .id = arena_text(&arena, train.id)};
            stage[1] = (struct grid_stage){.kind = "score", .id = arena_text(&arena, score.id)};
            seeds_of[s] = (struct grid_seed){s + 1, 2, stage};
        }
        row[r] = (struct grid_row){.name = names[r], .count = seeds, .seed = seeds_of};
    }
    return (struct grid){.name = "demo", .rows = ROWS, .row = row};
}

static const struct sheet *sheet_of(const char *table, int seeds, struct seed seed[ROWS][SEEDS])
{
    const char *runs = test_folder("scored_steps");
    struct grid grid = grid_of(runs, seeds, seed);
    struct store *store = table_open(runs, table, &grid);
    const struct sheet *sheet = summary_table(store, &grid, &arena);
    store_close(store);
    return sheet;
}

/* Returns the note of a table; "" if the table has no such note. */
static const char *caption_of(const char *table)
{
    struct seed seed[ROWS][SEEDS] = {{{.loss = {1, 2, 3}}}, {{.loss = {1, 2, 3}}}};
    const char *found = "";
    const struct sheet *sheet = sheet_of(table, 1, seed);
    for (int i = 0; i < sheet->captions; i++)
        if (strstr(sheet->caption[i], "last validation, ")) found = sheet->caption[i];
    return found;
}

TEST(dev_loss_and_bleu_may_be_of_different_steps)
{
    assert_string_equal(
        caption_of("columns: [dev_loss, bleu]"),
        "Dev loss is of the last validation, BLEU of the checkpoints that were scored.");
    assert_string_equal(caption_of("columns: [delta(bleu), train.dev_loss]"),
                        "train.dev_loss is of the last validation, Δ BLEU of the checkpoints that "
                        "were scored.");
    assert_string_equal(caption_of("columns: [bleu, parameters]"), "");
    assert_string_equal(caption_of("columns: [dev_loss]"), "");
}

/* Returns the steps that the score of a seed scored: "300 500". */
static const char *scored_of(const struct seed *from)
{
    struct seed seed[ROWS][SEEDS] = {{*from}, {*from}};
    const char *runs = test_folder("scored_steps"), *text = NULL;
    struct grid grid = grid_of(runs, 1, seed);
    struct store *store = table_open(runs, "{}", &grid);
    struct sampler sampler = sampler_open(store, &grid, &arena);
    int64_t train, score;
    const int64_t *step;
    assert_true(
        sample_scored_pair(&grid.row[0].seed[0], sample_stages(&sampler, 0)[0], &train, &score));
    const int count = sample_scored(&sampler, score, train, &step);
    for (int i = 0; i < count; i++)
        text = arena_append(&arena, text, " ", arena_print(&arena, "%d", (int)step[i]));
    store_close(store);
    return text;
}

/* An older score has not recorded its steps. They are found from the validations, as a training
 * selects checkpoints: by `select`, and of equal ones the earlier. */
TEST(rows_of_the_training_tell_of_older_scores)
{
    static const struct {
        struct seed seed;
        const char *scored;
    } cases[] = {
        {{.loss = {1, 2, 3}, .recorded = "[500]"}, "500"},
        {{.loss = {1, 2, 3}, .recorded = "[1,2,3,4,1500,900]"}, "1 2 3 4 900 1500"},
        {{.loss = {3, 1, 2}}, "500"},
        {{.loss = {3, 1, 2}, .recorded = "\"\""}, "500"}, /* a text that no program wrote */
        {{.loss = {3, 1, 2}, .recorded = "\"900]\""}, "500"},
        {{.loss = {2, 1, 1}}, "500"},
        {{.loss = {3, 2, 1}}, "900"},
        {{.loss = {3, 2, 1}, .bleu = 9, .train = "{\"train\": {\"select\": \"bleu\"}}"}, "300"},
        {{.loss = {3, 1, 2}, .score = "{\"evaluate.bleu\": {\"checkpoint\": \"last\"}}"}, "900"},
        {{.loss = {3, 1, 2}, .score = "{\"evaluate.bleu\": {\"checkpoint\": \"average(2)\"}}"},
         "500 900"},
        {{.loss = {1, 2, 3}, .score = "{\"evaluate.bleu\": {\"checkpoint\": \"mean_of_best(2)\"}}"},
         "300 500"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(scored_of(&cases[i].seed), cases[i].scored);
}

/* At steps 300, 500 and 900, dev losses are 3, 1 and 2, and dev BLEU is 9, 8 and 7. */
TEST(a_scored_loss_is_that_of_the_checkpoint)
{
    static const struct {
        const char *score, *recorded, *loss, *bleu; /* loss and bleu: as the table prints them */
    } cases[] = {
        {"{}", NULL, "1.0000", "8"},
        {"{}", "[900]", "2.0000", "7"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"last\"}}", NULL, "2.0000", "7"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"mean_of_best(2)\"}}", NULL, "1.5000", "7.5"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"mean_of_best(3)\"}}", "[300,500,900]", "2.0000",
         "8"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"average(2)\"}}", "[500,900]", "-", "-"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"average(1)\"}}", "[900]", "2.0000", "7"},
        {"{\"evaluate.bleu\": {\"checkpoint\": \"start\"}}", "[0]", "-", "-"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct seed one = {
            .loss = {3, 1, 2}, .bleu = 9, .score = cases[i].score, .recorded = cases[i].recorded};
        struct seed seed[ROWS][SEEDS] = {{one}, {{.loss = {4, 3, 2}, .recorded = "[900]"}}};
        const struct sheet *sheet = sheet_of(
            "columns: [scored.dev_loss, scored.dev_bleu, delta(scored.dev_loss)]", 1, seed);
        assert_string_equal(sheet->column[1].header, "Dev loss (scored)");
        assert_string_equal(sheet_get(sheet, 0, 1), cases[i].loss);
        assert_string_equal(sheet_get(sheet, 0, 2), cases[i].bleu);
        const bool empty = *cases[i].loss == '-';
        assert_string_equal(sheet_get(sheet, 1, 3),
                            empty ? "-"
                                  : number_signed(&arena, 2 - strtod(cases[i].loss, NULL), 4));
        const char *said = "";
        for (int k = 0; k < sheet->captions; k++)
            if (strstr(sheet->caption[k], "was not validated")) said = sheet->caption[k];
        assert_string_equal(said, empty ? "Dev loss (scored), scored.dev_bleu: empty where the "
                                          "scored checkpoint was not validated."
                                        : "");
    }
}

TEST(metrics_that_no_training_has_are_refused)
{
    struct seed seed[ROWS][SEEDS] = {{{.loss = {3, 1, 2}}}, {{.loss = {3, 1, 2}}}};
    EXPECT_DIE("scored.dev_los: no training has recorded \"dev_los\"; nearest is \"dev_loss\"",
               sheet_of("columns: [scored.dev_los]", 1, seed));
}
