/* Rows of a grid: those that are written, times all axes. Each row's options are laid upon each
 * other in the order that grid.h tells, in memory that lasts as long as the row is at work. */
#include <stdlib.h>
#include <string.h>

#include "core/config/scalar.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* A row as it is written. */
struct base_row {
    const char *name;           /* NULL: the grid has no rows */
    const struct tree *entry;   /* NULL: the same */
    const struct tree *options; /* its own; NULL: it does not run */
};

/* A grid that is being multiplied out. */
struct row_maker {
    struct arena *arena;
    struct arena scratch; /* what becomes of one row on its way */
    const struct grid_typed *typed;
    struct grid_axes axes;
    const struct tree *common, *last; /* the grid's own options; those that lie over everything */
    struct grid_presets presets;
    struct grid_keep *keep; /* NULL: all rows */
    bool many;              /* rows: which one is wrong must be said */
    struct grid_rows rows;
};

/* ---- rows as they are written ---- */

static struct base_row row_read(struct arena *arena, const struct tree *entry)
{
    /* About the row itself, or for its table (results/table/layout.h). */
    static const char *const own[] = {"name",  "quote", "hyp",  "ref", "section",
                                      "label", "rule",  "line", NULL};
    if (entry->kind != TREE_MAP)
        die_at(entry->place, "rows: expected a map with name and options, got %s",
               tree_kind_name(entry));
    struct tree *options = tree_new(arena, TREE_MAP, entry->place);
    for (int i = 0; i < entry->count; i++) {
        bool is_own = false;
        for (int k = 0; own[k]; k++) is_own |= !strcmp(entry->key[i]->text, own[k]);
        if (!is_own) tree_add(arena, options, entry->key[i], entry->item[i]);
    }
    options = grid_normalize(arena, options);
    tree_only_keys(options, "a row", sections_of(arena, SECTION_POINT, own, NULL));
    const struct tree *name = tree_get(entry, "name"), *quote = tree_get(entry, "quote"),
                      *hyp = tree_get(entry, "hyp"), *ref = tree_get(entry, "ref");
    if (!name) die_at(entry->place, "rows: this row has no name");
    struct base_row row = {scalar_text(name, "name"), entry, options};
    if (!*row.name) die_at(name->place, "rows: an empty name");
    if (ref && !hyp) die_at(ref->place, "ref: without hyp, a file of hypotheses");
    if (!quote && !hyp) return row;
    if (quote && (quote->kind != TREE_MAP || !quote->count))
        die_at(quote->place, "quote: expected a map of columns and values, as in {bleu: 27.3}");
    if (options->count)
        die_at(options->key[0]->place, "%s: a row with %s has no run, so no options",
               options->key[0]->text, quote ? "quote" : "hyp");
    row.options = NULL;
    return row;
}

static struct base_row *rows_read(struct arena *arena, const struct tree *list, int *count)
{
    if (list->kind != TREE_LIST || !list->count)
        die_at(list->place, "rows: expected a list of named rows, got %s",
               list->kind == TREE_LIST ? "an empty one" : tree_kind_name(list));
    if (list->count > GRID_ROWS) die_at(list->place, "rows: more than %d", GRID_ROWS);
    struct base_row *row = ARENA_ARRAY(arena, struct base_row, list->count);
    for (int i = 0; i < list->count; i++) row[i] = row_read(arena, list->item[i]);
    *count = list->count;
    return row;
}

/* ---- rows times axes ---- */

static const struct tree *lay(struct arena *arena, const struct tree *under,
                              const struct tree *over)
{
    return over->count ? tree_merge(arena, under, over) : under;
}

/* Which value an axis has in the n-th row of the product. */
static int value_at(const struct grid_axes *axes, int axis, int n)
{
    int stride = 1;
    for (int a = axes->count - 1; a > axis; a--) stride *= axes->axis[a].count;
    return n / stride % axes->axis[axis].count;
}

