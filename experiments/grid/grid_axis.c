/* Axes of a grid: what sweep, zip and the command line vary. */
#include <string.h>

#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* The values of one key: a list, a range, or a map from names to values. */
struct values {
    const struct tree *key;
    int count;
    struct tree **item, **label; /* label: NULL when a value is its own name */
};

static struct values values_read(struct arena *arena, const char *what, const struct tree *key,
                                 const struct tree *value)
{
    const struct tree *range = NULL;
    if (value->kind == TREE_SCALAR) {
        /* Braces end a plain text at its comma: there a range wants quotes. */
        if (!value->quoted && !strncmp(value->text, "range(", 6) && !strchr(value->text, ')'))
            die_at(value->place, "%s: %s: inside of braces a range needs quotes: \"range(1,7)\"",
                   what, key->text);
        range = grid_range(arena, value->place, value->text);
    }
    if (range) value = range;
    if (value->kind == TREE_SCALAR || !value->count)
        die_at(value->place,
               "%s: %s: expected values: a list such as [2, 4], range(1,7), or a map of names "
               "and values",
               what, key->text);
    for (int i = 0; i < value->count && !strchr(key->text, '.'); i++)
        if (value->item[i]->kind == TREE_LIST)
            die_at(value->item[i]->place,
                   "%s: expected the whole key, as in encoder.layers: [2, 4]", what);
    return (struct values){key, value->count, value->item, value->key};
}

static struct grid_axis axis_new(struct arena *arena, struct place place, int keys, int count)
{
    const int cells = keys * count;
    return (struct grid_axis){.place = place,
                              .keys = keys,
                              .count = count,
                              .key = ARENA_ARRAY(arena, const char *, keys),
                              .short_key = ARENA_ARRAY(arena, const char *, keys),
                              .label = ARENA_ARRAY(arena, const char *, cells),
                              .value = ARENA_ARRAY(arena, const struct tree *, cells)};
}

static void axis_fill(struct arena *arena, struct grid_axis *axis, int key, const char *what,
                      const struct values *values)
{
    axis->key[key] = values->key->text;
    for (int i = 0; i < values->count; i++) {
        int at = key * axis->count + i;
        const struct tree *value = values->item[i];
        struct tree *map = tree_new(arena, TREE_MAP, values->key->place);
        struct tree *path = (struct tree *)values->key;
        tree_add(arena, map, path, tree_copy(arena, value));
        axis->value[at] = grid_normalize(arena, map);
        tree_only_keys(axis->value[at], what, sections_of(arena, SECTION_POINT, NULL, NULL));
        axis->label[at] = values->label ? values->label[i]->text : tree_text(arena, value);
    }
}

/* One map of a zip: its keys change together. */
static struct grid_axis zip_read(struct arena *arena, const struct tree *zip)
{
    if (zip->kind != TREE_MAP || !zip->count)
        die_at(zip->place, "zip: expected a map such as {encoder.layers: [2, 4], decoder.layers: "
                           "[1, 2]}");
    struct values first = values_read(arena, "zip", zip->key[0], zip->item[0]);
    struct grid_axis axis = axis_new(arena, zip->place, zip->count, first.count);
    for (int i = 0; i < zip->count; i++) {
        struct values values = values_read(arena, "zip", zip->key[i], zip->item[i]);
        if (values.count != first.count)
            die_at(zip->item[i]->place,
                   "zip: %s has %d values, %s has %d; expected as many, they are paired",
                   zip->key[i]->text, values.count, axis.key[0], first.count);
        axis_fill(arena, &axis, i, "zip", &values);
    }
    return axis;
}

static struct grid_axis sweep_axis(struct arena *arena, const struct tree *key,
                                   const struct tree *value)
{
    struct values values = values_read(arena, "sweep", key, value);
    struct grid_axis axis = axis_new(arena, value->place, 1, values.count);
    axis_fill(arena, &axis, 0, "sweep", &values);
    return axis;
}

static struct grid_axis typed_axis(struct arena *arena, const struct grid_typed_word *word)
{
    const struct tree *key = tree_new_text(arena, word->place, word->path);
    struct values values = {
        .key = key, .count = word->values, .item = (struct tree **)word->several};
    struct tree *alone = (struct tree *)word->value;
    if (!word->several) values.count = 1, values.item = &alone;
    struct grid_axis axis = axis_new(arena, word->place, 1, values.count);
    axis_fill(arena, &axis, 0, "the command line", &values);
    return axis;
}

/* ---- all of them ---- */

static void axes_add(struct grid_axes *axes, struct grid_axis axis)
{
    if (axis.count > GRID_ROWS / axes->product)
        die_at(axis.place, "more than %d rows: %d, and %d for each", GRID_ROWS, axes->product,
               axis.count);
    axes->product *= axis.count;
    axes->axis[axes->count++] = axis;
}

