/* Checks each row by the functions `lacks` and `check` of the kinds of its stages. One check is
 * enough for all seeds of a row, because no check depends on the seed. */
#include <string.h>

#include "core/base/hash_table.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"

bool grid_asks(const struct grid *grid, const struct grid_resolved *resolved,
               const struct stage_kind *kind)
{
    const struct evaluation *alone = resolved->settings->alone;
    if (alone && alone != kind->evaluation) return false;
    if (kind->task) return !strcmp(kind->task, grid->task);
    return kind->evaluation && settings_evaluated(resolved->settings, kind->evaluation)->asked;
}

bool grid_point_computes(const struct grid *grid, const struct grid_resolved *resolved,
                         const struct stage_kind *kind)
{
    return grid_asks(grid, resolved, kind) && !(kind->lacks && kind->lacks(resolved->settings));
}

bool grid_row_computes(const struct grid *grid, int row, const char *kind)
{
    const struct grid_resolved *resolved = grid->row[row].resolved;
    const struct stage_kind *of = kind ? stage_kind_find(kind) : NULL;
    return !resolved || !of || grid_point_computes(grid, resolved, of);
}

bool grid_computes(const struct grid *grid, const char *kind)
{
    bool computes = false;
    for (; grid && !computes; grid = grid->words.whole)
        for (int r = 0; r < grid->rows && !computes; r++)
            computes = grid_row_computes(grid, r, kind);
    return computes;
}

struct location kind_check_place(const struct kind_check *check, const char *key)
{
    return tree_location(check->resolved->options,
                         *key ? arena_print(check->arena, "%s.%s", check->section, key)
                              : check->section);
}

bool kind_check_first(struct kind_check *check, const char *text)
{
    const char *own = arena_text(check->arena, text);
    return !(*hash_table_at(check->seen, own, strlen(own), 0))++;
}

/* Argument of check_row: a row, and a kind of stage by which it is checked. */
struct row_check {
    const struct grid *grid;
    const struct stage_kind *kind;
    int row;
    const char *lacks;
    struct kind_check *check;
};

static void check_row(void *context)
{
    const struct row_check *at = context;
    const char *section = at->check->section;
    grid_row_about(at->grid, -1, at->check->arena);
    /* If the row inherits the section from the grid, it has no stage of this kind. If the row sets
     * the section itself, this is an error. */
    const struct tree *entry = at->grid->row[at->row].entry,
                      *own = entry && at->lacks && *at->lacks
                                 ? tree_find(tree_merge(at->check->arena, NULL, entry), section)
                                 : NULL;
    if (own)
        die_at(own->location, "%s: expected an encoder with %s; the encoder of row \"%s\" has none",
               section, at->lacks, at->grid->row[at->row].name);
    grid_row_about(at->grid, at->row, at->check->arena);
    if (at->kind->check && !at->lacks) at->kind->check(at->check);
}

static void check_kind(struct grid *grid, const struct stage_kind *kind)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct kind_check check = {.grid = grid, .arena = &arena, .seen = hash_table_new(&arena, 16)};
    if (kind->evaluation) check.section = kind->evaluation->section->name;
    const struct grid_resolved *asks = NULL;
    const char *last = NULL;
    bool any = false;
    for (int r = 0; r < grid->rows; r++) {
        struct grid_row *row = &grid->row[r];
        if (!row->resolved || !grid_asks(grid, row->resolved, kind)) continue;
        const char *lacks = kind->lacks ? kind->lacks(row->resolved->settings) : NULL;
        struct row_check at = {grid, kind, r, lacks, &check};
        check.resolved = asks = row->resolved;
        if (lacks && *lacks) last = lacks;
        any |= !lacks;
        if (kind->evaluation)
            check.options = settings_evaluated(asks->settings, kind->evaluation)->fields;
        grid_row_try(grid, r, check_row, &at);
    }
    grid_row_about(grid, -1, &arena);
    if (last && !any && !grid_computes(grid->words.whole, kind->name))
        die_at(tree_location(asks->options, check.section),
               "%s: no row's encoder has %s; remove the section", check.section, last);
}

void grid_check(struct grid *grid)
{
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) check_kind(grid, *kind);
}
