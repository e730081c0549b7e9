/* Both stages answer the same questions, sorted by key; the two lists are then merged. */
#include <jansson.h>
#include <string.h>

#include "core/config/tree.h"
#include "results/query/query.h"

enum { BOTH = 2, KEY = 0, FIRST = 1 };

/* One list of each stage, sorted by key. */
struct diff_list {
    int count, at;
    struct query_pair *pair;
};

/* The pair of this key, the next one in the list; NULL: it has none. */
static const struct query_pair *take(struct diff_list *list, const char *key)
{
    const bool has = list->at < list->count && !strcmp(list->pair[list->at].key, key);
    return has ? &list->pair[list->at++] : NULL;
}

/* As a grid has it, [{layers: 1, branches: [global]}]: so defaults are written, too. */
static void put_flow(json_t *json, FILE *out, struct arena *arena)
{
    json_t *value;
    const char *key, *between = "";
    if (json_is_array(json)) {
        fputc('[', out);
        for (size_t i = 0; i < json_array_size(json); i++, between = ", ") {
            fputs(between, out);
            put_flow(json_array_get(json, i), out, arena);
        }
        fputc(']', out);
    } else if (json_is_object(json)) {
        fputc('{', out);
        json_object_foreach(json, key, value) {
            fprintf(out, "%s%s: ", between, key);
            put_flow(value, out, arena);
            between = ", ";
        }
        fputc('}', out);
    } else if (json_is_string(json)) {
        tree_print(tree_new_text(arena, (struct place){0}, json_string_value(json)), out);
    } else {
        json_dumpf(json, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    }
}

/* Lists and maps stand in the database as JSON. */
static const char *flow(const char *value, struct arena *arena)
{
    json_t *json = *value == '[' || *value == '{' ? json_loads(value, 0, NULL) : NULL;
    struct arena_stream text;
    if (!json) return value;
    arena_stream_open(&text);
    put_flow(json, text.out, arena);
    json_decref(json);
    return arena_stream_close(arena, &text);
}

static const char *value_of(const struct query_pair *pair, struct arena *arena)
{
    return !pair ? NULL : pair->value ? flow(pair->value, arena) : "not finite";
}

/* The rows of both lists, each key once; those that differ, or all. Returns how many it printed. */
static int put_lists(const char *title, struct diff_list side[BOTH], const char *const header[BOTH],
                     bool all, FILE *out, struct arena *arena)
{
    struct sheet *sheet = sheet_new(arena, side[0].count + side[1].count, BOTH + FIRST);
    sheet->title = title;
    sheet->column[KEY].header = "";
    for (int s = 0; s < BOTH; s++) sheet->column[FIRST + s].header = header[s];
    int rows = 0, equal = 0;
    while (side[0].at < side[0].count || side[1].at < side[1].count) {
        const char *key = NULL;
        for (int s = 0; s < BOTH; s++)
            if (side[s].at < side[s].count &&
                (!key || strcmp(side[s].pair[side[s].at].key, key) < 0))
                key = side[s].pair[side[s].at].key;
        const struct query_pair *const pair[BOTH] = {take(&side[0], key), take(&side[1], key)};
        const bool same =
            pair[0] && pair[1] && !strcmp(value_of(pair[0], arena), value_of(pair[1], arena));
        equal += same;
        if (same && !all) continue;
        sheet_set(sheet, rows, KEY, key);
        for (int s = 0; s < BOTH; s++)
            sheet_set(sheet, rows, FIRST + s,
                      pair[s] && pair[s]->is_default
                          ? arena_print(arena, "%s (default)", value_of(pair[s], arena))
                          : value_of(pair[s], arena));
        rows++;
    }
    sheet->rows = rows;
    if (equal && !all) sheet_caption(arena, sheet, "%d equal", equal);
    if (rows) {
        sheet_text(sheet, out);
        fputc('\n', out);
    }
    return rows;
}

void query_diff(struct store *store, const char *const id[BOTH],
                const struct query_defaults *const defaults[BOTH], bool all, FILE *out)
{
    static const struct {
        const char *title, *sql;
    } list[] = {
        {"Stage", "SELECT 'kind', kind FROM stage WHERE number = ?1 UNION ALL "
                  "SELECT 'names', group_concat(name, ', ') FROM called WHERE stage = ?1 "
                  "HAVING count(*) > 0 UNION ALL "
                  "SELECT 'status', status FROM stage WHERE number = ?1"},
        {"Reads", "SELECT coalesce(kind, 'input'), input FROM input LEFT JOIN stage ON id = input "
                  "WHERE input.stage = ? ORDER BY 1, position"},
        {"Files", QUERY_FILES},
        {"Options", NULL}, /* query_options */
        {"Results", "SELECT name, coalesce(text, value) FROM (" STORE_SUMMARY ") "
                    "WHERE stage = ? AND name NOT LIKE 'outputs.%' AND name <> "
                    "'status' ORDER BY name"},
        {"Last values",
         "SELECT name, value FROM (" STORE_LATEST ") WHERE stage = ?1 AND "
         "name NOT IN (SELECT name FROM (" STORE_SUMMARY ") WHERE stage = ?1) ORDER BY name"},
        {"Last values by layer, head and class",
         "SELECT name || iif(layer IS NULL, '', ' layer ' || layer) || iif(head IS NULL, '', ' "
         "head ' || head) || iif(class IS NULL, '', ': ' || class) AS key, value FROM value "
         "WHERE rowid IN (SELECT max(rowid) FROM value WHERE stage = ? AND NOT (" STORE_PLAIN
         ") AND "
         "\"set\" IS NULL GROUP BY name, layer, head, class) ORDER BY key"},
        {"Environment", QUERY_ENVIRONMENT},
    };
    struct arena arena = {0};
    const char *header[BOTH];
    int64_t stage[BOTH];
    int rows = 0;
    for (int s = 0; s < BOTH; s++) {
        sqlite3_stmt *ask =
            store_ask(store, "SELECT number, folder FROM stage WHERE id = ?", "s", id[s]);
        const bool known = store_next(ask);
        stage[s] = known ? sqlite3_column_int64(ask, 0) : 0;
        header[s] = known ? store_text(ask, 1, &arena) : id[s];
        store_finish(ask);
    }
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        struct diff_list side[BOTH] = {0};
        for (int s = 0; s < BOTH; s++)
            side[s].count =
                list[i].sql ? query_pairs(store, list[i].sql, stage[s], &side[s].pair, &arena)
                            : query_options(store, stage[s], defaults[s], &side[s].pair, &arena);
        rows += put_lists(list[i].title, side, header, all, out, &arena);
    }
    if (!rows) fputs("no difference\n", out);
    arena_free(&arena);
}
