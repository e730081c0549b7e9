/* What a grid asks of its table: reading the key `table`, and the record in RUNS/grids. */
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/config/option.h"
#include "results/column.h"
#include "results/summary.h"

static const char *list_words(struct arena *arena, const char *const *words)
{
    const char *list = words[0];
    for (int i = 1; words[i]; i++) list = arena_print(arena, "%s, %s", list, words[i]);
    return list;
}

static void check_column(const struct tree *scalar, struct arena *arena)
{
    struct column column;
    const char *name = scalar_text(scalar, "a column"), *nearest = NULL;
    if (column_find(name, &column, &nearest, arena)) return;
    const char *hint = nearest ? arena_print(arena, "did you mean \"%s\"? ", nearest) : "";
    die_at(scalar->place, "no column \"%s\"; %sthere are %s, KIND.NAME and delta(COLUMN)", name,
           hint, list_words(arena, column_names));
}

static const char *check_row(const struct tree *scalar, const struct summary_grid *grid,
                             struct arena *arena)
{
    const char *name = scalar_text(scalar, "a row");
    const char **names = ARENA_ARRAY(arena, const char *, grid->rows + 1);
    for (int i = 0; i < grid->rows; i++) {
        names[i] = grid->row[i].name;
        if (strcmp(names[i], name) == 0) return names[i];
    }
    const char *nearest = word_nearest(name, names);
    die_at(scalar->place, "no row \"%s\"%s%s%s", name, nearest ? "; did you mean \"" : "",
           nearest ? nearest : "", nearest ? "\"?" : "");
}

static void read_columns(const struct tree *list, struct summary_grid *grid, struct arena *arena)
{
    static const char *fallback[] = {"parameters", "bleu", "delta(bleu)"};
    grid->columns = grid->rows > 1 ? 3 : 2;
    grid->column = fallback;
    if (!list) return;
    if (list->kind != TREE_LIST || list->count == 0)
        die_at(list->place, "columns: expected a list like [parameters, bleu, delta(bleu)]");
    grid->columns = list->count;
    grid->column = ARENA_ARRAY(arena, const char *, list->count);
    for (int i = 0; i < list->count; i++) {
        check_column(list->item[i], arena);
        grid->column[i] = list->item[i]->text;
    }
}

static void read_paper(const struct tree *paper, struct summary_grid *grid, struct arena *arena)
{
    if (!paper) return;
    if (paper->kind != TREE_MAP)
        die_at(paper->place, "paper: expected {metric: \"..\", bleu: {ROW: value}}");
    const struct tree *metric = tree_get(paper, "metric");
    if (!metric)
        die_at(paper->place, "paper: metric is missing: how the paper computed its values");
    grid->metric = scalar_text(metric, "metric");
    int room = 0;
    for (int i = 0; i < paper->count; i++) room += paper->item[i]->count;
    struct summary_claim *claim = ARENA_ARRAY(arena, struct summary_claim, room);
    for (int i = 0; i < paper->count; i++) {
        const struct tree *column = paper->key[i], *values = paper->item[i];
        if (values == metric) continue;
        check_column(column, arena);
        if (values->kind != TREE_MAP)
            die_at(values->place, "%s: expected a map from rows to values", column->text);
        for (int k = 0; k < values->count; k++) {
            scalar_real(values->item[k], "a paper's value", -1e30, 1e30);
            claim[grid->claims++] =
                (struct summary_claim){.column = column->text,
                                       .row = check_row(values->key[k], grid, arena),
                                       .value = values->item[k]->text};
        }
    }
    grid->claim = claim;
}

void summary_read(const struct tree *table, struct summary_grid *grid, struct arena *arena)
{
    static const char *const keys[] = {"columns", "baseline", "paper", NULL};
    if (table && table->kind != TREE_MAP)
        die_at(table->place, "table: expected a map with columns, baseline, paper");
    if (table) tree_only_keys(table, "table", keys);
    const struct tree *baseline = tree_get(table, "baseline");
    grid->baseline = baseline ? check_row(baseline, grid, arena) : grid->row[0].name;
    read_columns(tree_get(table, "columns"), grid, arena);
    read_paper(tree_get(table, "paper"), grid, arena);
}

static json_t *row_json(const struct summary_row *row)
{
    json_t *seeds = json_array();
    for (int i = 0; i < row->count; i++) {
        json_t *stages = json_array();
        for (int k = 0; k < row->seed[i].count; k++)
            json_array_append_new(stages,
                                  json_pack("{s:s, s:s}", "kind", row->seed[i].stage[k].kind, "id",
                                            row->seed[i].stage[k].id));
        json_array_append_new(seeds, json_pack("{s:I, s:o}", "seed", (json_int_t)row->seed[i].seed,
                                               "stages", stages));
    }
    return json_pack("{s:s, s:o}", "name", row->name, "seeds", seeds);
}

void summary_record(const char *runs, const char *name, const struct summary_grid *grid)
{
    json_t *rows = json_array();
    for (int i = 0; i < grid->rows; i++) json_array_append_new(rows, row_json(&grid->row[i]));
    json_t *record = json_pack("{s:s, s:s?, s:s?, s:o}", "grid", grid->grid, "title", grid->title,
                               "source", grid->source, "rows", rows);
    CHECK(record, "the grid %s is not UTF-8", grid->grid);
    char *folder = heap_print("%s/grids/%s", runs, grid->grid);
    char *path = heap_print("%s/%s.json", folder, name), *text = json_dumps(record, JSON_INDENT(1));
    file_make_folder(folder);
    file_write(path, text, strlen(text));
    free(folder);
    free(path);
    free(text);
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
            if (!kind || !id) return false;
            stage[k] = (struct summary_stage){arena_text(arena, kind), arena_text(arena, id)};
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
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        const size_t length = strlen(entry->d_name);
        const char *path = arena_print(arena, "%s/%s", folder, entry->d_name);
        struct stat info;
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") || stat(path, &info))
            continue;
        const bool later = info.st_mtim.tv_sec != when.tv_sec ? info.st_mtim.tv_sec > when.tv_sec
                                                              : info.st_mtim.tv_nsec > when.tv_nsec;
        if (newest && !later) continue;
        newest = path;
        when = info.st_mtim;
    }
    if (entries) closedir(entries);
    return newest;
}

bool summary_recall(const char *runs, struct summary_grid *grid, struct arena *arena)
{
    const char *path = newest_record(runs, grid->grid, arena);
    json_t *record = path ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
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
