/* Filters the rows of a grid. `exclude` and `where` remove rows; --only selects rows. All of them
 * are conditions on the name, the axes and the options of a row. */
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

enum filter_kind { FILTER_EXCLUDE, FILTER_WHERE, FILTER_ONLY };
static const char *const names_of_kinds[] = {"exclude", "where", "--only"};

/* A condition on the name, the axes and the options of a row. */
struct row_filter {
    enum filter_kind kind;
    struct arena *arena;
    struct location location;
    const char *const *axis;             /* named axes of the grid, NULL-terminated */
    const struct expression *expression; /* NULL: all terms must hold */
    int terms;
    const struct expression_term **term; /* [terms] */
    struct names *values; /* [terms] values of the term's key in all rows, at most VALUES_MOST */
    int rows, held;       /* number of rows: all, and those for which the condition holds */
    const struct tree *tune, *over; /* --only: the key `tune`, and options that it varies */
};

/* ---- a condition on a row ---- */

struct row_view {
    const struct row_filter *filter;
    const struct grid_row *row;
    const struct tree *options; /* with defaults */
};

/* True if a word is a named axis of the grid. Such a word never means an option. */
static bool is_axis(const struct row_filter *filter, const char *word)
{
    return word_known(word, filter->axis);
}

/* Returns the label of the row on the axis to which the term's key refers, or its name; NULL if
 * there is none. If the term has a number and the label is a word, returns the value of a named
 * axis instead: 5 for {wide: 5}. */
static const char *word_of(const struct grid_row *row, const struct expression_term *term)
{
    if (!strcmp(term->key, "name"))
        return row->line && !strcmp(term->value, row->line) ? row->line : row->name;
    for (int i = 0; i < row->coordinates; i++) {
        const struct grid_coordinate *coordinate = &row->coordinate[i];
        const bool meant = coordinate->named ? !strcmp(term->key, coordinate->key)
                                             : expression_key_means(term->key, coordinate->key) ||
                                                   (grid_is_preset(term->key) &&
                                                    word_within(term->key, coordinate->key));
        if (!meant) continue;
        const bool by_number =
            coordinate->plain && term->is_number && !number_valid(coordinate->value);
        return by_number ? coordinate->plain : coordinate->value;
    }
    return NULL;
}

/* True if the term's key is `name` or a named axis, and no option. */
static bool is_word(const struct row_filter *filter, const struct expression_term *term)
{
    return !strcmp(term->key, "name") || is_axis(filter, term->key);
}

/* True if a term holds for a row. A word is compared with the label on the axis, as in names of
 * rows: "some" for {some: 0.2}. A number is compared with the option, unless the key is a named
 * axis. A word of `exclude` is also compared with the option. */
static bool row_answer(void *context, const struct expression_term *term)
{
    const struct row_view *view = context;
    const bool is = is_word(view->filter, term);
    const char *word = term->is_number && !is ? NULL : word_of(view->row, term);
    const bool holds = word && expression_term_holds(term, word);
    if (is || holds || (word && view->filter->kind != FILTER_EXCLUDE)) return holds;
    return expression_term_holds_in(term, view->options);
}

/* ---- reading ---- */

static struct row_filter filter_of(struct arena *arena, enum filter_kind kind,
                                   struct location location, const char *const *axis)
{
    return (struct row_filter){.arena = arena, .kind = kind, .location = location, .axis = axis};
}

static void expression_read(struct row_filter *filter, const char *text)
{
    die_at_about(names_of_kinds[filter->kind]);
    filter->expression = expression_parse(filter->arena, filter->location, text);
    die_at_about(NULL);
    filter->terms = filter->expression->terms;
    filter->term = filter->expression->term;
}

static void add_term(void *context, const char *path, const struct tree *scalar)
{
    struct row_filter *filter = context;
    struct expression_term *term = ARENA_NEW(filter->arena, struct expression_term);
    *term = expression_equals(arena_text(filter->arena, path), scalar->text);
    ARENA_ADD(filter->arena, filter->term, filter->terms, term);
}

