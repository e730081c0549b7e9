/* sanlab table: a grid's results, row by row; with --explain where one of its cells comes from. */
#include <string.h>

#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/compare/explain.h"

static void print(const struct sheet *sheet, enum sheet_form form, bool document, FILE *out)
{
    if (document)
        sheet_print_document(sheet, form, out);
    else
        sheet_print(sheet, form, out);
}

/* --explain ROW COLUMN: the column is the last word behind the grid that is no assignment; it is
 * taken from the words. */
static const char *take_column(struct verb_call *call)
{
    for (int i = call->words - 1; i > 0; i--) {
        const char *word = call->word[i];
        if (strchr(word, '=') || *word == '~') continue;
        call->words--;
        memmove(call->word + i, call->word + i + 1, sizeof *call->word * (size_t)(call->words - i));
        return word;
    }
    die("--explain: expected a row and a column, as in --explain Transformer bleu");
}

/* A word as a shell reads it. */
static const char *shell_word(struct arena *arena, const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "_./=,+-:@%")])
        return word;
    const char *text = "'";
    for (const char *end; (end = strchr(word, '\'')); word = end + 1)
        text = arena_print(arena, "%s%.*s'\\''", text, (int)(end - word), word);
    return arena_print(arena, "%s%s'", text, word);
}

/* The command that computes what the table shows. */
static const char *run_command(struct verb_call *call)
{
    const char *text = "sanlab run", *runs = verb_value(call, "--runs");
    for (int i = 0; i < call->words; i++)
        text = arena_print(&call->arena, "%s %s", text, shell_word(&call->arena, call->word[i]));
    if (strcmp(runs, "runs") == 0) return text;
    return arena_print(&call->arena, "%s --runs %s", text, shell_word(&call->arena, runs));
}

static void write_table(struct verb_call *call, const struct sheet *sheet)
{
    enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    bool document = verb_switch(call, "--standalone");
    if (!path) {
        print(sheet, form, document, stdout);
        return;
    }
    struct file_writer writer = file_create(path);
    print(sheet, form, document, writer.stream);
    file_commit(&writer);
}

static int run(struct verb_call *call)
{
    const char *row = verb_value(call, "--explain"), *column = row ? take_column(call) : NULL;
    sheet_form_read(verb_value(call, "--format")); /* refused before anything is read */
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = grid_argument_summary(call, plan);
    struct store *store = stage_argument_store(call);
    if (row)
        explain(store, &summary, row, column, run_command(call), stdout);
    else
        write_table(call, summary_table(store, &summary, &call->arena));
    store_close(store);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--format", .value = "FORM", .fallback = "text", .help = SHEET_FORM_HELP},
    {.name = "--standalone", .help = "latex, html: a whole document, not a part of one"},
    {.name = "--out", .value = "FILE", .help = "instead of the terminal"},
    {.name = "--explain",
     .value = "ROW COLUMN",
     .help = "where a cell comes from: stages, hypotheses, environment, command, statistics"},
};

const struct verb verb_table = {
    .name = "table",
    .usage = "GRID [key=value ...]",
    .help = "a grid's results, row by row, beside the paper's",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_least = 1,
    .words_most = VERB_WORDS,
};
