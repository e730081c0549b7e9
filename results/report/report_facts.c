/* Collects the facts of a report: options, environments and stages. A fact that several stages or
 * rows share is listed once. */
#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "results/query/query.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"
#include "results/table/row_options.h"

struct facts_reader {
    struct store *store;
    const struct grid *grid;
    struct arena *arena;
    struct report_facts made;
    int points;
    struct reported {
        const char *title; /* kind, with part */
        const char *point; /* the points that use the stage: "Base/1; Base/2" */
        int points;
    } * stage;       /* [made.stages] */
    int64_t *number; /* [made.stages] numbers in the database; -1: it does not have the stage */
};

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

/* ---- the stages, each once ---- */

/* Collects the stages of the grid with their points. */
static void read_points(struct facts_reader *reader)
{
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    struct hash_table *seeds = hash_table_new(arena, 0), *ids = hash_table_new(arena, 0);
    const char *name = NULL;
    int *last = NULL; /* the last point of each stage */
    for (struct grid_cursor at = {0}; grid_next(reader->grid, &at); at.stage++) {
        const struct grid_row *row = &reader->grid->row[at.row];
        const struct grid_stage *from = grid_stage_at(reader->grid, &at);
        if (!at.stage) {
            const char *seed = arena_print(arena, "%lld", (long long)row->seed[at.seed].seed);
            if (!(*hash_table_at(seeds, seed, strlen(seed), 0))++)
                made->seeds = arena_append(arena, made->seeds, ", ", seed);
            name = arena_print(arena, "%s/%s", row->name, seed);
            reader->points++;
        }
        int k = (int)*hash_table_at(ids, from->id, strlen(from->id), made->stages);
        if (k == made->stages) {
            ARENA_MORE(arena, reader->stage, k);
            ARENA_MORE(arena, last, k);
            reader->stage[k] = (struct reported){.title = grid_stage_title(from, arena)};
            last[k] = 0;
            ARENA_ADD(arena, made->id, made->stages, from->id);
        }
        struct reported *stage = &reader->stage[k];
        if (last[k] == reader->points) continue;
        last[k] = reader->points;
        stage->point = arena_append(arena, stage->point, "; ", name);
        stage->points++;
    }
}

/* Lists the stages. Folder, status and times are in the database. */
static void list_stages(struct facts_reader *reader, const struct value_cache *cache)
{
    enum { FOLDER = 3, STATUS, WALL = 8, STARTED, FINISHED };
    static const char *const header[] = {"Stage", "Of", "Status", "Finished", "Time"};
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    struct sheet *list = sheet_headed(arena, made->stages, COUNT_OF(header), header, 3);
    reader->number = ARENA_ARRAY(arena, int64_t, made->stages);
    list->missing = "–";
    for (int i = 0; i < made->stages; i++) {
        const struct reported *stage = &reader->stage[i];
        const bool all = stage->points == reader->points && reader->grid->rows > 1;
        reader->number[i] = value_cache_stage(cache, made->id[i]).number;
        sheet_set(list, i, 0, arena_print(arena, STAGE_FOLDER, stage->title, made->id[i]));
        sheet_set(list, i, 1, all ? "all rows" : stage->point);
        sheet_set(list, i, 2, STATUS_NEW);
    }
    sqlite3_stmt *ask =
        value_cache_rows(reader->store, VALUE_CACHE_HEADS, reader->number, made->stages, NULL);
    while (store_next(ask)) {
        const int row = sqlite3_column_int(ask, 0);
        const double wall = store_real(ask, WALL), finished = store_real(ask, FINISHED);
        sheet_set(list, row, 0, store_text(ask, FOLDER, arena));
        sheet_set(list, row, 2, store_text(ask, STATUS, arena));
        sheet_set(list, row, 3, report_time(arena, finished));
        if (isfinite(wall) && wall > 0) sheet_set(list, row, 4, number_seconds(arena, wall));
        if (!isfinite(finished)) continue;
        made->started = fmin(made->started, store_real(ask, STARTED));
        made->finished = fmax(made->finished, finished);
    }
    made->list = list;
}

/* Lists the environments and the signatures of metrics, each value with the number of its
 * stages. */
