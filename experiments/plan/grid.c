#include "experiments/plan/grid.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"

static const char *const sections[] = {"corpus", "model",    "encoder", "decoder",
                                       "train",  "evaluate", NULL};
static const char *const keys[] = {"grid",    "title",    "source", "corpus", "model",
                                   "encoder", "decoder",  "train",  "seeds",  "rows",
                                   "sweep",   "evaluate", "table",  "claims",
                                   "figures", NULL};
static const char *const fragment_keys[] = {"corpus", "model", "encoder", "decoder", "train", NULL};

/* Sections that may name a preset, and where presets lie. */
static const struct {
    const char *section, *folder;
} preset_kind[] = {{"corpus", "corpora"}, {"model", "models"}};

enum { SEEDS_MAX = 1000, ROWS_MAX = 10000, POINTS_MAX = 20000 };

static struct tree *map_new(struct arena *arena, struct place place)
{
    return tree_new(arena, TREE_MAP, place);
}

/* "model: small" means "model: {preset: small}". */
static void unfold_preset(struct arena *arena, struct tree *map, const char *section)
{
    const struct tree *value = tree_find(map, section);
    if (!value || value->kind != TREE_SCALAR) return;
    struct tree *inner = map_new(arena, value->place);
    tree_put(arena, inner, "preset", tree_copy(arena, value));
    tree_put(arena, map, section, inner);
}

/* A copy of the map with dotted keys unfolded and names of presets under their key. */
static struct tree *normalize(struct arena *arena, const struct tree *map)
{
    struct tree *copy = tree_merge(arena, NULL, map);
    unfold_preset(arena, copy, "corpus");
    unfold_preset(arena, copy, "model");
    return copy;
}

/* The map without one of its keys. */
static struct tree *without(struct arena *arena, const struct tree *map, const char *key)
{
    struct tree *rest = map_new(arena, map->place);
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->key[i]->text, key) != 0) tree_add(arena, rest, map->key[i], map->item[i]);
    return rest;
}

/* The options among a map's keys. */
static struct tree *options_of(struct arena *arena, const struct tree *map)
{
    struct tree *options = map_new(arena, map->place);
    for (int i = 0; sections[i]; i++) {
        struct tree *value = tree_get(map, sections[i]);
        if (value) tree_put(arena, options, sections[i], value);
    }
    return options;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the presets in a folder, sorted, NULL-terminated. */
static const char **preset_names(struct arena *arena, const char *folder)
{
    enum { LIMIT = 256 };
    const char **name = ARENA_ARRAY(arena, const char *, LIMIT + 1);
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && count < LIMIT && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && !strcmp(entry->d_name + length - 5, ".yaml"))
            name[count++] = arena_text_range(arena, entry->d_name, length - 5);
    }
    if (entries) closedir(entries);
    qsort(name, (size_t)count, sizeof *name, by_name);
    return name;
}

/* The fragment that a preset's name stands for. */
static struct tree *preset_read(struct arena *arena, const char *grid_path, const char *section,
                                const char *folder_name, const struct tree *name)
{
    const char *text = scalar_text(name, section), *path;
    char *folder = arena_print(arena, "%s/experiments/%s", file_program_folder(), folder_name);
    size_t length = strlen(text);
    if (length > 5 && !strcmp(text + length - 5, ".yaml")) {
        const char *slash = strrchr(grid_path, '/');
        path = text[0] == '/' || !slash
                   ? text
                   : arena_print(arena, "%.*s/%s", (int)(slash - grid_path), grid_path, text);
        if (!file_exists(path)) die_at(name->place, "%s: there is no file %s", section, path);
    } else {
        path = arena_print(arena, "%s/%s.yaml", folder, text);
        if (strchr(text, '/') || !file_exists(path))
            word_refuse(name->place, section, "there is no preset", text,
                        preset_names(arena, folder));
    }
    struct tree *fragment = tree_read(arena, path);
    tree_only_keys(fragment, "a preset", fragment_keys);
    return tree_merge(arena, NULL, fragment);
}

const struct tree *grid_preset(struct arena *arena, const char *section, const char *name)
{
    struct place place = {"command line", 0, 0};
    for (size_t i = 0; i < COUNT_OF(preset_kind); i++)
        if (!strcmp(preset_kind[i].section, section))
            return preset_read(arena, "", section, preset_kind[i].folder,
                               tree_new_text(arena, place, name));
    CHECK(false, "the section %s has no presets", section);
    return NULL;
}

/* Lays the presets that the options name beneath them. */
static const struct tree *lay_presets(struct arena *arena, const char *grid_path,
                                      const struct tree *options)
{
    struct tree *under = map_new(arena, options->place), *over = tree_merge(arena, NULL, options);
    for (size_t i = 0; i < COUNT_OF(preset_kind); i++) {
        const char *section = preset_kind[i].section;
        const struct tree *own = tree_get(options, section);
        if (own && own->kind != TREE_MAP)
            die_at(own->place, "%s: expected a map of options or the name of a preset", section);
        const struct tree *name = tree_get(own, "preset");
        if (!name) continue;
        const struct tree *fragment =
            preset_read(arena, grid_path, section, preset_kind[i].folder, name);
        under = tree_merge(arena, under, fragment);
        tree_put(arena, over, section, without(arena, own, "preset"));
    }
    return tree_merge(arena, under, over);
}

