/* Makes the rows of a grid: all combinations of a written row with the values of its axes. The
 * options of each row are merged in scratch memory, in the order of precedence in grid.h. */
#include <string.h>

#include "core/base/number.h"
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
    struct arena sweeps;  /* options of rows before axes multiply them */
    const struct grid_typed *typed;
    struct grid_axes axes;
    const struct tree *common, *last; /* options of the grid's file; options of the command line */
    struct grid_presets presets;
    const struct tree *defaults; /* of all options */
    struct grid_keep *keep;      /* NULL: all rows */
    bool *used;                  /* [keys of the axes] true if any row has the key */
    bool many;                   /* there are several rows, so messages must name the row */
    struct grid *grid;           /* receives the rows */
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
    sweep.options = tree_merge(&maker->sweeps, common, base->options);
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

/* Moves to combination n; the last axis varies fastest. */
static void sweep_go(const struct row_maker *maker, struct row_sweep *sweep, int n)
{
    for (int a = maker->axes.count - 1; a >= 0; a--) {
        if (sweep->at[a] < 0) continue;
        sweep->at[a] = n % maker->axes.axis[a].count;
        n /= maker->axes.axis[a].count;
    }
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

/* Dies if the final options differ from the values on the axes of the row, because the name of the
 * row would then be wrong. */
static void check_coordinates(struct row_maker *maker, const struct row_sweep *sweep,
                              const struct tree *options)
{
    const struct grid_axes *axes = &maker->axes;
    for (int k = 0; k < axes->keys; k++) {
        const struct grid_key *key = &axes->key[k];
        if (!sweep->key[k] || key->named) continue;
        struct arena *scratch = &maker->scratch;
        const struct tree *filled =
            grid_names_fill(scratch, key->value[sweep->at[key->axis]], axes, sweep->at);
        struct tree *said = tree_merge(scratch, filled, filled); /* marks each ~ (takes) */
        tree_take_away(said);
        if (!tree_covers(options, said))
            die_at(axes->axis[key->axis].location,
                   "%s: the command line or another axis changes a part of it; expected keys that "
                   "do not overlap",
                   key->key);
    }
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

/* ---- layers as values of an axis ---- */

/* Returns the number of encoder layers of a row; -1 if the row has no model or the number is
 * invalid. */
static int layers_of(const struct row_maker *maker, const struct tree *options)
{
    static const char path[] = "encoder.layers";
    const struct tree *said = tree_find(options, path);
    const bool modeled = tree_find(options, "model") || tree_find(options, "encoder");
    if (!said && modeled) said = tree_find(maker->defaults, path);
    double layers;
    if (!said || said->kind != TREE_SCALAR || !real_parse(said->text, &layers)) return -1;
    return layers >= 0 && layers <= LAYERS_MOST ? (int)layers : -1;
}

static bool has_shortcut(const struct tree *options)
{
    const struct tree *said = tree_find(options, "encoder.shortcut");
    return said && said->kind == TREE_SCALAR && !strcmp(said->text, "true");
}

/* True if an axis value of the current row is a layer that its encoder lacks, or encoder.output
 * without a short-cut. The row is then left out. */
static bool lacks_layer(const struct row_maker *maker, const struct row_sweep *sweep,
                        const struct tree *options)
{
    const int layers = layers_of(maker, options);
    bool lacks = false;
    for (int k = 0; k < maker->axes.keys; k++) {
        const struct grid_key *key = &maker->axes.key[k];
        const int layer = sweep->key[k] && key->layer ? key->layer[sweep->at[key->axis]] : 0;
        if (layer && !layers)
            die_at(key->location,
                   "%s: layers: the encoder has no layers; expected sweep: false in its row",
                   key->key);
        lacks |= (layers >= 0 && layer > layers) || (layer == GRID_SUM && !has_shortcut(options));
    }
    return lacks;
}

/* Returns the largest number of encoder layers over all rows, at least 1. Returns 0 if no axis has
 * the value `layers`. Sets *sum if the encoder of a row has a short-cut. Dies if an axis has this
 * value, but all rows have vectors of other programs. */
static int most_layers(struct row_maker *maker, const struct grid_written *base, int bases,
                       bool *sum)
{
    const struct grid_key *asked = NULL;
    bool vectors = true;
    int most = 1;
    for (int k = 0; k < maker->axes.keys; k++)
        if (maker->axes.key[k].layer) asked = &maker->axes.key[k];
    for (int i = 0; i < bases; i++) vectors &= base[i].vectors;
    if (asked && vectors)
        die_at(asked->location,
               "%s: layers: no row has a model; expected paths, such as [encoder.1, encoder.2]",
               asked->key);
    for (int i = 0; i < bases && asked; i++) {
        struct row_sweep sweep = sweep_read(maker, &base[i]);
        for (int n = 0; n < sweep.product && sweep.options; n++) {
            sweep_go(maker, &sweep, n);
            const struct tree *options = row_options(maker, &sweep);
            const int layers = layers_of(maker, options);
            if (layers > most) most = layers;
            *sum |= has_shortcut(options);
        }
    }
    return asked ? most : 0;
}

static void make_row(struct row_maker *maker, const struct row_sweep *sweep)
{
    struct grid_row row = row_name(maker, sweep);
    const struct tree *own = NULL;
    if (sweep->options) {
        if (maker->many) die_at_about(arena_print(&maker->scratch, "row \"%s\"", row.name));
        own = row_options(maker, sweep);
        check_coordinates(maker, sweep, own);
        const bool lacks = lacks_layer(maker, sweep, own);
        die_at_about(NULL);
        if (lacks) return;
    }
    if (maker->keep && !grid_keep_row(maker->keep, &maker->scratch, &row, own)) return;
    if (own) row.options = tree_merge(maker->arena, NULL, own);
    maker->grid->row[maker->grid->rows++] = row;
}

/* True if the current row equals an earlier row, because the values differ only for keys of a zip
 * that the row does not use. */
static bool is_repeated(const struct row_maker *maker, const struct row_sweep *sweep)
{
    const struct grid_axes *axes = &maker->axes;
    for (int a = 0; a < axes->count; a++)
        for (int at = sweep->at[a], before = 0; before < at; before++)
            if (grid_axes_same(axes, a, sweep->key, before, at) &&
                !grid_axes_same(axes, a, NULL, before, at))
                return true;
    return false;
}

static void make_rows(struct row_maker *maker, struct row_sweep *sweep)
{
    enum { SCRATCH = 1 << 22 };
    refuse_double(maker, sweep);
    for (int n = 0; n < sweep->product; n++) {
        sweep_go(maker, sweep, n);
        if (!is_repeated(maker, sweep)) make_row(maker, sweep);
        if (maker->scratch.used > SCRATCH) arena_free(&maker->scratch);
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

/* With `single`, marks coordinates whose key has the same value in all rows; else removes the
 * marks. Then writes the names of the rows, which omit marked coordinates. */
static void mark_single(struct row_maker *maker, bool single)
{
    const struct grid *grid = maker->grid;
    for (int k = 0; k < maker->axes.keys; k++) {
        const char *key = maker->axes.key[k].key, *value = NULL;
        bool one = single;
        for (int i = 0; i < grid->rows; i++) {
            const struct grid_coordinate *coordinate = grid_row_coordinate(&grid->row[i], 0, key);
            one &= !coordinate || !value || !strcmp(coordinate->value, value);
            if (coordinate) value = coordinate->value;
        }
        for (int i = 0; i < grid->rows; i++) {
            const struct grid_coordinate *coordinate = grid_row_coordinate(&grid->row[i], 0, key);
            if (coordinate) ((struct grid_coordinate *)coordinate)->only = one;
        }
    }
    for (int i = 0; i < grid->rows; i++) {
        struct grid_row *row = &grid->row[i];
        if (row->coordinates) row->name = grid_row_rest(row, 0, row->line, NULL, maker->arena);
        if (!row->name) row->name = grid->name;
    }
}

/* Returns the index of the first row that has the name of an earlier row, and sets *first to the
 * earlier row. Returns -1 if there is none. */
static int find_same_name(struct row_maker *maker, int *first)
{
    const struct grid *grid = maker->grid;
    struct hash_table *known = hash_table_new(&maker->scratch, (size_t)grid->rows);
    for (int i = 0; i < grid->rows; i++) {
        const char *name = grid->row[i].name;
        *first = (int)*hash_table_at(known, name, strlen(name), i);
        if (*first < i) return i;
    }
    return -1;
}

/* Writes the names of rows on axes. Names omit axes that have only one value, unless two rows would
 * then have the same name. Dies if two rows still have the same name. */
static void name_rows(struct row_maker *maker)
{
    const struct grid *grid = maker->grid;
    int first;
    mark_single(maker, true);
    if (find_same_name(maker, &first) >= 0) mark_single(maker, false);
    const int i = find_same_name(maker, &first);
    if (i < 0) return;
    const struct tree *before = grid->row[first].entry, *entry = grid->row[i].entry;
    if (before == entry) grid_axes_refuse_same(&maker->axes);
    die_at(entry ? entry->location : (struct location){grid->path, 0, 0},
           "rows: \"%s\" is also the name of row %d%s; expected another name", grid->row[i].name,
           first + 1,
           before ? arena_print(&maker->scratch, " (line %d)", before->location.line) : "");
}

void grid_rows_read(struct arena *arena, struct grid *grid, const struct grid_file *file,
                    const struct grid_typed *typed)
{
    struct row_maker maker = {.arena = arena,
                              .grid = grid,
                              .typed = typed,
                              .common = grid_options_of(arena, file->head),
                              .defaults = settings_defaults(arena),
                              .presets = {.arena = arena, .grid = grid->path}};
    maker.axes = grid_axes_read(arena, file->sweep, file->zip, typed);
    maker.last = grid_typed_options(arena, typed);
    grid->common = lay(arena, maker.common, maker.last);
    if (file->exclude || file->where) maker.keep = grid_keep_read(arena, file, &maker.axes);
    maker.used = ARENA_ARRAY(arena, bool, maker.axes.keys);

    struct grid_written single = {.options = tree_new(arena, TREE_MAP, file->head->location)};
    struct grid_written *base = &single;
    int bases = 1;
    if (file->rows) base = grid_written_read(arena, file->rows, &bases);
    bool sum = false;
    const int layers = most_layers(&maker, base, bases, &sum);
    if (layers) grid_axes_spread(arena, &maker.axes, layers, sum);
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
    if (maker.keep) grid_keep_check(maker.keep, grid_typed_varies(typed));
    grid_typed_check(typed);
    if (!grid->rows)
        die_at(file->exclude->location,
               "exclude: removes all rows; expected at least one to remain");
    name_rows(&maker);
    arena_free(&maker.scratch);
    arena_free(&maker.sweeps);
}
