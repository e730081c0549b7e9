/* Lines are printed as their rows come from the database: a long export needs no memory. */
#include <jansson.h>
#include <string.h>

#include "results/query/query.h"
#include "results/sheet/cell.h"

/* The columns that are lists of JSON, with what stands between their items in CSV. */
static const char *between_words(const char *column)
{
    return !strcmp(column, "names") ? "; " : !strcmp(column, "tags") ? " " : NULL;
}

static void put_cell(sqlite3_stmt *ask, int column, FILE *out)
{
    const int type = sqlite3_column_type(ask, column);
    const char *between = between_words(sqlite3_column_name(ask, column));
    if (type == SQLITE_FLOAT) {
        cell_real(sqlite3_column_double(ask, column), out);
    } else if (type == SQLITE_INTEGER) {
        fprintf(out, ",%lld", (long long)sqlite3_column_int64(ask, column));
    } else if (!between) {
        cell_text((const char *)sqlite3_column_text(ask, column), out);
    } else {
        struct arena arena = {0};
        const struct query_words words = query_words(ask, column, &arena);
        cell_text(cell_join(words.word, words.count, between, &arena), out);
        arena_free(&arena);
    }
}

static json_t *cell_of(sqlite3_stmt *ask, int column)
{
    const int type = sqlite3_column_type(ask, column);
    const char *text = (const char *)sqlite3_column_text(ask, column);
    if (type == SQLITE_NULL) return json_null();
    if (type == SQLITE_FLOAT) return cell_json(sqlite3_column_double(ask, column));
    if (type == SQLITE_INTEGER) return json_integer(sqlite3_column_int64(ask, column));
    return between_words(sqlite3_column_name(ask, column)) ? json_loads(text, 0, NULL)
                                                           : json_string(text);
}

/* ---- what a stage has by key ---- */

static const struct {
    const char *prefix, *object; /* of a CSV column; key of a JSON object */
} parts[RELATION_PARTS] = {[RELATION_OPTIONS] = {"option", "options"},
                           [RELATION_RESULTS] = {"result", "results"},
                           [RELATION_LATEST] = {"last", "last"},
                           [RELATION_ENVIRONMENTS] = {"environment", "environment"}};

/* All keys of all stages, in the order of facts. */
struct keys {
    int count;
    struct key {
        int part;
        const char *key;
    } * key;
};

static struct keys read_keys(sqlite3_stmt *ask, struct arena *arena)
{
    struct keys keys = {0};
    while (store_next(ask)) {
        ARENA_MORE(arena, keys.key, keys.count);
        keys.key[keys.count++] =
            (struct key){sqlite3_column_int(ask, 0), store_text(ask, 1, arena)};
    }
    return keys;
}

/* The facts of the stage `at`, whose first row `facts` has, unless *more is false. */
static void put_facts(sqlite3_stmt *facts, bool *more, int at, const struct keys *keys,
                      json_t *json, FILE *out)
{
    const char *path = sqlite3_db_filename(sqlite3_db_handle(facts), "main");
    struct arena arena = {0};
    int column = 0;
    for (int p = 0; json && p < RELATION_PARTS; p++)
        json_object_set_new(json, parts[p].object, json_object());
    for (; *more && sqlite3_column_int(facts, 0) == at; *more = store_next(facts)) {
        const int part = sqlite3_column_int(facts, 1);
        const char *key = (const char *)sqlite3_column_text(facts, 2);
        if (json) {
            json_object_set_new(json_object_get(json, parts[part].object), key, cell_of(facts, 3));
            continue;
        }
        for (; column < keys->count &&
               (keys->key[column].part != part || strcmp(keys->key[column].key, key) != 0);
             column++)
            fputc(',', out);
        if (column == keys->count)
            store_refuse(SQLITE_CORRUPT, path, arena_print(&arena, "\"%s\" stands twice", key));
        put_cell(facts, 3, out);
        column++;
    }
    for (; !json && column < keys->count; column++) fputc(',', out);
}

/* ---- all forms ---- */

static void put_header(sqlite3_stmt *ask, int columns, const struct keys *keys, FILE *out)
{
    struct arena arena = {0};
    fputs(sqlite3_column_name(ask, 1), out);
    for (int i = 2; i < columns; i++) cell_text(sqlite3_column_name(ask, i), out);
    for (int i = 0; i < keys->count; i++)
        cell_text(arena_print(&arena, "%s.%s", parts[keys->key[i].part].prefix, keys->key[i].key),
                  out);
    fputc('\n', out);
    arena_free(&arena);
}

void query_print(struct store *store, const struct query_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out)
{
    static const struct {
        enum relation_rows rows;
        int columns[2]; /* in CSV and JSON; the first row is `at` */
    } forms[] = {[QUERY_LIST] = {RELATION_STAGES, {16, 16}},
                 [QUERY_WIDE] = {RELATION_HEADS, {11, 12}},
                 [QUERY_LONG] = {RELATION_LINES, {13, 13}}};
    struct arena arena = {0};
    struct keys keys = {0};
    int64_t *number = ARENA_ARRAY(&arena, int64_t, count);
    for (int i = 0; i < count; i++) number[i] = stage[i].number;
    /* The first statement keeps the state for the others. */
    sqlite3_stmt *rows = relation_rows(store, forms[form].rows, number, count), *facts = NULL;
    bool row = store_next(rows);
    if (form == QUERY_WIDE && format == EXPORT_CSV)
        keys = read_keys(relation_rows(store, RELATION_KEYS, number, count), &arena);
    if (form == QUERY_WIDE) facts = relation_rows(store, RELATION_FACTS, number, count);
    bool fact = facts && store_next(facts);
    const int columns = forms[form].columns[format];
    if (format == EXPORT_CSV) put_header(rows, columns, &keys, out);
    json_t *all = json_array();
    for (; row; row = store_next(rows)) {
        json_t *json = format == EXPORT_JSONL ? json_object() : NULL;
        if (!json) fputs((const char *)sqlite3_column_text(rows, 1), out); /* the id */
        for (int i = json ? 1 : 2; i < columns; i++)
            if (json)
                json_object_set_new(json, sqlite3_column_name(rows, i), cell_of(rows, i));
            else
                put_cell(rows, i, out);
        if (facts) put_facts(facts, &fact, sqlite3_column_int(rows, 0), &keys, json, out);
        if (!json)
            fputc('\n', out);
        else if (form == QUERY_LIST)
            json_array_append_new(all, json);
        else
            cell_put_json(json, out);
    }
    if (form == QUERY_LIST && format == EXPORT_JSONL) {
        json_dumpf(all, out, JSON_INDENT(2));
        fputc('\n', out);
    }
    json_decref(all);
    arena_free(&arena);
}
