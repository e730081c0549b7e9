/* Reads the axes of a grid from sweep, zip and the command line. If the command line varies a key
 * of the file, its values replace the values of the file, and the axis keeps its position. So the
 * order of the rows does not change. */
#include <string.h>

#include "core/config/word.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* True if a word is the name of a section: "model", "evaluate". */
static bool is_section(struct arena *arena, const char *word)
{
    return word_known(word, sections_of(arena, SECTION_POINT, NULL, NULL));
}

/* Words that are no names of axes, because they have another meaning in a filter of `ls`, in
 * `where` or in an export. */
static const char *const taken[] = {"and",  "or",       "not",    "seed",   "row",
                                    "id",   "kind",     "status", "folder", "message",
                                    "step", "attempts", "tag",    NULL};

/* True if a key is the name of a named axis, false if it is an option. Dies if the key is
 * neither. */
static bool is_name(struct arena *arena, const char *what, const struct tree *key)
{
    const char *word = key->text;
    if (strchr(word, '.') || is_section(arena, word)) return false;
    if (!grid_name_valid(word))
        die_at(key->location, "%s: \"%s\": expected an option, or letters, digits and _ for a name",
               what, word);
    const char *meaning = grid_is_key(word)         ? "key of grids"
                          : !strcmp(word, "name")   ? "key of rows"
                          : word_known(word, taken) ? "word of filters"
                                                    : NULL;
    if (meaning)
        die_at(key->location, "%s: %s is a %s; expected another name for the axis", what, word,
               meaning);
    return true;
}

/* Returns the values of a key: a list, or a map from labels to values. */
static const struct tree *values_read(struct arena *arena, const char *what, const struct tree *key,
                                      const struct tree *value)
{
    const struct tree *range =
        value->kind == TREE_SCALAR ? grid_range(arena, value->location, value->text) : NULL;
    if (range) value = range;
    if (value->kind == TREE_SCALAR || !value->count)
        die_at(
            value->location,
            "%s: %s: expected values: a list such as [2, 4], \"range(1,7)\" in quotes, or a map of "
            "names and values",
            what, key->text);
    return value;
}

/* Adds an axis without keys. */
static void axis_add(struct grid_axes *axes, struct location location, int count)
{
    if (count > GRID_ROWS)
        die_at(location, "an axis of %d values; expected at most %d", count, GRID_ROWS);
    axes->axis[axes->count++] = (struct grid_axis){.location = location, .count = count};
}

/* Adds a key to the last axis. */
static void key_add(struct arena *arena, struct grid_axes *axes, const char *what,
                    const struct tree *name, const struct tree *values)
{
    struct grid_key key = {.location = name->location,
                           .axis = axes->count - 1,
                           .named = is_name(arena, what, name),
                           .key = name->text,
                           .label = ARENA_ARRAY(arena, const char *, values->count),
                           .value = ARENA_ARRAY(arena, const struct tree *, values->count)};
    for (int i = 0; i < values->count; i++) {
        const struct tree *value = key.value[i] = values->item[i];
        struct tree *map = tree_new(arena, TREE_MAP, key.location);
        tree_add(arena, map, (struct tree *)name, tree_copy(arena, value));
        if (!key.named) key.value[i] = grid_normalize(arena, map);
        key.label[i] = values->key ? values->key[i]->text : tree_text(arena, value);
    }
    ARENA_ADD(arena, axes->key, axes->keys, key);
}

/* Returns the index of a labeled value of the file: the value with the label `word`. If there is
 * none, returns the index of the value equal to `word`, or -1. */
static int find_labeled(struct arena *arena, const struct tree *file, const struct tree *word)
{
    const char *text = tree_text(arena, word);
    if (!file || file->kind != TREE_MAP) return -1;
    for (int i = 0; i < file->count; i++)
        if (!strcmp(file->key[i]->text, text)) return i;
    for (int i = 0; i < file->count; i++)
        if (!strcmp(tree_text(arena, file->item[i]), text)) return i;
    return -1;
}

/* Adds the axis for an argument of the command line. `file`: values of this key in the file, or
 * NULL. The argument has values, or labels of values in the file. For "~KEY", adds no axis. */