/* A row: its name, and options of its own. */
struct row {
    const char *name;
    const struct tree *options, *entry;
};

static struct row row_read(struct arena *arena, const struct tree *entry)
{
    static const char *const row_keys[] = {"name",    "corpus", "model",    "encoder",
                                           "decoder", "train",  "evaluate", NULL};
    if (entry->kind != TREE_MAP) die_at(entry->place, "rows: expected a map with name and options");
    struct tree *map = normalize(arena, entry);
    tree_only_keys(map, "a row", row_keys);
    const struct tree *name = tree_get(map, "name");
    if (!name) die_at(entry->place, "rows: this row has no name");
    return (struct row){scalar_text(name, "name"), without(arena, map, "name"), entry};
}

static struct row *rows_read(struct arena *arena, const struct tree *list, int *count)
{
    if (list->kind != TREE_LIST || !list->count)
        die_at(list->place, "rows: expected a list of named rows");
    if (list->count > ROWS_MAX) die_at(list->place, "rows: more than %d", ROWS_MAX);
    struct row *row = ARENA_ARRAY(arena, struct row, list->count);
    for (int i = 0; i < list->count; i++) {
        row[i] = row_read(arena, list->item[i]);
        for (int j = 0; j < i; j++)
            if (!strcmp(row[i].name, row[j].name))
                die_at(list->item[i]->place, "rows: \"%s\" is also the name of row %d", row[i].name,
                       j + 1);
    }
    *count = list->count;
    return row;
}

/* A value as it stands in a row's name. */
static char *value_text(struct arena *arena, const struct tree *value)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    tree_print(value, out);
    fclose(out);
    char *kept = arena_text(arena, text);
    free(text);
    return kept;
}

static const char *last_word(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* The cross product, the last axis running fastest. */
static struct row *sweep_read(struct arena *arena, const struct tree *sweep, int *count)
{
    if (sweep->kind != TREE_MAP || !sweep->count)
        die_at(sweep->place, "sweep: expected a map such as {encoder.layers: [2, 4, 6]}");
    int total = 1;
    for (int i = 0; i < sweep->count; i++) {
        const struct tree *axis = sweep->item[i];
        if (axis->kind != TREE_LIST || !axis->count)
            die_at(axis->place, "sweep: %s: expected a list of values", sweep->key[i]->text);
        if (axis->count > ROWS_MAX / total)
            die_at(sweep->place, "sweep: more than %d rows", ROWS_MAX);
        total *= axis->count;
    }
    struct row *row = ARENA_ARRAY(arena, struct row, total);
    for (int r = 0; r < total; r++) {
        struct tree *map = map_new(arena, sweep->place);
        char *name = arena_text(arena, "");
        for (int i = 0, stride = total; i < sweep->count; i++) {
            stride /= sweep->item[i]->count;
            struct tree *value = sweep->item[i]->item[r / stride % sweep->item[i]->count];
            const char *path = sweep->key[i]->text;
            tree_put(arena, map, path, value);
            name = arena_print(arena, "%s%s%s=%s", name, i ? ", " : "", last_word(path),
                               value_text(arena, value));
        }
        struct tree *entry = normalize(arena, map);
        tree_only_keys(entry, "sweep", sections);
        row[r] = (struct row){name, entry, NULL};
    }
    *count = total;
    return row;
}

static void add_seed(struct grid *grid, const struct tree *value, int seed)
{
    for (int i = 0; i < grid->seeds; i++)
        if (grid->seed[i] == (uint32_t)seed) die_at(value->place, "seeds: %d is named twice", seed);
    if (grid->seeds == SEEDS_MAX) die_at(value->place, "seeds: more than %d", SEEDS_MAX);
    grid->seed[grid->seeds++] = (uint32_t)seed;
}

/* A list, one number, or (command line) numbers with commas, with a plus to add them. */
static void seeds_read(struct arena *arena, struct grid *grid, const struct tree *value)
{
    if (value->kind == TREE_MAP) die_at(value->place, "seeds: expected a list of numbers");
    if (value->kind == TREE_LIST) {
        grid->seeds = 0;
        for (int i = 0; i < value->count; i++)
            add_seed(grid, value->item[i], scalar_int(value->item[i], "seeds", 0, INT_MAX));
        if (!grid->seeds) die_at(value->place, "seeds: the list is empty");
        return;
    }
    char *text = arena_text(arena, value->text), *save;
    if (*text != '+')
        grid->seeds = 0;
    else
        text++;
    for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        struct tree one = *value;
        one.text = word;
        add_seed(grid, value, scalar_int(&one, "seeds", 0, INT_MAX));
    }
    if (!grid->seeds) die_at(value->place, "seeds: expected numbers such as 1,2,3");
}

