/* Makes a report from the contents of table, plot and claims. */
#include "experiments/cli/report_page.h"

#include "experiments/cli/grid_argument.h"
#include "plots/figures.h"
#include "results/report/claims.h"
#include "results/table/layout.h"

static const struct report_figure *draw(struct store *store, const struct grid *grid,
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

struct report report_page(struct verb_call *call, const struct plan *plan, const struct grid *grid,
                          struct store *store)
{
    struct arena *arena = &call->arena;
    const struct sheet **table = ARENA_ARRAY(arena, const struct sheet *, 1);
    struct layout full = *grid->layout;
    struct grid noted = *grid;
    full.notes_below = LAYOUT_NOTES_FULL;
    noted.layout = &full;
    *table = summary_table(store, &noted, arena);
    const struct claims claims = plan->claims;
    struct report report = {.grid = grid,
                            .arguments = grid_argument_words(arena, grid),
                            .sheets = 1,
                            .sheet = table,
                            .figures = plan->figures.count,
                            .figure = draw(store, grid, &plan->figures, arena)};
    if (claims.count) report.claims = claims_sheet(store, grid, &claims, arena);
    return report;
}

int report_page_status(const struct report *report)
{
    for (int i = 0; i < report->figures; i++)
        if (report->figure[i].failure) return 1;
    return 0;
}
