/* The words of a grid that a table names: options of rows, kinds and parts of stages. */
#include <string.h>

#include "core/base/number.h"
#include "core/config/expression.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/table/axis.h"
#include "results/table/layout_part.h"

bool layout_is_option(const struct summary_grid *grid, const char *key)
{
    const size_t length = strlen(key);
    for (int i = 0; grid->words.option && grid->words.option[i]; i++) {
        const char *option = grid->words.option[i];
        if (!strncmp(option, key, length) && strchr(".", option[length])) return true;
    }
    return strchr(key, '.');
}

/* The text of a value: a scalar as it is, a preset's name, anything else as one line of YAML. */
static const char *value_text(const struct tree *value, struct arena *arena)
{
    const struct tree *preset = tree_get(value, "preset");
    return tree_text(arena, preset ? preset : value);
}

/* Whether a path leads into an option that is a list or a map. */
static bool is_within(const struct summary_grid *grid, const char *path)
{
    for (int i = 0; grid->words.option && grid->words.option[i]; i++) {
        const size_t whole = strlen(grid->words.option[i]);
        if (!strncmp(grid->words.option[i], path, whole) && path[whole] == '.') return true;
    }
    return false;
}

/* What stands at a path through lists, as ls has it: "1 3". */
struct within {
    const char *path, *values;
    struct arena *arena;
};

static void add_value(void *context, const char *path, const struct tree *scalar)
{
    struct within *within = context;
    if (expression_key_means(within->path, path))
        within->values = cell_append(within->values, " ", scalar->text, within->arena);
}

static const char *value_within(const struct tree *options, const char *path, struct arena *arena)
{
    struct within within = {path, NULL, arena};
    if (options) tree_visit(options, add_value, &within);
    return within.values;
}

const struct tree *layout_beside(const struct summary_grid *grid, const struct summary_row *row,
                                 struct arena *arena)
{
    return grid->words.beside && row->options ? grid->words.beside(arena, row->options) : NULL;
}

const struct tree *layout_default(const struct summary_grid *grid, const struct summary_row *row,
                                  const char *key, struct arena *arena)
{
    const struct tree *beside = layout_beside(grid, row, arena);
    const struct tree *value = beside ? tree_find(beside, key) : NULL;
    return value || !grid->words.defaults ? value : tree_find(grid->words.defaults, key);
}

const char *layout_option(const struct summary_grid *grid, const struct summary_row *row,
                          const char *key, struct arena *arena)
{
    for (int i = 0; i < row->factors; i++)
        if (strcmp(row->factor[i].key, key) == 0) return row->factor[i].value;
    const struct tree *value = row->entry ? tree_find(row->entry, key) : NULL;
    /* The values of axes that it names stand in the options, and what is left of what it takes. */
    if (value && row->options && (tree_is_nothing(value) || strchr(tree_text(arena, value), '$')))
        value = NULL;
    if (!value && row->options) value = tree_find(row->options, key);
    if (!value) value = layout_default(grid, row, key, arena);
    if (value) return value_text(value, arena);
    return is_within(grid, key) ? value_within(row->options, key, arena) : NULL;
}

static bool scalar_is_on(const struct tree *scalar)
{
    static const char *const off[] = {"", "false", "none", NULL};
    if (tree_is_nothing(scalar) || word_known(scalar->text, off)) return false;
    return !number_valid(scalar->text) || number_read(scalar->text) != 0;
}

/* `path` is what is left of it; "" at its end. */
static bool tree_has(const struct tree *tree, const char *path)
{
    if (tree->kind == TREE_SCALAR)
        return *path ? strcmp(tree->text, path) == 0 : scalar_is_on(tree);
    if (!*path) return tree->kind == TREE_MAP || tree->count > 0; /* terms: [{gauss: {}}] */
    if (tree->kind == TREE_LIST) {
        for (int i = 0; i < tree->count; i++)
            if (tree_has(tree->item[i], path)) return true;
        return false;
    }
    for (int i = 0; i < tree->count; i++) {
        size_t length = strlen(tree->key[i]->text);
        if (strncmp(tree->key[i]->text, path, length) != 0) continue;
        if (path[length] && path[length] != '.') continue;
        if (tree_has(tree->item[i], path + length + (path[length] == '.'))) return true;
    }
    return false;
}

