/* Lists the words that tables and figures of a grid may use: kinds of stages, parts and groups of
 * the rows, options and axes. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"

/* Adds a column to a group, unless the group already has it. */
static void add_member(struct grid_words *words, const char *group, const char *column,
                       struct arena *arena)
{
    for (int i = 0; i < words->members; i++)
        if (!strcmp(words->member[i].group, group) && !strcmp(words->member[i].column, column))
            return;
    ARENA_ADD(arena, words->member, words->members, (struct grid_member){group, column});
}

/* Returns the list of "KIND.PART" of a row, kind by kind. Returns NULL for a row with external
 * vectors that has one view of each part, because it has no model. In either case, adds the parts
 * to `all`, and their columns, without views, to the groups. */
static const char *const *parts_of(struct arena *arena, const struct settings *settings,
                                   struct names *all, struct hash_table *known,
                                   struct grid_words *words)
{
    struct names names = {.arena = arena};
    bool views = false;
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) {
        const struct evaluation *evaluation = (*kind)->evaluation;
        const struct evaluated *asked = settings_evaluated(settings, evaluation);
        for (int i = 0; i < asked->parts.count; i++) {
            const char *part = asked->parts.text[i],
                       *one = arena_print(arena, "%s.%s", (*kind)->name, part),
                       *group = evaluation->group ? evaluation->group(asked->fields, part) : NULL;
            int64_t *at = hash_table_at(known, one, strlen(one), all->count);
            if (*at == all->count) names_add(all, one);
            names_add(&names, all->name[*at]);
            if (group)
                add_member(words, group, arena_text_range(arena, one, strcspn(one, "@")), arena);
            views |= i && !strncmp(part, asked->parts.text[i - 1], strcspn(part, "@") + 1);
        }
    }
    return settings->alone && !views ? NULL : names_end(&names);
}

void grid_words_read(struct arena *arena, struct grid *grid, const struct grid_typed *typed)
{
    struct names kinds = {.arena = arena};
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        names_add(&kinds, (*kind)->name);
    grid->words = (struct grid_words){.kind = names_end(&kinds),
                                      .option = settings_names(arena),
                                      .axis = typed->axes.text,
                                      .axis_location = typed->axes.location,
                                      .varied = grid_typed_varies(typed),
                                      .defaults = settings_defaults(arena),
                                      .beside = settings_defaults_beside};
    struct hash_table *known = hash_table_new(arena, 16);
    struct names all = {.arena = arena};
    for (int r = 0; r < grid->rows; r++) {
        struct grid_row *row = &grid->row[r];
        if (!row->resolved) continue;
        row->part = parts_of(arena, row->resolved->settings, &all, known, &grid->words);
    }
    grid->words.part = names_end(&all);
}
