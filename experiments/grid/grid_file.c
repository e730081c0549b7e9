/* Merges the file of a grid with its base, and reads presets. */
#include <string.h>

#include "core/base/file.h"
#include "core/config/base_chain.h"
#include "core/config/scalar.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "core/model/layer_stack.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/sections.h"

/* Keys of a grid before and after its sections of options, in the order for messages. */
static const char *const keys_before[] = {"grid", "base", "title", "source", "tags", "note", NULL};
static const char *const keys_after[] = {"seeds", "rows",    "sweep",  "zip",     "where", "tune",
                                         "table", "learned", "claims", "figures", NULL};
bool grid_is_key(const char *word)
{
    return word_known(word, keys_before) || word_known(word, keys_after);
}

/* Keys whose values are not normalized, because names in them may contain dots. [GRID_APART] */
static const char *const *const apart = keys_after + 1;

static const char yaml[] = ".yaml";

/* ---- maps ---- */

struct tree *grid_normalize(struct arena *arena, const struct tree *map)
{
    if (map->kind != TREE_MAP) return tree_merge(arena, NULL, map);
    struct tree *named = tree_new(arena, TREE_MAP, map->location);
    for (int i = 0; i < map->count; i++) {
        struct tree *key = map->key[i], *value = map->item[i];
        const char *preset = arena_print(arena, "%s.preset", key->text);
        if (value->kind == TREE_SCALAR && !tree_is_nothing(value) && grid_is_preset(preset)) {
            key = tree_new_text(arena, value->location, preset);
            key->quoted = false;
        }
        tree_add(arena, named, key, value);
    }
    return tree_merge(arena, NULL, named);
}

struct tree *grid_options_of(struct arena *arena, const struct tree *map)
{
    struct tree *options = tree_new(arena, TREE_MAP, map->location);
    const char *const *section = sections_of(arena, SECTION_POINT | SECTION_GRID, NULL, NULL);
    for (int i = 0; i < map->count; i++)
        if (word_known(map->key[i]->text, section))
            tree_add(arena, options, map->key[i], map->item[i]);
    return options;
}

/* ---- base: the file that this file extends ---- */

/* Returns the chain with one more file: the base of its last file. */
static struct base_chain base_of(struct arena *arena, const struct base_chain *chain,
                                 const struct tree *base, bool is_grid)
{
    const char *name = scalar_text(base, "base");
    if (*name == '/')
        die_at(base->location, "base: \"%s\": expected a path relative to this file", name);
    const char *path = is_grid ? grid_base(arena, chain->path, "base", name, base->location)
                               : shipped_beside(arena, chain->path, name);
    return base_chain_on(chain, path, base->location);
}

/* True if a map has a `~`, at any depth, for a key of the map below it. Another `~` is a value, as
 * the default in {train.warmup: {default: ~, short: 10}}. */
static bool takes_away(const struct tree *under, const struct tree *map)
{
    bool takes = false;
    for (int i = 0; map->kind == TREE_MAP && i < map->count; i++) {
        const struct tree *old = tree_get(under, map->key[i]->text);
        takes |= old && (tree_is_nothing(map->item[i]) || takes_away(old, map->item[i]));
    }
    return takes;
}

/* Merges a key that is kept apart. The table (is_table) and a map with a `~` for an inherited key
 * are replaced key by key. All other values are replaced whole. `~` removes a key, but the table's
 * `baseline: ~` means no baseline. */
static const struct tree *lay_apart(struct arena *arena, const struct tree *under,
                                    const struct tree *over, bool is_table)
{
    if (!over) return under;
    if (tree_is_nothing(over)) return NULL;
    if (!under || under->kind != TREE_MAP || over->kind != TREE_MAP) return over;
    if (!is_table && !takes_away(under, over)) return over;
    struct tree *laid = tree_new(arena, TREE_MAP, over->location);
    for (int i = 0; i < under->count; i++)
        if (!tree_get(over, under->key[i]->text))
            tree_add(arena, laid, under->key[i], under->item[i]);
    for (int i = 0; i < over->count; i++) {
        const char *key = over->key[i]->text;
        const struct tree *old = tree_get(under, key), *item = over->item[i];
        const bool stays = is_table && !strcmp(key, "baseline");
        if (old && !stays) item = lay_apart(arena, old, item, false);
        if (item) tree_add(arena, laid, over->key[i], (struct tree *)item);
    }
    return laid->count ? laid : NULL;
}

