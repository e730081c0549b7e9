/* What tables and figures may name of a grid: kinds, the parts and groups that its points ask for,
 * options and axes. */
#include <string.h>

#include "core/base/table.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"
#include "results/sheet/cell.h"
#include "results/table/column.h"

static const char *const *kinds_read(struct arena *arena)
{
    struct names names = {.arena = arena};
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        names_add(&names, (*kind)->name);
    names_add(&names, NULL);
    return names.name;
}

/* "KIND.PART" of all that some point has. */
static const char *const *parts_read(struct arena *arena, const struct grid *grid)
{
    struct table *known = table_new(arena, 16);
    struct names names = {.arena = arena};
    for (int r = 0; r < grid->rows; r++)
        for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
            const struct grid_point *point = grid_row_point(grid, r);
            if (!point) continue;
            const struct texts parts =
                settings_evaluated(&point->settings, (*kind)->evaluation)->parts;
            for (int i = 0; i < parts.count; i++) {
                const char *one = arena_print(arena, "%s.%s", (*kind)->name, parts.text[i]);
                if (*table_at(known, one, strlen(one), names.count) == names.count)
                    names_add(&names, one);
            }
        }
    names_add(&names, NULL);
    return names.name;
}

/* Returns the view that a column of the part means in a row with these parts. */
static struct summary_view view_of_row(const struct texts *parts, const char *part,
                                       const struct offer *offer, struct arena *arena)
{
    struct summary_view view = {.title = arena_print(arena, "%s.%s", offer->kind, part)};
    const char *among = NULL;
    int count = 0;
    bool main = false;
    for (int i = 0; i < parts->count; i++) {
        if (!column_is_view(part, parts->text[i], offer)) continue;
        view.means = strchr(parts->text[i], '@') + 1;
        main |= !strcmp(view.means, offer->main_view);
        among = cell_append(among, ", ", arena_print(arena, "%s.%s", offer->kind, parts->text[i]),
                            arena);
        count++;
    }
    view.several = count > 1;
    if (view.several) view.means = offer->main_view;
    if (view.several && !main) view.among = among;
    return view;
}

/* Merges the view that a column means in one row with that of the rows before. */
static void add_view(struct summary_words *words, const struct summary_view *view,
                     struct arena *arena)
{
    for (int i = 0; i < words->views; i++) {
        struct summary_view *all = &words->view[i];
        if (strcmp(all->title, view->title) != 0) continue;
        all->several |= view->several;
        if (!all->among) all->among = view->among;
        if (!word_same(all->means, view->means)) all->means = NULL;
        return;
    }
    ARENA_MORE(arena, words->view, words->views);
    words->view[words->views++] = *view;
}

/* The views of parts. A row of vectors from elsewhere has none. */
static void views_read(struct arena *arena, const struct grid *grid, struct summary_words *words)
{
    for (int r = 0; r < grid->rows; r++)
        for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
            const struct grid_point *point = grid_row_point(grid, r);
            const struct offer *offer = offer_of((*kind)->name);
            if (!point || point->settings.alone || !offer || !offer->main_view) continue;
            const struct texts parts =
                settings_evaluated(&point->settings, (*kind)->evaluation)->parts;
            const char *last = "";
            for (int i = 0; i < parts.count; i++) {
                const char *part =
                    arena_text_range(arena, parts.text[i], strcspn(parts.text[i], "@"));
                if (!strcmp(part, last)) continue;
                const struct summary_view view = view_of_row(&parts, part, offer, arena);
                add_view(words, &view, arena);
                last = part;
            }
        }
}

/* A member of a group that parts have of themselves, once. */
static void add_member(struct summary_words *words, const char *group, const char *column,
                       struct arena *arena)
{
    for (int i = 0; i < words->members; i++)
        if (!strcmp(words->member[i].group, group) && !strcmp(words->member[i].column, column))
            return;
    ARENA_MORE(arena, words->member, words->members);
    words->member[words->members++] = (struct summary_member){group, column};
}

/* Which columns are of one group: "KIND.PART" without the views. */
static void groups_read(struct arena *arena, const struct grid *grid, struct summary_words *words)
{
    for (int r = 0; r < grid->rows; r++)
        for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
            const struct grid_point *point = grid_row_point(grid, r);
            if (!point || !(*kind)->evaluation || !(*kind)->evaluation->group) continue;
            const struct evaluated *asked =
                settings_evaluated(&point->settings, (*kind)->evaluation);
            for (int i = 0; i < asked->parts.count; i++) {
                const char *part = asked->parts.text[i];
                const char *group = (*kind)->evaluation->group(asked->fields, part);
                if (group)
                    add_member(
                        words, group,
                        arena_print(arena, "%s.%.*s", (*kind)->name, (int)strcspn(part, "@"), part),
                        arena);
            }
        }
}

struct summary_words grid_words(struct arena *arena, const struct grid *grid,
                                const char *const *axes, bool varied)
{
    struct summary_words words = {.kind = kinds_read(arena),
                                  .part = parts_read(arena, grid),
                                  .option = settings_names(arena),
                                  .axis = axes,
                                  .varied = varied,
                                  .defaults = settings_defaults(arena),
                                  .beside = settings_defaults_beside};
    groups_read(arena, grid, &words);
    views_read(arena, grid, &words);
    return words;
}
