/* Collects the options of rows in two passes: the first collects the keys, the second the values.
 * Options that a row does not set then get their defaults. */
#include "results/table/row_options.h"

#include <string.h>

#include "core/base/hash_table.h"
#include "core/base/number.h"

struct options_reader {
    struct sampler *sampler;
    struct arena *arena;
    struct hash_table *index; /* from the key to its index */
    struct row_options options;
    int row; /* the row whose values are collected; -1: only keys are collected */
};

static void put_option(struct options_reader *reader, const char *key, const char *text)
{
    struct row_options *options = &reader->options;
    const int at = (int)*hash_table_at(reader->index, key, strlen(key), options->count);
    if (at == options->count) {
        ARENA_ADD(reader->arena, options->key, options->count, key);
    }
    if (reader->row < 0) return;
    options->value[reader->row][at] = text;
    options->given[reader->row][at] = true;
}

/* Collects every option below a map under its dotted name. A list is one value. */
static void flatten(struct options_reader *reader, const struct tree *tree, const char *prefix)
{
    for (int i = 0; i < tree->count; i++) {
        const char *own = tree->key[i]->text;
        const char *key = *prefix ? arena_print(reader->arena, "%s.%s", prefix, own) : own;
        if (tree->item[i]->kind == TREE_MAP)
            flatten(reader, tree->item[i], key);
        else
            put_option(reader, key, tree_text(reader->arena, tree->item[i]));
    }
}

/* Collects the options of the stages of a row's first seed, from the database. */
static void ask_options(struct options_reader *reader, const struct grid_row *row)
{
    struct value_cache *cache = reader->sampler->cache;
    for (int k = 0, count; row->count && k < row->seed[0].count; k++) {
        const int64_t number = value_cache_stage(cache, row->seed[0].stage[k].id).number;
        if (number < 0) continue;
        const struct value_cache_line *option =
            value_cache_texts(cache, number, VALUE_CACHE_OWN_OPTIONS, "", &count);
        for (int i = 0; i < count; i++) put_option(reader, option[i].key, option[i].text);
    }
}

static void read_row(struct options_reader *reader, const struct grid_row *row,
                     const struct tree *options)
{
    if (options)
        flatten(reader, options, "");
    else
        ask_options(reader, row);
}

/* True if an option applies to a row. Rows with vectors of another program have no model, so only
 * options of probes apply to them. */
static bool concerns(const struct grid_row *row, const char *key)
{
    const char *of_probes = "evaluate.probe.";
    return row->count &&
           (!tree_get(row->entry, "vectors") || !strncmp(key, of_probes, strlen(of_probes)));
}

static bool same_value(const char *a, const char *b)
{
    if (!a || !b) return a == b;
    return !strcmp(a, b) ||
           (number_valid(a) && number_valid(b) && number_read(a) == number_read(b));
}

/* Fills in the defaults of an option. Returns true if rows have different values. */
static bool settle(struct options_reader *reader, int k)
{
    const struct grid *grid = reader->sampler->grid;
    const char *first = NULL;
    bool differs = false, met = false;
    for (int r = 0; r < grid->rows; r++) {
        const char **value = &reader->options.value[r][k], *key = reader->options.key[k];
        if (!concerns(&grid->row[r], key)) continue;
        const struct tree *usual =
            *value ? NULL : layout_default(grid, &grid->row[r], key, reader->arena);
        if (usual) *value = tree_text(reader->arena, usual);
        differs |= met && !same_value(first, *value);
        first = *value;
        met = true;
    }
    return differs;
}

struct row_options row_options(struct sampler *sampler)
{
    const struct grid *grid = sampler->grid;
    struct arena *arena = sampler->arena;
    struct options_reader reader = {sampler, arena, .index = hash_table_new(arena, 0), .row = -1};
    struct row_options *options = &reader.options;
    for (int r = 0; r < grid->rows; r++) {
        /* Rows may also differ in a default that depends on other options. */
        const struct tree *beside = layout_beside(grid, &grid->row[r], arena),
                          *own = grid->row[r].options;
        read_row(&reader, &grid->row[r], beside ? tree_merge(arena, beside, own) : own);
    }
    ARENA_MORE(arena, options->key, options->count); /* for the NULL at the end */
    options->differs = ARENA_ARRAY(arena, bool, options->count);
    options->value = ARENA_ARRAY(arena, const char **, grid->rows);
    options->given = ARENA_ARRAY(arena, bool *, grid->rows);
    for (reader.row = 0; reader.row < grid->rows; reader.row++) {
        options->value[reader.row] = ARENA_ARRAY(arena, const char *, options->count);
        options->given[reader.row] = ARENA_ARRAY(arena, bool, options->count);
        read_row(&reader, &grid->row[reader.row], grid->row[reader.row].options);
    }
    for (int k = 0; k < options->count; k++) options->differs[k] = settle(&reader, k);
    return *options;
}
