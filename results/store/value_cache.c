/* Values of stages in series. A series has the lines of all stages of the set under one name, stage
 * by stage. The cache key is the SQL statement, the name and the dimensions. */
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

struct relation_series {
    int *end; /* [stages] end of each stage's lines */
    int count;
    struct relation_line *line; /* [count] */
};

struct relation {
    struct store *store;
    struct arena *arena;
    int stages;
    int64_t *number;              /* [stages] ascending */
    struct relation_stage *stage; /* [stages] in the order of `number` */
    struct table *of_id, *of_name;
    const char *numbers; /* JSON list of the numbers, the first parameter of a statement */
    int count;
    struct relation_series **series; /* [count] */
};

static const char *list_json(struct arena *arena, const int64_t *number, int count)
{
    return arena_print(arena, "[%s]", arena_numbers(arena, number, count, ","));
}

struct relation *relation_open(struct store *store, const char *const *id, int count,
                               struct arena *arena)
{
    struct relation *relation = ARENA_NEW(arena, struct relation);
    *relation = (struct relation){.store = store,
                                  .arena = arena,
                                  .of_id = table_new(arena, (size_t)count),
                                  .of_name = table_new(arena, 0)};
    SCOPED(heap_free) char *ids = cell_json_texts(id, id ? count : 0);
    sqlite3_stmt *ask =
        store_ask(store,
                  id ? "SELECT number, id, status, wall FROM stage WHERE id IN (SELECT value FROM "
                       "json_each(?)) ORDER BY number"
                     : "SELECT number, id, status, wall FROM stage ORDER BY number",
                  id ? "s" : "", ids);
    while (store_next(ask)) {
        ARENA_MORE(arena, relation->number, relation->stages);
        ARENA_MORE(arena, relation->stage, relation->stages);
        const int at = relation->stages++;
        const char *own = store_text(ask, 1, arena);
        relation->number[at] = sqlite3_column_int64(ask, 0);
        relation->stage[at] = (struct relation_stage){
            relation->number[at], store_text(ask, 2, arena), store_real(ask, 3)};
        table_put(relation->of_id, own, strlen(own), at);
    }
    relation->numbers = list_json(arena, relation->number, relation->stages);
    return relation;
}

struct relation_stage relation_stage(const struct relation *relation, const char *id)
{
    const int64_t at = table_get(relation->of_id, id, strlen(id));
    return at < 0 ? (struct relation_stage){-1, STATUS_NEW, 0} : relation->stage[at];
}

/* Returns the index of a stage in the set; -1 if it is not in the set. */
static int place_of(const struct relation *relation, int64_t number)
{
    const int64_t *at =
        bsearch(&number, relation->number, (size_t)relation->stages, sizeof number, compare_int64s);
    return at ? (int)(at - relation->number) : -1;
}

