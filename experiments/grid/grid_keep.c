/* Filters the rows of a grid: `where` removes rows, --only selects rows. Both are conditions on the
 * name, the axes and the options of a row. */
#include <string.h>

#include "core/base/number.h"
#include "core/config/expression.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"
#include "experiments/grid/settings.h"

enum { VALUES_MOST = 64 };

/* A condition on the name, the axes and the options of a row. */
struct row_filter {
    struct arena *arena;
    const char *what; /* prefix of messages: "where", "--only" */
    struct location location;
    const struct grid *grid;
    const char *const *axis; /* named axes of the grid, NULL-terminated */
    const struct expression *expression;
    struct names *values; /* [terms of the expression] values of the term's key in all rows, at most
                             VALUES_MOST */
    const struct tree *tune, *over; /* --only: the key `tune`, and options that it varies */
};

/* ---- a condition on a row ---- */

struct row_view {
    const struct row_filter *filter;
    const struct grid_row *row;
    const struct tree *options; /* with defaults */
};

/* Returns the label of the row on the axis to which the term's key refers, or its name; NULL if
 * there is none. If the term has a number and the label is a word, returns the value of a named
 * axis instead: 5 for {wide: 5}. */
static const char *word_of(const struct grid_row *row, const struct expression_term *term)
{
    if (!strcmp(term->key, "name"))
        return row->line && !strcmp(term->value, row->line) ? row->line : row->name;
    for (int i = 0; i < row->coordinates; i++) {
        const struct grid_coordinate *coordinate = &row->coordinate[i];
        if (coordinate->named ? strcmp(term->key, coordinate->key) != 0
                              : !expression_key_means(term->key, coordinate->key))
            continue;
        const bool by_number =
            coordinate->plain && term->is_number && !number_valid(coordinate->value);
        return by_number ? coordinate->plain : coordinate->value;
    }
    return NULL;
}

/* True if the term's key is `name` or a named axis of the grid, and so no option. */
static bool is_word(const struct row_filter *filter, const struct expression_term *term)
{
    return !strcmp(term->key, "name") || word_known(term->key, filter->axis);
}

/* True if a term holds for a row. A word is compared with the label on the axis, as in names of
 * rows: "some" for {some: 0.2}. A number is compared with the option, unless the key is a named
 * axis. */
static bool row_answer(void *context, const struct expression_term *term)
{
    const struct row_view *view = context;
    const bool is = is_word(view->filter, term);
    const char *word = term->is_number && !is ? NULL : word_of(view->row, term);
    if (word) return expression_term_holds(term, word);
    return !is && expression_term_holds_in(term, view->options);
}

/* ---- values of the keys ---- */

/* Adds a value to a list, once. */
static void add_value(void *context, const char *path, const struct tree *scalar)
{
    struct names *values = context;
    for (int i = 0; i < values->count; i++)
        if (!strcmp(values->name[i], scalar->text)) return;
    if (values->count < VALUES_MOST) names_add(values, arena_text(values->arena, scalar->text));
}

/* Adds the values that a row has for the key of term i to the list for messages. */
static void add_values(const struct row_view *view, int i)
{
    const struct row_filter *filter = view->filter;
    const struct expression_term *term = filter->expression->term[i];
    const char *word = word_of(view->row, term), *line = view->row->line;
    if (line && !strcmp(term->key, "name"))
        add_value(&filter->values[i], "", &(struct tree){.text = line});
    if (word) add_value(&filter->values[i], "", &(struct tree){.text = word});
    /* A number may also mean the option of an axis with labels: {none: 0, some: 0.2}. */
    if ((!word || term->is_number) && !is_word(filter, term))
        expression_term_visit(term, view->options, add_value, &filter->values[i]);
}

static const char *last_word(const char *key)
{
    const char *point = strrchr(key, '.');
    return point ? point + 1 : key;
}

/* Dies at a key that no row has. Such a key is probably a mistake, and could remove all rows
 * without a message. */
