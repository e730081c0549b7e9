/* sanlab plot: draws the figures of a grid. */
#include "core/base/file.h"
#include "core/config/scalar.h"
#include "experiments/cli/archive_argument.h"
#include "experiments/cli/draw.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/verbs.h"
#include "plots/figures.h"

static int run(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const struct tree *format =
        tree_new_text(arena, (struct location){"command line", 0, 0}, verb_value(call, "--format"));
    const int chosen = scalar_choice(format, "--format", "svg|pdf|png");
    if (archive_argument(call, 0) && !verb_switch(call, "--out"))
        die("plot: --out: expected a folder for the figures of an archive");
    struct plan *plan = grid_argument_plan(call);
    struct grid summary = grid_argument_summary(call, plan);
    if (!plan->figures.count) die("%s: has no figures (sanlab plot --help)", plan->grid->path);
    const char *folder = verb_value(call, "--out");
    if (!verb_switch(call, "--out")) {
        grid_argument_check_name(call, plan->grid);
        folder = arena_print(arena, "%s/figures", plan->runs);
    }
    file_make_folder(folder);
    const char *base = arena_print(arena, "%s/%s", folder, summary.name);
    return draw_figures(call, plan, &summary, base, (enum gnuplot_format)chosen,
                        verb_switch(call, "--keep"))
               ? 0
               : 1;
}

const struct verb verb_plot = {.name = "plot", .run = run, .more_help = figure_help};
