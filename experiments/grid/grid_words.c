/* What tables and figures may name of a grid: kinds, the parts and groups that its points ask for,
 * options and axes. */
#include <string.h>

#include "core/base/table.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"

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
    return words;
}
