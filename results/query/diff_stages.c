/* Prints the differences between two stages, for `diff`. The rows of both stages are sorted
 * together by key, so rows with the same key are adjacent. */
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

const char *query_plain(const char *value, struct arena *arena)
{
    json_auto_t *json = *value == '[' || *value == '{' ? json_loads(value, 0, NULL) : NULL;
    if (!json) return value;
    struct tree *tree = tree_parse(arena, value, value);
    unquote(tree);
    return tree_text(arena, tree);
}

/* Prints one line for each key of a part. If `all` is false, omits keys whose values are equal.
 * Returns the number of printed lines. */
static int put_part(const char *title, int part, const struct query_detail *detail, int details,
                    const char *const header[BOTH], bool all, FILE *out)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct sheet *sheet = sheet_new(&arena, details, BOTH + FIRST);
    sheet->title = title;
    sheet->column[KEY].header = "";
    for (int s = 0; s < BOTH; s++) sheet->column[FIRST + s].header = header[s];
    int rows = 0, equal = 0;
    for (const struct query_detail *one = detail, *end = detail + details; one < end; one++) {
        const char *value[BOTH] = {0};
        if (one->part != part || (one->flag && part != VALUE_CACHE_OPTIONS)) continue;
        const bool both = one + 1 < end && one->at < one[1].at && one[1].part == part &&
                          !strcmp(one->key, one[1].key) &&
                          (part == VALUE_CACHE_OPTIONS || !one[1].flag);
        for (int i = 0; i <= both; i++)
            value[one[i].at] = one[i].value ? query_plain(one[i].value, &arena) : "not finite";
        const bool same = both && !strcmp(value[0], value[1]);
        equal += same;
        if (!same || all) {
            sheet_set(sheet, rows, KEY, one->key);
            for (int i = 0; i <= both; i++)
                sheet_set(sheet, rows, FIRST + one[i].at,
                          one[i].flag ? arena_print(&arena, "%s (default)", value[one[i].at])
                                      : value[one[i].at]);
            rows++;
        }
        one += both;
    }
    sheet->rows = rows;
    if (equal && !all) sheet_caption(&arena, sheet, "%d equal", equal);
    if (rows) {
        sheet_text(sheet, out);
        fputc('\n', out);
    }
    return rows;
}

void query_diff(struct store *store, const char *const id[BOTH], const char *const defaults[BOTH],
                bool all, FILE *out)
{
    static const struct {
        const char *title;
        enum value_cache_part part;
    } list[] = {
        {"Stage", VALUE_CACHE_STAGE},
        {"Reads", VALUE_CACHE_INPUTS},
        {"Files", VALUE_CACHE_FILES},
        {"Options", VALUE_CACHE_OPTIONS},
        {"Results", VALUE_CACHE_RESULTS},
        {"Last values", VALUE_CACHE_LATEST},
        {"Last values by layer, head and class", VALUE_CACHE_CLASSES},
        {"Environment", VALUE_CACHE_ENVIRONMENTS},
    };
    SCOPED(arena_free) struct arena arena = {0};
    struct query_detail *detail;
    const char *header[BOTH];
    int64_t stage[BOTH];
    int rows = 0;
    for (int s = 0; s < BOTH; s++) {
        struct found_stage *found;
        const bool known = find_stages(store, &id[s], 1, &found, &arena);
        stage[s] = known ? found->number : 0;
        header[s] = known ? found->folder : id[s];
    }
    const int details = query_details(store, stage, BOTH, defaults, &detail, &arena);
    for (size_t i = 0; i < COUNT_OF(list); i++)
        rows += put_part(list[i].title, (int)list[i].part, detail, details, header, all, out);
    if (!rows) fputs("no difference\n", out);
}