static void list_environments(struct facts_reader *reader)
{
    enum { COLUMNS = 3, ROWS = 1000 };
    struct arena *arena = reader->arena;
    struct sheet *sheet = query_sheet(value_cache_rows(reader->store, VALUE_CACHE_COUNTED,
                                                       reader->number, reader->made.stages, NULL),
                                      0, COLUMNS, ROWS, 0, arena);
    for (int i = 0; i < sheet->rows; i++)
        if (!strcmp(sheet_get(sheet, i, 0), "commit"))
            reader->made.commits =
                arena_append(arena, reader->made.commits, ", ", sheet_get(sheet, i, 1));
    if (sheet->rows) reader->made.environments = sheet;
}

/* ---- options ---- */

/* True if a key is an option of the training and the grid trains translators. Then the option
 * applies to all rows. */
static bool trains(const struct facts_reader *reader, const char *key)
{
    static const char *const section[] = {"model.", "encoder.", "decoder.", "train.", NULL};
    return word_begins(key, section) && sample_trains(reader->grid) == offer_that_trains() &&
           strcmp(key, "train.batch_pairs") != 0;
}

/* Returns the table of options that differ between rows, with the value of every row; NULL if there
 * are none. */
static struct sheet *sheet_differences(struct facts_reader *reader,
                                       const struct row_options *options)
{
    struct arena *arena = reader->arena;
    const struct grid *grid = reader->grid;
    int columns = 1;
    for (int k = 0; k < options->count; k++) columns += options->differs[k];
    if (columns == 1) return NULL;
    struct sheet *sheet = sheet_new(arena, grid->rows, columns);
    sheet->missing = "–";
    sheet->column[0].header = "";
    for (int row = 0; row < grid->rows; row++) {
        sheet_set(sheet, row, 0, grid->row[row].name);
        for (int k = 0, column = 1; k < options->count; k++) {
            if (!options->differs[k]) continue;
            const char *value = options->value[row][k];
            if (value) value = query_plain(value, arena);
            if (value && !options->given[row][k]) value = arena_print(arena, "%s (default)", value);
            sheet->column[column].header = options->key[k];
            sheet_set(sheet, row, column++, value);
        }
    }
    return sheet;
}

/* Adds a line to a table of options, under the section of its key. */
static void put_option(struct sheet *sheet, const char *key, const char *value, struct arena *arena)
{
    const char *point = strchr(key, '.');
    const char *section = point ? arena_text_range(arena, key, (size_t)(point - key)) : "other";
    int row = sheet->rows++, above = row - 1;
    while (above > 0 && !sheet->section[above]) above--;
    if (!row || strcmp(sheet->section[above], section) != 0) sheet->section[row] = section;
    sheet_set(sheet, row, 0, point ? point + 1 : key);
    sheet_set(sheet, row, 1, query_plain(value, arena));
}

/* Returns the table of options that all rows share; NULL if there are none. It also has the
 * training options that no row sets, with the defaults of the first row. */
static struct sheet *sheet_shared(struct facts_reader *reader, const struct row_options *options)
{
    static const char *const header[] = {"Option", "Value"}, *const none[] = {NULL};
    const struct grid *grid = reader->grid;
    const char *const *option = grid->words.option ? grid->words.option : none;
    int most = options->count;
    for (int i = 0; option[i]; i++) most++;
    struct sheet *sheet = sheet_headed(reader->arena, most, COUNT_OF(header), header, 2);
    sheet->rows = 0;
    for (int k = 0; k < options->count; k++) {
        int row = 0;
        while (row < grid->rows && !options->value[row][k]) row++;
        if (!options->differs[k] && row < grid->rows && strcmp(options->key[k], "seed") != 0)
            put_option(sheet, options->key[k], options->value[row][k], reader->arena);
    }
    for (; *option && grid->rows; option++) {
        if (word_known(*option, options->key) || !trains(reader, *option)) continue;
        const char *value = layout_option(grid, &grid->row[0], *option, reader->arena);
        if (value && *value)
            put_option(sheet, *option, arena_print(reader->arena, "%s (default)", value),
                       reader->arena);
    }
    return sheet->rows ? sheet : NULL;
}

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena)
{
    struct sampler sampler = sampler_open(store, grid, arena);
    struct facts_reader reader = {.store = store, .grid = grid, .arena = arena};
    struct report_facts *made = &reader.made;
    const struct row_options options = row_options(&sampler);
    made->started = made->finished = (double)NAN;
    read_points(&reader);
    list_stages(&reader, sampler.cache);
    list_environments(&reader);
    made->differences = sheet_differences(&reader, &options);
    made->options = sheet_shared(&reader, &options);
    return *made;
}
