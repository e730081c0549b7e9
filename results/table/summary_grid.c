/* What a grid is made of: its record in RUNS/grids. */
#include "results/table/summary_grid.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/json_file.h"
#include "results/sheet/cell.h"

bool summary_next(const struct summary_grid *grid, struct summary_place *at)
{
    for (; at->row < grid->rows; at->row++, at->seed = 0)
        for (; at->seed < grid->row[at->row].count; at->seed++, at->stage = 0)
            if (at->stage < grid->row[at->row].seed[at->seed].count) return true;
    return false;
}

const struct summary_stage *summary_stage_at(const struct summary_grid *grid,
                                             const struct summary_place *at)
{
    return &grid->row[at->row].seed[at->seed].stage[at->stage];
}

/* Behind a word that the text begins with, and ", "; NULL: it does not. */
static const char *behind(const char *text, const char *word)
{
    const size_t length = strlen(word);
    if (!text || strncmp(text, word, length) != 0) return NULL;
    text += length;
    return !strncmp(text, ", ", 2) ? text + 2 : *text ? NULL : text;
}

/* Whether a name is that of a row at one of its places. */
static bool is_called(const struct summary_row *row, const char *name)
{
    bool called = !strcmp(row->name, name);
    for (int place = 1; place <= row->more && !called; place++) {
        const char *rest = row->line ? behind(name, row->line) : name;
        for (int i = 0; i < row->factors; i++)
            rest = behind(rest, row->factor[place * row->factors + i].text);
        called = rest && !*rest;
    }
    return called;
}

bool summary_row_meant(const struct summary_row *row, const char *name)
{
    return is_called(row, name) || (row->line && !strcmp(row->line, name));
}

const char *summary_stage_title(const struct summary_stage *stage, struct arena *arena)
{
    return stage->part ? arena_print(arena, "%s.%s", stage->kind, stage->part) : stage->kind;
}

const struct summary_factor *summary_row_factor(const struct summary_row *row, int place,
                                                const char *key)
{
    const struct summary_factor *factor = row->factor + place * row->factors;
    for (int i = 0; i < row->factors; i++)
        if (!strcmp(factor[i].key, key)) return &factor[i];
    return NULL;
}

const char *summary_row_rest(const struct summary_row *row, int place, const char *name,
                             const struct summary_factor *without, struct arena *arena)
{
    const struct summary_factor *factor = row->factor + place * row->factors;
    for (int i = 0; i < row->factors; i++)
        if (!without || factor[i].axis != without->axis)
            name = cell_append(name, ", ", factor[i].text, arena);
    return name;
}

const char *summary_row_also(const struct summary_row *row, struct arena *arena)
{
    const char *list = NULL;
    for (int place = 1; place <= row->more; place++) {
        const struct summary_factor *factor = row->factor + place * row->factors;
        const char *differs = NULL;
        for (int i = 0; i < row->factors; i++)
            if (strcmp(factor[i].value, row->factor[i].value) != 0)
                differs = cell_append(differs, ", ", factor[i].text, arena);
        list = cell_append(list, " and ", differs, arena);
    }
    return list;
}

/* Whether a place of `row` is that of `like`, on all axes that `row` uses. */
static bool is_beside(const struct summary_row *row, int place, const struct summary_row *like,
                      int other)
{
    const struct summary_factor *factor = row->factor + place * row->factors, *its;
    for (int i = 0; i < row->factors; i++) {
        its = summary_row_factor(like, other, factor[i].key);
        if (!its || strcmp(its->value, factor[i].value) != 0) return false;
    }
    return true;
}

static bool some_place_beside(const struct summary_row *row, const struct summary_row *like)
{
    for (int place = 0; place <= row->more; place++)
        for (int other = 0; other <= like->more; other++)
            if (is_beside(row, place, like, other)) return true;
    return false;
}

int summary_row_beside(const struct summary_grid *grid, const char *name, int like)
{
    for (int i = 0; i < grid->rows; i++)
        if (is_called(&grid->row[i], name)) return i;
    for (int i = 0; i < grid->rows; i++)
        if (summary_row_meant(&grid->row[i], name) &&
            some_place_beside(&grid->row[i], &grid->row[like]))
            return i;
    return -1;
}

/* Where a row stands on the axes that the grid names: [{"window": "1"}], an object a place. */
static json_t *places_json(const struct summary_row *row)
{
    json_t *places = json_array();
    for (int place = 0; place <= row->more; place++) {
        json_t *axes = json_object();
        for (int i = 0; i < row->factors; i++) {
            const struct summary_factor *factor = &row->factor[place * row->factors + i];
            if (factor->named) json_object_set_new(axes, factor->key, json_string(factor->value));
        }
        if (json_object_size(axes)) json_array_append(places, axes);
        json_decref(axes);
    }
    if (json_array_size(places)) return places;
    json_decref(places);
    return NULL;
}

