/* Finds rows that differ only on one axis, and the values of axes. Compares all places of two rows,
 * because a row may have several places. */
#include "experiments/grid/axis.h"

#include <string.h>

#include "core/base/number.h"
#include "core/config/expression.h"
#include "core/config/word.h"

/* True if two rows have places that use the axis `key` and differ at most on this axis. With
 * `value`, the place of `a` must have value[0] and the place of `b` value[1]. All keys of a zip are
 * one axis. */
static bool are_beside(const struct grid_row *a, const struct grid_row *b, const char *key,
                       const char *const *value)
{
    if (!word_same(a->line, b->line) || a->coordinates != b->coordinates) return false;
    for (int place = 0; place <= a->more; place++)
        for (int other = 0; other <= b->more; other++) {
            const struct grid_coordinate *ours = grid_row_coordinate(a, place, key),
                                         *theirs = grid_row_coordinate(b, other, key);
            if (!ours || !theirs) continue;
            if (value && (strcmp(ours->value, value[0]) || strcmp(theirs->value, value[1])))
                continue;
            if (grid_row_agrees(a, place, b, other, ours)) return true;
        }
    return false;
}

int axis_points(const struct grid *grid, const char *key, int like, int *row)
{
    int count = 0;
    for (int i = 0; i < grid->rows; i++)
        if (are_beside(&grid->row[like], &grid->row[i], key, NULL)) row[count++] = i;
    return count;
}

int axis_pairs(const struct grid *grid, const char *key, const char *const value[2],
               int (**pair)[2], struct arena *arena)
{
    int count = 0;
    *pair = NULL;
    for (int i = 0; i < grid->rows; i++)
        for (int k = 0; k < grid->rows; k++) {
            if (i == k || !are_beside(&grid->row[i], &grid->row[k], key, value)) continue;
            ARENA_MORE(arena, *pair, count);
            (*pair)[count][0] = i;
            (*pair)[count++][1] = k;
        }
    return count;
}

const char *const *axis_values(const struct grid *grid, const char *key, struct arena *arena)
{
    int most = 0, count = 0;
    for (int i = 0; i < grid->rows; i++) most += (1 + grid->row[i].more) * grid->row[i].coordinates;
    const char **list = ARENA_ARRAY(arena, const char *, most + 1);
    for (int i = 0; i < grid->rows; i++)
        for (int k = 0; k < (1 + grid->row[i].more) * grid->row[i].coordinates; k++) {
            const struct grid_coordinate *coordinate = &grid->row[i].coordinate[k];
            const char *text = key ? coordinate->value : coordinate->key;
            if ((!key || !strcmp(coordinate->key, key)) && !word_known(text, list))
                list[count++] = text;
        }
    return list;
}

/* True if in all rows on a named axis, the option `key` has the row's value of the axis. */
static bool is_at(const struct grid *grid, const char *axis, const char *key)
{
    bool some = false;
    for (int i = 0; i < grid->rows; i++) {
        const struct grid_coordinate *on = grid_row_coordinate(&grid->row[i], 0, axis);
        if (!on) continue;
        if (!on->plain || !grid->row[i].options) return false;
        const struct expression_term term = expression_equals(key, on->plain);
        if (!expression_term_holds_in(&term, grid->row[i].options)) return false;
        some = true;
    }
    return some;
}

/* Returns the only path of a list that ends with a dot and `words`: evaluate.probe.path for
 * probe.path. Returns NULL if there is none or more than one, or if `words` has no dot. */
static const char *find_ending(const char *const *list, const char *words)
{
    const char *found = NULL;
    for (; *list && strchr(words, '.'); list++) {
        if (!word_ends(*list, words) || !strcmp(*list, words)) continue;
        if (found) return NULL;
        found = *list;
    }
    return found;
}

const char *axis_meant(const struct grid *grid, const char *key, struct arena *arena)
{
    const char *const *axis = axis_keys(grid, arena);
    if (word_known(key, axis) || (grid->words.option && word_known(key, grid->words.option)))
        return key;
    for (int i = 0; axis[i] && strchr(key, '.'); i++)
        if (is_at(grid, axis[i], key)) return axis[i];
    const char *meant = find_ending(axis, key);
    if (!meant && grid->words.option) meant = find_ending(grid->words.option, key);
    return meant ? meant : key;
}

void axis_check(const struct grid *grid, struct location location, const char *what,
                const char *key, struct arena *arena)
{
    const char *const *keys = axis_keys(grid_whole(grid), arena);
    if (word_known(key, keys) || word_known(key, axis_keys(grid, arena))) return;
    if (!keys[0])
        die_at(location, "%s: no row has the axis \"%s\": the grid has no axes", what, key);
    word_refuse(location, what, "no row has the axis", key, keys);
}

bool axis_number(const struct grid_coordinate *at, double *number)
{
    struct checkpoint_at crossing;
    const char *text = at->plain ? at->plain : at->value;
    if (!checkpoint_at_read(&crossing, text, at->key)) return real_parse(text, number);
    *number = crossing.value;
    return true;
}
