/* Writes and reads records of grids. They also have the file and assignments of the grid, which the
 * database lacks. */
#include "experiments/grid/grid_record.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/path.h"
#include "core/config/shipped.h"
#include "core/config/word.h"

/* ---- writing ---- */

/* Returns the coordinates of a row on named axes, [{"window": "1"}], with an object for each place.
 * Returns NULL if the row uses no named axis. */
static json_t *places_json(const struct grid_row *row)
{
    json_t *places = json_array();
    for (int place = 0; place <= row->more; place++) {
        json_auto_t *axes = json_object();
        for (int i = 0; i < row->coordinates; i++) {
            const struct grid_coordinate *coordinate =
                &row->coordinate[place * row->coordinates + i];
            if (coordinate->named)
                json_object_set_new(axes, coordinate->key, json_string(coordinate->value));
        }
        if (json_object_size(axes)) json_array_append(places, axes);
    }
    if (json_array_size(places)) return places;
    json_decref(places);
    return NULL;
}

static json_t *row_json(const struct grid_row *row)
{
    json_t *seeds = json_array();
    for (int i = 0; i < row->count; i++) {
        json_t *stages = json_array();
        for (int k = 0; k < row->seed[i].count; k++)
            json_array_append_new(
                stages, json_pack("{s:s, s:s, s:s*, s:s*}", "kind", row->seed[i].stage[k].kind,
                                  "id", row->seed[i].stage[k].id, "part",
                                  row->seed[i].stage[k].part, "at", row->seed[i].stage[k].at));
        json_array_append_new(seeds, json_pack("{s:I, s:o}", "seed", (json_int_t)row->seed[i].seed,
                                               "stages", stages));
    }
    return json_pack("{s:s, s:s*, s:o*, s:o}", "name", row->name, "of", row->of, "axes",
                     places_json(row), "seeds", seeds);
}

void record_write(const char *runs, const char *name, const struct grid *grid)
{
    json_t *rows = json_array(), *tags = json_array(), *words = json_array();
    for (int i = 0; i < grid->rows; i++) json_array_append_new(rows, row_json(&grid->row[i]));
    for (int i = 0; i < grid->trials; i++) json_array_append_new(rows, row_json(&grid->trial[i]));
    for (int i = 0; i < grid->tags.count; i++)
        json_array_append_new(tags, json_string(grid->tags.text[i]));
    for (int i = 0; i < grid->assignments; i++)
        if (!grid_word_of_table(grid->assignment[i]))
            json_array_append_new(words, json_file_text(grid->assignment[i]));
    json_auto_t *record =
        json_pack("{s:s, s:s*, s:s*, s:s*, s:o, s:o*, s:o, s:s*, s:b, s:o}", "grid", grid->name,
                  "title", grid->title, "source", grid->source, "note", grid->note, "tags", tags,
                  "file", grid->file ? json_file_text(grid->file) : NULL, "words", words, "digest",
                  grid->digest, "incomplete", grid->incomplete, "rows", rows);
    CHECK(record, "the grid %s is not UTF-8", grid->name);
    SCOPED(heap_free) char *folder = heap_print("%s/grids/%s", runs, grid->name);
    SCOPED(heap_free) char *path = heap_print("%s/%s.json", folder, name);
    file_make_folder(folder);
    json_file_write(path, record);
}

/* ---- reading ---- */

static bool read_seed(const json_t *from, struct grid_seed *seed, struct arena *arena)
{
    const json_t *stages = json_object_get(from, "stages");
    json_t *item;
    size_t i;
    struct grid_stage *stage = ARENA_ARRAY(arena, struct grid_stage, json_array_size(stages) + 1);
    json_array_foreach((json_t *)stages, i, item) {
        stage[i] = (struct grid_stage){.kind = json_file_text_at(item, "kind", arena),
                                       .id = json_file_text_at(item, "id", arena),
                                       .part = json_file_text_at(item, "part", arena)};
        if (!stage[i].kind || !stage[i].id) return false;
        struct checkpoint_at at;
        stage[i].at = json_file_text_at(item, "at", arena);
        if (stage[i].at && checkpoint_at_read(&at, stage[i].at, "at")) stage[i].side = at.side;
    }
    *seed = (struct grid_seed){json_integer_value(json_object_get(from, "seed")),
                               (int)json_array_size(stages), stage};
    return true;
}