/* Name and factors of the n-th row of a base. */
static struct grid_row row_name(struct row_maker *maker, const struct base_row *base, int n,
                                const char *fallback)
{
    struct arena *arena = maker->arena;
    const struct grid_axes *axes = &maker->axes;
    struct grid_row row = {.name = base->name    ? base->name
                                   : axes->count ? ""
                                                 : fallback,
                           .line = axes->count ? base->name : NULL,
                           .entry = base->entry};
    if (!base->options) return row;
    row.factors = axes->keys;
    row.factor = ARENA_ARRAY(arena, struct summary_factor, row.factors);
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        const char *label = key->label[value_at(axes, key->axis, n)];
        row.name =
            arena_print(arena, "%s%s%s=%s", row.name, *row.name ? ", " : "", key->short_key, label);
        row.factor[k] = (struct summary_factor){key->key, label, key->axis};
    }
    return row;
}

/* What a row's axes said must be what it has in the end, or its name would lie. */
static void check_factors(struct row_maker *maker, int n, const struct tree *options)
{
    const struct grid_axes *axes = &maker->axes;
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        if (!tree_covers(options, key->value[value_at(axes, key->axis, n)]))
            die_at(axes->axis[key->axis].place,
                   "%s: the command line or another axis changes a part of it; expected keys "
                   "that do not meet",
                   key->key);
    }
}

/* The merged options of the n-th row of a base, names of presets still in them, in the scratch. */
static const struct tree *row_options(struct row_maker *maker, const struct tree *base, int n)
{
    struct arena *scratch = &maker->scratch;
    const struct tree *options = base;
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        options = tree_merge(scratch, options, key->value[value_at(&maker->axes, key->axis, n)]);
    }
    options = grid_lay_presets(&maker->presets, scratch, lay(scratch, options, maker->last));
    for (int i = 0; i < maker->typed->count; i++) {
        struct grid_typed_word *word = &maker->typed->word[i];
        if (word->value || !tree_find(options, word->path)) continue;
        options = tree_without(scratch, options, word->path);
        word->used = true;
    }
    return options;
}

static void refuse_double(const struct row_maker *maker, const struct base_row *base)
{
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        const struct tree *own = tree_find(base->options, key->key);
        const int line = maker->axes.axis[key->axis].place.line;
        if (own && line)
            die_at(own->place,
                   "%s: row \"%s\" sets what the grid varies in line %d; expected it in one place",
                   key->key, base->name, line);
    }
}

static void make_row(struct row_maker *maker, const struct base_row *base,
                     const struct tree *options, int n, const char *name)
{
    struct grid_row row = row_name(maker, base, n, name);
    const struct tree *own = NULL;
    if (base->options) {
        if (maker->many) die_at_about(arena_print(&maker->scratch, "row \"%s\"", row.name));
        own = row_options(maker, options, n);
        check_factors(maker, n, own);
        die_at_about(NULL);
    }
    if (maker->keep && !grid_keep_row(maker->keep, &maker->scratch, &row, own)) return;
    if (own) row.options = tree_merge(maker->arena, NULL, own);
    maker->rows.row[maker->rows.count++] = row;
}

static void make_rows(struct row_maker *maker, const struct base_row *base, const char *name)
{
    enum { SCRATCH = 1 << 22 };
    const struct tree *options = NULL;
    if (base->options) {
        refuse_double(maker, base);
        options = tree_merge(maker->arena, maker->common, base->options);
    }
    for (int n = 0; n < (base->options ? maker->axes.product : 1); n++) {
        make_row(maker, base, options, n, name);
        if (maker->scratch.used > SCRATCH) arena_free(&maker->scratch);
    }
}

/* ---- all of it ---- */

