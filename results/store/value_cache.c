/* Caches values of stages as series. A series has the lines of one name for all stages of the set,
 * sorted by stage. Its key in the cache consists of the SQL statement, the name and the
 * dimensions. */
#include "results/store/value_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/journal.h"
#include "core/base/hash_table.h"
#include "results/sheet/cell.h"
#include "results/store/value_statements.h"
#include "results/store/status.h"

enum { KEY = 4, LAYER }; /* column indices of statements, after stage, step, value and text */

struct value_cache_series {
    int *end; /* [stages] index after the last line of each stage */
    int count;
    struct value_cache_line *line; /* [count] */
};

struct value_cache {
    struct store *store;
    struct arena *arena;
    int stages;
    int64_t *number;                 /* [stages] ascending */
    struct value_cache_stage *stage; /* [stages] in the order of `number` */
    struct hash_table *of_id, *of_name;
    const char *numbers; /* `number` as a JSON list, the first parameter of every statement */
    int count;
    struct value_cache_series **series; /* [count] */
};

static const char *list_json(struct arena *arena, const int64_t *number, int count)
{
    return arena_print(arena, "[%s]", arena_numbers(arena, number, count, ","));
}

struct value_cache *value_cache_open(struct store *store, const char *const *id, int count,
                                     struct arena *arena)
{
    struct value_cache *cache = ARENA_NEW(arena, struct value_cache);
    *cache = (struct value_cache){.store = store,
                                  .arena = arena,
                                  .of_id = hash_table_new(arena, (size_t)count),
                                  .of_name = hash_table_new(arena, 0)};
    SCOPED(heap_free) char *ids = cell_json_texts(id, id ? count : 0);
    sqlite3_stmt *ask =
        store_ask(store,
                  id ? "SELECT number, id, status, wall FROM stage WHERE id IN (SELECT value FROM "
                       "json_each(?)) ORDER BY number"
                     : "SELECT number, id, status, wall FROM stage ORDER BY number",
                  id ? "s" : "", ids);
    while (store_next(ask)) {
        ARENA_MORE(arena, cache->number, cache->stages);
        ARENA_MORE(arena, cache->stage, cache->stages);
        const int at = cache->stages++;
        const char *own = store_text(ask, 1, arena);
        cache->number[at] = sqlite3_column_int64(ask, 0);
        cache->stage[at] = (struct value_cache_stage){cache->number[at], store_text(ask, 2, arena),
                                                      store_real(ask, 3)};
        hash_table_put(cache->of_id, own, strlen(own), at);
    }
    cache->numbers = list_json(arena, cache->number, cache->stages);
    return cache;
}

struct value_cache_stage value_cache_stage(const struct value_cache *cache, const char *id)
{
    const int64_t at = hash_table_get(cache->of_id, id, strlen(id));
    return at < 0 ? (struct value_cache_stage){-1, STATUS_NEW, 0} : cache->stage[at];
}

/* Returns the index of a stage in the set; -1 if it is not in the set. */
static int place_of(const struct value_cache *cache, int64_t number)
{
    const int64_t *at =
        bsearch(&number, cache->number, (size_t)cache->stages, sizeof number, compare_int64s);
    return at ? (int)(at - cache->number) : -1;
}

static struct value_cache_series *read_series(struct value_cache *cache, sqlite3_stmt *ask)
{
    struct arena *arena = cache->arena;
    struct value_cache_series *series = ARENA_NEW(arena, struct value_cache_series);
    series->end = ARENA_ARRAY(arena, int, cache->stages + 1);
    const int columns = sqlite3_column_count(ask);
    struct value_cache_line *all = NULL; /* on the heap while it grows, because an arena would keep
                                            each smaller copy */
    int stage = 0;
    while (store_next(ask)) {
        char digits[REAL_TEXT];
        for (const int64_t number = sqlite3_column_int64(ask, 0); cache->number[stage] < number;)
            series->end[stage++] = series->count;
        HEAP_MORE(all, series->count);
        struct value_cache_line *line = &all[series->count++];
        const char *text = store_value(ask, 3, digits);
        *line = (struct value_cache_line){.step = JOURNAL_NONE,
                                          .value = store_real(ask, 2),
                                          .text = text ? arena_text(arena, text) : NULL};
        if (sqlite3_column_type(ask, 1) != SQLITE_NULL) line->step = sqlite3_column_int64(ask, 1);
        if (columns > KEY) line->key = store_text(ask, KEY, arena);
        if (columns <= LAYER) continue;
        for (int d = 0; d < DIMENSION_CLASS; d++)
            line->of.number[d] = sqlite3_column_int(ask, LAYER + d);
        line->of.class = line->text;
        line->n = sqlite3_column_int64(ask, LAYER + DIMENSION_CLASS);
    }
    while (stage < cache->stages) series->end[stage++] = series->count;
    series->line = ARENA_ARRAY(arena, struct value_cache_line, series->count);
    if (all) memcpy(series->line, all, (size_t)series->count * sizeof *all);
    free(all);
    return series;
}

