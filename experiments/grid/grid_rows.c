/* Makes the rows of a grid: all combinations of a written row with the values of its axes. The
 * options of each row are merged in scratch memory, in the order of precedence in grid.h. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"
#include "experiments/grid/settings.h"

/* A written row with its axes, and the current combination of values. */
struct row_sweep {
    const struct grid_written *base;
    const struct tree *options; /* options of the grid, overridden by those of the row; NULL: no
                                   run */
    bool *key;                  /* [keys of the axes] true for keys of this row */
    int product;                /* number of combinations */
    int *at;                    /* [count of the axes] index of the current value; -1: the row does
                                   not use the axis */
};

/* State while the rows of a grid are made. */
struct row_maker {
    struct arena *arena;
    struct arena scratch; /* intermediate results of one row */
    const struct grid_typed *typed;
    struct grid_axes axes;
    const struct tree *common, *last; /* options of the grid's file; options of the command line */
    struct grid_presets presets;
    bool *used;        /* [keys of the axes] true if any row has the key */
    bool many;         /* there are several rows, so messages must name the row */
    struct grid *grid; /* receives the rows */
};

/* ---- rows times axes ---- */

static const struct tree *lay(struct arena *arena, const struct tree *under,
                              const struct tree *over)
{
    return over->count ? tree_merge(arena, under, over) : under;
}

/* Returns only the options of probes. A row with `vectors` has no model, so other options are not
 * used. */
static const struct tree *only_probes(struct arena *arena, const struct tree *options)
{
    struct tree *only = tree_new(arena, TREE_MAP, options->location),
                *probe = tree_find(options, GRID_VECTORS);
    if (probe) tree_put(arena, only, GRID_VECTORS, probe);
    return only;
}

/* Dies at a $word in the name or label of a row that is no axis of the row. has: [keys of the axes]
 * true for axes of the row. For these, a key that is zipped to one of them becomes true if the name
 * or label has it. at: [axes] not negative for axes of the row */
static void read_names(const struct grid_written *base, const struct grid_axes *axes, const int *at,
                       bool *has)
{
    const struct tree *name[] = {tree_get(base->entry, "name"), tree_get(base->entry, "label")};
    for (size_t i = 0; i < COUNT_OF(name); i++) {
        if (!name[i] || name[i]->kind != TREE_SCALAR) continue;
        for (int k = 0; k < axes->keys && base->options; k++)
            has[k] |= at[axes->key[k].axis] >= 0 && grid_name_has(name[i]->text, axes->key[k].key);
        grid_name_check(name[i], axes, has);
    }
}

/* Finds the axes with which a written row is combined: all axes of options, and the named axes that
 * its options use. */
static struct row_sweep sweep_read(struct row_maker *maker, const struct grid_written *base)
{
    struct arena *arena = maker->arena;
    const struct grid_axes *axes = &maker->axes;
    struct row_sweep sweep = {.base = base,
                              .key = ARENA_ARRAY(arena, bool, axes->keys),
                              .at = ARENA_ARRAY(arena, int, axes->count),
                              .product = 1};
    if (!base->options) {
        read_names(base, axes, sweep.at, sweep.key);
        return sweep;
    }
    const struct tree *common = base->vectors ? only_probes(arena, maker->common) : maker->common;
    sweep.options = tree_merge(arena, common, base->options);
    for (int k = 0; k < axes->keys; k++) {
        if (axes->key[k].named || base->fixed) continue;
        if (base->vectors && strncmp(axes->key[k].key, GRID_VECTORS ".", strlen(GRID_VECTORS ".")))
            continue;
        sweep.key[k] = true;
        for (int i = 0; i < axes->axis[axes->key[k].axis].count; i++)
            grid_names_used(axes->key[k].value[i], axes, sweep.key);
    }
    if (!base->fixed) grid_names_used(lay(arena, sweep.options, maker->last), axes, sweep.key);
    for (int a = 0; a < axes->count; a++) {
        bool takes = false;
        for (int k = 0; k < axes->keys; k++) takes |= axes->key[k].axis == a && sweep.key[k];
        sweep.at[a] = takes ? 0 : -1;
        if (!takes) continue;
        if (axes->axis[a].count > GRID_ROWS / sweep.product)
            die_at(axes->axis[a].location,
                   "more than %d rows: %d rows times %d values of this axis", GRID_ROWS,
                   sweep.product, axes->axis[a].count);
        sweep.product *= axes->axis[a].count;
    }
    read_names(base, axes, sweep.at, sweep.key);
    for (int k = 0; k < axes->keys; k++) maker->used[k] |= sweep.key[k];
    return sweep;
}

