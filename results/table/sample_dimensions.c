/* Handles columns with dimensions. Replaces a column with class: all by one column per class.
 * Reports dimensions and classes that no stage has. */
#include <string.h>

#include "core/config/word.h"
#include "results/table/name_list.h"
#include "results/table/sample.h"

/* Lists the stages of the grid that the column reads and that are done, each once. Sets *open if
 * the column reads a stage that is not done. Returns the number of stages. */
static int done_stages(struct sampler *sampler, const struct column *column, int64_t **number,
                       bool *open)
{
    const struct grid *grid = sampler->grid;
    int count = 0;
    *number = NULL;
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct value_cache_stage *stage = sample_stage_at(sampler, &at);
        if (!sample_is_of(column, &grid->row[at.row].seed[at.seed], at.stage)) continue;
        bool known = !sample_stage_done(stage);
        *open |= known;
        for (int i = 0; i < count; i++) known |= (*number)[i] == stage->number;
        if (known) continue;
        ARENA_ADD(sampler->arena, *number, count, stage->number);
    }
    return count;
}

/* Adds a class to the list unless the list has it. Exits with an error if there are more than
 * COLUMN_CLASSES_MOST. */
static void add_class(const struct column *column, const char **class, int *count, const char *text)
{
    int at = 0;
    while (at < *count && strcmp(class[at], text) != 0) at++;
    if (at < *count) return;
    if (at == COLUMN_CLASSES_MOST)
        die_at(column->location, "class: there are more than %d classes", COLUMN_CLASSES_MOST);
    class[(*count)++] = text;
}

int sample_classes(struct sampler *sampler, const struct column *column, const char ***class)
{
    int64_t *stage;
    bool open = false;
    int count = 0, points;
    column = column_first(column);
    const int stages = done_stages(sampler, column, &stage, &open);
    *class = ARENA_ARRAY(sampler->arena, const char *, COLUMN_CLASSES_MOST + 1);
    for (int i = 0; i < stages; i++) {
        const struct value_cache_line *point =
            value_cache_lines(sampler->cache, stage[i], column->value, NULL, &points);
        for (int k = 0; k < points; k++)
            if (point[k].of.class &&
                !memcmp(point[k].of.number, column->of.number, sizeof point[k].of.number))
                add_class(column, *class, &count, point[k].of.class);
    }
    return count;
}

/* Exits with an error if there are stages, but none has metric rows with this dimension. */
static void check_says(struct sampler *sampler, const struct column *column, enum dimension which,
                       const int64_t *stage, int stages)
{
    bool found = !stages;
    for (int i = 0, points; i < stages && !found; i++) {
        const struct value_cache_line *point =
            value_cache_lines(sampler->cache, stage[i], column->value, NULL, &points);
        for (int k = 0; k < points; k++) found |= dimensions_have(&point[k].of, which);
    }
    if (!found)
        die_at(column->location, "%s: no %s that is done has values of \"%s\" by %s",
               dimension_names[which], column->kind, column->value, dimension_names[which]);
}

void sample_check_dimensions(struct sampler *sampler, const struct column *column)
{
    int64_t *stage;
    bool open = false, found = false;
    const char **class, *const wanted = column->of.class;
    const int stages = done_stages(sampler, column, &stage, &open);
    if (!stages) return;
    for (int d = 0; d < DIMENSIONS; d++)
        if (dimensions_have(&column->of, d)) check_says(sampler, column, d, stage, stages);
    const int classes = sample_classes(sampler, column, &class);
    for (int i = 0; i < classes && wanted; i++) found |= !strcmp(class[i], wanted);
    if (wanted && classes && !found)
        word_refuse(column->location, "class", "there is no class", wanted, class);
    found = false;
    for (int i = 0, count; i < stages; i++) {
        value_cache_lines(sampler->cache, stage[i], column->value, &column->of, &count);
        found |= count > 0;
    }
    if (found || open) return;
    struct name_list names = {.arena = sampler->arena};
    for (int i = 0; i < classes; i++) name_list_add(&names, class[i]);
    if (classes && !wanted)
        die_at(column->location,
               "no stage has values of \"%s\" over all classes; expected class: one of %s",
               column->name, name_list_text(&names));
    die_at(column->location, "no stage has values of \"%s\"", column->name);
}

/* Returns a placeholder for a column with class: all if its classes are not known, because no stage
 * with its values is done. */
static struct column column_of_none(struct sampler *sampler, const struct column *every)
{
    int64_t *stage;
    bool open = false;
    const int stages = done_stages(sampler, every, &stage, &open);
    check_says(sampler, every, DIMENSION_CLASS, stage, stages);
    struct column column = *every;
    column.header = arena_print(sampler->arena, "%s by class", every->header);
    return column;
}

const struct grid *sample_expand(struct store *store, const struct grid *grid, struct arena *arena)
{
    const struct layout *from = grid->layout;
    int every = 0, count = 0;
    for (int i = 0; i < from->columns; i++) every += from->column[i].of.every;
    if (!every) return grid;
    struct grid *made = ARENA_NEW(arena, struct grid);
    struct layout *layout = ARENA_NEW(arena, struct layout);
    *made = *grid;
    *layout = *from;
    made->layout = layout;
    layout->column = ARENA_ARRAY(arena, struct column, from->columns + every * COLUMN_CLASSES_MOST);
    struct sampler sampler = sampler_open(store, grid, arena);
    for (int i = 0; i < from->columns; i++) {
        const struct column *column = &from->column[i];
        const char **class;
        const int classes = column->of.every ? sample_classes(&sampler, column, &class) : 0;
        for (int c = 0; c < classes; c++)
            layout->column[count++] = column_of_class(column, class[c], arena);
        if (classes) continue;
        layout->column[count++] = column->of.every ? column_of_none(&sampler, column) : *column;
    }
    layout->columns = count;
    return made;
}
