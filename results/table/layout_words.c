/* Checks that names in a table exist: options of rows, kinds and parts of stages. Also looks up the
 * options of rows. */
#include <string.h>

#include "core/base/number.h"
#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "experiments/grid/axis.h"
#include "results/table/layout_part.h"

/* Returns the option that is `path` or a prefix of it; NULL: none. *below is the rest of the
 * path. */
static const char *option_above(const struct grid *grid, const char *path, const char **below)
{
    for (int i = 0; grid->words.option && grid->words.option[i]; i++) {
        const size_t length = strlen(grid->words.option[i]);
        if (!word_within(path, grid->words.option[i])) continue;
        *below = path + length + (path[length] == '.');
        return grid->words.option[i];
    }
    return NULL;
}

/* True if a path is an option, or a section of options. */
static bool is_option(const struct grid *grid, const char *path)
{
    for (int i = 0; grid->words.option && grid->words.option[i]; i++)
        if (word_within(grid->words.option[i], path)) return true;
    return false;
}

/* The values at a path through lists, separated by blanks: "1 3". */
struct path_values {
    const char *path, *values;
    struct arena *arena;
};

static void add_value(void *context, const char *path, const struct tree *scalar)
{
    struct path_values *within = context;
    if (expression_key_means(within->path, path))
        within->values = arena_append(within->arena, within->values, " ", scalar->text);
}

static const char *value_within(const struct tree *options, const char *path, struct arena *arena)
{
    struct path_values within = {path, NULL, arena};
    if (options) tree_visit(options, "", add_value, &within);
    return within.values;
}

const struct tree *layout_beside(const struct grid *grid, const struct grid_row *row,
                                 struct arena *arena)
{
    return grid->words.beside && row->options ? grid->words.beside(arena, row->options) : NULL;
}

const struct tree *layout_default(const struct grid *grid, const struct grid_row *row,
                                  const char *key, struct arena *arena)
{
    const struct tree *beside = layout_beside(grid, row, arena);
    const struct tree *value = beside ? tree_find(beside, key) : NULL;
    return value || !grid->words.defaults ? value : tree_find(grid->words.defaults, key);
}

const char *layout_option(const struct grid *grid, const struct grid_row *row, const char *key,
                          struct arena *arena)
{
    const struct grid_coordinate *coordinate = grid_row_coordinate(row, 0, key);
    if (coordinate) return coordinate->value;
    const struct tree *value = row->entry ? tree_find(row->entry, key) : NULL;
    /* If the value in the entry is empty or has a "$", its final form is in the merged options. */
    if (value && row->options && (tree_is_nothing(value) || strchr(tree_text(arena, value), '$')))
        value = NULL;
    if (!value && row->options) value = tree_find(row->options, key);
    if (!value) value = layout_default(grid, row, key, arena);
    const struct tree *preset = tree_get(value, "preset");
    if (value) return tree_text(arena, preset ? preset : value);
    const char *below;
    return option_above(grid, key, &below) && *below ? value_within(row->options, key, arena)
                                                     : NULL;
}

static bool scalar_is_on(const struct tree *scalar)
{
    static const char *const off[] = {"", "false", "none", NULL};
    if (tree_is_nothing(scalar) || word_known(scalar->text, off)) return false;
    return !number_valid(scalar->text) || number_read(scalar->text) != 0;
}

/* True if the tree has the path. `path` is the remaining path; "" at its end. */
static bool tree_has(const struct tree *tree, const char *path)
{
    if (tree->kind == TREE_SCALAR)
        return *path ? strcmp(tree->text, path) == 0 : scalar_is_on(tree);
    const bool map = tree->kind == TREE_MAP;
    if (!*path) return map || tree->count > 0; /* example: the path terms in terms: [{gauss: {}}] */
    for (int i = 0; i < tree->count; i++) {    /* elements of a list have the path of the list */
        const char *key = map ? tree->key[i]->text : "";
        const size_t length = strlen(key);
        if (map && !word_within(path, key)) continue;
        if (tree_has(tree->item[i], path + length + (map && path[length] == '.'))) return true;
    }
    return false;
}

bool layout_has(const struct grid *grid, const struct grid_row *row, const char *path,
                struct arena *arena)
{
    const struct tree *options = row->options ? row->options : row->entry;
    if (options && tree_has(options, path)) return true;
    /* A default counts if the row does not set the option. */
    const char *below, *option = option_above(grid, path, &below);
    const struct tree *value = option && !(options && tree_find(options, option))
                                   ? layout_default(grid, row, option, arena)
                                   : NULL;
    return value && tree_has(value, below);
}