/* What the command line says of a key that the file sweeps; true: the file's axis goes. */
static bool take_typed(struct arena *arena, struct grid_axes *axes, const struct grid_typed *typed,
                       const char *key)
{
    struct grid_typed_word *word = grid_typed_find(typed, key);
    if (!word) return false;
    word->used = true;
    if (word->value) axes_add(axes, typed_axis(arena, word));
    return true;
}

static void refuse_zipped(const struct grid_typed *typed, const struct grid_axis *axis)
{
    for (int i = 0; axis->keys > 1 && i < axis->keys; i++) {
        const struct grid_typed_word *word = grid_typed_find(typed, axis->key[i]);
        if (word)
            die_at(word->place, "%s is paired with %s by the grid's zip; expected another key",
                   word->path, axis->key[i ? 0 : 1]);
    }
}

/* Whether a key's values are names alone: "model: [tiny, small]". A preset lies beneath options
 * that are varied beside it. */
static bool names_presets(const struct grid_axis *axis, int key)
{
    for (int i = 0; i < axis->count; i++) {
        const struct tree *section = tree_get(axis->value[key * axis->count + i], axis->key[key]);
        if (!section || section->count != 1 || !tree_get(section, "preset")) return false;
    }
    return true;
}

/* Two keys that are one another's beginning would overwrite each other's values. */
static void refuse_overlap(const struct grid_axis *axis, const char *key,
                           const struct grid_axis *others, int index)
{
    const char *other = others->key[index];
    size_t length = strlen(other);
    if (strncmp(key, other, length) != 0 || (key[length] && key[length] != '.')) return;
    if (key[length] && strcmp(key + length, ".preset") != 0 && names_presets(others, index)) return;
    if (key[length])
        die_at(axis->place, "%s and %s are both varied, and one is a part of the other", other,
               key);
    die_at(axis->place, "%s is varied twice; expected it once, in sweep or in zip", key);
}

/* How many words of a key, from its end, are alike in another one; all keys differ. */
static const char *shorten(const struct grid_axes *axes, const char *key)
{
    const char *from = key + strlen(key);
    for (bool unique = false; !unique && from > key;) {
        for (from--; from > key && from[-1] != '.';) from--;
        unique = true;
        for (int a = 0; a < axes->count; a++)
            for (int k = 0; k < axes->axis[a].keys; k++) {
                const char *other = axes->axis[a].key[k];
                size_t length = strlen(other), tail = strlen(from);
                bool ends = length >= tail && !strcmp(other + length - tail, from) &&
                            (length == tail || other[length - tail - 1] == '.');
                unique &= !ends || !strcmp(other, key);
            }
    }
    return from;
}

static void check_and_shorten(struct grid_axes *axes)
{
    for (int a = 0; a < axes->count; a++)
        for (int k = 0; k < axes->axis[a].keys; k++) {
            const char *key = axes->axis[a].key[k];
            for (int b = 0; b < axes->count; b++)
                for (int j = 0; j < axes->axis[b].keys; j++)
                    if (a != b || j != k) refuse_overlap(&axes->axis[a], key, &axes->axis[b], j);
            axes->axis[a].short_key[k] = shorten(axes, key);
        }
}

struct grid_axes grid_axes_read(struct arena *arena, const struct tree *sweep,
                                const struct tree *zip, const struct grid_typed *typed)
{
    if (sweep && (sweep->kind != TREE_MAP || !sweep->count))
        die_at(sweep->place, "sweep: expected a map such as {encoder.layers: [2, 4, 6]}");
    int zips = !zip ? 0 : zip->kind == TREE_LIST ? zip->count : 1;
    int room = (sweep ? sweep->count : 0) + zips + typed->count;
    struct grid_axes axes = {.axis = ARENA_ARRAY(arena, struct grid_axis, room), .product = 1};
    for (int i = 0; sweep && i < sweep->count; i++)
        if (!take_typed(arena, &axes, typed, sweep->key[i]->text))
            axes_add(&axes, sweep_axis(arena, sweep->key[i], sweep->item[i]));
    for (int i = 0; i < zips; i++) {
        struct grid_axis axis = zip_read(arena, zip->kind == TREE_LIST ? zip->item[i] : zip);
        refuse_zipped(typed, &axis);
        if (axis.keys > 1 || !take_typed(arena, &axes, typed, axis.key[0])) axes_add(&axes, axis);
    }
    for (int i = 0; i < typed->count; i++) {
        struct grid_typed_word *word = &typed->word[i];
        if (word->used || !word->several) continue;
        word->used = true;
        axes_add(&axes, typed_axis(arena, word));
    }
    check_and_shorten(&axes);
    return axes;
}
