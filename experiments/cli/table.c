/* sanlab table: prints a grid's results by row; with --explain, the origin of one cell. */
#include <string.h>

#include "experiments/cli/archive_argument.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"
#include "results/compare/explain.h"
#include "results/table/layout.h"

/* Removes the column of --explain ROW COLUMN from the words, and returns it. It is the last word
 * after the grid that is no assignment. */
static const char *take_column(struct verb_call *call)
{
    for (int i = call->words - 1; i > 0; i--) {
        const char *word = call->word[i];
        if (!strchr(word, '=') && *word != '~') return verb_take_word(call, i);
    }
    die("--explain: expected GRID, a row and a column, as in table GRID --explain Transformer "
        "bleu");
}

static void write_table(struct verb_call *call, struct store *store, struct grid *summary)
{
    const enum sheet_form form = verb_form(call);
    const char *path = verb_value(call, "--out");
    static const char *const notes[] = {LAYOUT_NOTES, NULL};
    struct layout layout = *summary->layout;
    if (verb_value(call, "--notes")) layout.notes_below = verb_choice(call, "--notes", notes);
    if (!sheet_shows_bold(form, path ? NULL : stdout))
        layout.bold = LAYOUT_BOLD_NONE; /* the tests for bold cells may take the most time */
    summary->layout = &layout;
    const struct sheet *sheet = summary_table(store, summary, &call->arena);
    struct file_writer writer = verb_out(call);
    (verb_switch(call, "--standalone") ? sheet_print_document : sheet_print)(sheet, form,
                                                                             writer.stream);
    verb_out_end(&writer);
}

static int run(struct verb_call *call)
{
    const char *row = verb_value(call, "--explain"), *column = row ? take_column(call) : NULL;
    verb_check_sheet(call);
    archive_argument(call, 0);
    struct plan *plan = grid_argument_plan(call);
    grid_argument_only(call, plan);
    struct grid summary = grid_argument_summary(call, plan);
    struct store *store = stage_argument_store(call);
    if (row)
        explain_cell(store, &summary, row, column, grid_argument_command(call, &summary), stdout);
    else
        write_table(call, store, &summary);
    return 0;
}

const struct verb verb_table = {.name = "table", .run = run, .more_help = topics_table_help};
