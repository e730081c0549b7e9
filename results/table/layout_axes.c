/* What stands side by side: the axis that a table is arranged by, its values and headings, and the
 * values of a second axis. */
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/table/axis.h"
#include "results/table/layout_part.h"

bool layout_row_runs(const struct summary_row *row)
{
    return !row->entry || (!tree_get(row->entry, "quote") && !tree_get(row->entry, "hyp"));
}

static bool is_swept(const struct summary_grid *grid, const char *key)
{
    for (int i = 0; i < grid->rows; i++)
        if (summary_row_factor(&grid->row[i], 0, key)) return true;
    return false;
}

const char *layout_axis_value(const struct summary_row *row, int place, const char *key,
                              const struct layout *layout, const struct summary_grid *grid,
                              struct arena *arena)
{
    if (!layout_row_runs(row)) return NULL;
    const struct summary_factor *factor = summary_row_factor(row, place, key);
    if (factor) return factor->value;
    if (layout->down && is_swept(grid, key) && !(row->entry && tree_find(row->entry, key)))
        return NULL;
    return layout_option(grid, row, key, arena);
}

int layout_places(const struct summary_grid *grid)
{
    int places = 0;
    for (int i = 0; i < grid->rows; i++) places += 1 + grid->row[i].more;
    return places;
}

bool layout_next_place(const struct summary_grid *grid, const struct layout *layout,
                       struct layout_place *at)
{
    if (!at->begun) return at->begun = true, at->row < grid->rows;
    if (layout->by && at->place < grid->row[at->row].more) return ++at->place;
    at->place = 0;
    return ++at->row < grid->rows;
}

/* The values of an axis, as they were met. */
struct values {
    int count;
    const char **text;
    bool *seen; /* of some row, not of a heading alone */
};

int layout_find_text(const char *const *text, int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (text[i] && !strcmp(text[i], wanted)) return i;
    return -1;
}

/* Numbers that rows with gaps have brought into neither order. */
static bool are_mixed_numbers(const struct values *values)
{
    bool rises = false, falls = false;
    for (int i = 0; i < values->count; i++) {
        if (!number_valid(values->text[i])) return false;
        if (!i) continue;
        const double step = number_read(values->text[i]) - number_read(values->text[i - 1]);
        rises |= step > 0;
        falls |= step < 0;
    }
    return rises && falls;
}

/* The values that rows have of an axis behind those that there are; dies when no row has any. */
static void list_values(struct values *values, struct place place, const char *key,
                        const struct layout *layout, const struct summary_grid *grid,
                        struct arena *arena)
{
    const bool headed = values->count;
    bool some = false;
    struct layout_place at = {0};
    while (layout_next_place(grid, layout, &at)) {
        const char *value =
            layout_axis_value(&grid->row[at.row], at.place, key, layout, grid, arena);
        if (!value) continue;
        int known = layout_find_text(values->text, values->count, value);
        if (known < 0) values->text[known = values->count++] = value;
        values->seen[known] = some = true;
    }
    if (!some) die_at(place, "by: no row says %s", key);
    if (layout->down && !headed && are_mixed_numbers(values))
        qsort(values->text, (size_t)values->count, sizeof *values->text, number_compare);
}

static struct values values_new(int most, struct arena *arena)
{
    return (struct values){0, ARENA_ARRAY(arena, const char *, most),
                           ARENA_ARRAY(arena, bool, most)};
}

int layout_read_axes(const struct tree *by, const struct summary_grid *grid, struct layout *layout,
                     const char ***down_value, struct arena *arena)
{
    static const char *const keys[] = {"option", "headings", NULL};
    const struct tree *headings = NULL, *axes = by;
    if (by->kind == TREE_MAP) {
        tree_only_keys(by, "by", keys);
        headings = tree_get(by, "headings");
        axes = tree_get(by, "option");
        if (!axes) die_at(by->place, "by: expected {option: corpus, headings: {..}}");
        if (headings && headings->kind != TREE_MAP)
            die_at(headings->place, "headings: expected a map from values to headings");
    }
    const bool two = axes->kind == TREE_LIST;
    if (two && axes->count != 2)
        die_at(axes->place, "by: expected an axis, or two: [DOWN, ACROSS]");
    const struct tree *across = two ? axes->item[1] : axes, *down = two ? axes->item[0] : NULL;
    layout->by = axis_meant(grid, scalar_text(across, "by"), arena);
    layout->named = grid->words.axis && word_known(layout->by, grid->words.axis);
    layout->down = two ? axis_meant(grid, scalar_text(down, "by"), arena) : NULL;
    layout_check_option(across->place, "by", layout->by, false, grid, arena);
    if (two) layout_check_option(down->place, "by", layout->down, false, grid, arena);
    if (two && !strcmp(layout->by, layout->down))
        die_at(across->place, "by: expected two axes, [DOWN, ACROSS], not twice %s", layout->by);
    const int most = layout_places(grid) + (headings ? headings->count : 0);
    struct values values = values_new(most, arena), lines = values_new(most, arena);
    layout->heading = ARENA_ARRAY(arena, const char *, most);
    for (int i = 0; headings && i < headings->count; i++) {
        values.text[values.count] = headings->key[i]->text;
        layout->heading[values.count++] = scalar_text(headings->item[i], "a heading");
    }
    list_values(&values, across->place, layout->by, layout, grid, arena);
    layout->factor = values.text;
    layout->factors = values.count;
    for (int i = headings ? headings->count : 0; i < values.count; i++)
        layout->heading[i] = values.text[i];
    for (int i = 0; headings && i < headings->count; i++)
        if (!values.seen[i])
            die_at(by->place, "by: no row has %s = \"%s\"", layout->by, values.text[i]);
    if (two) list_values(&lines, down->place, layout->down, layout, grid, arena);
    *down_value = lines.text;
    return lines.count;
}

static int find_factor(const struct layout *layout, const char *text)
{
    for (int i = 0; i < layout->factors; i++)
        if (layout->factor[i] &&
            (!strcmp(layout->factor[i], text) || !strcmp(layout->heading[i], text)))
            return i;
    return -1;
}

int layout_read_factor(const struct tree *scalar, const struct layout *layout, struct arena *arena)
{
    const char *text = scalar_text(scalar, "a value of the factor");
    int factor = find_factor(layout, text);
    if (factor >= 0) return factor;
    if (!layout->by) die_at(scalar->place, "\"%s\": the table has no factor (table.by)", text);
    const char **words = ARENA_ARRAY(arena, const char *, layout->factors + 1);
    for (int i = 0; i < layout->factors; i++) words[i] = layout->heading[i];
    word_refuse(scalar->place, layout->by, "there is no value", text, words);
}