/* What the table needs to know, but for the stages. */
static void summary_fill(struct arena *arena, struct grid *grid, const struct tree *table)
{
    struct summary_row *row = ARENA_ARRAY(arena, struct summary_row, grid->rows);
    for (int i = 0; i < grid->rows; i++)
        row[i] = (struct summary_row){.name = grid->row[i],
                                      .options = grid->point[i * grid->seeds].options,
                                      .entry = grid->entry[i]};
    grid->summary = (struct summary_grid){.grid = grid->name,
                                          .title = grid->title,
                                          .source = grid->source,
                                          .rows = grid->rows,
                                          .row = row};
    summary_read(table, &grid->summary, arena);
}

/* The part of a grid's file that is text about it. */
static void heading_read(struct grid *grid, const struct tree *tree)
{
    const struct tree *name = tree_get(tree, "grid"), *title = tree_get(tree, "title"),
                      *source = tree_get(tree, "source");
    if (!name) die_at(tree->place, "a grid needs a name: grid: NAME");
    grid->name = scalar_text(name, "grid");
    if (!*grid->name || strlen(grid->name) > 100 ||
        strspn(grid->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
            strlen(grid->name))
        die_at(name->place, "grid: \"%s\": expected letters, digits, - and _ (it names a file)",
               grid->name);
    grid->title = title ? scalar_text(title, "title") : grid->name;
    grid->source = source ? scalar_text(source, "source") : NULL;
}

/* The command line's assignments as one tree. */
static const struct tree *typed_read(struct arena *arena, const char *const *override,
                                     int overrides)
{
    static const char *const typed_keys[] = {"corpus", "model",    "encoder", "decoder",
                                             "train",  "evaluate", "seeds",   NULL};
    struct tree *typed = map_new(arena, (struct place){"command line", 0, 0});
    for (int i = 0; i < overrides; i++) tree_override(arena, typed, override[i]);
    typed = normalize(arena, typed);
    tree_only_keys(typed, "the command line", typed_keys);
    return typed;
}

/* Every row with every seed, checked. `common` are the grid's own options, `last` those that are
 * laid over everything. */
static void points_read(struct arena *arena, struct grid *grid, const struct row *row,
                        const struct tree *common, const struct tree *last)
{
    if (grid->rows > POINTS_MAX / grid->seeds)
        die("%s: %d rows with %d seeds are more than %d points", grid->path, grid->rows,
            grid->seeds, POINTS_MAX);
    grid->row = ARENA_ARRAY(arena, const char *, grid->rows);
    grid->entry = ARENA_ARRAY(arena, const struct tree *, grid->rows);
    grid->point = ARENA_ARRAY(arena, struct point, grid->rows * grid->seeds);
    for (int r = 0; r < grid->rows; r++) {
        const struct tree *options = tree_merge(arena, common, row[r].options);
        options = lay_presets(arena, grid->path, tree_merge(arena, options, last));
        struct settings settings;
        settings_read(&settings, options, arena);
        grid->row[r] = row[r].name;
        grid->entry[r] = row[r].entry;
        for (int s = 0; s < grid->seeds; s++)
            grid->point[r * grid->seeds + s] = (struct point){r, grid->seed[s], options, settings};
    }
}

struct grid *grid_read(struct arena *arena, const char *path, const char *const *override,
                       int overrides)
{
    if (!file_exists(path))
        die("%s: no such grid (the shipped ones are in %s/experiments)", path,
            file_program_folder());
    struct grid *grid = ARENA_NEW(arena, struct grid);
    grid->path = arena_text(arena, path);
    grid->seed = ARENA_ARRAY(arena, uint32_t, SEEDS_MAX);
    add_seed(grid, NULL, 1);

    /* Rows and table keep their keys as written: a row's name may contain a dot. */
    static const char *const apart[] = {"rows", "sweep", "table", "claims", "figures"};
    const struct tree *raw = tree_read(arena, path), *rest = raw;
    for (size_t i = 0; i < COUNT_OF(apart); i++) rest = without(arena, rest, apart[i]);
    const struct tree *tree = normalize(arena, rest);
    tree_only_keys(tree, "a grid", keys);
    const struct tree *typed = typed_read(arena, override, overrides);
    heading_read(grid, tree);
    if (tree_get(tree, "seeds")) seeds_read(arena, grid, tree_get(tree, "seeds"));
    if (tree_get(typed, "seeds")) seeds_read(arena, grid, tree_get(typed, "seeds"));

    const struct tree *rows = tree_get(raw, "rows"), *sweep = tree_get(raw, "sweep");
    if (rows && sweep) die_at(sweep->place, "a grid has rows or a sweep, not both");
    struct row single = {grid->name, map_new(arena, tree->place), NULL}, *row = &single;
    grid->rows = 1;
    if (rows) row = rows_read(arena, rows, &grid->rows);
    if (sweep) row = sweep_read(arena, sweep, &grid->rows);
    points_read(arena, grid, row, options_of(arena, tree), options_of(arena, typed));
    grid->table = tree_get(raw, "table");
    grid->claims = tree_get(raw, "claims");
    grid->figures = tree_get(raw, "figures");
    summary_fill(arena, grid, grid->table);
    grid_check_gates(grid);
    return grid;
}
