/* Both stages answer the same questions, sorted by key; the two lists are then merged. */
#include <jansson.h>
#include <string.h>

#include "core/config/tree_read.h"
#include "results/query/find_stage.h"
#include "results/query/query.h"

enum { BOTH = 2, KEY = 0, FIRST = 1 };

static void unquote(struct tree *tree)
{
    tree->quoted = false;
    for (int i = 0; i < tree->count; i++) {
        if (tree->key) unquote(tree->key[i]);
        unquote(tree->item[i]);
    }
}

/* Lists and maps, which stand in the database as JSON, as a grid has them, [{layers: 1, branches:
 * [global]}]: so defaults are written, too. */
static const char *value_of(const struct query_pair *pair, struct arena *arena)
{
    const char *value = pair->value ? pair->value : "not finite";
    json_t *json = *value == '[' || *value == '{' ? json_loads(value, 0, NULL) : NULL;
    if (!json) return value;
    json_decref(json);
    struct tree *tree = tree_parse(arena, pair->key, value);
    unquote(tree);
    return tree_text(arena, tree);
}

/* The rows of both lists, each key once; those that differ, or all. Returns how many it printed. */
static int put_lists(const char *title, const struct query_pairs side[BOTH],
                     const char *const header[BOTH], bool all, FILE *out, struct arena *arena)
{
    static const char outputs[] = "outputs."; /* their digests say less than what made them */
    struct sheet *sheet = sheet_new(arena, side[0].count + side[1].count, BOTH + FIRST);
    sheet->title = title;
    sheet->column[KEY].header = "";
    for (int s = 0; s < BOTH; s++) sheet->column[FIRST + s].header = header[s];
    int rows = 0, equal = 0, at[BOTH] = {0};
    while (at[0] < side[0].count || at[1] < side[1].count) {
        const struct query_pair *pair[BOTH];
        for (int s = 0; s < BOTH; s++)
            pair[s] = at[s] < side[s].count ? &side[s].pair[at[s]] : NULL;
        const int order = !pair[0] ? 1 : !pair[1] ? -1 : strcmp(pair[0]->key, pair[1]->key);
        if (order) pair[order < 0] = NULL;
        const char *value[BOTH] = {0};
        for (int s = 0; s < BOTH; s++)
            if (pair[s]) value[s] = value_of(&side[s].pair[at[s]++], arena);
        const char *key = pair[order > 0]->key;
        if (!strncmp(key, outputs, sizeof outputs - 1)) continue;
        const bool same = !order && !strcmp(value[0], value[1]);
        equal += same;
        if (same && !all) continue;
        sheet_set(sheet, rows, KEY, key);
        for (int s = 0; s < BOTH; s++)
            sheet_set(sheet, rows, FIRST + s,
                      pair[s] && pair[s]->is_default ? arena_print(arena, "%s (default)", value[s])
                                                     : value[s]);
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
        enum relation_part part; /* where there is no sql */
    } list[] = {
        {"Stage",
         "SELECT 'kind', kind FROM stage WHERE number = ?1 UNION ALL "
         "SELECT 'names', group_concat(name, ', ') FROM called WHERE stage = ?1 "
         "HAVING count(*) > 0 UNION ALL "
         "SELECT 'status', status FROM stage WHERE number = ?1",
         0},
        {"Reads",
         "SELECT coalesce(kind, 'input'), input FROM input LEFT JOIN stage ON id = input "
         "WHERE input.stage = ? ORDER BY 1, position",
         0},
        {"Files", QUERY_FILES, 0},
        {"Options", NULL, RELATION_OPTIONS},
        {"Results", NULL, RELATION_RESULTS},
        {"Last values", NULL, RELATION_LATEST},
        {"Last values by layer, head and class",
         "SELECT name || iif(layer IS NULL, '', ' layer ' || layer) || iif(head IS NULL, '', ' "
         "head ' || head) || iif(class IS NULL, '', ': ' || class) AS key, value FROM value "
         "WHERE rowid IN (SELECT max(rowid) FROM value WHERE stage = ? AND NOT (" STORE_PLAIN
         ") AND \"set\" IS NULL GROUP BY name, layer, head, class) ORDER BY key",
         0},
        {"Environment", NULL, RELATION_ENVIRONMENTS},
    };
    struct arena arena = {0};
    struct query_pairs part[BOTH][RELATION_PARTS];
    const char *header[BOTH];
    int64_t stage[BOTH];
    int rows = 0;
    for (int s = 0; s < BOTH; s++) {
        struct found_stage *found;
        const int known = find_stages(store, &id[s], 1, &found, &arena);
        stage[s] = known ? found->number : 0;
        header[s] = known ? found->folder : id[s];
        query_facts(store, stage[s], defaults[s], part[s], &arena);
        struct query_pairs *last = &part[s][RELATION_LATEST];
        int news = 0;
        for (int i = 0; i < last->count; i++)
            if (!query_find(&part[s][RELATION_RESULTS], last->pair[i].key))
                last->pair[news++] = last->pair[i];
        last->count = news;
    }
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        struct query_pairs side[BOTH];
        for (int s = 0; s < BOTH; s++)
            side[s] = list[i].sql ? query_pairs(store, list[i].sql, stage[s], &arena)
                                  : part[s][list[i].part];
        rows += put_lists(list[i].title, side, header, all, out, &arena);
    }
    if (!rows) fputs("no difference\n", out);
    arena_free(&arena);
}
