/* The seeds of all rows: those of the file, or of the command line instead, or with a plus those of
 * both. */
#include <string.h>

#include "core/config/int_range.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"

static void add_seed(struct grid *grid, const struct tree *value, int seed)
{
    for (int i = 0; i < grid->seeds; i++)
        if (grid->seed[i] == (uint32_t)seed) die_at(value->place, "seeds: %d is named twice", seed);
    if (grid->seeds == GRID_SEEDS) die_at(value->place, "seeds: more than %d", GRID_SEEDS);
    grid->seed[grid->seeds++] = (uint32_t)seed;
}

/* One of a list: a number, or "1-3". */
static void add_seeds(struct arena *arena, struct grid *grid, const struct tree *value)
{
    const struct int_range range = int_range_read(value, "seeds", arena);
    for (int64_t seed = range.first; seed <= range.last; seed++) add_seed(grid, value, (int)seed);
}

/* A list, a range, one number, or numbers with commas; a plus before a text adds to those that are
 * there. */
static void read(struct arena *arena, struct grid *grid, const struct tree *value)
{
    if (value->kind == TREE_MAP) die_at(value->place, "seeds: expected a list of numbers");
    const struct tree *one = value, *list = value;
    bool more = value->kind == TREE_SCALAR && value->text[0] == '+';
    if (value->kind == TREE_SCALAR) {
        one = tree_new_text(arena, value->place, value->text + more);
        list = grid_range(arena, value->place, one->text);
        if (!list) list = grid_split(arena, value->place, one->text);
    }
    grid->lone_seed = NULL;
    if (!more) grid->seeds = 0;
    for (int i = 0; i < (list ? list->count : 1); i++)
        add_seeds(arena, grid, list ? list->item[i] : one);
    if (!grid->seeds) die_at(value->place, "seeds: the list is empty");
    const bool number = !more && !list && !strchr(one->text, '-');
    if (number && grid->seed[0] > 1) grid->lone_seed = one;
}

void grid_seeds_read(struct arena *arena, struct grid *grid, const struct tree *head,
                     const struct grid_typed *typed)
{
    const struct tree *written = tree_get(head, "seeds");
    struct grid_typed_word *word = grid_typed_find(typed, "seeds");
    grid->seed = ARENA_ARRAY(arena, uint32_t, GRID_SEEDS);
    add_seed(grid, NULL, 1);
    if (written && (!word || word->value)) read(arena, grid, written);
    if (!word) return;
    if (word->value) read(arena, grid, word->value);
    word->used = true;
}
