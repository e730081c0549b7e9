/* Describes the choice of a trial, from the grid's options and the values of the stages
 * `choice`. */
#include "results/table/tuned.h"

#include <math.h>
#include <string.h>

#include "experiments/grid/tune.h"
#include "results/sheet/number_format.h"
#include "results/store/status.h"
#include "results/table/layout.h"
#include "results/table/table_maker.h"

/* Returns the label of a value in a space with labels; NULL if there is none. */
static const char *label_of(const struct draw *draw, const struct tree *value)
{
    for (int i = 0; value && draw->kind == DRAW_MAP && i < draw->written->count; i++)
        if (tree_same(draw->written->item[i], value)) return draw->written->key[i]->text;
    return NULL;
}

const char *tuned_option(const struct grid *grid, const struct grid_row *row, const char *key,
                         struct arena *arena)
{
    const struct tuned *tuned = row->tuned;
    int k = 0;
    while (tuned && k < tuned->keys && strcmp(tuned->key[k].path, key) != 0) k++;
    if (!tuned || k == tuned->keys) return NULL;
    if (row->waits) return STATUS_WAITS;
    const char *label = label_of(&tuned->key[k], tuned_value(row, key)),
               *text = label ? label : layout_option(grid, row, key, arena);
    return text && tuned_is_edge(row, key) ? arena_print(arena, "%s (edge)", text) : text;
}

/* Returns a value of the row's stages `choice`; NaN if there is none. */
static double choice_value(struct sampler *sampler, int row, const char *name)
{
    const struct grid_row *from = &sampler->grid->row[row];
    double value = (double)NAN;
    for (int i = 0; from->count && i < from->seed->count && !isfinite(value); i++)
        if (!strcmp(from->seed->stage[i].kind, "choice"))
            value =
                value_cache_value(sampler->cache, sample_stages(sampler, row)[0][i].number, name);
    return value;
}

const char *tuned_text(struct sampler *sampler, int row)
{
    static const char *const values[][2] = {
        {"metric", "chosen trial "}, {"fresh", "own seeds "}, {"median", "median trial "}};
    const struct grid_row *from = &sampler->grid->row[row];
    struct arena *arena = sampler->arena;
    const char *options = NULL, *numbers = NULL;
    if (!from->tuned || from->waits) return NULL;
    for (int k = 0; k < from->tuned->keys; k++) {
        const char *key = from->tuned->key[k].path;
        options = arena_append(
            arena, options, ", ",
            arena_print(arena, "%s: %s", key, tuned_option(sampler->grid, from, key, arena)));
    }
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        const double value = choice_value(sampler, row, values[i][0]);
        if (isfinite(value))
            numbers = arena_append(
                arena, numbers, ", ",
                arena_print(arena, "%s%s", values[i][1], number_fixed(arena, value, 4)));
    }
    return numbers ? arena_print(arena, "%s (%s)", options, numbers) : options;
}

/* Prints the chosen options of all rows in one line. */
void summary_note_tuned(struct table_maker *maker)
{
    struct arena *arena = maker->arena;
    const struct tuned *tuned = NULL;
    const char *list = NULL;
    for (int row = 0; row < maker->grid->rows; row++) {
        const char *text = tuned_text(&maker->sampler, row);
        if (!text) continue;
        tuned = maker->grid->row[row].tuned;
        list = arena_append(arena, list, "; ",
                            arena_print(arena, "%s %s", maker->grid->row[row].name, text));
    }
    if (list) summary_say(maker, "Tuned (%s on dev): %s.", tuned->tune->metric->name, list);
}
