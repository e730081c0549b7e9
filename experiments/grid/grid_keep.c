/* Filters the rows of a grid. `exclude` and `where` remove rows; --only selects rows. */
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

struct grid_keep {
    struct arena *arena;
    const char *what;            /* prefix of messages: "where", "--only" */
    const char *const *axis;     /* named axes of the grid, NULL-terminated */
    const char *const *known;    /* keys of exclude: `name`, named axes, and paths of options */
    const struct tree *defaults; /* defaults of all options */
    int exclusions;
    struct exclusion *exclusion; /* [exclusions] */
    const struct tree *where_text;
    const struct expression *where; /* parsed expression; NULL: none */
    struct names *values;           /* [where->terms] values of the term's key in all rows, at most
                                       VALUES_MOST */
    int runs, kept;                 /* numbers of rows with a run: all, and kept ones */
    struct location location;       /* location of exclude or where, for messages */
    const struct tree *over;        /* --only: options that tune varies in a row */
};

/* ---- a condition on a row ---- */

/* True if a word is a named axis of the grid. Such a word never means an option. */
static bool is_axis(const struct grid_keep *keep, const char *word)
{
    return word_known(word, keep->axis);
}

struct row_view {
    const struct grid_keep *keep;
    const struct grid_row *row;
    const struct tree *view;
};

/* Returns the label of the row on the axis to which the term's key refers; NULL if there is none.
 * If the term has a number and the label is a word, returns the value of a named axis instead: 5
 * for {wide: 5}. */
static const char *axis_word(const struct grid_row *row, const struct expression_term *term)
{
    for (int i = 0; i < row->coordinates; i++) {
        const struct grid_coordinate *coordinate = &row->coordinate[i];
        if (coordinate->named ? strcmp(term->key, coordinate->key) != 0
                              : !expression_key_means(term->key, coordinate->key))
            continue;
        const bool by_number =
            coordinate->plain && term->is_number && !(number_valid(coordinate->value));
        return by_number ? coordinate->plain : coordinate->value;
    }
    return NULL;
}

/* Returns the name of the row for a comparison: the name without coordinates if the term has
 * exactly this name, else the whole name. */
static const char *name_word(const struct grid_row *row, const struct expression_term *term)
{
    return row->line && !strcmp(term->value, row->line) ? row->line : row->name;
}

/* True if a term holds for a row. A word is compared with the label on the axis, as in names of
 * rows: "some" for {some: 0.2}. A number is compared with the option, unless the key is a named
 * axis. */
static bool row_answer(void *context, const struct expression_term *term)
{
    const struct row_view *look = context;
    if (!strcmp(term->key, "name")) return expression_term_holds(term, name_word(look->row, term));
    const bool named = is_axis(look->keep, term->key);
    const char *word = term->is_number && !named ? NULL : axis_word(look->row, term);
    if (word) return expression_term_holds(term, word);
    return !named && expression_term_holds_in(term, look->view);
}

/* ---- exclude ---- */

/* A key of an entry. */
struct excluded_key {
    const char *path;
    const struct tree *value, *part; /* value as written, and as a map of options; part NULL: `name`
                                        or a named axis */
};
struct exclusion {
    struct location location;
    int keys;
    struct excluded_key *key; /* [keys] */
    int taken;
};

/* Dies at an unknown option: a mistyped option would silently exclude nothing. */
static void check_options(const struct grid_keep *keep, const struct tree *map, const char *above)
{
    for (int i = 0; i < map->count; i++) {
        const char *path = arena_print(keep->arena, "%s%s", above, map->key[i]->text);
        if (word_known(path, keep->known) || grid_is_preset(path)) continue;
        if (map->item[i]->kind != TREE_MAP && !*above) tree_only_keys(map, "exclude", keep->known);
        if (map->item[i]->kind != TREE_MAP)
            word_refuse(map->key[i]->location, "exclude", "unknown key", path, keep->known);
        check_options(keep, map->item[i], arena_print(keep->arena, "%s.", path));
    }
}

