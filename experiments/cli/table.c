/* sanlab table: a grid's results, row by row. */

#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "results/collect.h"

static void print(const struct sheet *sheet, enum sheet_form form, bool document, FILE *out)
{
    if (document)
        sheet_print_document(sheet, form, out);
    else
        sheet_print(sheet, form, out);
}

static int run(struct verb_call *call)
{
    enum sheet_form form = sheet_form_read(verb_value(call, "--format"));
    const char *path = verb_value(call, "--out");
    bool document = verb_switch(call, "--standalone");
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = plan_summary(&call->arena, plan);
    bool missing = false;
    for (int i = 0; i < plan->count; i++) missing |= plan->task[i]->state == TASK_MISSING;
    if (missing && summary_recall(plan->runs, &summary, &call->arena))
        warn("%s: its text is not here (sanlab plan says which); these are the stages of its last "
             "run",
             summary.grid);
    struct store *store = store_open(plan->runs);
    collect(store);
    const struct sheet *sheet = summary_table(store, &summary, &call->arena);
    store_close(store);
    if (!path) {
        print(sheet, form, document, stdout);
        return 0;
    }
    struct file_writer writer = file_create(path);
    print(sheet, form, document, writer.stream);
    file_commit(&writer);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--format",
     .value = "FORM",
     .fallback = "text",
     .help = "text, md, latex (needs booktabs), csv or html"},
    {.name = "--standalone", .help = "latex, html: a whole document, not a part of one"},
    {.name = "--out", .value = "FILE", .help = "instead of the terminal"},
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