static int by_name(const void *a, const void *b)
{
    const struct grid_row *x = *(const struct grid_row *const *)a;
    const struct grid_row *y = *(const struct grid_row *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

/* Whether all keys of an axis call two of its values the same. */
static bool are_same(const struct grid_axes *axes, int axis, int i, int j)
{
    for (int k = 0; k < axes->keys; k++)
        if (axes->key[k].axis == axis && strcmp(axes->key[k].label[i], axes->key[k].label[j]) != 0)
            return false;
    return true;
}

/* Of rows with one name that come from one entry: dies where an axis has a value twice. */
static void refuse_same_values(const struct grid_axes *axes)
{
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        const struct grid_axis *axis = &axes->axis[key->axis];
        for (int i = 1; i < axis->count; i++)
            for (int j = 0; j < i; j++)
                if (are_same(axes, key->axis, i, j))
                    die_at(axis->place,
                           "%s: value %d, %s, is also value %d; expected different ones", key->key,
                           i + 1, key->label[i], j + 1);
    }
}

static void refuse_same_names(struct row_maker *maker, const char *path)
{
    struct arena *arena = &maker->scratch;
    int count = maker->rows.count;
    const struct grid_row **row = ARENA_ARRAY(arena, const struct grid_row *, count);
    for (int i = 0; i < count; i++) row[i] = &maker->rows.row[i];
    qsort(row, (size_t)count, sizeof *row, by_name);
    for (int i = 1; i < count; i++) {
        if (strcmp(row[i - 1]->name, row[i]->name) != 0) continue;
        const struct tree *first = row[i - 1]->entry, *entry = row[i]->entry;
        if (first == entry) refuse_same_values(&maker->axes);
        die_at(entry ? entry->place : (struct place){path, 0, 0},
               "rows: \"%s\" is also the name of row %d%s; expected another", row[i]->name,
               (int)(row[i - 1] - maker->rows.row) + 1,
               first ? arena_print(arena, " (line %d)", first->place.line) : "");
    }
}

static void check_typed(const struct grid_typed *typed)
{
    for (int i = 0; i < typed->count; i++) {
        const struct grid_typed_word *word = &typed->word[i];
        if (!word->value && !word->used)
            die_at(word->place,
                   "no row sets \"%s\"; expected an option that does not have its default",
                   word->path);
    }
}

struct grid_rows grid_rows_read(struct arena *arena, const struct grid_file *file,
                                const struct grid_typed *typed, const char *path, const char *name)
{
    struct tree *last = tree_new(arena, TREE_MAP, (struct place){"command line", 0, 0});
    struct row_maker maker = {.arena = arena,
                              .typed = typed,
                              .common = grid_options_of(arena, file->head),
                              .presets = {.arena = arena, .grid = path}};
    maker.axes = grid_axes_read(arena, file->sweep, file->zip, typed);
    for (int i = 0; i < typed->count; i++) {
        struct grid_typed_word *word = &typed->word[i];
        if (!word->value || word->used) continue;
        tree_put(arena, last, word->path, (struct tree *)word->value);
    }
    maker.last = grid_normalize(arena, last);
    if (file->exclude || file->where) maker.keep = grid_keep_read(arena, file);

    struct base_row single = {NULL, NULL, tree_new(arena, TREE_MAP, file->head->place)};
    struct base_row *base = &single;
    int bases = 1;
    if (file->rows) base = rows_read(arena, file->rows, &bases);
    if (bases > GRID_ROWS / maker.axes.product)
        die_at(file->rows->place, "rows: more than %d: %d rows with %d combinations each",
               GRID_ROWS, bases, maker.axes.product);
    maker.many = bases * maker.axes.product > 1;
    maker.rows.row = ARENA_ARRAY(arena, struct grid_row, bases * maker.axes.product);
    for (int i = 0; i < bases; i++) make_rows(&maker, &base[i], name);
    if (maker.keep) grid_keep_check(maker.keep);
    check_typed(typed);
    if (!maker.rows.count) die_at(file->exclude->place, "exclude: no row is left");
    refuse_same_names(&maker, path);
    arena_free(&maker.scratch);
    return maker.rows;
}
