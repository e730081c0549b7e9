/* Rows by name, their places on axes, and iteration over a grid's stages. */
#include "experiments/grid/grid.h"

#include <string.h>

bool grid_next(const struct grid *grid, struct grid_place *at)
{
    for (; at->row < grid->rows; at->row++, at->seed = 0)
        for (; at->seed < grid->row[at->row].count; at->seed++, at->stage = 0)
            if (at->stage < grid->row[at->row].seed[at->seed].count) return true;
    return false;
}

const struct grid_stage *grid_stage_at(const struct grid *grid, const struct grid_place *at)
{
    return &grid->row[at->row].seed[at->seed].stage[at->stage];
}

/* Returns the rest of a text after a leading word and ", "; NULL if the text does not begin with
 * the word. */
static const char *text_after(const char *text, const char *word)
{
    const size_t length = strlen(word);
    if (!text || strncmp(text, word, length) != 0) return NULL;
    text += length;
    return !strncmp(text, ", ", 2) ? text + 2 : *text ? NULL : text;
}

/* True if a name is the row's name at one of its places. */
static bool is_called(const struct grid_row *row, const char *name)
{
    bool called = !strcmp(row->name, name);
    for (int place = 1; place <= row->more && !called; place++) {
        const char *rest = row->line ? text_after(name, row->line) : name;
        for (int i = 0; i < row->factors; i++)
            rest = text_after(rest, row->factor[place * row->factors + i].text);
        called = rest && !*rest;
    }
    return called;
}

bool grid_row_meant(const struct grid_row *row, const char *name)
{
    return is_called(row, name) || (row->line && !strcmp(row->line, name));
}

const char *grid_stage_title(const struct grid_stage *stage, struct arena *arena)
{
    return stage->part ? arena_print(arena, "%s.%s", stage->kind, stage->part) : stage->kind;
}

const struct grid_factor *grid_row_factor(const struct grid_row *row, int place, const char *key)
{
    const struct grid_factor *factor = row->factor + place * row->factors;
    for (int i = 0; i < row->factors; i++)
        if (!strcmp(factor[i].key, key)) return &factor[i];
    return NULL;
}

const char *grid_row_rest(const struct grid_row *row, int place, const char *name,
                          const struct grid_factor *without, struct arena *arena)
{
    const struct grid_factor *factor = row->factor + place * row->factors;
    for (int i = 0; i < row->factors; i++)
        if (!without || factor[i].axis != without->axis)
            name = arena_append(arena, name, ", ", factor[i].text);
    return name;
}

const char *grid_row_also(const struct grid_row *row, struct arena *arena)
{
    const char *list = NULL;
    for (int place = 1; place <= row->more; place++) {
        const struct grid_factor *factor = row->factor + place * row->factors;
        const char *differs = NULL;
        for (int i = 0; i < row->factors; i++)
            if (strcmp(factor[i].value, row->factor[i].value) != 0)
                differs = arena_append(arena, differs, ", ", factor[i].text);
        list = arena_append(arena, list, " and ", differs);
    }
    return list;
}

bool grid_row_agrees(const struct grid_row *row, int place, const struct grid_row *like, int other,
                     const struct grid_factor *without)
{
    const struct grid_factor *factor = row->factor + place * row->factors, *its;
    for (int i = 0; i < row->factors; i++) {
        its = grid_row_factor(like, other, factor[i].key);
        if (!its || ((!without || factor[i].axis != without->axis) &&
                     strcmp(its->value, factor[i].value) != 0))
            return false;
    }
    return true;
}

static bool some_place_beside(const struct grid_row *row, const struct grid_row *like)
{
    for (int place = 0; place <= row->more; place++)
        for (int other = 0; other <= like->more; other++)
            if (grid_row_agrees(row, place, like, other, NULL)) return true;
    return false;
}

int grid_row_called(const struct grid *grid, const char *name)
{
    for (int i = 0; i < grid->rows; i++)
        if (is_called(&grid->row[i], name)) return i;
    return -1;
}

int grid_row_beside(const struct grid *grid, const char *name, int like)
{
    const int called = grid_row_called(grid, name);
    if (called >= 0) return called;
    for (int i = 0; i < grid->rows; i++)
        if (grid_row_meant(&grid->row[i], name) &&
            some_place_beside(&grid->row[i], &grid->row[like]))
            return i;
    return -1;
}