/* Dies if a key of `apart` was written with a dot, as in `table.bold`. Keys without a dot were
 * removed from the head before, so a key that remains had a dot. */
static void refuse_dotted(const struct tree *head)
{
    for (int i = 0; i < GRID_APART; i++) {
        const struct tree *inner = tree_get(head, apart[i]);
        if (!inner || inner->kind != TREE_MAP || !inner->count) continue;
        die_at(inner->key[0]->location,
               "%s.%s: a dotted key cannot begin with \"%s\"; expected %s: {%s: ..}", apart[i],
               inner->key[0]->text, apart[i], apart[i], inner->key[0]->text);
    }
}

/* Returns the head without keys whose `~` removes a key of the base. Exception: sections of options
 * keep the `~`, because it must also remove options of presets, which are merged later. */
static const struct tree *take_away(struct arena *arena, const struct tree *head)
{
    const char *const *options = sections_of(arena, SECTION_POINT, NULL, NULL);
    struct tree *rest = tree_new(arena, TREE_MAP, head->location);
    for (int i = 0; i < head->count; i++)
        if (!head->item[i]->takes || word_known(head->key[i]->text, options))
            tree_add(arena, rest, head->key[i], head->item[i]);
    return rest;
}

/* Reads the last file of a chain and its bases. raw: content of the last file */
static struct grid_file read_chain(struct arena *arena, const struct base_chain *chain,
                                   const struct tree *raw)
{
    const struct tree *rest = raw;
    for (int i = 0; i < GRID_APART; i++) rest = tree_without(arena, rest, apart[i]);
    struct tree *head = grid_normalize(arena, rest);
    tree_only_keys(head, "a grid",
                   sections_of(arena, SECTION_POINT | SECTION_GRID, keys_before, keys_after));
    refuse_dotted(head);
    struct grid_file file = {.head = head};
    const struct tree *base = tree_get(head, "base");
    if (base) {
        const struct base_chain below = base_of(arena, chain, base, true);
        file = read_chain(arena, &below, tree_read(arena, below.path));
        file.head = tree_merge(arena, tree_without(arena, file.head, "grid"),
                               tree_without(arena, head, "base"));
        file.head = take_away(arena, file.head);
    }
    for (int i = 0; i < GRID_APART; i++) {
        const struct tree *own = tree_get(raw, apart[i]), *under = file.apart[i];
        file.apart[i] = base ? lay_apart(arena, under, own, !strcmp(apart[i], "table")) : own;
    }
    return file;
}

struct grid_file grid_file_read(struct arena *arena, const struct tree *document)
{
    return read_chain(arena, &(struct base_chain){NULL, document->location.file}, document);
}

/* ---- presets ---- */

struct grid_preset_read {
    struct grid_preset_read *next;
    const char *path;
    const struct tree *fragment;
};

/* Returns the options in the file of a preset, merged over its base. */
static const struct tree *fragment_read(struct arena *arena, const struct base_chain *chain,
                                        enum section_use use)
{
    const struct tree *fragment = tree_merge(arena, NULL, tree_read(arena, chain->path));
    const struct tree *base = tree_get(fragment, "base");
    static const char *const before[] = {"base", NULL};
    tree_only_keys(fragment, "a preset", sections_of(arena, use, before, NULL));
    if (!base) return fragment;
    const struct base_chain below = base_of(arena, chain, base, false);
    return tree_merge(arena, fragment_read(arena, &below, use),
                      tree_without(arena, fragment, "base"));
}