static struct relation_series *read_series(struct relation *relation, sqlite3_stmt *ask)
{
    struct arena *arena = relation->arena;
    struct relation_series *series = ARENA_NEW(arena, struct relation_series);
    series->end = ARENA_ARRAY(arena, int, relation->stages + 1);
    const int columns = sqlite3_column_count(ask);
    int stage = 0;
    while (store_next(ask)) {
        char digits[REAL_TEXT];
        for (const int64_t number = sqlite3_column_int64(ask, 0); relation->number[stage] < number;)
            series->end[stage++] = series->count;
        ARENA_MORE(arena, series->line, series->count);
        struct relation_line *line = &series->line[series->count++];
        const char *text = store_value(ask, 3, digits);
        *line = (struct relation_line){.step = JOURNAL_NONE,
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
    while (stage < relation->stages) series->end[stage++] = series->count;
    return series;
}

/* Returns the series of a statement, a name, and dimensions (NULL: the statement has none). Reads
 * the series on first use. */
static const struct relation_series *find_series(struct relation *relation, const char *sql,
                                                 const char *name, const struct dimensions *of)
{
    const char *dimensions = of ? dimensions_text(of, relation->arena) : "";
    SCOPED(heap_free) char *key = heap_print("%p%s\n%s", (const void *)sql, name, dimensions);
    const int64_t at = table_get(relation->of_name, key, strlen(key));
    if (at != TABLE_ABSENT) return relation->series[at];
    table_put(relation->of_name, arena_text(relation->arena, key), strlen(key), relation->count);
    sqlite3_stmt *ask = store_prepare(relation->store, sql);
    if (!of) {
        store_bind(ask, "ss", relation->numbers, name);
    } else {
        int64_t number[DIMENSION_CLASS];
        for (int d = 0; d < DIMENSION_CLASS; d++)
            number[d] = of->number[d] ? of->number[d] : JOURNAL_NONE;
        store_bind(ask, "ssnnns", relation->numbers, name, number[DIMENSION_LAYER],
                   number[DIMENSION_HEAD], number[DIMENSION_SET], of->class);
    }
    return ARENA_ADD(relation->arena, relation->series, relation->count,
                     read_series(relation, ask));
}

/* Returns the lines of a stage in a series: [*count]. */
static const struct relation_line *lines_of(const struct relation *relation,
                                            const struct relation_series *series, int64_t number,
                                            int *count)
{
    const int stage = place_of(relation, number), begin = stage > 0 ? series->end[stage - 1] : 0;
    *count = stage < 0 ? 0 : series->end[stage] - begin;
    return series->line + begin;
}

double relation_value(struct relation *relation, int64_t number, const char *name)
{
    int count;
    const struct relation_line *line =
        lines_of(relation, find_series(relation, value_series, name, NULL), number, &count);
    return count ? line[count - 1].value : (double)NAN;
}

static const char *last_text(struct relation *relation, int64_t number,
                             enum relation_question question, const char *name)
{
    int count;
    const struct relation_line *text = relation_texts(relation, number, question, name, &count);
    return count ? text[count - 1].text : NULL;
}

const char *relation_word(struct relation *relation, int64_t number, const char *name)
{
    return last_text(relation, number, RELATION_WORD, name);
}

const char *relation_environment(struct relation *relation, int64_t number, const char *key)
{
    return last_text(relation, number, RELATION_ENVIRONMENT, key);
}

const struct relation_line *relation_lines(struct relation *relation, int64_t number,
                                           const char *name, const struct dimensions *of,
                                           int *count)
{
    return lines_of(relation, find_series(relation, of ? line_series : point_series, name, of),
                    number, count);
}

double relation_metric(struct relation *relation, int64_t number, const char *name,
                       const struct dimensions *of)
{
    int count;
    const struct relation_line *line = relation_lines(relation, number, name, of, &count);
    return count ? line[count - 1].value : (double)NAN;
}

int relation_count(const struct relation *relation, const int64_t **number)
{
    *number = relation->number;
    return relation->stages;
}

const struct relation_line *relation_texts(struct relation *relation, int64_t number,
                                           enum relation_question question, const char *name,
                                           int *count)
{
    const struct relation_series *series = find_series(relation, text_series[question], name, NULL);
    *count = series->count;
    return number < 0 ? series->line : lines_of(relation, series, number, count);
}

const char *const *relation_value_names(struct store *store, const char *kind, bool journaled,
                                        struct arena *arena)
{
    const char **name;
    const int count = store_texts(store_ask(store, name_texts[journaled], "s", kind), &name, arena);
    ARENA_MORE(arena, name, count);
    name[count] = NULL;
    return name;
}

sqlite3_stmt *relation_rows(struct store *store, enum relation_rows rows, const int64_t *number,
                            int count, const char *defaults)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *list = list_json(&arena, number, count);
    return store_ask(store, row_texts[rows], defaults ? "sss" : "s", list, defaults, store->runs);
}