NORETURN static void refuse_key(const struct row_filter *filter, const char *key)
{
    struct names words = {.arena = filter->arena};
    const char *const *option = settings_names(filter->arena), *last = last_word(key);
    names_add(&words, "name");
    for (const char *const *axis = filter->axis; *axis; axis++) names_add(&words, *axis);
    for (int i = 0; option[i]; i++) names_add(&words, last_word(option[i]));
    const char *nearest = word_nearest(last, names_end(&words));
    /* If `last` is itself the last word of an option, there are two possible causes. The section is
     * wrong, or no row sets this option and it has no default. */
    if (nearest && !strcmp(nearest, last)) nearest = word_nearest(key, option);
    if (nearest && !strcmp(nearest, key)) nearest = NULL;
    die_at(filter->location, "%s: no row has \"%s\"%s%s%s", filter->what, key,
           nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Dies if no row has the key of a term, or if a term compares a number with words. If the condition
 * holds for no row (`none`), also dies if a comparison with = or ~ is false for all values of its
 * key. */
static void check_terms(const struct row_filter *filter, bool none)
{
    for (int i = 0; i < filter->expression->terms; i++) {
        const struct expression_term *term = filter->expression->term[i];
        struct names *values = &filter->values[i];
        bool fits = values->count == VALUES_MOST, holds = fits || !strchr("=~", *term->sign);
        for (int k = 0; k < values->count; k++) {
            fits |= expression_term_fits(term, values->name[k]);
            holds |= expression_term_holds(term, values->name[k]);
        }
        if (!values->count) refuse_key(filter, term->key);
        die_at_about(filter->what);
        if (!fits) expression_term_refuse(filter->location, term);
        die_at_about(NULL);
        if (none && !holds)
            word_refuse(filter->location, filter->what,
                        arena_print(filter->arena, "no row has %s %s", term->key, term->sign),
                        term->value, names_end(values));
    }
}

/* Dies if a scalar is a value of an option that tune varies: before the choice, nobody knows it. */
static void refuse_tuned(void *context, const char *path, const struct tree *scalar)
{
    const struct row_filter *filter = context;
    (void)scalar;
    for (int i = 0; i < filter->over->count; i++)
        if (word_within(path, filter->over->key[i]->text))
            die_at(filter->location,
                   "--only: tune varies %s; expected an option that it does not vary, or rows",
                   filter->over->key[i]->text);
}

/* Dies if a term selects a row by an option that tune varies. */
static void check_tuned(struct row_filter *filter, const struct row_view *view)
{
    const struct tree *own = tree_get(view->row->entry, "tune"),
                      *over[] = {tree_get(filter->tune, "over"), tree_get(own, "over")};
    for (int k = 0; k < 2 && filter->tune && !(own && own->kind == TREE_SCALAR); k++)
        for (int i = 0; i < filter->expression->terms && (filter->over = over[k]); i++)
            if (!is_word(filter, filter->expression->term[i]))
                expression_term_visit(filter->expression->term[i], view->options, refuse_tuned,
                                      filter);
}

/* ---- all of it ---- */

/* Returns an array, [rows], that is true for the rows for which a text holds, and in *count their
 * number. With `runs`, rows without a run are not looked at, and are true. */
static bool *rows_that(struct row_filter *filter, const char *text, bool runs, int *count)
{
    struct arena *arena = filter->arena;
    const struct tree *defaults = settings_defaults(arena);
    bool *held = ARENA_ARRAY(arena, bool, filter->grid->rows);
    die_at_about(filter->what);
    filter->expression = expression_parse(arena, filter->location, text);
    die_at_about(NULL);
    const int terms = filter->expression->terms;
    int looked = 0;
    filter->values = ARENA_ARRAY(arena, struct names, terms);
    for (int i = 0; i < terms; i++) filter->values[i].arena = arena;
    *count = 0;
    for (int r = 0; r < filter->grid->rows; r++) {
        const struct grid_row *row = &filter->grid->row[r];
        SCOPED(arena_free) struct arena scratch = {0};
        struct row_view view = {filter, row, tree_new(&scratch, TREE_MAP, filter->location)};
        held[r] = true;
        if (runs && !row->options) continue;
        if (row->options) {
            const struct tree *beside = settings_defaults_beside(&scratch, row->options);
            view.options = beside ? tree_merge(&scratch, defaults, beside) : defaults;
            view.options = tree_merge(&scratch, view.options, row->options);
        }
        check_tuned(filter, &view);
        for (int i = 0; i < terms; i++) add_values(&view, i);
        held[r] = expression_holds(filter->expression, row_answer, &view);
        *count += held[r];
        looked++;
    }
    if (looked) check_terms(filter, !*count);
    return held;
}

void grid_keep_rows(struct arena *arena, struct grid *grid, const struct tree *where,
                    const char *const *axis)
{
    if (!where) return;
    struct row_filter filter = {
        .arena = arena, .what = "where", .location = where->location, .grid = grid, .axis = axis};
    int left, rows = 0, runs = 0;
    const bool *kept = rows_that(&filter, scalar_text(where, "where"), true, &left);
    for (int r = 0; r < grid->rows; r++) {
        runs += grid->row[r].options != NULL;
        if (kept[r]) grid->row[rows++] = grid->row[r];
    }
    grid->rows = rows;
    if (runs && !left)
        die_at(where->location, "where keeps none of %d rows with a run; expected at least one",
               runs);
}

bool *grid_only(struct arena *arena, const struct grid *grid, const char *const *axis,
                const char *text, const struct tree *tune)
{
    struct row_filter filter = {.arena = arena,
                                .what = "--only",
                                .location = {.file = "command line"},
                                .grid = grid,
                                .axis = axis,
                                .tune = tune};
    struct names names = {.arena = arena};
    bool *only = ARENA_ARRAY(arena, bool, grid->rows);
    int meant = 0;
    for (int r = 0; r < grid->rows; r++) {
        names_add(&names, grid->row[r].name);
        meant += only[r] = grid_row_meant(&grid->row[r], text);
    }
    if (meant) return only;
    /* A text without a sign is no expression, but perhaps the name of a row. The same holds for a
     * comma before the first sign or quote, as in "A, rate=1". */
    if (!strpbrk(text, "=<>~") || text[strcspn(text, ",=<>~'\"")] == ',')
        word_refuse(filter.location, filter.what, "there is no row", text, names_end(&names));
    only = rows_that(&filter, text, false, &meant);
    if (!meant)
        die_at(filter.location, "--only: \"%s\" matches no row of %s; its rows: %s", text,
               grid->name, arena_join(arena, names.name, names.count, "; "));
    return only;
}