/* Returns the current row with its name and coordinates. */
static struct grid_row row_name(struct row_maker *maker, const struct row_sweep *sweep)
{
    struct arena *arena = maker->arena;
    const struct grid_written *base = sweep->base;
    struct grid_row row = {.name = base->name ? base->name : "", .entry = base->entry};
    struct grid_coordinate *coordinate =
        ARENA_ARRAY(arena, struct grid_coordinate, maker->axes.keys);
    row.coordinate = coordinate;
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        if (!sweep->key[k]) continue;
        const int at = sweep->at[key->axis];
        const struct tree *value = key->value[at];
        struct grid_coordinate *one = &coordinate[row.coordinates++];
        *one = (struct grid_coordinate){
            .key = key->key, .value = key->label[at], .axis = key->axis, .named = key->named};
        one->text = arena_print(arena, key->named ? "%s %s" : "%s=%s", key->short_key, one->value);
        if (key->named && value->kind == TREE_SCALAR) one->plain = value->text;
    }
    if (row.coordinates) row.line = base->name;
    if (row.coordinates) row.name = grid_row_rest(&row, 0, base->name, NULL, arena);
    if (!*row.name) row.name = maker->grid->name;
    return row;
}

/* Returns the merged options of the current row, including names of presets, in the scratch
 * arena. */
static const struct tree *row_options(struct row_maker *maker, const struct row_sweep *sweep)
{
    struct arena *scratch = &maker->scratch;
    const struct grid_axes *axes = &maker->axes;
    const struct tree *options = sweep->options;
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        if (sweep->key[k] && !key->named)
            options = tree_merge(scratch, options, key->value[sweep->at[key->axis]]);
    }
    options = lay(scratch, options, maker->last);
    if (sweep->base->vectors) options = only_probes(scratch, options);
    options = grid_names_fill(maker->arena, options, axes, sweep->at);
    options = grid_lay_presets(&maker->presets, scratch, options);
    for (int i = 0; i < maker->typed->count; i++) {
        struct grid_typed_word *word = &maker->typed->word[i];
        if (word->value || !tree_find(options, word->path)) continue;
        options = tree_without(scratch, options, word->path);
        word->used = true;
    }
    return options;
}

static void refuse_double(const struct row_maker *maker, const struct row_sweep *sweep)
{
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        const struct tree *own = sweep->key[k] && !key->named && sweep->base->options
                                     ? tree_find(sweep->base->options, key->key)
                                     : NULL;
        const int line = maker->axes.axis[key->axis].location.line;
        if (own && line)
            die_at(own->location,
                   "%s: row \"%s\" sets this key, but the grid varies it in line %d; expected one "
                   "of the two",
                   key->key, sweep->base->name, line);
    }
}

static void make_row(struct row_maker *maker, const struct row_sweep *sweep)
{
    struct grid_row row = row_name(maker, sweep);
    const struct tree *own = NULL;
    if (sweep->options) {
        if (maker->many) die_at_about(arena_print(&maker->scratch, "row \"%s\"", row.name));
        own = row_options(maker, sweep);
        die_at_about(NULL);
    }
    if (own) row.options = tree_merge(maker->arena, NULL, own);
    maker->grid->row[maker->grid->rows++] = row;
}

/* Makes a row for each combination of values; the last axis varies fastest. */
static void make_rows(struct row_maker *maker, struct row_sweep *sweep)
{
    refuse_double(maker, sweep);
    for (int n = 0; n < sweep->product; n++) {
        for (int a = maker->axes.count - 1, rest = n; a >= 0; a--) {
            if (sweep->at[a] < 0) continue;
            sweep->at[a] = rest % maker->axes.axis[a].count;
            rest /= maker->axes.axis[a].count;
        }
        make_row(maker, sweep);
        arena_free(&maker->scratch);
    }
}

/* Dies at a key of an axis that no row uses, because the key would have no effect. */
static void check_used(const struct row_maker *maker)
{
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        if (maker->used[k]) continue;
        if (!key->named)
            die_at(key->location,
                   "%s: no row varies it, because all rows have sweep: false or no run", key->key);
        const char *meant = grid_options_called(maker->arena, key->key);
        if (!meant)
            meant = word_nearest(key->key, sections_of(maker->arena, SECTION_POINT, NULL, NULL));
        die_at(key->location, "%s: no row uses $%s%s%s%s", key->key, key->key,
               meant ? "; did you mean the option \"" : "", meant ? meant : "", meant ? "\"?" : "");
    }
}

/* ---- all of it ---- */

/* True if two rows are the same combination of values of a written row. They differ only in a zip,
 * in keys that the row does not use. */
static bool are_same(const struct grid_row *a, const struct grid_row *b)
{
    bool same = a->entry == b->entry && a->coordinates;
    for (int i = 0; i < a->coordinates && same; i++)
        same = !strcmp(a->coordinate[i].value, b->coordinate[i].value);
    return same;
}

