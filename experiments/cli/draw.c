/* Draws the figures of a plan into files. */
#include "experiments/cli/draw.h"

#include "core/base/file.h"
#include "experiments/cli/stage_argument.h"
#include "plots/figures.h"
#include "results/sheet/sheet.h"

/* Writes data and script of a figure to its own folder, next to the figure. */
static void keep_files(struct verb_call *call, const char *base,
                       const struct figure_drawing *drawing)
{
    file_make_folder(base);
    for (int i = 0; i < drawing->files; i++)
        file_write(arena_print(&call->arena, "%s/%s", base, drawing->file[i].name),
                   drawing->file[i].bytes, drawing->file[i].count);
}

static void say(const char *path, const struct figure *figure, const struct figure_drawing *drawing)
{
    printf("%s\n  ", path);
    sheet_put(figure->title, stdout);
    putchar('\n');
    for (int i = 0; i < drawing->captions; i++) {
        fputs("  ", stdout);
        sheet_put(drawing->caption[i], stdout);
        putchar('\n');
    }
}

bool draw_figures(struct verb_call *call, const struct plan *plan, const struct grid *summary,
                  const char *base, enum gnuplot_format format, bool keep)
{
    struct arena *arena = &call->arena;
    struct store *store = stage_argument_store(call);
    bool drawn = true;
    for (int i = 0; i < plan->figures.count; i++) {
        const struct figure *figure = &plan->figures.figure[i];
        const char *one = arena_print(arena, "%s-%d", base, i + 1);
        const char *path = arena_print(arena, "%s.%s", one, gnuplot_format_names[format]);
        const struct figure_drawing drawing = figure_draw(store, summary, figure, format, arena);
        if (keep) keep_files(call, one, &drawing);
        if (drawing.failure) {
            warn("figure %d of %s: %s", i + 1, summary->name, drawing.failure);
            drawn = false;
            continue;
        }
        file_write(path, drawing.image, drawing.bytes);
        say(path, figure, &drawing);
    }
    return drawn;
}
