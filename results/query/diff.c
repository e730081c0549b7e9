/* Two stages side by side (query.h). */
#include <math.h>
#include <string.h>

#include "results/query/query.h"

enum { SIDES = 2, KEY = 0, FIRST = 1 };

/* One list of each stage, sorted by key. */
struct side {
    int count, at;
    const char **key, **value;
};

static struct side read_side(struct store *store, const char *sql, const char *id,
                             const struct query_defaults *defaults, struct arena *arena)
{
    struct side side = {0};
    int rows = 0, next = 0, most = defaults ? defaults->count : 0;
    sqlite3_stmt *ask = store_ask(store, sql, "s", id);
    while (store_next(ask)) rows++;
    side.key = ARENA_ARRAY(arena, const char *, rows + most);
    side.value = ARENA_ARRAY(arena, const char *, rows + most);
    for (bool more = true; more || next < most;) {
        more = more && store_next(ask);
        const char *key = more ? store_text(ask, 0, arena) : NULL;
        int order = -1;
        while (next < most && (!key || (order = strcmp(defaults->option[next].key, key)) <= 0)) {
            if (!key || order < 0) {
                side.key[side.count] = defaults->option[next].key;
                side.value[side.count++] = arena_print(
                    arena, "%s (default)", query_default_at(store, id, &defaults->option[next]));
            }
            next++;
        }
        if (!key) continue;
        const char *value = store_text(ask, 1, arena);
        side.key[side.count] = key;
        side.value[side.count++] = value ? value : "not finite";
    }
    store_finish(ask);
    return side;
}

/* "(default)" is said, but makes no difference. */
static bool same(const char *a, const char *b)
{
    static const char word[] = " (default)";
    if (!a || !b) return false;
    const char *end_a = strstr(a, word), *end_b = strstr(b, word);
    size_t length_a = end_a ? (size_t)(end_a - a) : strlen(a);
    size_t length_b = end_b ? (size_t)(end_b - b) : strlen(b);
    return length_a == length_b && !memcmp(a, b, length_a);
}

/* The rows of both lists, each key once; those that differ, or all. Returns how many it printed. */
static int put_lists(const char *title, struct side side[SIDES], const char *const header[SIDES],
                     bool all, FILE *out, struct arena *arena)
{
    struct sheet *sheet = sheet_new(arena, side[0].count + side[1].count, SIDES + FIRST);
    sheet->title = title;
    sheet->column[KEY].header = "";
    for (int s = 0; s < SIDES; s++) sheet->column[FIRST + s].header = header[s];
    int rows = 0, equal = 0;
    while (side[0].at < side[0].count || side[1].at < side[1].count) {
        const char *key = NULL, *value[SIDES] = {0};
        for (int s = 0; s < SIDES; s++)
            if (side[s].at < side[s].count && (!key || strcmp(side[s].key[side[s].at], key) < 0))
                key = side[s].key[side[s].at];
        for (int s = 0; s < SIDES; s++)
            if (side[s].at < side[s].count && !strcmp(side[s].key[side[s].at], key))
                value[s] = side[s].value[side[s].at++];
        bool is_same = same(value[0], value[1]);
        equal += is_same;
        if (is_same && !all) continue;
        sheet_set(sheet, rows, KEY, key);
        for (int s = 0; s < SIDES; s++) sheet_set(sheet, rows, FIRST + s, value[s]);
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

void query_diff(struct store *store, const char *const id[SIDES],
                const struct query_defaults *const defaults[SIDES], bool all, FILE *out)
{
    static const struct {
        const char *title, *sql;
    } list[] = {
        {"Stage", "SELECT 'kind', kind FROM stage WHERE id = ?1 UNION ALL "
                  "SELECT 'names', group_concat(name, ', ') FROM called JOIN stage ON number = "
                  "called.stage WHERE id = ?1 HAVING count(*) > 0 UNION ALL "
                  "SELECT 'status', status FROM stage WHERE id = ?1"},
        {"Reads", "SELECT coalesce(reads.kind, 'input'), input FROM input JOIN stage ON "
                  "stage.number = input.stage LEFT JOIN stage AS reads ON reads.id = input WHERE "
                  "stage.id = ? ORDER BY 1, position"},
        {"Options", "SELECT key, value FROM option JOIN stage ON number = stage WHERE id = ? "
                    "ORDER BY key"},
        {"Results", "SELECT name, coalesce(text, printf('%.10g', value)) FROM summary JOIN stage "
                    "ON number = stage WHERE id = ? AND name NOT LIKE 'outputs.%' AND name <> "
                    "'status' ORDER BY name"},
        {"Last values", "SELECT name, printf('%.10g', latest.value) FROM latest JOIN stage ON "
                        "number = latest.stage WHERE id = ?1 AND name NOT IN (SELECT name FROM "
                        "summary WHERE summary.stage = number) ORDER BY name"},
        {"Last values by layer, head and class",
         "SELECT name || iif(layer IS NULL, '', ' layer ' || layer) || iif(head IS NULL, '', ' "
         "head ' || head) || iif(class IS NULL, '', ': ' || class) AS key, iif(value IS NULL, "
         "NULL, printf('%.10g', value)) FROM metric WHERE rowid IN (SELECT max(rowid) FROM metric "
         "WHERE stage = (SELECT number FROM stage WHERE id = ?1) AND NOT (" STORE_PLAIN ") AND "
         "\"set\" IS NULL GROUP BY name, layer, head, class) ORDER BY key"},
        {"Environment", "SELECT key, value FROM environment JOIN stage ON number = stage WHERE id "
                        "= ? ORDER BY key"},
    };
    struct arena arena = {0};
    const char *header[SIDES];
    int rows = 0;
    for (int s = 0; s < SIDES; s++) {
        sqlite3_stmt *ask = store_ask(store, "SELECT folder FROM stage WHERE id = ?", "s", id[s]);
        header[s] = store_next(ask) ? store_text(ask, 0, &arena) : id[s];
        store_finish(ask);
    }
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        bool options = !strcmp(list[i].title, "Options");
        struct side side[SIDES];
        for (int s = 0; s < SIDES; s++)
            side[s] = read_side(store, list[i].sql, id[s], options ? defaults[s] : NULL, &arena);
        rows += put_lists(list[i].title, side, header, all, out, &arena);
    }
    if (!rows) fputs("no difference\n", out);
    arena_free(&arena);
}
