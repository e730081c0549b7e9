/* Handles columns with dimensions. Replaces a column with class: all by one column per class.
 * Reports dimensions and classes that no stage has. */
#include <string.h>

#include "core/config/word.h"
#include "results/table/sample.h"

/* Values that the grid's stages have for a column. */
struct dimension_values {
    int stages;         /* number of stages that the column reads and that are done */
    bool open;          /* it also reads a stage that is not done */
    bool found;         /* some stage has metric rows with exactly the column's dimensions */
    int classes;        /* with its layer, head and set */
    const char **class; /* [classes + 1] in the order in which they first appear; then NULL */
};

static struct dimension_values read_values(struct sampler *sampler, const struct column *column)
{
    const struct grid *grid = sampler->grid;
    struct dimension_values of = {
        .class = ARENA_ARRAY(sampler->arena, const char *, COLUMN_CLASSES_MOST + 1)};
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++) {
        const struct value_cache_stage *stage = sample_stage_at(sampler, &at);
        if (!sample_is_of(column, &grid->row[at.row].seed[at.seed], at.stage)) continue;
        int points = 0;
        of.open |= !sample_stage_done(stage);
        if (!sample_stage_done(stage)) continue;
        of.stages++;
        const struct value_cache_line *point =
            value_cache_lines(sampler->cache, stage->number, column->value, NULL, &points);
        for (int i = 0; i < points; i++) {
            const char *class = point[i].of.class;
            if (memcmp(point[i].of.number, column->of.number, sizeof point[i].of.number)) continue;
            of.found |= word_same(class, column->of.class);
            if (!class || !*class || word_known(class, of.class)) continue;
            if (of.classes == COLUMN_CLASSES_MOST)
                die_at(column_location(column), "class: there are more than %d classes",
                       COLUMN_CLASSES_MOST);
            of.class[of.classes++] = class;
        }
    }
    return of;
}

int sample_classes(struct sampler *sampler, const struct column *column, const char ***class)
{
    const struct dimension_values of = read_values(sampler, column_first(column));
    *class = of.class;
    return of.classes;
}

void sample_check_names(struct sampler *sampler, const struct column *column)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    const bool every = dimensions_every(&column->of);
    const char *wanted = every ? NULL : column->of.class;
    for (int i = 0; group && i < group->arguments; i++)
        sample_check_names(sampler, &group->argument[i]);
    if (group || !dimensions_some(&column->of)) return;
    const struct dimension_values of = read_values(sampler, column);
    if (wanted && of.classes && !word_known(wanted, of.class))
        word_refuse(column_location(column), "class", "there is no class", wanted, of.class);
    if (of.stages && (every ? !of.classes : !of.found && !of.open))
        die_at(column_location(column), "no stage has values of \"%s\"%s", column->name,
               every                   ? " by class"
               : of.classes && !wanted ? " over all classes; expected a key class"
                                       : "");
}

const struct grid *sample_expand(struct store *store, const struct grid *grid, struct arena *arena)
{
    const struct layout *from = grid->layout;
    int every = 0, count = 0;
    for (int i = 0; i < from->columns; i++) every += dimensions_every(&from->column[i].of);
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
        const bool all = dimensions_every(&column->of);
        const int classes = all ? sample_classes(&sampler, column, &class) : 0;
        for (int c = 0; c < classes; c++)
            layout->column[count++] = column_of_class(column, class[c], arena);
        if (classes) continue;
        layout->column[count] = *column;
        if (all) {
            sample_check_names(&sampler, column);
            layout->column[count].header = arena_print(arena, "%s by class", column->header);
        }
        count++;
    }
    layout->columns = count;
    return made;
}
