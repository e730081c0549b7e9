/* Collects the facts of a report: options, environments and stages. A fact that several stages or
 * rows share is listed once. */
#include "results/report/report_facts.h"

#include <math.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
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
    struct grid_cursor *point; /* [points] */
    const struct value_cache *cache;
    const char *numbers; /* the numbers of the stages in the database, as a JSON list */
};

const char *report_time(struct arena *arena, double seconds)
{
    if (!isfinite(seconds)) return NULL;
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M UTC", seconds, true));
}

/* Returns a text with the rows and seeds of the given points, which must be in ascending order. */
static const char *users_text(struct facts_reader *reader, const int *point, int count)
{
    const struct grid *grid = reader->grid;
    struct arena_stream list;
    if (count == reader->points && count && grid->rows > 1) return "all rows";
    if (!count) return NULL;
    arena_stream_open(&list);
    for (int i = 0, end; i < count; i = end) {
        const struct grid_row *row = &grid->row[reader->point[point[i]].row];
        for (end = i + 1; end < count; end++)
            if (reader->point[point[end]].row != reader->point[point[i]].row) break;
        fprintf(list.out, "%s%s", i ? "; " : "", row->name);
        if (end - i == row->count && row->count > 1) continue;
        fprintf(list.out, " (seed%s ", end - i > 1 ? "s" : "");
        for (int k = i; k < end; k++)
            fprintf(list.out, "%s%lld", k > i ? ", " : "",
                    (long long)row->seed[reader->point[point[k]].seed].seed);
        fputc(')', list.out);
    }
    return arena_stream_close(reader->arena, &list);
}

/* ---- the stages, each once ---- */

/* Reads folder, status, times and attempts of stages into the list. number[i] is the number of a
 * stage in the database, and at[i] is its line in the list. */
static void read_heads(struct facts_reader *reader, const int64_t *number, const int *at, int count)
{
    enum { FOLDER = 3, STATUS, ATTEMPTS = 7, WALL, STARTED, FINISHED };
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    sqlite3_stmt *ask = value_cache_rows(reader->store, VALUE_CACHE_HEADS, number, count, NULL);
    while (store_next(ask)) {
        const int row = at[sqlite3_column_int(ask, 0)];
        const double wall = store_real(ask, WALL), finished = store_real(ask, FINISHED);
        const int64_t attempts = sqlite3_column_int64(ask, ATTEMPTS);
        sheet_set(made->list, row, 0, store_text(ask, FOLDER, arena));
        sheet_set(made->list, row, 2, store_text(ask, STATUS, arena));
        sheet_set(made->list, row, 3, report_time(arena, finished));
        if (isfinite(wall) && wall > 0) sheet_set(made->list, row, 4, number_seconds(arena, wall));
        if (attempts) sheet_set(made->list, row, 5, number_count(arena, (double)attempts));
        if (!isfinite(finished)) continue;
        made->started = fmin(made->started, store_real(ask, STARTED));
        made->finished = fmax(made->finished, finished);
    }
}

/* Collects the points of the grid, and its stages with their points. */
static void read_points(struct facts_reader *reader)
{
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    struct hash_table *seeds = hash_table_new(arena, 0), *ids = hash_table_new(arena, 0);
    for (struct grid_cursor at = {0}; grid_next(reader->grid, &at); at.stage++) {
        const struct grid_seed *seed = &reader->grid->row[at.row].seed[at.seed];
        const struct grid_stage *from = &seed->stage[at.stage];
        if (!at.stage) {
            const char *text = arena_print(arena, "%lld", (long long)seed->seed);
            if (!(*hash_table_at(seeds, text, strlen(text), 0))++)
                made->seeds = arena_append(arena, made->seeds, ", ", text);
            ARENA_ADD(arena, reader->point, reader->points, at);
        }
        const int k = (int)*hash_table_at(ids, from->id, strlen(from->id), made->stages);
        if (k == made->stages) {
            ARENA_ADD(arena, made->stage, made->stages,
                      (struct report_stage){.id = from->id, .kind = grid_stage_title(from, arena)});
        }
        struct report_stage *stage = &made->stage[k];
        if (!stage->points || stage->point[stage->points - 1] != reader->points - 1)
            ARENA_ADD(arena, stage->point, stage->points, reader->points - 1);
    }
}

static void list_stages(struct facts_reader *reader)
{
    static const char *const header[] = {"Stage", "Of", "Status", "Finished", "Time", "Attempts"};
    struct arena *arena = reader->arena;
    struct report_facts *made = &reader->made;
    const int stages = made->stages;
    int64_t *number = ARENA_ARRAY(arena, int64_t, stages);
    int *at = ARENA_ARRAY(arena, int, stages), known = 0;
    made->list = sheet_headed(arena, stages, COUNT_OF(header), header, 3);
    made->list->missing = "–";
    for (int i = 0; i < stages; i++) {
        const struct report_stage *stage = &made->stage[i];
        sheet_set(made->list, i, 0, arena_print(arena, STAGE_FOLDER, stage->kind, stage->id));
        sheet_set(made->list, i, 1, users_text(reader, stage->point, stage->points));
        sheet_set(made->list, i, 2, STATUS_NEW);
    }
    for (int i = 0; i < stages; i++) {
        number[known] = value_cache_stage(reader->cache, made->stage[i].id).number;
        at[known] = i;
        known += number[known] >= 0;
    }
    reader->numbers = arena_print(arena, "[%s]", arena_numbers(arena, number, known, ","));
    read_heads(reader, number, at, known);
}

