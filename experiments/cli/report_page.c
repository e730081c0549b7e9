/* Makes a report from the contents of table, plot, claims and watch. */
#include "experiments/cli/report_page.h"

#include <stdlib.h>

#include "core/base/progress.h"
#include "core/config/tree_read.h"
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
                                           .svg = drawing.image};
    }
    return figure;
}

/* Returns the rows whose trainings run now. */
static const int *training_rows(const struct plan *plan, int *rows, struct arena *arena)
{
    const struct grid *grid = plan->grid;
    int *row = ARENA_ARRAY(arena, int, grid->rows + 1);
    *rows = 0;
    for (int i = 0; i < grid->rows; i++) {
        bool trains = false;
        for (int s = 0; s < grid->seeds; s++) {
            const struct plan_point *point = &plan->point[i * grid->seeds + s];
            for (int k = 0; k < point->count; k++)
                trains |= point->task[k]->state == TASK_RUNNING && point->task[k]->estimate.steps;
        }
        if (trains) row[(*rows)++] = i;
    }
    return row;
}

/* Returns the learning curves of the trainings that run; NULL if none runs. */
static const struct report_figure *draw_running(struct store *store, const struct plan *plan,
                                                const struct grid *grid, struct arena *arena)
{
    static const char text[] =
        "[{kind: curve, left: loss, right: dev_loss, title: Trainings that run}]";
    const struct figure_list list =
        figure_read(tree_parse(arena, "curves", text), plan->grid, arena);
    struct figure figure = *list.figure;
    figure.row = training_rows(plan, &figure.rows, arena);
    return figure.rows ? draw(store, grid, &(struct figure_list){1, &figure}, arena) : NULL;
}

/* Returns a table of the stages that run; NULL if none runs. */
static const struct sheet *running_sheet(const struct watch *watch, struct arena *arena)
{
    static const char *const header[] = {"Stage", "State", "Left"};
    struct sheet *sheet = sheet_headed(arena, watch->lines, COUNT_OF(header), header, 2);
    for (int i = 0; i < watch->lines; i++) {
        const struct display_line *line = &watch->line[i];
        char span[PROGRESS_SPAN];
        const char *steps = line->total ? arena_print(arena, "%lld of %lld ", (long long)line->done,
                                                      (long long)line->total)
                                        : "";
        progress_span(line->left, span);
        sheet_set(sheet, i, 0, arena_text(arena, line->label));
        sheet_set(sheet, i, 1, arena_print(arena, "%s%s", steps, line->text));
        if (line->left >= 0) sheet_set(sheet, i, 2, arena_text(arena, span));
    }
    return watch->lines ? sheet : NULL;
}

void report_page_watched(struct report *report, const struct watch *watch, struct store *store,
                         struct arena *arena)
{
    SCOPED(heap_free) char *text = NULL;
    size_t size = 0;
    FILE *out = heap_stream(&text, &size);
    display_put_grid(&watch->grid, out);
    fclose(out);
    report->progress = arena_text(arena, text);
    report->running = running_sheet(watch, arena);
    report->curves = draw_running(store, watch->plan, report->grid, arena);
}

struct report report_page(struct store *store, const struct plan *plan, const struct grid *grid,
                          struct arena *arena)
{
    struct layout full = *grid->layout;
    struct grid noted = *grid;
    full.notes_below = LAYOUT_NOTES_FULL;
    noted.layout = &full;
    const struct claims claims = plan->claims;
    struct report report = {.grid = grid,
                            .arguments = grid_argument_words(arena, grid),
                            .table = summary_table(store, &noted, arena),
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
