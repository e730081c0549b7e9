/* Lines are printed as their rows come from the database: a long export needs no memory. */
#include "results/query/export.h"

#include <jansson.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/sheet/escape.h"

/* A column of the present row, as a cell of CSV (numbers in their shortest form) and in JSON. */
static void put_column(sqlite3_stmt *ask, int column, FILE *out)
{
    const int type = sqlite3_column_type(ask, column);
    if (type == SQLITE_FLOAT)
        cell_real(sqlite3_column_double(ask, column), out);
    else if (type == SQLITE_INTEGER)
        fprintf(out, ",%lld", (long long)sqlite3_column_int64(ask, column));
    else
        cell_text((const char *)sqlite3_column_text(ask, column), out);
}

static json_t *column_json(sqlite3_stmt *ask, int column)
{
    const int type = sqlite3_column_type(ask, column);
    if (type == SQLITE_NULL) return json_null();
    if (type == SQLITE_FLOAT) return cell_json(sqlite3_column_double(ask, column));
    if (type == SQLITE_INTEGER) return json_integer(sqlite3_column_int64(ask, column));
    return json_string((const char *)sqlite3_column_text(ask, column));
}

/* ---- wide ---- */

/* The four tables of keys and values that a stage has. */
static const struct key_table {
    const char *prefix, *object; /* of a CSV column; key of a JSON object */
    const char *keys, *values;   /* all keys of all stages; key and value of one, by key */
} tables[] = {
    {"option", "options", "SELECT DISTINCT key FROM option ORDER BY key", QUERY_OPTIONS},
    {"result", "results",
     "SELECT DISTINCT name FROM (" STORE_SUMMARY ") WHERE name <> 'status' ORDER BY name",
     "SELECT name, coalesce(text, value) FROM (" STORE_SUMMARY
     ") WHERE stage = ? AND name <> 'status' "
     "ORDER BY name"},
    {"last", "last", "SELECT name FROM " STORE_NAMES " ORDER BY name",
     "SELECT name, value FROM (" STORE_LATEST ") WHERE stage = ? ORDER BY name"},
    {"environment", "environment", "SELECT DISTINCT key FROM environment ORDER BY key",
     QUERY_ENVIRONMENT},
};
enum { TABLES = (int)COUNT_OF(tables) };

/* The keys of a table that any of the stages has. */
struct keys {
    int count;
    const char **key;
};

static struct keys read_keys(struct store *store, const struct key_table *table,
                             const struct query_stage *stage, int count, struct arena *arena)
{
    struct keys all, used = {0};
    all.count = store_texts(store_ask(store, table->keys, ""), &all.key, arena);
    used.key = ARENA_ARRAY(arena, const char *, all.count);
    bool *seen = ARENA_ARRAY(arena, bool, all.count);
    for (int i = 0; i < count; i++) {
        sqlite3_stmt *ask = store_ask(store, table->values, "i", stage[i].number);
        for (int at = 0; store_next(ask);) { /* both are sorted */
            const char *key = (const char *)sqlite3_column_text(ask, 0);
            while (at < all.count && strcmp(all.key[at], key) < 0) at++;
            if (at < all.count && !strcmp(all.key[at], key)) seen[at] = true;
        }
    }
    for (int i = 0; i < all.count; i++)
        if (seen[i]) used.key[used.count++] = all.key[i];
    return used;
}

static void wide_csv(struct store *store, const struct query_stage *stage,
                     const struct keys keys[TABLES], FILE *out)
{
    query_put_texts(stage, out);
    cell_real((double)stage->attempts, out);
    cell_real(stage->wall, out);
    cell_real(stage->started, out);
    cell_real(stage->finished, out);
    for (int t = 0; t < TABLES; t++) {
        int at = 0;
        sqlite3_stmt *ask = store_ask(store, tables[t].values, "i", stage->number);
        while (store_next(ask)) {
            const char *key = (const char *)sqlite3_column_text(ask, 0);
            for (; at < keys[t].count && strcmp(keys[t].key[at], key) != 0; at++) fputc(',', out);
            if (at == keys[t].count)
                store_refuse(SQLITE_CORRUPT, store->path, "its rows are not in their order");
            put_column(ask, 1, out);
            at++;
        }
        for (; at < keys[t].count; at++) fputc(',', out);
    }
    fputc('\n', out);
}

