#include "results/query/export.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/sheet/escape.h"

/* Takes the object over. */
static void put_json(json_t *json, FILE *out)
{
    CHECK(json, "a record that JSON cannot hold");
    json_dumpf(json, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(json);
}

/* ---- wide ---- */

/* The four tables of keys and values that a stage has. */
static const struct group {
    const char *prefix, *object; /* of a CSV column; key of a JSON object */
    const char *keys, *values;   /* all keys of all stages; key and value of one, by key */
} groups[] = {
    {"option", "options", "SELECT DISTINCT key FROM option ORDER BY key",
     "SELECT key, value FROM option WHERE stage = ? ORDER BY key"},
    {"result", "results", "SELECT DISTINCT name FROM summary WHERE name <> 'status' ORDER BY name",
     "SELECT name, coalesce(text, value) FROM summary WHERE stage = ? AND name <> 'status' "
     "ORDER BY name"},
    {"last", "last", "SELECT DISTINCT name FROM latest ORDER BY name",
     "SELECT name, value FROM latest WHERE stage = ? ORDER BY name"},
    {"environment", "environment", "SELECT DISTINCT key FROM environment ORDER BY key",
     "SELECT key, value FROM environment WHERE stage = ? ORDER BY key"},
};
enum { GROUPS = (int)COUNT_OF(groups) };

struct keys {
    int count;
    const char **key;
};

/* The keys that any of the stages has. */
static struct keys read_keys(struct store *store, const struct group *group,
                             const struct query_stage *stage, int count, struct arena *arena)
{
    struct keys all = {0}, used = {0};
    sqlite3_stmt *ask = store_ask(store, group->keys, "");
    while (store_next(ask)) {
        ARENA_MORE(arena, all.key, all.count);
        all.key[all.count++] = store_text(ask, 0, arena);
    }
    store_finish(ask);
    used.key = ARENA_ARRAY(arena, const char *, all.count);
    bool *seen = ARENA_ARRAY(arena, bool, all.count);
    ask = store_prepare(store, group->values);
    for (int i = 0; i < count; i++) {
        store_bind(ask, "i", stage[i].number);
        for (int at = 0; store_next(ask);) { /* both are sorted */
            const char *key = (const char *)sqlite3_column_text(ask, 0);
            while (at < all.count && strcmp(all.key[at], key) < 0) at++;
            if (at < all.count && !strcmp(all.key[at], key)) seen[at] = true;
        }
    }
    store_finish(ask);
    for (int i = 0; i < all.count; i++)
        if (seen[i]) used.key[used.count++] = all.key[i];
    return used;
}

/* A column's value as CSV: numbers in their shortest form. */
static void put_column(sqlite3_stmt *ask, FILE *out)
{
    if (sqlite3_column_type(ask, 1) == SQLITE_FLOAT)
        cell_real(sqlite3_column_double(ask, 1), out);
    else
        cell_text((const char *)sqlite3_column_text(ask, 1), out);
}

static void wide_csv(const struct store *store, const struct query_stage *stage,
                     const struct keys keys[GROUPS], sqlite3_stmt *const ask[GROUPS], FILE *out)
{
    struct arena arena = {0};
    escape_csv(stage->id, out);
    cell_text(stage->kind, out);
    cell_text(stage->folder, out);
    cell_text(stage->status, out);
    cell_text(cell_join(stage->name, stage->names, "; ", &arena), out);
    cell_text(cell_join(stage->tag, stage->tags, " ", &arena), out);
    cell_real((double)stage->attempts, out);
    cell_real(stage->wall, out);
    cell_real(stage->started, out);
    cell_real(stage->finished, out);
    for (int g = 0; g < GROUPS; g++) {
        int at = 0;
        store_bind(ask[g], "i", stage->number);
        while (store_next(ask[g])) {
            const char *key = (const char *)sqlite3_column_text(ask[g], 0);
            for (; at < keys[g].count && strcmp(keys[g].key[at], key) != 0; at++) fputc(',', out);
            if (at == keys[g].count)
                store_refuse(SQLITE_CORRUPT, store->path, "its rows are not in their order");
            put_column(ask[g], out);
            at++;
        }
        for (; at < keys[g].count; at++) fputc(',', out);
    }
    fputc('\n', out);
    arena_free(&arena);
}

static void wide_json(const struct query_stage *stage, sqlite3_stmt *const ask[GROUPS], FILE *out)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:s?}", "id", stage->id,
                  "kind", stage->kind, "folder", stage->folder, "status", stage->status, "names",
                  cell_json_list(stage->name, stage->names), "tags",
                  cell_json_list(stage->tag, stage->tags), "attempts", (json_int_t)stage->attempts,
                  "wall", cell_json(stage->wall), "started", cell_json(stage->started), "finished",
                  cell_json(stage->finished), "message", stage->message);
    for (int g = 0; g < GROUPS; g++) {
        json_t *object = json_object();
        store_bind(ask[g], "i", stage->number);
        while (store_next(ask[g])) {
            const char *key = (const char *)sqlite3_column_text(ask[g], 0);
            int type = sqlite3_column_type(ask[g], 1);
            json_object_set_new(object, key,
                                type == SQLITE_FLOAT ? json_real(sqlite3_column_double(ask[g], 1))
                                : type == SQLITE_NULL
                                    ? json_null()
                                    : json_string((const char *)sqlite3_column_text(ask[g], 1)));
        }
        json_object_set_new(json, groups[g].object, object);
    }
    put_json(json, out);
}