static struct exclusion exclusion_read(const struct grid_keep *keep, const struct tree *entry)
{
    struct arena *arena = keep->arena;
    const struct tree *map = entry;
    if (entry->kind == TREE_SCALAR)
        map = tree_with(arena, tree_new(arena, TREE_MAP, entry->location), "name", entry);
    if (map->kind != TREE_MAP || !map->count)
        die_at(entry->location,
               "exclude: expected a row's name or a map such as {encoder.layers: 2, "
               "model.dropout: 0.1}");
    struct exclusion exclusion = {.location = entry->location,
                                  .keys = map->count,
                                  .key = ARENA_ARRAY(arena, struct excluded_key, map->count)};
    for (int i = 0; i < map->count; i++) {
        struct excluded_key *key = &exclusion.key[i];
        *key = (struct excluded_key){sections_path(arena, map->key[i]->text), map->item[i], NULL};
        if (!strcmp(key->path, "name"))
            scalar_text(key->value, "name");
        else if (!is_axis(keep, key->path)) {
            struct tree *option = tree_new(arena, TREE_MAP, entry->location);
            tree_add(arena, option, tree_new_text(arena, map->key[i]->location, key->path),
                     map->item[i]);
            key->part = grid_normalize(arena, option);
            check_options(keep, key->part, "");
        }
    }
    return exclusion;
}

/* True if a row has the value. The value may be an option, an option inside of a list, or the value
 * or label of an axis. */
static bool has_value(struct row_view *look, const struct excluded_key *key)
{
    if (key->part && tree_covers(look->view, key->part)) return true;
    if (key->value->kind != TREE_SCALAR) return false;
    const struct expression_term term = expression_equals(key->path, key->value->text);
    return row_answer(look, &term);
}

static bool is_excluded(struct grid_keep *keep, const struct grid_row *row, const struct tree *view)
{
    struct row_view look = {keep, row, view};
    bool excluded = false;
    for (int i = 0; i < keep->exclusions; i++) {
        struct exclusion *one = &keep->exclusion[i];
        bool meant = true;
        for (int k = 0; k < one->keys && meant; k++) meant = has_value(&look, &one->key[k]);
        one->taken += meant;
        excluded |= meant;
    }
    return excluded;
}

/* ---- where ---- */

static void where_read(struct grid_keep *keep, const struct tree *text)
{
    const char *words = scalar_text(text, keep->what);
    die_at_about(keep->what);
    keep->where_text = text;
    keep->where = expression_parse(keep->arena, text->location, words);
    keep->values = ARENA_ARRAY(keep->arena, struct names, keep->where->terms);
    for (int i = 0; i < keep->where->terms; i++) keep->values[i].arena = keep->arena;
    die_at_about(NULL);
}

/* Adds a value to a list, once. */
static void add_value(void *context, const char *path, const struct tree *scalar)
{
    struct names *values = context;
    for (int i = 0; i < values->count; i++)
        if (!strcmp(values->name[i], scalar->text)) return;
    if (values->count < VALUES_MOST) names_add(values, arena_text(values->arena, scalar->text));
}

/* Adds the values that a row has for the key of term i to the list for messages. */
static void add_values(struct grid_keep *keep, int i, const struct grid_row *row,
                       const struct tree *view)
{
    const struct expression_term *term = keep->where->term[i];
    struct names *values = &keep->values[i];
    const bool is_name = !strcmp(term->key, "name");
    const char *word = is_name ? name_word(row, term) : axis_word(row, term);
    if (is_name && row->line) add_value(values, "", &(struct tree){.text = row->line});
    if (word) add_value(values, "", &(struct tree){.text = word});
    /* A number may also mean the option of an axis with labels: {none: 0, some: 0.2}. */
    if ((!word || term->is_number) && !is_name && !is_axis(keep, term->key))
        expression_term_visit(term, view, add_value, values);
}

static bool is_left(struct grid_keep *keep, const struct grid_row *row, const struct tree *view)
{
    for (int i = 0; i < keep->where->terms; i++) add_values(keep, i, row, view);
    return expression_holds(keep->where, row_answer, &(struct row_view){keep, row, view});
}