static void wide_json(struct store *store, const struct query_stage *stage, FILE *out)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:s?}", "id", stage->id,
                  "kind", stage->kind, "folder", stage->folder, "status", stage->status, "names",
                  cell_json_list(stage->name, stage->names), "tags",
                  cell_json_list(stage->tag, stage->tags), "attempts", (json_int_t)stage->attempts,
                  "wall", cell_json(stage->wall), "started", cell_json(stage->started), "finished",
                  cell_json(stage->finished), "message", stage->message);
    for (int t = 0; t < TABLES; t++) {
        json_t *object = json_object();
        sqlite3_stmt *ask = store_ask(store, tables[t].values, "i", stage->number);
        while (store_next(ask))
            json_object_set_new(object, (const char *)sqlite3_column_text(ask, 0),
                                column_json(ask, 1));
        json_object_set_new(json, tables[t].object, object);
    }
    cell_put_json(json, out);
}

void export_wide(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out)
{
    struct arena arena = {0};
    struct keys keys[TABLES];
    if (format == EXPORT_CSV) {
        fputs("id,kind,folder,status,names,tags,attempts,wall,started,finished", out);
        for (int t = 0; t < TABLES; t++) {
            keys[t] = read_keys(store, &tables[t], stage, count, &arena);
            for (int i = 0; i < keys[t].count; i++)
                cell_text(arena_print(&arena, "%s.%s", tables[t].prefix, keys[t].key[i]), out);
        }
        fputc('\n', out);
    }
    for (int i = 0; i < count; i++) {
        if (format == EXPORT_CSV)
            wide_csv(store, &stage[i], keys, out);
        else
            wide_json(store, &stage[i], out);
    }
    arena_free(&arena);
}

/* ---- long ---- */

static const char *const columns[] = {"metric", "step",  "layer", "head",
                                      "set",    "class", "n",     "value"};
enum { METRIC, STEP, VALUE = (int)COUNT_OF(columns) - 1 };

static void long_csv(const struct query_stage *stage, const char *seed, sqlite3_stmt *ask,
                     FILE *out)
{
    escape_csv(stage->id, out);
    cell_text(stage->kind, out);
    cell_text(stage->names ? stage->name[0] : "", out);
    cell_text(seed, out);
    for (int column = METRIC; column <= VALUE; column++) put_column(ask, column, out);
    fputc('\n', out);
}

/* Of the step and the dimensions those that the value has. */
static void long_json(const struct query_stage *stage, const char *seed, sqlite3_stmt *ask,
                      FILE *out)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s?, s:s?, s:o, s:o}", "id", stage->id, "kind", stage->kind, "name",
                  stage->names ? stage->name[0] : NULL, "seed", seed, columns[METRIC],
                  column_json(ask, METRIC), columns[VALUE], column_json(ask, VALUE));
    for (int column = STEP; column < VALUE; column++)
        if (sqlite3_column_type(ask, column) != SQLITE_NULL)
            json_object_set_new(json, columns[column], column_json(ask, column));
    cell_put_json(json, out);
}

/* The seed of a stage or of what it reads, as a score that of its training; of several none. */
static const char seed_of[] =
    "WITH RECURSIVE behind (number) AS (SELECT ?1 UNION SELECT stage.number FROM behind"
    " JOIN input ON input.stage = behind.number JOIN stage ON stage.id = input.input) "
    "SELECT min(value) FROM behind JOIN option ON option.stage = behind.number WHERE key = 'seed' "
    "HAVING count(DISTINCT value) = 1";

void export_long(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out)
{
    struct arena arena = {0};
    if (format == EXPORT_CSV)
        fputs("id,kind,name,seed,metric,step,layer,head,set,class,n,value\n", out);
    for (int i = 0; i < count; i++) {
        const char *seed = NULL;
        sqlite3_stmt *ask = store_ask(store, seed_of, "i", stage[i].number);
        while (store_next(ask)) seed = store_text(ask, 0, &arena);
        ask = store_ask(store,
                        "SELECT name, step, layer, head, \"set\", class, n, value FROM value "
                        "WHERE stage = ? AND " STORE_LINES " ORDER BY name, step, rowid",
                        "i", stage[i].number);
        while (store_next(ask))
            (format == EXPORT_CSV ? long_csv : long_json)(&stage[i], seed, ask, out);
    }
    arena_free(&arena);
}
