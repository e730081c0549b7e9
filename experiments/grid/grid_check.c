/* Checks each row against the kinds of its stages. Only the first seed is checked: the seeds of a
 * row differ in nothing that could be wrong. */
#include <string.h>

#include "core/base/table.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/kind.h"

bool grid_asks(const struct grid *grid, const struct grid_point *point,
               const struct stage_kind *kind)
{
    const struct evaluation *alone = point->settings->alone;
    if (alone && alone != kind->evaluation) return false;
    if (kind->task) return !strcmp(kind->task, grid->task);
    return kind->evaluation && settings_evaluated(point->settings, kind->evaluation)->asked;
}

/* Returns the key by which a row itself sets a section, "evaluate.gates"; NULL if it does not. */
static const struct tree *own_wish(const struct tree *entry, const char *section)
{
    const size_t length = strlen(section);
    for (int i = 0; entry && entry->kind == TREE_MAP && i < entry->count; i++) {
        const struct tree *key = entry->key[i];
        const char *rest = strncmp(key->text, section, length) ? NULL : key->text + length;
        if (rest && (!*rest || *rest == '.')) return key; /* ablate is not ablatepos */
        if (!strcmp(key->text, "evaluate") &&
            tree_get(entry->item[i], section + strlen("evaluate.")))
            return key;
    }
    return NULL;
}

struct location kind_check_place(const struct kind_check *check, const char *key)
{
    return tree_location(check->point->options,
                         *key ? arena_print(check->arena, "%s.%s", check->section, key)
                              : check->section);
}

bool kind_check_first(struct kind_check *check, const char *text)
{
    const char *own = arena_text(check->arena, text);
    return !(*table_at(check->seen, own, strlen(own), 0))++;
}

static void check_kind(const struct grid *grid, const struct stage_kind *kind)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct kind_check check = {.grid = grid, .arena = &arena, .seen = table_new(&arena, 16)};
    if (kind->evaluation) check.section = kind->evaluation->section->name;
    const struct grid_point *asks = NULL;
    const char *last = NULL;
    bool any = false;
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = grid->row[r].point;
        if (!point || !grid_asks(grid, point, kind)) continue;
        const char *lacks = kind->lacks ? kind->lacks(point->settings) : NULL;
        if (lacks && *lacks) last = lacks;
        /* A row that inherits the section from its grid simply has no such stage. A row that sets
         * the section itself is an error. */
        const struct tree *own =
            lacks && *lacks ? own_wish(grid->row[r].entry, check.section) : NULL;
        if (own)
            die_at(own->location,
                   "%s: expected an encoder with %s; the encoder of row \"%s\" has none",
                   check.section, lacks, grid->row[r].name);
        grid_row_about(grid, r, &arena);
        check.point = point;
        if (kind->evaluation)
            check.options = settings_evaluated(point->settings, kind->evaluation)->fields;
        if (kind->check && !lacks) kind->check(&check);
        grid_row_about(grid, -1, &arena);
        asks = point;
        any |= !lacks;
    }
    if (last && !any)
        die_at(tree_location(asks->options, check.section),
               "%s: no row's encoder has %s; remove the section", check.section, last);
}

void grid_check(const struct grid *grid)
{
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++) check_kind(grid, *kind);
}