static const char *last_word(const char *key)
{
    const char *point = strrchr(key, '.');
    return point ? point + 1 : key;
}

/* Returns "name", the named axes, and the last words of the paths of all options. */
static const char *const *last_words(const struct grid_keep *keep)
{
    struct names words = {.arena = keep->arena};
    names_add(&words, "name");
    for (const char *const *axis = keep->axis; axis && *axis; axis++) names_add(&words, *axis);
    for (const char *const *key = settings_names(keep->arena); *key; key++)
        names_add(&words, last_word(*key));
    return names_end(&words);
}

/* Dies at a key that no row has. Such a key is probably a mistake, and could remove all rows
 * without a message. */
NORETURN static void refuse_key(const struct grid_keep *keep, const char *key)
{
    const char *last = last_word(key), *nearest = word_nearest(last, last_words(keep));
    /* If `last` is itself the last word of an option, there are two possible causes. The section is
     * wrong, or no row sets this option and it has no default. */
    if (nearest && !strcmp(nearest, last)) nearest = word_nearest(key, settings_names(keep->arena));
    if (nearest && !strcmp(nearest, key)) nearest = NULL;
    die_at(keep->where_text->location, "%s: no row has \"%s\"%s%s%s", keep->what, key,
           nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Dies if no row has the key of a term, or if a term compares a number with words. If no row is
 * kept (`none`), also dies if a comparison with = or ~ is false for all values of its key. */
static void where_check(const struct grid_keep *keep, bool none)
{
    const struct location location = keep->where_text->location;
    for (int i = 0; i < keep->where->terms; i++) {
        const struct expression_term *term = keep->where->term[i];
        struct names *values = &keep->values[i];
        bool fits = values->count == VALUES_MOST, holds = fits || !strchr("=~", *term->sign);
        for (int k = 0; k < values->count; k++) {
            fits |= expression_term_fits(term, values->name[k]);
            holds |= expression_term_holds(term, values->name[k]);
        }
        if (!values->count) refuse_key(keep, term->key);
        die_at_about(keep->what);
        if (!fits) expression_term_refuse(location, term);
        die_at_about(NULL);
        if (none && !holds)
            word_refuse(location, keep->what,
                        arena_print(keep->arena, "no row has %s %s", term->key, term->sign),
                        term->value, names_end(values));
    }
}

/* ---- both ---- */

struct grid_keep *grid_keep_read(struct arena *arena, const struct grid_file *file,
                                 const struct grid_axes *axes)
{
    struct grid_keep *keep = ARENA_NEW(arena, struct grid_keep);
    struct names axis = {.arena = arena};
    for (int k = 0; k < axes->keys; k++)
        if (axes->key[k].named) names_add(&axis, axes->key[k].key);
    struct names known = {.arena = arena};
    names_add(&known, "name");
    for (int k = 0; k < axis.count; k++) names_add(&known, axis.name[k]);
    for (const char *const *name = settings_names(arena); *name; name++) names_add(&known, *name);
    *keep = (struct grid_keep){.arena = arena,
                               .what = "where",
                               .axis = names_end(&axis),
                               .known = names_end(&known),
                               .defaults = settings_defaults(arena)};
    const struct tree *list = file->exclude;
    keep->location = list ? list->location : file->where->location;
    if (list && list->kind != TREE_LIST)
        die_at(list->location, "exclude: expected a list, as in [{encoder.layers: 2}], got %s",
               tree_kind_name(list));
    keep->exclusions = list ? list->count : 0;
    keep->exclusion = ARENA_ARRAY(arena, struct exclusion, keep->exclusions);
    for (int i = 0; i < keep->exclusions; i++)
        keep->exclusion[i] = exclusion_read(keep, list->item[i]);
    if (file->where) where_read(keep, file->where);
    return keep;
}

/* Returns the options of a row, with defaults. */
static const struct tree *view_of(const struct grid_keep *keep, struct arena *scratch,
                                  const struct tree *options)
{
    const struct tree *beside = settings_defaults_beside(scratch, options);
    const struct tree *defaults =
        beside ? tree_merge(scratch, keep->defaults, beside) : keep->defaults;
    return tree_merge(scratch, defaults, options);
}

bool grid_keep_row(struct grid_keep *keep, struct arena *scratch, const struct grid_row *row,
                   const struct tree *options)
{
    const struct tree *view =
        options ? view_of(keep, scratch, options) : tree_new(scratch, TREE_MAP, keep->location);
    bool kept = !is_excluded(keep, row, view);
    if (!options) return kept;
    if (keep->where) kept &= is_left(keep, row, view);
    keep->runs++;
    keep->kept += kept;
    return kept;
}

void grid_keep_check(const struct grid_keep *keep, bool varied)
{
    if (keep->where && keep->runs) where_check(keep, !keep->kept);
    for (int i = 0; i < keep->exclusions; i++)
        if (!keep->exclusion[i].taken && !varied)
            warn_at(keep->exclusion[i].location, "exclude: this entry matches no row");
    if (keep->runs && !keep->kept)
        die_at(keep->location,
               "exclude and where keep none of %d rows with a run; expected at least one",
               keep->runs);
}

/* ---- only ---- */

/* True if a text is no expression, but perhaps the name of a row. The text has no sign, or has a
 * comma before the first sign or quote, as in "A, rate=1". */
static bool is_row_name(const char *text)
{
    return !strpbrk(text, "=<>~") || text[strcspn(text, ",=<>~'\"")] == ',';
}

/* Dies if a scalar is a value of an option that tune varies: before the choice, nobody knows it. */
static void refuse_tuned(void *context, const char *path, const struct tree *scalar)
{
    const struct grid_keep *keep = context;
    (void)scalar;
    for (int i = 0; i < keep->over->count; i++) {
        const char *over = keep->over->key[i]->text;
        if (word_within(path, over))
            die_at(keep->where_text->location,
                   "%s: tune varies %s; expected an option that it does not vary, or rows",
                   keep->what, over);
    }
}

/* Dies if a term selects a row by an option that tune varies. */
static void check_tuned(struct grid_keep *keep, const struct grid_row *row, const struct tree *view,
                        const struct tree *tune)
{
    const struct tree *own = tree_get(row->entry, "tune"),
                      *over[] = {tree_get(tune, "over"), tree_get(own, "over")};
    for (int k = 0; k < 2 && tune && !(own && own->kind == TREE_SCALAR); k++)
        for (int i = 0; i < keep->where->terms && (keep->over = over[k]); i++)
            if (!is_axis(keep, keep->where->term[i]->key))
                expression_term_visit(keep->where->term[i], view, refuse_tuned, keep);
}

bool *grid_only(struct arena *arena, const struct grid *grid, const char *const *axis,
                const char *text, const struct tree *tune)
{
    struct grid_keep keep = {
        .arena = arena, .what = "--only", .axis = axis, .defaults = settings_defaults(arena)};
    const struct location location = {.file = "command line"};
    const struct tree *nothing = tree_new(arena, TREE_MAP, location);
    struct names names = {.arena = arena};
    bool *only = ARENA_ARRAY(arena, bool, grid->rows);
    int meant = 0;
    for (int r = 0; r < grid->rows; r++) {
        names_add(&names, grid->row[r].name);
        only[r] = grid_row_meant(&grid->row[r], text);
        meant += only[r];
    }
    if (meant) return only;
    if (is_row_name(text))
        word_refuse(location, keep.what, "there is no row", text, names_end(&names));
    where_read(&keep, tree_new_text(arena, location, text));
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_row *row = &grid->row[r];
        SCOPED(arena_free) struct arena scratch = {0};
        const struct tree *view = row->options ? view_of(&keep, &scratch, row->options) : nothing;
        check_tuned(&keep, row, view, tune);
        only[r] = is_left(&keep, row, view);
        meant += only[r];
    }
    where_check(&keep, !meant);
    if (!meant)
        die_at(location, "%s: \"%s\" matches no row of %s; its rows: %s", keep.what, text,
               grid->name, arena_join(arena, names.name, names.count, "; "));
    return only;
}