bool layout_has(const struct summary_grid *grid, const struct summary_row *row, const char *path,
                struct arena *arena)
{
    const struct tree *options = row->options ? row->options : row->entry;
    if (options && tree_has(options, path)) return true;
    /* A default counts where the row does not set that option. */
    for (int i = 0; grid->words.option && grid->words.option[i]; i++) {
        const char *option = grid->words.option[i];
        size_t length = strlen(option);
        if (strncmp(option, path, length) || (path[length] && path[length] != '.')) continue;
        if (options && tree_find(options, option)) continue;
        const struct tree *value = layout_default(grid, row, option, arena);
        return value && tree_has(value, path + length + (path[length] == '.'));
    }
    return false;
}

/* What has(..) may ask of a tree below a path: paths through its maps and lists, and on to their
 * texts. */
struct askable {
    const char **path; /* [count] */
    int count;
    struct arena *arena;
};

static void add_askable(struct askable *all, const char *path, const struct tree *tree)
{
    ARENA_MORE(all->arena, all->path, all->count);
    all->path[all->count++] = path;
    if (tree->kind == TREE_SCALAR) {
        if (!*tree->text) return;
        ARENA_MORE(all->arena, all->path, all->count);
        all->path[all->count++] = arena_print(all->arena, "%s.%s", path, tree->text);
        return;
    }
    for (int i = 0; i < tree->count; i++)
        add_askable(all,
                    tree->kind == TREE_LIST
                        ? path
                        : arena_print(all->arena, "%s.%s", path, tree->key[i]->text),
                    tree->item[i]);
}

/* A path that some row has and that may be meant: with the same last word, or spelled nearly so;
 * NULL: none. */
static const char *has_instead(const struct summary_grid *grid, const char *path,
                               struct arena *arena)
{
    struct askable all = {.arena = arena};
    const char *option = NULL, *last = strrchr(path, '.');
    for (int i = 0; grid->words.option && grid->words.option[i]; i++) {
        const size_t length = strlen(grid->words.option[i]);
        if (!strncmp(grid->words.option[i], path, length) && path[length] == '.')
            option = grid->words.option[i];
    }
    for (int r = -1; option && r < grid->rows; r++) {
        const struct tree *options = r < 0 ? grid->words.defaults : grid->row[r].options;
        const struct tree *value = options ? tree_find(options, option) : NULL;
        if (value) add_askable(&all, option, value);
    }
    for (int i = 0; last && i < all.count; i++)
        if (!strcmp(strrchr(all.path[i], '.'), last)) return all.path[i];
    ARENA_MORE(arena, all.path, all.count);
    all.path[all.count] = NULL;
    return word_nearest(path, all.path);
}

/* A column without any check mark may be a mistake. */
static void check_has(const struct column *column, const struct summary_grid *grid,
                      struct arena *arena)
{
    if (grid->words.varied || !grid->words.option) return;
    for (int r = 0; r < grid->rows; r++)
        if (layout_has(grid, &grid->row[r], column->value, arena)) return;
    const char *near = has_instead(grid, column->value, arena);
    warn_at(column->place, "%s: no row has it%s", column->name,
            near && strncmp(near, column->value, strlen(near)) != 0
                ? arena_print(arena, "; did you mean has(%s)?", near)
                : "");
}

/* Whether some row has a value at a path through lists. */
static bool has_within(const struct summary_grid *grid, const char *path, struct arena *arena)
{
    for (int i = 0; i < grid->rows; i++)
        if (value_within(grid->row[i].options, path, arena)) return true;
    return false;
}