static bool read_row(const json_t *from, struct grid_row *row, struct arena *arena)
{
    const json_t *seeds = json_object_get(from, "seeds");
    json_t *one;
    size_t i;
    struct grid_seed *seed = ARENA_ARRAY(arena, struct grid_seed, json_array_size(seeds) + 1);
    json_array_foreach((json_t *)seeds, i, one)
        if (!read_seed(one, &seed[i], arena)) return false;
    *row = (struct grid_row){.name = json_file_text_at(from, "name", arena),
                             .of = json_file_text_at(from, "of", arena),
                             .count = (int)json_array_size(seeds),
                             .seed = seed};
    return row->name && json_is_array(seeds);
}

/* Returns false if the JSON is not in the format of record_write. */
static bool read_record(const json_t *json, struct grid *record, struct arena *arena)
{
    const json_t *rows = json_object_get(json, "rows"), *words = json_object_get(json, "words");
    json_t *one;
    size_t i;
    struct grid_row *row = ARENA_ARRAY(arena, struct grid_row, json_array_size(rows) + 1);
    const char **word = ARENA_ARRAY(arena, const char *, json_array_size(words) + 1);
    json_array_foreach((json_t *)rows, i, one)
        if (!read_row(one, &row[i], arena)) return false;
    json_array_foreach((json_t *)words, i, one) {
        if (!json_is_string(one)) return false;
        word[i] = arena_text(arena, json_string_value(one));
    }
    *record = (struct grid){.name = json_file_text_at(json, "grid", arena),
                            .file = json_file_text_at(json, "file", arena),
                            .digest = json_file_text_at(json, "digest", arena),
                            .assignments = (int)json_array_size(words),
                            .assignment = word,
                            .row = row,
                            .incomplete = json_is_true(json_object_get(json, "incomplete"))};
    const int all = (int)json_array_size(rows);
    while (record->rows < all && !row[record->rows].of) record->rows++;
    record->trials = all - record->rows;
    record->trial = row + record->rows;
    return record->name && json_is_array(rows);
}

static int compare_written(const void *a, const void *b)
{
    const struct grid *first = a, *second = b;
    return (first->written < second->written) - (first->written > second->written);
}

const char *record_folder(const char *runs, const char *grid, struct arena *arena)
{
    return arena_print(arena, "%s/grids/%s", runs, grid);
}

int record_read(const char *runs, const char *grid, struct grid **record, struct arena *arena)
{
    const char *folder = record_folder(runs, grid, arena), *problem;
    int count = 0;
    *record = NULL;
    if (*grid == '.' || strchr(grid, '/') || !file_is_folder(folder)) return 0;
    for (const char *const *name = shipped_names(arena, folder, ".json"); *name; name++) {
        const char *path = arena_print(arena, "%s/%s.json", folder, *name);
        struct stat info;
        struct grid one = {0};
        if (!path_stat(path, &info)) continue;
        json_auto_t *json = json_file_try(arena, path, &problem);
        if (problem || (json && !read_record(json, &one, arena)))
            warn("%s%s", problem ? problem : path, problem ? "" : ": is not the record of a grid");
        else if (json && !strcmp(one.name, grid)) {
            one.written = info.st_mtim.tv_sec * (int64_t)1000000000 + info.st_mtim.tv_nsec;
            ARENA_ADD(arena, *record, count, one);
        }
    }
    if (count) qsort(*record, (size_t)count, sizeof **record, compare_written);
    return count;
}

bool record_recall(const char *runs, struct grid *grid, struct arena *arena)
{
    struct grid *record;
    const int count = record_read(runs, grid->name, &record, arena);
    const struct grid *found = NULL;
    for (int i = 0; i < count && !found; i++) {
        const struct grid *one = &record[i];
        bool same = !one->incomplete && one->rows == grid->rows;
        for (int r = 0; r < grid->rows && same; r++)
            same = !strcmp(one->row[r].name, grid->row[r].name);
        if (same && word_same(one->digest, grid->digest)) found = one;
    }
    if (!found) return false;
    for (int r = 0; r < grid->rows; r++) {
        grid->row[r].count = found->row[r].count;
        grid->row[r].seed = found->row[r].seed;
    }
    grid->trials = found->trials;
    grid->trial = found->trial;
    return true;
}