/* Returns the series of a statement, a name, and dimensions (NULL: the statement has none). Reads
 * the series on first use. */
static const struct value_cache_series *find_series(struct value_cache *cache, const char *sql,
                                                    const char *name, const struct dimensions *of)
{
    const char *dimensions = of ? dimensions_text(of, cache->arena) : "";
    SCOPED(heap_free) char *key = heap_print("%p%s\n%s", (const void *)sql, name, dimensions);
    const int64_t at = hash_table_get(cache->of_name, key, strlen(key));
    if (at != HASH_TABLE_ABSENT) return cache->series[at];
    hash_table_put(cache->of_name, arena_text(cache->arena, key), strlen(key), cache->count);
    sqlite3_stmt *ask = store_prepare(cache->store, sql);
    if (!of) {
        store_bind(ask, "ss", cache->numbers, name);
    } else {
        int64_t number[DIMENSION_CLASS];
        for (int d = 0; d < DIMENSION_CLASS; d++)
            number[d] = of->number[d] ? of->number[d] : JOURNAL_NONE;
        store_bind(ask, "ssnnns", cache->numbers, name, number[DIMENSION_LAYER],
                   number[DIMENSION_HEAD], number[DIMENSION_SET], of->class);
    }
    return ARENA_ADD(cache->arena, cache->series, cache->count, read_series(cache, ask));
}

/* Returns the lines of a stage in a series: [*count]. */
static const struct value_cache_line *lines_of(const struct value_cache *cache,
                                               const struct value_cache_series *series,
                                               int64_t number, int *count)
{
    const int stage = place_of(cache, number), begin = stage > 0 ? series->end[stage - 1] : 0;
    *count = stage < 0 ? 0 : series->end[stage] - begin;
    return series->line + begin;
}

double value_cache_value(struct value_cache *cache, int64_t number, const char *name)
{
    int count;
    const struct value_cache_line *line =
        lines_of(cache, find_series(cache, value_series, name, NULL), number, &count);
    return count ? line[count - 1].value : (double)NAN;
}

static const char *last_text(struct value_cache *cache, int64_t number,
                             enum value_cache_question question, const char *name)
{
    int count;
    const struct value_cache_line *text = value_cache_texts(cache, number, question, name, &count);
    return count ? text[count - 1].text : NULL;
}

const char *value_cache_word(struct value_cache *cache, int64_t number, const char *name)
{
    return last_text(cache, number, VALUE_CACHE_WORD, name);
}

const char *value_cache_environment(struct value_cache *cache, int64_t number, const char *key)
{
    return last_text(cache, number, VALUE_CACHE_ENVIRONMENT, key);
}

const struct value_cache_line *value_cache_lines(struct value_cache *cache, int64_t number,
                                                 const char *name, const struct dimensions *of,
                                                 int *count)
{
    return lines_of(cache, find_series(cache, of ? line_series : point_series, name, of), number,
                    count);
}

double value_cache_metric(struct value_cache *cache, int64_t number, const char *name,
                          const struct dimensions *of)
{
    int count;
    const struct value_cache_line *line = value_cache_lines(cache, number, name, of, &count);
    return count ? line[count - 1].value : (double)NAN;
}

int value_cache_count(const struct value_cache *cache, const int64_t **number)
{
    *number = cache->number;
    return cache->stages;
}

const struct value_cache_line *value_cache_texts(struct value_cache *cache, int64_t number,
                                                 enum value_cache_question question,
                                                 const char *name, int *count)
{
    const struct value_cache_series *series = find_series(cache, text_series[question], name, NULL);
    *count = series->count;
    return number < 0 ? series->line : lines_of(cache, series, number, count);
}

sqlite3_stmt *value_cache_rows(struct store *store, enum value_cache_rows rows,
                               const int64_t *number, int count, const char *defaults)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *list = list_json(&arena, number, count);
    return store_ask(store, row_texts[rows], defaults ? "sss" : "s", list, defaults, store->runs);
}