void export_wide(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out)
{
    struct arena arena = {0};
    struct keys keys[GROUPS];
    sqlite3_stmt *ask[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
        keys[g] = read_keys(store, &groups[g], stage, count, &arena);
        ask[g] = store_prepare(store, groups[g].values);
    }
    if (format == EXPORT_CSV) {
        fputs("id,kind,folder,status,names,tags,attempts,wall,started,finished", out);
        for (int g = 0; g < GROUPS; g++)
            for (int i = 0; i < keys[g].count; i++)
                cell_text(arena_print(&arena, "%s.%s", groups[g].prefix, keys[g].key[i]), out);
        fputc('\n', out);
    }
    for (int i = 0; i < count; i++) {
        if (format == EXPORT_CSV)
            wide_csv(store, &stage[i], keys, ask, out);
        else
            wide_json(&stage[i], ask, out);
    }
    for (int g = 0; g < GROUPS; g++) store_finish(ask[g]);
    arena_free(&arena);
}

/* ---- long ---- */

/* An integer column, or what stands for none. */
static void put_count(sqlite3_stmt *ask, int column, FILE *out)
{
    fputc(',', out);
    if (sqlite3_column_type(ask, column) != SQLITE_NULL)
        fprintf(out, "%lld", (long long)sqlite3_column_int64(ask, column));
}

static void set_count(json_t *json, const char *key, sqlite3_stmt *ask, int column)
{
    if (sqlite3_column_type(ask, column) != SQLITE_NULL)
        json_object_set_new(json, key, json_integer(sqlite3_column_int64(ask, column)));
}

static void long_csv(const struct query_stage *stage, const char *seed, sqlite3_stmt *ask,
                     FILE *out)
{
    escape_csv(stage->id, out);
    cell_text(stage->kind, out);
    cell_text(stage->names ? stage->name[0] : "", out);
    cell_text(seed, out);
    cell_text((const char *)sqlite3_column_text(ask, 0), out);
    for (int column = 1; column < 5; column++) put_count(ask, column, out);
    cell_text((const char *)sqlite3_column_text(ask, 5), out);
    put_count(ask, 6, out);
    cell_real(store_real(ask, 7), out);
    fputc('\n', out);
}

static void long_json(const struct query_stage *stage, const char *seed, sqlite3_stmt *ask,
                      FILE *out)
{
    const char *class = (const char *)sqlite3_column_text(ask, 5);
    json_t *json = json_pack("{s:s, s:s, s:s?, s:s?, s:s, s:o}", "id", stage->id, "kind",
                             stage->kind, "name", stage->names ? stage->name[0] : NULL, "seed",
                             seed, "metric", (const char *)sqlite3_column_text(ask, 0), "value",
                             cell_json(store_real(ask, 7)));
    set_count(json, "step", ask, 1);
    set_count(json, "layer", ask, 2);
    set_count(json, "head", ask, 3);
    set_count(json, "set", ask, 4);
    if (class) json_object_set_new(json, "class", json_string(class));
    set_count(json, "n", ask, 6);
    put_json(json, out);
}

void export_long(struct store *store, const struct query_stage *stage, int count,
                 enum export_format format, FILE *out)
{
    struct arena arena = {0};
    sqlite3_stmt *ask = store_prepare(
        store, "SELECT name, step, layer, head, \"set\", class, n, value FROM metric WHERE "
               "stage = ? ORDER BY name, step, rowid");
    sqlite3_stmt *seeds =
        store_prepare(store, "SELECT value FROM option WHERE stage = ? AND key = 'seed'");
    if (format == EXPORT_CSV)
        fputs("id,kind,name,seed,metric,step,layer,head,set,class,n,value\n", out);
    for (int i = 0; i < count; i++) {
        const char *seed = NULL;
        store_bind(seeds, "i", stage[i].number);
        while (store_next(seeds)) seed = store_text(seeds, 0, &arena);
        store_bind(ask, "i", stage[i].number);
        while (store_next(ask))
            (format == EXPORT_CSV ? long_csv : long_json)(&stage[i], seed, ask, out);
    }
    store_finish(ask);
    store_finish(seeds);
    arena_free(&arena);
}