/* Returns the options of the preset with this name. */
static const struct tree *preset_read(struct grid_presets *presets, const struct sections_row *row,
                                      const struct tree *name)
{
    struct arena *arena = presets->arena;
    const char *section = row->name, *text = scalar_text(name, section);
    const char *from = name->location.line ? name->location.file : presets->grid;
    const struct shipped kind = {row->presets, yaml, "there is no preset", NULL};
    const char *path = shipped_file(arena, &kind, text, from, name->location, section);
    for (struct grid_preset_read *read = presets->read; read; read = read->next)
        if (!strcmp(read->path, path)) return read->fragment;
    const struct tree *fragment =
        fragment_read(arena, &(struct base_chain){NULL, path}, row->preset);
    struct grid_preset_read *read = ARENA_NEW(arena, struct grid_preset_read);
    *read = (struct grid_preset_read){presets->read, path, fragment};
    presets->read = read;
    return read->fragment;
}

const struct tree *grid_preset(struct arena *arena, const char *section, const struct tree *name)
{
    struct grid_presets presets = {.arena = arena, .grid = ""};
    for (const struct sections_row *row = sections_all; row->name; row++)
        if (row->presets && !strcmp(row->name, section)) return preset_read(&presets, row, name);
    CHECK(false, "the section %s has no presets", section);
    return NULL;
}

const struct tree *grid_preset_below(struct arena *arena, const struct tree *preset,
                                     const struct tree *over)
{
    /* A stack implies the number of layers, which may differ from encoder.layers of the preset. */
    const struct tree *stack = tree_find(over, "encoder.stack");
    const bool stacked = stack && !tree_is_nothing(stack) && !tree_find(over, "encoder.layers");
    return stacked && preset ? tree_without(arena, preset, "encoder.layers") : preset;
}

/* If encoder.layers is not set, sets it to the number of layers in encoder.stack. So filters,
 * columns and lists have it. The text lives in `arena`, because scratch memory is freed earlier. */
static void say_layers(struct arena *arena, struct tree *options)
{
    const struct tree *stack = tree_find(options, "encoder.stack");
    const int layers = tree_find(options, "encoder.layers") ? 0 : layers_written(stack);
    if (layers && layers <= LAYERS_MOST)
        tree_put(arena, options, "encoder.layers",
                 tree_new_text(arena, stack->location, arena_print(arena, "%d", layers)));
}

const struct tree *grid_lay_presets(struct grid_presets *presets, struct arena *arena,
                                    const struct tree *options)
{
    const struct tree *under = NULL;
    for (const struct sections_row *row = sections_all; row->name; row++) {
        if (!row->presets) continue;
        const char *section = row->name;
        const struct tree *own = tree_get(options, section);
        if (own && own->takes) continue;
        const struct tree *name = tree_get(own, "preset");
        if (name && name->takes) name = NULL;
        if (own && (own->kind != TREE_MAP || (!row->section && own->count != !!name)))
            die_at(own->location, "%s: expected %sthe name of a preset", section,
                   row->section ? "a map of options or " : "");
        if (!name) continue;
        const struct tree *fragment = preset_read(presets, row, name);
        under = under ? tree_merge(arena, under, fragment) : fragment;
    }
    struct tree *laid = tree_merge(arena, grid_preset_below(arena, under, options), options);
    tree_take_away(laid);
    say_layers(presets->arena, laid);
    return laid;
}

const struct tree *grid_drop_presets(struct arena *arena, const struct tree *options)
{
    for (const struct sections_row *row = sections_all; row->name; row++) {
        if (!row->presets) continue;
        const char *path = arena_print(arena, "%s.preset", row->name);
        struct tree *name = tree_find(options, path);
        if (name) options = tree_without(arena, options, row->section ? path : row->name);
        if (!name || row->section) continue;
        options = tree_with(arena, options, row->name, name);
    }
    return options;
}

bool grid_is_preset(const char *path)
{
    for (const struct sections_row *row = sections_all; row->name; row++) {
        if (row->presets && word_within(path, row->name) &&
            !strcmp(path + strlen(row->name), ".preset"))
            return true;
    }
    return false;
}
