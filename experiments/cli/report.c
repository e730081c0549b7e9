/* sanlab report: a grid as one HTML page. */
#include "core/base/file.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "plots/figures.h"
#include "results/report/claims.h"
#include "results/report/report.h"

/* The grid's figures, drawn; one that cannot be drawn says why in the page. */
static const struct report_figure *draw(struct store *store, const struct summary_grid *grid,
                                        const struct figure_list *list, struct arena *arena)
{
    struct report_figure *figure = ARENA_ARRAY(arena, struct report_figure, list->count + 1);
    for (int i = 0; i < list->count; i++) {
        const struct figure_drawing drawing =
            figure_draw(store, grid, &list->figure[i], GNUPLOT_SVG, arena);
        figure[i] = (struct report_figure){.title = list->figure[i].title,
                                           .captions = drawing.captions,
                                           .caption = drawing.caption,
                                           .failure = drawing.failure,
                                           .svg = drawing.image,
                                           .wide = drawing.wide};
    }
    return figure;
}

static int run(struct verb_call *call)
{
    const char *path = verb_value(call, "--out");
    if (path) verb_check_file(call, "--out", path);
    struct plan *plan = grid_argument_plan(call, false);
    struct summary_grid summary = grid_argument_summary(call, plan);
    if (!path) {
        const char *folder = arena_print(&call->arena, "%s/reports", plan->runs);
        file_make_folder(folder);
        path = arena_print(&call->arena, "%s/%s.html", folder, summary.grid);
    }
    struct store *store = stage_argument_store(call);
    const struct sheet *table = summary_table(store, &summary, &call->arena);
    const struct claims claims = claims_read(plan->grid->claims, &summary, &call->arena);
    struct report report = {.grid = &summary,
                            .arguments = grid_argument_words(call),
                            .sheets = 1,
                            .sheet = &table,
                            .figures = plan->grid->figures.count,
                            .figure = draw(store, &summary, &plan->grid->figures, &call->arena)};
    if (claims.count) report.claims = claims_sheet(store, &summary, &claims, &call->arena);
    report_write(store, &report, path);
    store_close(store);
    puts(path);
    return 0;
}

const struct verb verb_report = {
    .name = "report",
    .usage = "GRID [key=value ...]",
    .help = "a grid as one HTML page: tables, figures, claims, options, environment",
    .run = run,
    .option = {VERB_VALUE("--out", "FILE", "the page (default: RUNS/reports/GRID.html)")},
    .words = {1, VERB_WORDS},
};