void layout_check_option(struct place place, const char *what, const char *path, bool has,
                         const struct summary_grid *grid, struct arena *arena)
{
    const char *const *option = grid->words.option;
    size_t length = strlen(path);
    if (grid->words.axis && word_known(path, grid->words.axis)) return;
    for (int i = 0; option && option[i]; i++) {
        if (strcmp(option[i], path) == 0) return;
        if (strncmp(option[i], path, length) == 0 && option[i][length] == '.')
            return; /* a section */
    }
    if (!option || (is_within(grid, path) && (has || has_within(grid, path, arena)))) return;
    const char *axis = grid->words.axis ? word_nearest(path, grid->words.axis) : NULL;
    if (axis)
        die_at(place, "%s: there is no option \"%s\"; did you mean the axis \"%s\"?", what, path,
               axis);
    /* The beginning that looks like an option is the part that is misspelled. */
    char *head = arena_text(arena, path);
    for (char *end; has && !word_nearest(head, option) && (end = strrchr(head, '.'));) *end = 0;
    word_refuse(place, what, "there is no option", strchr(head, '.') ? head : path, option);
}

/* "window" is the column option(window), where that is an axis of the grid. */
static struct tree *axis_column(struct tree *name, const struct summary_grid *grid,
                                struct arena *arena)
{
    const char *nearest;
    struct column column;
    if (name->kind != TREE_SCALAR) return name;
    const char *axis = axis_meant(grid, name->text, arena);
    if (!word_known(axis, grid->words.axis)) {
        const char *meant = word_nearest(name->text, grid->words.axis);
        if (meant && !column_find(name->text, &column, &nearest, arena))
            die_at(name->place, "no column \"%s\"; did you mean the axis \"%s\"?", name->text,
                   meant);
        return name;
    }
    return tree_new_text(arena, name->place, arena_print(arena, "option(%s)", axis));
}

const struct tree *layout_axis_columns(const struct tree *list, const struct summary_grid *grid,
                                       struct arena *arena)
{
    if (!list || list->kind != TREE_LIST || !grid->words.axis) return list;
    struct tree *columns = tree_new(arena, TREE_LIST, list->place);
    for (int i = 0; i < list->count; i++) {
        struct tree *item = axis_column(list->item[i], grid, arena);
        if (item->kind == TREE_MAP && tree_get(item, "column")) {
            item = tree_copy(arena, item);
            for (int k = 0; k < item->count; k++)
                if (!strcmp(item->key[k]->text, "column"))
                    item->item[k] = axis_column(item->item[k], grid, arena);
        }
        tree_add(arena, columns, NULL, item);
    }
    return columns;
}

/* Dies when no row has the control of a part of a row. */
static void check_control(const struct column *column, const char *title, const char *const *part)
{
    const struct offer *offer = offer_of(column->kind);
    for (int i = 0; part[i]; i++)
        for (int k = 0; part[k] && column_is_part(title, part[i]); k++)
            if (column_is_control(part[k], part[i], column->control, true) ||
                column_is_control(part[k], part[i], column->control, false))
                return;
    const char *view = strrchr(title, '@');
    if (view && word_known(view + 1, offer->controls))
        die_at(column->place, "%s: %s is a control itself; expected what is compared with it",
               column->name, title);
    die_at(column->place, "%s: no row has the control %s of %s; expected %s.controls: [%s]",
           column->name, column->control, title, offer->section, column->control);
}

/* The parts that a grid has, without their views where none was written. */
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

/* Dies when no row asks for the option that a number comes with. */
static void check_asked(const struct column *column, const struct summary_grid *grid,
                        struct arena *arena)
{
    const char *option = column->measure ? column->measure->option : NULL;
    if (!option || grid->words.varied) return;
    const char *key = arena_print(arena, "%s.%s", offer_of(column->kind)->section, option);
    for (int r = 0; r < grid->rows; r++) {
        const char *text = layout_option(grid, &grid->row[r], key, arena);
        if (text && !strcmp(text, "true")) return;
    }
    die_at(column->place, "%s: no row has it; expected %s: true", column->name, key);
}