/* Reads an entry of `exclude`: the name of a row, or a map of values that all hold. */
static void entry_read(struct row_filter *filter, const struct tree *entry)
{
    if (entry->kind == TREE_SCALAR)
        add_term(filter, "name", entry);
    else if (entry->kind == TREE_MAP && entry->count)
        tree_visit(grid_normalize(filter->arena, entry), "", add_term, filter);
    else
        die_at(entry->location,
               "exclude: expected a row's name or a map such as {encoder.layers: 2, "
               "model.dropout: 0.1}");
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
    const struct expression_term *term = filter->term[i];
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
    die_at(filter->location, "%s: no row has \"%s\"%s%s%s", names_of_kinds[filter->kind], key,
           nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Dies if no row has the key of a term, or if a term compares a number with words. If the condition
 * holds for no row, also dies if a comparison with = or ~ is false for all values of its key. */
static void check_terms(const struct row_filter *filter)
{
    const char *what = names_of_kinds[filter->kind];
    for (int i = 0; i < filter->terms; i++) {
        const struct expression_term *term = filter->term[i];
        struct names *values = &filter->values[i];
        bool fits = values->count == VALUES_MOST, holds = fits || !strchr("=~", *term->sign);
        for (int k = 0; k < values->count; k++) {
            fits |= expression_term_fits(term, values->name[k]);
            holds |= expression_term_holds(term, values->name[k]);
        }
        if (!values->count) refuse_key(filter, term->key);
        if (filter->kind == FILTER_EXCLUDE) continue;
        die_at_about(what);
        if (!fits) expression_term_refuse(filter->location, term);
        die_at_about(NULL);
        if (!filter->held && !holds)
            word_refuse(filter->location, what,
                        arena_print(filter->arena, "no row has %s %s", term->key, term->sign),
                        term->value, names_end(values));
    }
    if (filter->kind == FILTER_EXCLUDE && !filter->held)
        warn_at(filter->location, "exclude: this entry matches no row");
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
        for (int i = 0; i < filter->terms && (filter->over = over[k]); i++)
            if (!is_word(filter, filter->term[i]))
                expression_term_visit(filter->term[i], view->options, refuse_tuned, filter);
}

/* ---- all of it ---- */

/* True if the condition holds for a row. */
static bool holds_for(struct row_filter *filter, const struct grid_row *row,
                      const struct tree *options)
{
    struct row_view view = {filter, row, options};
    bool holds = true;
    if (!filter->values) filter->values = ARENA_ARRAY(filter->arena, struct names, filter->terms);
    check_tuned(filter, &view);
    for (int i = 0; i < filter->terms; i++) {
        filter->values[i].arena = filter->arena;
        add_values(&view, i);
        if (!filter->expression) holds &= row_answer(&view, filter->term[i]);
    }
    if (filter->expression) holds = expression_holds(filter->expression, row_answer, &view);
    filter->rows++;
    filter->held += holds;
    return holds;
}

/* Returns an array, [rows], that is true for the rows that all filters keep. */
static bool *keep(struct arena *arena, const struct grid *grid, struct row_filter *filter,
                  int filters)
{
    const struct tree *defaults = settings_defaults(arena);
    bool *kept = ARENA_ARRAY(arena, bool, grid->rows);
    for (int r = 0; r < grid->rows; r++) {
        SCOPED(arena_free) struct arena scratch = {0};
        const struct grid_row *row = &grid->row[r];
        const struct tree *beside =
            row->options ? settings_defaults_beside(&scratch, row->options) : NULL;
        const struct tree *view = tree_new(&scratch, TREE_MAP, filter->location);
        if (row->options)
            view = tree_merge(&scratch, beside ? tree_merge(&scratch, defaults, beside) : defaults,
                              row->options);
        kept[r] = true;
        for (int i = 0; i < filters; i++)
            if (row->options || filter[i].kind != FILTER_WHERE)
                kept[r] &= holds_for(&filter[i], row, view) != (filter[i].kind == FILTER_EXCLUDE);
    }
    return kept;
}

void grid_keep_rows(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const char *const *axis, bool varied)
{
    const struct tree *list = file->exclude, *where = file->where, *first = list ? list : where;
    if (!first) return;
    if (list && list->kind != TREE_LIST)
        die_at(list->location, "exclude: expected a list, as in [{encoder.layers: 2}], got %s",
               tree_kind_name(list));
    const int entries = list ? list->count : 0;
    struct row_filter *filter = ARENA_ARRAY(arena, struct row_filter, entries + 1);
    for (int i = 0; i < entries; i++) {
        filter[i] = filter_of(arena, FILTER_EXCLUDE, list->item[i]->location, axis);
        entry_read(&filter[i], list->item[i]);
    }
    if (where) {
        filter[entries] = filter_of(arena, FILTER_WHERE, where->location, axis);
        expression_read(&filter[entries], scalar_text(where, "where"));
    }
    const int filters = entries + (where != NULL), before = grid->rows;
    const bool *kept = keep(arena, grid, filter, filters);
    for (int i = 0; i < filters; i++)
        if (filter[i].rows && (i == entries || !varied)) check_terms(&filter[i]);
    int runs = 0, left = 0;
    grid->rows = 0;
    for (int r = 0; r < before; r++) {
        runs += grid->row[r].options != NULL;
        left += kept[r] && grid->row[r].options;
        if (kept[r]) grid->row[grid->rows++] = grid->row[r];
    }
    if (!grid->rows || (runs && !left))
        die_at(first->location, "exclude and where keep none of %d rows; expected at least one",
               runs ? runs : before);
}

/* True if a text is no expression, but perhaps the name of a row. The text has no sign, or has a
 * comma before the first sign or quote, as in "A, rate=1". */
static bool is_row_name(const char *text)
{
    return !strpbrk(text, "=<>~") || text[strcspn(text, ",=<>~'\"")] == ',';
}

bool *grid_only(struct arena *arena, const struct grid *grid, const char *const *axis,
                const char *text, const struct tree *tune)
{
    const struct location location = {.file = "command line"};
    struct row_filter filter = filter_of(arena, FILTER_ONLY, location, axis);
    struct names names = {.arena = arena};
    bool *only = ARENA_ARRAY(arena, bool, grid->rows);
    int meant = 0;
    for (int r = 0; r < grid->rows; r++) {
        names_add(&names, grid->row[r].name);
        meant += only[r] = grid_row_meant(&grid->row[r], text);
    }
    if (meant) return only;
    if (is_row_name(text))
        word_refuse(location, "--only", "there is no row", text, names_end(&names));
    filter.tune = tune;
    expression_read(&filter, text);
    only = keep(arena, grid, &filter, 1);
    check_terms(&filter);
    if (!filter.held)
        die_at(location, "--only: \"%s\" matches no row of %s; its rows: %s", text, grid->name,
               arena_join(arena, names.name, names.count, "; "));
    return only;
}