static void typed_add(struct arena *arena, struct grid_axes *axes, struct grid_typed_word *word,
                      const struct tree *file)
{
    const struct tree *key = tree_new_text(arena, word->location, word->path), *value = word->value;
    struct tree *values = tree_new(arena, TREE_MAP, word->location);
    word->used = true;
    if (!value && file && is_name(arena, "the command line", key))
        die_at(word->location, "%s is an axis of the grid and has no default; expected %s=VALUE",
               word->path, word->path);
    if (!value) return;
    for (int i = 0; i < (word->several ? value->count : 1); i++) {
        const struct tree *typed = word->several ? value->item[i] : value;
        const int known = find_labeled(arena, file, typed);
        struct tree *label = tree_new_text(arena, word->location, tree_text(arena, typed));
        tree_add(arena, values, known < 0 ? label : file->key[known],
                 known < 0 ? (struct tree *)typed : file->item[known]);
    }
    axis_add(axes, word->location, values->count);
    key_add(arena, axes, "the command line", key, values);
}

/* Returns the key of an axis in the file, for an option as its whole path. Dies if the key has a
 * dot and its first word is no section. */
static const struct tree *whole_key(struct arena *arena, const char *what, const struct tree *key)
{
    const char *first = arena_text_range(arena, key->text, strcspn(key->text, "."));
    const char *const *known = sections_of(arena, SECTION_POINT | SECTION_SHORT, NULL, NULL);
    if (strchr(key->text, '.') && !word_known(first, known))
        word_refuse(key->location, what, "unknown key", first, known);
    return tree_new_text(arena, key->location, sections_path(arena, key->text));
}

/* If the command line has an argument for a key that the file varies, adds the axis of the argument
 * instead and returns true. "~KEY" adds no axis. */
static bool is_typed(struct arena *arena, struct grid_axes *axes, const struct grid_typed *typed,
                     const char *key, const struct tree *file)
{
    struct grid_typed_word *word = grid_typed_find(typed, key);
    if (word) typed_add(arena, axes, word, file);
    return word;
}

/* Adds a map of zip as one axis with several keys. */
static void zip_add(struct arena *arena, struct grid_axes *axes, const struct grid_typed *typed,
                    const struct tree *zip)
{
    if (zip->kind != TREE_MAP || !zip->count)
        die_at(zip->location,
               "zip: expected a map such as {encoder.layers: [2, 4], decoder.layers: "
               "[1, 2]}");
    const char *alone = sections_path(arena, zip->key[0]->text);
    if (zip->count == 1 && is_typed(arena, axes, typed, alone, zip->item[0])) return;
    for (int i = 0, first = 0; i < zip->count; i++) {
        const struct tree *whole = whole_key(arena, "zip", zip->key[i]);
        const char *key = whole->text;
        const struct grid_typed_word *word = grid_typed_find(typed, key);
        const struct tree *values = values_read(arena, "zip", whole, zip->item[i]);
        if (!i) axis_add(axes, zip->location, first = values->count);
        if (values->count != first)
            die_at(
                zip->item[i]->location,
                "zip: %s has %d values, %s has %d; expected equally many, because zip pairs them",
                key, values->count, zip->key[0]->text, first);
        if (word)
            die_at(word->location, "%s is paired with %s by the grid's zip; expected another key",
                   key, zip->key[i ? 0 : 1]->text);
        key_add(arena, axes, "zip", whole, values);
    }
}

/* ---- overlapping keys ---- */

/* True if all values of a key are names of presets: "model: [tiny, small]". Another axis may then
 * vary an option of the preset, because options override presets. */
static bool names_presets(const struct grid_axes *axes, const struct grid_key *key)
{
    for (int i = 0; i < axes->axis[key->axis].count; i++) {
        const struct tree *section = tree_get(key->value[i], key->key);
        if (!section || section->count != 1 || !tree_get(section, "preset")) return false;
    }
    return true;
}

/* Dies if `key` equals `other` or is a path below it, because their values would overwrite each
 * other. Exception: `other` has names of presets. */
static void refuse_overlap(const struct grid_axes *axes, const struct grid_key *key,
                           const struct grid_key *other)
{
    const struct location location = axes->axis[key->axis].location;
    if (!word_within(key->key, other->key)) return;
    const char *rest = key->key + strlen(other->key);
    if (!*rest)
        die_at(location, "%s is varied twice; expected it once, in sweep or in zip", key->key);
    if (strcmp(rest, ".preset") != 0 && names_presets(axes, other)) return;
    die_at(location, "%s and %s are both varied, but one contains the other; expected one of them",
           other->key, key->key);
}

/* Dies if an argument of the command line sets a part of the key's values, or the key as a part of
 * its map. */