/* Prints a warning if a column has(..) has no check mark in any row. */
static void check_has(const struct column *column, const struct grid *grid, struct arena *arena)
{
    if (grid->words.varied || !grid->words.option) return;
    for (int r = 0; r < grid->rows; r++)
        if (layout_has(grid, &grid->row[r], column->word, arena)) return;
    warn_at(column_location(column), "%s: no row has this word", column->name);
}

/* True if a row has a value at a path through lists. */
static bool has_within(const struct grid *grid, const char *path, struct arena *arena)
{
    for (int i = 0; i < grid->rows; i++)
        if (value_within(grid->row[i].options, path, arena)) return true;
    return false;
}

void layout_check_option(struct location location, const char *what, const char *path, bool has,
                         const struct grid *grid, struct arena *arena)
{
    const char *const *option = grid->words.option, *below;
    if (grid->words.axis && word_known(path, grid->words.axis)) return;
    if (!option || is_option(grid, path)) return;
    if (option_above(grid, path, &below) && (has || has_within(grid, path, arena))) return;
    const char *axis = grid->words.axis ? word_nearest(path, grid->words.axis) : NULL;
    if (axis)
        die_at(location, "%s: there is no option \"%s\"; did you mean the axis \"%s\"?", what, path,
               axis);
    /* For has(..), cuts the path at its end until the rest resembles an option. The rest has the
     * spelling mistake. */
    char *head = arena_text(arena, path);
    for (char *end; has && !word_nearest(head, option) && (end = strrchr(head, '.'));) *end = 0;
    word_refuse(location, what, "there is no option", strchr(head, '.') ? head : path, option);
}

const struct tree *layout_axis_column(const struct tree *item, const struct grid *grid,
                                      struct arena *arena)
{
    struct tree *copy = tree_copy(arena, item),
                *name = copy->kind == TREE_MAP ? tree_get(copy, "column") : copy;
    if (!name || name->kind != TREE_SCALAR) return item;
    const bool marked = *name->text == '$';
    const char *axis = axis_meant(grid, name->text + marked, arena);
    if (marked) axis_check(grid, name->location, name->text, axis, arena);
    if (!marked && !(grid->words.axis && word_known(axis, grid->words.axis))) return item;
    name->text = arena_print(arena, "option(%s)", axis);
    return copy;
}

/* Exits with an error if no row has the control of the column's part. `title`: KIND.PART. */
static void check_control(const struct column *column, const char *control, const char *title,
                          const char *const *part)
{
    const struct offer *offer = offer_of(column->kind);
    for (int i = 0; part[i]; i++)
        for (int k = 0; part[k] && column_is_part(title, part[i]); k++)
            if (column_is_control(part[k], part[i], control, true) ||
                column_is_control(part[k], part[i], control, false))
                return;
    const char *view = strrchr(title, '@');
    if (view && word_known(view + 1, offer->views + 1))
        die_at(column_location(column),
               "%s: %s is itself a control; expected the part that is compared with it",
               column->name, title);
    die_at(column_location(column),
           "%s: no row has the control %s of %s; expected %s.controls: [%s]", column->name, control,
           title, offer->section, control);
}

/* Returns the parts of a grid. If the title has no view, the parts are without views and controls,
 * each once. */
static const char *const *parts_like(const char *title, const char *const *part,
                                     struct arena *arena)
{
    int count = 0, stems = 0;
    while (part[count]) count++;
    if (strchr(title, '@')) return part;
    const char **stem = ARENA_ARRAY(arena, const char *, count + 1);
    for (int i = 0; i < count; i++) {
        const char *one = arena_text_range(arena, part[i], strcspn(part[i], "@"));
        if (!word_known(one, stem)) stem[stems++] = one;
    }
    return stem;
}

/* Exits with an error if no row sets the option that a measure requires. */
static void check_asked(const struct column *column, const struct grid *grid, struct arena *arena)
{
    const struct measure *measure = column_offered(column);
    const char *option = measure ? measure->option : NULL;
    if (!option || grid->words.varied) return;
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section, option);
    for (int r = 0; r < grid->rows; r++) {
        const char *text = layout_option(grid, &grid->row[r], key, arena);
        if (text && !strcmp(text, "true")) return;
    }
    die_at(column_location(column), "%s: no row has this value; expected %s: true", column->name,
           key);
}