/* ---- environments and signatures ---- */

/* Facts of stages: a key, its value, and the stage. ?1 is a JSON list of stages. */
#define FACTS(columns, from)                                                                       \
    "WITH fact (key, value, stage) AS (SELECT " columns ", stage FROM " from                       \
    " AND stage IN (SELECT value FROM json_each(?1))) "
#define ENVIRONMENTS FACTS("key, value", "environment WHERE 1")
#define SIGNATURES FACTS("kind, text", "word JOIN stage ON number = stage WHERE name = 'signature'")
/* Counts the stages with each value of a key. */
#define COUNTED                                                                                    \
    "SELECT key AS '', value AS Value, iif(count(*) = total, 'all', count(*) || ' of ' || total) " \
    "AS Stages FROM fact, (SELECT count(DISTINCT stage) AS total FROM fact) "                      \
    "GROUP BY key, value ORDER BY key, min(stage)"

/* Returns the lines of a statement as a sheet; NULL if there are none. */
static struct sheet *sheet_facts(struct facts_reader *reader, const char *sql)
{
    enum { ROWS = 1000 };
    struct sheet *sheet = query_sheet(store_ask(reader->store, sql, "s", reader->numbers), 0, "lll",
                                      ROWS, 0, reader->arena);
    return sheet->rows ? sheet : NULL;
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
    const int row = sheet->rows++;
    int before = row - 1;
    while (before >= 0 && !sheet->section[before]) before--;
    if (before < 0 || strcmp(sheet->section[before], section) != 0) sheet->section[row] = section;
    sheet_set(sheet, row, 0, point ? point + 1 : key);
    sheet_set(sheet, row, 1, query_plain(value, arena));
}

static struct sheet *options_new(struct facts_reader *reader, int most)
{
    static const char *const header[] = {"Option", "Value"};
    struct sheet *sheet = sheet_headed(reader->arena, most, COUNT_OF(header), header, 2);
    sheet->rows = 0;
    return sheet;
}

/* Returns the table of options that all rows share; NULL if there are none. */
static struct sheet *sheet_common(struct facts_reader *reader, const struct row_options *options)
{
    struct sheet *sheet = options_new(reader, options->count);
    for (int k = 0; k < options->count; k++) {
        int row = 0;
        while (row < reader->grid->rows && !options->value[row][k]) row++;
        if (options->differs[k] || row == reader->grid->rows || !strcmp(options->key[k], "seed"))
            continue;
        put_option(sheet, options->key[k], options->value[row][k], reader->arena);
    }
    return sheet->rows ? sheet : NULL;
}

/* Returns the table of training options that no row sets, with the defaults of the first row; NULL
 * if there are none. */
static struct sheet *sheet_defaults(struct facts_reader *reader, const struct row_options *options)
{
    static const char *const none[] = {NULL};
    const char *const *option = reader->grid->words.option ? reader->grid->words.option : none;
    int most = 0;
    while (option[most]) most++;
    struct sheet *sheet = options_new(reader, most);
    for (; *option && reader->grid->rows; option++) {
        if (word_known(*option, options->key) || !trains(reader, *option)) continue;
        const char *value =
            layout_option(reader->grid, &reader->grid->row[0], *option, reader->arena);
        if (value && *value) put_option(sheet, *option, value, reader->arena);
    }
    return sheet->rows ? sheet : NULL;
}

struct report_facts report_facts(struct store *store, const struct grid *grid, struct arena *arena)
{
    struct sampler sampler = sampler_open(store, grid, arena);
    struct facts_reader reader = {
        .store = store, .grid = grid, .arena = arena, .cache = sampler.cache};
    struct report_facts *made = &reader.made;
    const struct row_options options = row_options(&sampler);
    made->started = made->finished = (double)NAN;
    read_points(&reader);
    list_stages(&reader);
    sqlite3_stmt *ask =
        store_ask(store,
                  ENVIRONMENTS "SELECT group_concat(value, ', ') FROM (SELECT value FROM fact "
                               "WHERE key = 'commit' GROUP BY value ORDER BY min(stage))",
                  "s", reader.numbers);
    store_next(ask);
    made->commits = store_text(ask, 0, arena);
    store_finish(ask);
    made->differences = sheet_differences(&reader, &options);
    made->options = sheet_common(&reader, &options);
    made->defaults = sheet_defaults(&reader, &options);
    made->environments = sheet_facts(&reader, ENVIRONMENTS COUNTED);
    made->signatures = sheet_facts(&reader, SIGNATURES COUNTED);
    return *made;
}