static json_t *row_json(const struct summary_row *row)
{
    json_t *seeds = json_array();
    for (int i = 0; i < row->count; i++) {
        json_t *stages = json_array();
        for (int k = 0; k < row->seed[i].count; k++)
            json_array_append_new(
                stages, json_pack("{s:s, s:s, s:s*}", "kind", row->seed[i].stage[k].kind, "id",
                                  row->seed[i].stage[k].id, "part", row->seed[i].stage[k].part));
        json_array_append_new(seeds, json_pack("{s:I, s:o}", "seed", (json_int_t)row->seed[i].seed,
                                               "stages", stages));
    }
    return json_pack("{s:s, s:o*, s:o}", "name", row->name, "axes", places_json(row), "seeds",
                     seeds);
}

void summary_record(const char *runs, const char *name, const struct summary_grid *grid)
{
    json_t *rows = json_array(), *tags = json_array();
    for (int i = 0; i < grid->rows; i++) json_array_append_new(rows, row_json(&grid->row[i]));
    for (int i = 0; i < grid->tags; i++) json_array_append_new(tags, json_string(grid->tag[i]));
    json_t *record =
        json_pack("{s:s, s:s*, s:s*, s:s*, s:o, s:o}", "grid", grid->grid, "title", grid->title,
                  "source", grid->source, "note", grid->note, "tags", tags, "rows", rows);
    CHECK(record, "the grid %s is not UTF-8", grid->grid);
    char *folder = heap_print("%s/grids/%s", runs, grid->grid);
    char *path = heap_print("%s/%s.json", folder, name);
    file_make_folder(folder);
    json_file_write(path, record);
    free(folder);
    free(path);
    json_decref(record);
}

/* The stages of one row of a record; false when it is not what summary_record writes. */
static bool recall_row(json_t *from, struct summary_row *row, struct arena *arena)
{
    json_t *seeds = json_object_get(from, "seeds"), *one, *item;
    size_t i, k;
    const char *name = json_string_value(json_object_get(from, "name"));
    if (!name || strcmp(name, row->name) != 0 || !json_is_array(seeds)) return false;
    struct summary_seed *seed = ARENA_ARRAY(arena, struct summary_seed, json_array_size(seeds) + 1);
    json_array_foreach(seeds, i, one) {
        json_t *stages = json_object_get(one, "stages");
        struct summary_stage *stage =
            ARENA_ARRAY(arena, struct summary_stage, json_array_size(stages) + 1);
        json_array_foreach(stages, k, item) {
            const char *kind = json_string_value(json_object_get(item, "kind"));
            const char *id = json_string_value(json_object_get(item, "id"));
            const char *part = json_string_value(json_object_get(item, "part"));
            if (!kind || !id) return false;
            stage[k] = (struct summary_stage){arena_text(arena, kind), arena_text(arena, id),
                                              part ? arena_text(arena, part) : NULL};
        }
        seed[i] = (struct summary_seed){json_integer_value(json_object_get(one, "seed")),
                                        (int)json_array_size(stages), stage};
    }
    row->count = (int)json_array_size(seeds);
    row->seed = seed;
    return true;
}

/* The newest file of RUNS/grids/<grid>, or NULL. */
static const char *newest_record(const char *runs, const char *grid, struct arena *arena)
{
    const char *folder = arena_print(arena, "%s/grids/%s", runs, grid), *newest = NULL;
    struct timespec when = {0};
    int files;
    const char **name = file_folder_names(arena, folder, &files);
    for (int i = 0; i < files; i++) {
        const char *path = arena_print(arena, "%s/%s", folder, name[i]);
        const char *ending = strrchr(name[i], '.');
        struct stat info;
        if (!ending || strcmp(ending, ".json") || !path_stat(path, &info)) continue;
        const bool later = info.st_mtim.tv_sec != when.tv_sec ? info.st_mtim.tv_sec > when.tv_sec
                                                              : info.st_mtim.tv_nsec > when.tv_nsec;
        if (newest && !later) continue;
        newest = path;
        when = info.st_mtim;
    }
    return newest;
}

bool summary_recall(const char *runs, struct summary_grid *grid, struct arena *arena)
{
    const char *path = newest_record(runs, grid->grid, arena);
    const char *problem = NULL;
    json_t *record = path ? json_file_try(arena, path, &problem) : NULL;
    if (problem) warn("%s", problem);
    json_t *rows = json_object_get(record, "rows");
    bool good = (int)json_array_size(rows) == grid->rows;
    struct summary_row *row = ARENA_ARRAY(arena, struct summary_row, grid->rows + 1);
    for (int i = 0; good && i < grid->rows; i++) {
        row[i] = grid->row[i];
        good = recall_row(json_array_get(rows, (size_t)i), &row[i], arena);
    }
    json_decref(record);
    if (good) grid->row = row;
    return good;
}
