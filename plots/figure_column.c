/* Reads the columns that a grid names for the axes of a figure, and options of its rows. */
#include <ctype.h>
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/sections.h"
#include "plots/figure.h"
#include "plots/values.h"

/* True if a column is a value of a stage, or a function of such values. Exception: false for a
 * difference from the baseline. */
static bool is_value(const struct column *column)
{
    return column_is_measured(column) && column->function != COLUMN_DELTA &&
           (column_has(column, COLUMN_VALUE) || column_has(column, COLUMN_GROUP));
}

/* True if a kind of stage has values of a measure by the dimension `by`. The values are metric rows
 * or, for layers, views of parts. A part that is already a view has no other views. part NULL: any
 * part */
static bool is_by(const struct offer *offer, const struct measure *measure, const char *part,
                  enum dimension by)
{
    const bool views = offer->views && !(part && strchr(part, '@'));
    if (by == FIGURE_SHARE) return offer_share(offer->kind, measure->name);
    return measure->traits & 1u << by || (by == DIMENSION_LAYER && views);
}

bool figure_has(const struct column *column, enum dimension by)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    const struct measure *measure = column_offered(column);
    for (int i = 0; group && i < group->arguments; i++)
        if (!figure_has(&group->argument[i], by)) return false;
    if (by == FIGURE_SHARE && (column_has(column, COLUMN_MARGIN) || dimensions_some(&column->of)))
        return false;
    if (group || !measure) return group || (by != FIGURE_SHARE && !column_has(column, COLUMN_WALL));
    return is_by(offer_of(column->kind), measure, column->part, by);
}

void figure_check_by(const struct column *column, enum dimension by, struct arena *arena)
{
    const char **known = NULL;
    int count = 0;
    if (figure_has(column, by)) return;
    for (const struct offer *const *of = offers(); *of; of++)
        for (const struct measure *measure = offer_measures(*of); measure->name; measure++) {
            const char *part = (*of)->traits & OFFER_PARTS ? ".PART" : "",
                       *name = arena_print(arena, "%s%s.%s", (*of)->kind, part, measure->name);
            if (is_by(*of, measure, NULL, by)) ARENA_ADD(arena, known, count, name);
        }
    ARENA_ADD(arena, known, count, NULL);
    word_refuse(column_location(column), "figures",
                arena_print(arena, "no value by %s is called",
                            by == FIGURE_SHARE ? "share of tr" : dimension_names[by]),
                column->name, known);
}

struct column figure_read_column(const struct tree *item, enum dimension by, struct arena *arena)
{
    const struct column column = column_read(item, arena);
    if (!is_value(&column) && !column_has(&column, COLUMN_WALL))
        die_at(column_location(&column),
               "figures: \"%s\" is not a value of a row; expected a column like bleu or gates.gate",
               column.name);
    if (by < DIMENSIONS && dimensions_have(&column.of, by) && !dimensions_every(&column.of))
        die_at(tree_get(item, dimension_names[by])->location,
               "figures: %s: this figure draws every %s; remove the key", dimension_names[by],
               dimension_names[by]);
    if (by != DIMENSION_CLASS)
        column_refuse_every(
            &column, item,
            "figures: class: all selects several values of a row; expected one class, "
            "or a figure of kind classes");
    if (by != DIMENSIONS) figure_check_by(&column, by, arena);
    return column;
}

void figure_check_layers(const struct figure *figure, const struct grid *grid, struct arena *arena)
{
    for (int i = 0; i < figure->columns; i++) {
        const struct column *of = column_first(&figure->column[i]);
        bool has = !value_views(of) || !grid->words.part || grid->words.varied;
        if (has) continue;
        const char *first =
            arena_print(arena, "%s.%s", of->kind, value_at_layer(of, 1, arena).part);
        const size_t length = strlen(first) - 1;
        for (const char *const *part = grid->words.part; *part; part++)
            has |= !strncmp(*part, first, length) && isdigit((unsigned char)(*part)[length]);
        if (!has)
            die_at(figure->at_left,
                   "figures: no row has %s or another layer; expected %s.path: layers", first,
                   offer_of(of->kind)->section);
    }
}

int figure_options(const struct grid *grid, const int *row, int rows, const char *key,
                   const char ***text, struct arena *arena)
{
    int count = 0;
    *text = ARENA_ARRAY(arena, const char *, rows + 1);
    for (int i = 0; i < rows; i++) {
        const struct grid_row *of = &grid->row[row[i]];
        const char *value = of->options ? layout_option(grid, of, key, arena) : NULL;
        if (value && !word_known(value, *text)) (*text)[count++] = value;
    }
    return count;
}