void layout_check_column(const struct column *column, const struct summary_grid *grid,
                         struct arena *arena)
{
    const struct summary_words *words = &grid->words;
    if (words->kind && column->kind && strchr(column->name, '.') &&
        !word_known(column->kind, words->kind))
        word_refuse(column->place, column->name, "there is no kind of stage", column->kind,
                    words->kind);
    if (column->part && words->part && words->part[0]) {
        const char *title = arena_print(arena, "%s.%s", column->kind, column->part);
        int i = 0;
        while (words->part[i] && !column_is_part(title, words->part[i])) i++;
        if (!words->part[i])
            word_refuse(column->place, column->name, "no row has the part", title,
                        parts_like(title, words->part, arena));
        if (column->control) check_control(column, title, words->part);
        check_asked(column, grid, arena);
    }
    const struct column_group *of_control = column->of_control;
    for (int i = 0; of_control && i < of_control->count; i++)
        layout_check_column(&of_control->member[i], grid, arena);
    if (column->over) axis_check(grid, column->place, column->name, column->over, arena);
    if (column->source == COLUMN_HAS || column->source == COLUMN_OPTION)
        layout_check_option(column->place, column->name, column->value,
                            column->source == COLUMN_HAS, grid, arena);
    if (column->source == COLUMN_HAS) check_has(column, grid, arena);
}

/* Returns the view that a column means in every row; NULL: no row has several, or rows differ.
 * `asked` is the column of the grid: the same one, or a mean that has the column as a member. */
static const char *view_of(const struct column *column, const struct column *asked,
                           const struct summary_words *words, struct arena *arena)
{
    if (!column->part) return NULL;
    const char *title = arena_print(arena, "%s.%s", column->kind, column->part);
    for (int i = 0; i < words->views; i++) {
        const struct summary_view *view = &words->view[i];
        if (strcmp(view->title, title) != 0) continue;
        if (view->among)
            die_at(asked->place, "%s: a row has several paths and not %s; expected one of %s",
                   asked->name, offer_of(column->kind)->main_view, view->among);
        return view->several ? view->means : NULL;
    }
    return NULL;
}

/* A header with "@VIEW" after the name of a part or group. */
static const char *header_with(const char *header, const char *name, const char *view,
                               struct arena *arena)
{
    const char *at = strstr(header, name), *end = at ? at + strlen(name) : NULL;
    return at ? arena_print(arena, "%.*s@%s%s", (int)(end - header), header, view, end) : header;
}

void layout_find_view(struct column *column, const struct summary_grid *grid, struct arena *arena)
{
    const struct column_group *group = column->group;
    const char *view = view_of(column, column, &grid->words, arena);
    for (int i = 0; group && i < group->count; i++) {
        const char *one = view_of(&group->member[i], column, &grid->words, arena);
        if (one) view = one;
    }
    if (!view) return;
    const char *name = group ? column->value : column->part;
    if (!group) column->label = arena_print(arena, "%s@%s", name, view);
    if (!column->headed) column->header = header_with(column->header, name, view, arena);
    column->unit = header_with(column->unit, name, view, arena);
}

static void check_columns(struct column *column, int count, const struct summary_grid *grid,
                          struct arena *arena)
{
    for (int i = 0; i < count; i++) {
        layout_check_column(&column[i], grid, arena);
        layout_find_view(&column[i], grid, arena);
    }
}

/* Of all columns wherever the grid names them. */
void layout_check_words(const struct layout *layout, const struct summary_grid *grid,
                        struct arena *arena)
{
    check_columns(layout->column, layout->columns, grid, arena);
    for (int i = 0; i < layout->groups; i++)
        check_columns(layout->group[i].member, layout->group[i].count, grid, arena);
    check_columns(layout->paper.column, layout->paper.columns, grid, arena);
}