static void refuse_typed(const struct grid_axes *axes, const struct grid_key *key,
                         const struct grid_typed *typed)
{
    for (int i = 0; i < typed->count; i++) {
        const struct grid_typed_word *word = &typed->word[i];
        if (word->used || !word->value || key->named) continue;
        bool both = word_within(key->key, word->path) &&
                    tree_find(word->value, key->key + strlen(word->path) + 1);
        for (int k = 0; k < axes->axis[key->axis].count; k++)
            both |= word_within(word->path, key->key) && tree_find(key->value[k], word->path);
        if (both)
            die_at(word->location, "%s: the grid varies a part of it, %s; expected one of the two",
                   word->path, key->key);
    }
}

/* Returns the shortest suffix of a key, in whole words, that no other key ends with. All keys
 * differ. */
static const char *shorten(const struct grid_axes *axes, const char *key)
{
    const char *from = key + strlen(key);
    for (bool unique = false; !unique && from > key;) {
        for (from--; from > key && from[-1] != '.';) from--;
        unique = true;
        for (int k = 0; k < axes->keys; k++)
            unique &= !word_ends(axes->key[k].key, from) || !strcmp(axes->key[k].key, key);
    }
    return from;
}

/* True if values i and j of an axis have the same labels for all keys. */
static bool are_same(const struct grid_axes *axes, int axis, int i, int j)
{
    bool same = true;
    for (int k = 0; k < axes->keys; k++)
        same &= axes->key[k].axis != axis || !strcmp(axes->key[k].label[i], axes->key[k].label[j]);
    return same;
}

static void refuse_same(const struct grid_axes *axes, const struct grid_key *key)
{
    const struct grid_axis *axis = &axes->axis[key->axis];
    for (int i = 1; i < axis->count; i++)
        for (int j = 0; j < i; j++)
            if (are_same(axes, key->axis, i, j))
                die_at(axis->location,
                       "%s: value %d, %s, is also value %d; expected different values", key->key,
                       i + 1, key->label[i], j + 1);
}

struct grid_axes grid_axes_read(struct arena *arena, const struct tree *sweep,
                                const struct tree *zip, const struct grid_typed *typed)
{
    if (sweep && (sweep->kind != TREE_MAP || !sweep->count))
        die_at(sweep->location, "sweep: expected a map such as {encoder.layers: [2, 4, 6]}");
    const bool several = zip && zip->kind == TREE_LIST;
    const int zips = several ? zip->count : zip ? 1 : 0;
    const int most = (sweep ? sweep->count : 0) + zips + typed->count;
    struct grid_axes axes = {.axis = ARENA_ARRAY(arena, struct grid_axis, most)};
    for (int i = 0; sweep && i < sweep->count; i++) {
        const struct tree *key = whole_key(arena, "sweep", sweep->key[i]), *value = sweep->item[i];
        if (is_typed(arena, &axes, typed, key->text, value)) continue;
        const struct tree *values = values_read(arena, "sweep", key, value);
        axis_add(&axes, value->location, values->count);
        key_add(arena, &axes, "sweep", key, values);
    }
    for (int i = 0; i < zips; i++) zip_add(arena, &axes, typed, several ? zip->item[i] : zip);
    for (int i = 0; i < typed->count; i++)
        if (!typed->word[i].used && typed->word[i].several)
            typed_add(arena, &axes, &typed->word[i], NULL);
    for (int k = 0; k < axes.keys; k++) {
        for (int other = 0; other < axes.keys; other++)
            if (other != k) refuse_overlap(&axes, &axes.key[k], &axes.key[other]);
        axes.key[k].short_key = shorten(&axes, axes.key[k].key);
        refuse_same(&axes, &axes.key[k]);
        refuse_typed(&axes, &axes.key[k], typed);
    }
    grid_names_check(arena, &axes);
    return axes;
}

struct texts grid_axis_names(struct arena *arena, const struct grid_file *file)
{
    struct texts names = {0};
    const bool several = file->zip && file->zip->kind == TREE_LIST;
    for (int i = -1; i < (several ? file->zip->count : 1); i++) {
        const struct tree *map = i < 0 ? file->sweep : several ? file->zip->item[i] : file->zip;
        for (int k = 0; map && map->kind == TREE_MAP && k < map->count; k++) {
            const struct tree *key = map->key[k];
            if (!grid_name_valid(key->text) || is_section(arena, key->text)) continue;
            texts_add(&names, key->text, key->location, arena);
        }
    }
    texts_add(&names, NULL, (struct location){0}, arena);
    return names;
}