/* Removes repeated rows. Dies if two other rows have the same name. */
static void refuse_same(struct row_maker *maker)
{
    struct grid *grid = maker->grid;
    struct hash_table *known = hash_table_new(&maker->scratch, (size_t)grid->rows);
    const int rows = grid->rows;
    grid->rows = 0;
    for (int i = 0; i < rows; i++) {
        const struct grid_row row = grid->row[i];
        const int first = (int)*hash_table_at(known, row.name, strlen(row.name), grid->rows);
        const struct tree *before = grid->row[first].entry;
        if (first < grid->rows && are_same(&row, &grid->row[first])) continue;
        if (first < grid->rows)
            die_at(row.entry ? row.entry->location : (struct location){grid->path, 0, 0},
                   "rows: \"%s\" is also the name of row %d%s; expected another name", row.name,
                   first + 1,
                   before ? arena_print(&maker->scratch, " (line %d)", before->location.line) : "");
        grid->row[grid->rows++] = row;
    }
}

/* Marks the coordinates of a key with `only`. */
static void mark(const struct grid *grid, const char *key, bool only)
{
    for (int i = 0; i < grid->rows; i++) {
        const struct grid_coordinate *one = grid_row_coordinate(&grid->row[i], 0, key);
        if (one) ((struct grid_coordinate *)one)->only = only;
    }
}

/* True if all rows with a key have the same value. */
static bool has_one_value(const struct grid *grid, const char *key)
{
    const char *value = NULL;
    bool one = true;
    for (int i = 0; i < grid->rows; i++) {
        const struct grid_coordinate *at = grid_row_coordinate(&grid->row[i], 0, key);
        one &= !at || !value || !strcmp(at->value, value);
        if (at) value = at->value;
    }
    return one;
}

/* Leaves axes with only one value out of the names of rows, unless two rows would then have the
 * same name. */
static void shorten_names(struct row_maker *maker)
{
    struct grid *grid = maker->grid;
    struct hash_table *known = hash_table_new(&maker->scratch, (size_t)grid->rows);
    const char **name = ARENA_ARRAY(maker->arena, const char *, grid->rows);
    bool clash = false;
    for (int k = 0; k < maker->axes.keys; k++)
        mark(grid, maker->axes.key[k].key, has_one_value(grid, maker->axes.key[k].key));
    for (int i = 0; i < grid->rows; i++) {
        const struct grid_row *row = &grid->row[i];
        name[i] =
            row->coordinates ? grid_row_rest(row, 0, row->line, NULL, maker->arena) : row->name;
        if (!name[i]) name[i] = grid->name;
        clash |= *hash_table_at(known, name[i], strlen(name[i]), i) != i;
    }
    for (int k = 0; k < maker->axes.keys && clash; k++) mark(grid, maker->axes.key[k].key, false);
    for (int i = 0; i < grid->rows && !clash; i++) grid->row[i].name = name[i];
}

void grid_rows_read(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const struct grid_typed *typed)
{
    struct row_maker maker = {.arena = arena,
                              .grid = grid,
                              .typed = typed,
                              .common = grid_options_of(arena, file->head),
                              .presets = {.arena = arena, .grid = grid->path}};
    maker.axes = grid_axes_read(arena, file->sweep, file->zip, typed);
    maker.last = grid_typed_options(arena, typed);
    grid->common = lay(arena, maker.common, maker.last);
    maker.used = ARENA_ARRAY(arena, bool, maker.axes.keys);

    struct grid_written single = {.options = tree_new(arena, TREE_MAP, file->head->location)};
    struct grid_written *base = &single;
    int bases = 1;
    if (file->rows) base = grid_written_read(arena, file->rows, &bases);
    struct row_sweep *sweep = ARENA_ARRAY(arena, struct row_sweep, bases);
    int rows = 0;
    for (int i = 0; i < bases; i++) {
        sweep[i] = sweep_read(&maker, &base[i]);
        rows += sweep[i].product;
        if (rows > GRID_ROWS)
            die_at(file->rows->location, "rows: more than %d rows: row %d has %d combinations",
                   GRID_ROWS, i + 1, sweep[i].product);
    }
    check_used(&maker);
    maker.many = rows > 1;
    grid->row = ARENA_ARRAY(arena, struct grid_row, rows);
    for (int i = 0; i < bases; i++) make_rows(&maker, &sweep[i]);
    grid_typed_check(typed);
    refuse_same(&maker);
    grid_keep_rows(arena, grid, file->where, typed->axes.text);
    shorten_names(&maker);
    arena_free(&maker.scratch);
}