void layout_check_column(const struct column *column, const struct grid *grid, struct arena *arena)
{
    const struct grid_words *words = &grid->words;
    const struct column *margin = column_has(column, COLUMN_MARGIN), *control = margin,
                        *axis = column_has(column, COLUMN_AXIS);
    if (!control) control = column_has(column, COLUMN_CONTROL);
    if (words->kind && column->kind && strchr(column->name, '.') &&
        !word_known(column->kind, words->kind))
        word_refuse(column_location(column), column->name, "there is no kind of stage",
                    column->kind, words->kind);
    if (column->part && words->part && words->part[0]) {
        const char *title = arena_print(arena, "%s.%s", column->kind, column->part);
        int i = 0;
        while (words->part[i] && !column_is_part(title, words->part[i])) i++;
        if (!words->part[i])
            word_refuse(column_location(column), column->name, "no row has the part", title,
                        parts_like(title, words->part, arena));
        if (control) check_control(column, control->word, title, words->part);
        check_asked(column, grid, arena);
    }
    const struct column *group =
        margin && margin->arguments > 1 ? column_has(&margin->argument[1], COLUMN_GROUP) : NULL;
    for (int i = 0; group && i < group->arguments; i++) {
        struct column member = group->argument[i];
        member.name = column->name;
        member.item = column->item;
        layout_check_column(&member, grid, arena);
    }
    if (axis) axis_check(grid, column_location(column), column->name, axis->word, arena);
    if (column_is_option(column))
        layout_check_option(column_location(column), column->name, column->word,
                            column->function == COLUMN_HAS, grid, arena);
    if (column->function == COLUMN_HAS) check_has(column, grid, arena);
}

/* Returns the view that a column without a view has in all rows. This is the only view of the part
 * in a row, or the first of offer.views among several. NULL: no row has several views of the part,
 * or the view is not the same in all rows. Exits with an error if a row has several views without
 * the main view. `asked` is the column in the grid: the same column, or a mean that has the
 * column. */
static const char *view_of(const struct column *column, const struct column *asked,
                           const struct grid *grid, struct arena *arena)
{
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    const char *all = NULL;
    bool several = false, differ = false;
    if (!offer || !offer->views || strchr(column->part, '@')) return NULL;
    const char *title = arena_print(arena, "%s.%s", column->kind, column->part);
    for (int r = 0; r < grid->rows; r++) {
        const char *view = NULL, *among = NULL;
        bool main = false, control = false;
        int count = 0;
        for (const char *const *part = grid->row[r].part; part && *part; part++) {
            control |= column_is_part(title, *part);
            if (!column_is_view(title, *part, offer)) continue;
            view = strchr(*part, '@') + 1;
            main |= !strcmp(view, *offer->views);
            among = arena_append(arena, among, ", ", *part);
            count++;
        }
        if (count > 1 && !main)
            die_at(column_location(asked),
                   "%s: a row has several paths and not %s; expected one of %s", asked->name,
                   *offer->views, among);
        if (count > 1) view = *offer->views;
        several |= count > 1;
        differ |= (control && !view) || (view && all && strcmp(all, view) != 0);
        if (view) all = view;
    }
    return several && !differ ? all : NULL;
}

void layout_find_view(struct column *column, const struct grid *grid, struct arena *arena)
{
    const struct column *group = column_has(column, COLUMN_GROUP);
    const char *view = view_of(column, column, grid, arena);
    for (int i = 0; group && i < group->arguments; i++) {
        const char *one = view_of(&group->argument[i], column, grid, arena);
        if (one) view = one;
    }
    if (!view) return;
    column->label = arena_print(arena, "%s@%s", group ? group->word : column->part, view);
    if (!tree_get(column->item, "header"))
        column->header = column_labelled(column, column->header, arena);
}

static void check_columns(struct column *column, int count, const struct grid *grid,
                          struct arena *arena)
{
    for (int i = 0; i < count; i++) {
        layout_check_column(&column[i], grid, arena);
        layout_find_view(&column[i], grid, arena);
    }
}

/* Checks the columns of the table, of its groups and of the paper. */
void layout_check_words(const struct layout *layout, const struct grid *grid, struct arena *arena)
{
    check_columns(layout->column, layout->columns, grid, arena);
    for (int i = 0; i < layout->groups; i++)
        for (int k = 0; layout->group[i].item && k < layout->group[i].arguments; k++) {
            struct column member = layout->group[i].argument[k];
            check_columns(&member, 1, grid, arena);
        }
    check_columns(layout->paper.column, layout->paper.columns, grid, arena);
}
