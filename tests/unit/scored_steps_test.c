/* Tests the note below a table with dev loss and BLEU. */
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
    const char *recorded; /* scored_steps of the score; NULL: none */
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
