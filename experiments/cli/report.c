/* sanlab report: a grid as one HTML page. */
#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "results/collect.h"
#include "results/report.h"

/* The words of the command line, as a shell takes them. */
static const char *arguments(struct verb_call *call)
{
    const char *list = report_shell_word(&call->arena, call->word[0]);
    for (int i = 1; i < call->words; i++)
        list = arena_print(&call->arena, "%s %s", list,
                           report_shell_word(&call->arena, call->word[i]));
    return list;
}

static int run(struct verb_call *call)
{
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = grid_argument_summary(call, plan);
    const char *path = verb_value(call, "--out");
    if (!path) {
        const char *folder = arena_print(&call->arena, "%s/reports", plan->runs);
        file_make_folder(folder);
        path = arena_print(&call->arena, "%s/%s.html", folder, summary.grid);
    }
    struct store *store = store_open(plan->runs);
    collect(store);
    const struct sheet *table = summary_table(store, &summary, &call->arena);
    struct report report = {
        .grid = &summary, .arguments = arguments(call), .sheets = 1, .sheet = &table};
    report_write(store, &report, path);
    store_close(store);
    puts(path);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--out", .value = "FILE", .help = "the page (default: RUNS/reports/GRID.html)"},
};

const struct verb verb_report = {
    .name = "report",
    .usage = "GRID [key=value ...]",
    .help = "a grid as one HTML page: tables, figures, options, environment, commands",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_least = 1,
    .words_most = VERB_WORDS,
};
