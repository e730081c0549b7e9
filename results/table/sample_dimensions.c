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

void sample_check_names(struct sampler *sampler, const struct column *column)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    const char *wanted = column->of.class, **class;
    int64_t *stage;
    bool found = false, open = false;
    for (int i = 0; group && i < group->arguments; i++)
        sample_check_names(sampler, &group->argument[i]);
    if (group || !dimensions_some(&column->of)) return;
    const int stages = done_stages(sampler, column, &stage, &open),
              classes = sample_classes(sampler, column, &class);
    if (wanted && classes && !word_known(wanted, class))
        word_refuse(column->location, "class", "there is no class", wanted, class);
    for (int i = 0, count; i < stages; i++) {
        value_cache_lines(sampler->cache, stage[i], column->value, &column->of, &count);
        found |= count > 0;
    }
    if (stages && (column->of.every ? !classes : !found && !open))
        die_at(column->location, "no stage has values of \"%s\"%s", column->name,
               column->of.every     ? " by class"
               : classes && !wanted ? " over all classes; expected a key class"
                                    : "");
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
        layout->column[count] = *column;
        if (column->of.every) {
            sample_check_names(&sampler, column);
            layout->column[count].header = arena_print(arena, "%s by class", column->header);
        }
        count++;
    }
    layout->columns = count;
    return made;
}
