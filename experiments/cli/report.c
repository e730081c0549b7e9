/* sanlab report: writes the report of a grid as one HTML page. */
#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/report_page.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"

static int run(struct verb_call *call)
{
    const char *path = verb_switch(call, "--out") ? verb_value(call, "--out") : NULL;
    if (path) verb_check_file(call, "--out", path);
    struct plan *plan = grid_argument_plan(call);
    struct grid summary = grid_argument_summary(call, plan);
    if (!path) {
        grid_argument_check_name(call, plan->grid);
        const char *folder = arena_print(&call->arena, "%s/reports", plan->runs);
        file_make_folder(folder);
        path = arena_print(&call->arena, "%s/%s.html", folder, summary.name);
    }
    struct store *store = stage_argument_store(call);
    const struct report report = report_page(call, plan, &summary, store);
    report_write(store, &report, path);
    puts(path);
    return report_page_status(&report);
}

const struct verb verb_report = {.name = "report", .run = run};
