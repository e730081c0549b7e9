/* Prints stages as CSV or JSON, for `export` and `ls --format`. A line is printed as soon as its
 * row is read, so a long export needs little memory. */
#include <fnmatch.h>
#include <jansson.h>
#include <string.h>

#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/sheet/escape.h"

/* A column may have JSON lists. Returns the text that separates the elements of such a list in CSV;
 * NULL for other columns. */
static const char *between_items(const char *column)
{
    if (!strcmp(column, "names")) return "; ";
    return !strcmp(column, "tags") || fnmatch("?*_stages", column, 0) == 0 ? " " : NULL;
}

static json_t *cell_of(sqlite3_stmt *ask, int column)
{
    const int type = sqlite3_column_type(ask, column);
    const char *text = (const char *)sqlite3_column_text(ask, column);
    if (type == SQLITE_NULL) return json_null();
    if (type == SQLITE_FLOAT) return cell_json(sqlite3_column_double(ask, column));
    if (type == SQLITE_INTEGER) return json_integer(sqlite3_column_int64(ask, column));
    return between_items(sqlite3_column_name(ask, column)) ? json_loads(text, 0, NULL)
                                                           : json_string(text);
}

static void put_cell(sqlite3_stmt *ask, int column, FILE *out)
{
    const int type = sqlite3_column_type(ask, column);
    const char *between = between_items(sqlite3_column_name(ask, column)), *text = NULL;
    if (type == SQLITE_FLOAT) {
        cell_real(sqlite3_column_double(ask, column), out);
    } else if (type == SQLITE_INTEGER) {
        fprintf(out, ",%lld", (long long)sqlite3_column_int64(ask, column));
    } else if (!between) {
        cell_text((const char *)sqlite3_column_text(ask, column), out);
    } else {
        SCOPED(arena_free) struct arena arena = {0};
        json_auto_t *list = cell_of(ask, column);
        json_t *item;
        size_t i;
        json_array_foreach(list, i, item)
            text = arena_append(&arena, text, between, json_string_value(item));
        cell_text(text, out);
    }
}

/* ---- values of a stage by key ---- */

static const struct {
    const char *prefix, *object; /* prefix of a column in CSV; key of an object in JSON */
} parts[VALUE_CACHE_PARTS] = {[VALUE_CACHE_OPTIONS] = {"option", "options"},
                              [VALUE_CACHE_RESULTS] = {"result", "results"},
                              [VALUE_CACHE_LATEST] = {"last", "last"},
                              [VALUE_CACHE_ENVIRONMENTS] = {"environment", "environment"}};

/* Prints the facts of the stage `at` in CSV, or adds them to `json`. If *more is true, `facts` is
 * at a row that has not been used yet. */
static void put_facts(sqlite3_stmt *facts, bool *more, int at, json_t *json, FILE *out)
{
    for (int p = 0; json && p < VALUE_CACHE_PARTS; p++)
        json_object_set_new(json, parts[p].object, json_object());
    for (; *more && sqlite3_column_int(facts, 0) == at; *more = store_next(facts))
        if (json)
            json_object_set_new(json_object_get(json, parts[sqlite3_column_int(facts, 1)].object),
                                (const char *)sqlite3_column_text(facts, 2), cell_of(facts, 3));
        else
            put_cell(facts, 3, out);
}

static void put_header(sqlite3_stmt *ask, int first, int columns, sqlite3_stmt *keys, FILE *out)
{
    fputs(sqlite3_column_name(ask, first), out);
    for (int i = first + 1; i < columns; i++) cell_text(sqlite3_column_name(ask, i), out);
    for (struct arena arena = {0}; keys && store_next(keys); arena_free(&arena))
        cell_text(arena_print(&arena, "%s.%s", parts[sqlite3_column_int(keys, 0)].prefix,
                              sqlite3_column_text(keys, 1)),
                  out);
    fputc('\n', out);
}

/* Prints the columns of a row from `first` on in CSV, without a newline, and returns NULL. If `csv`
 * is false, returns the columns as a JSON object instead. The column `first` is a text. */
static json_t *put_row(sqlite3_stmt *ask, int first, int columns, bool csv, FILE *out)
{
    json_t *json = csv ? NULL : json_object();
    if (csv) escape_field((const char *)sqlite3_column_text(ask, first), out);
    for (int i = csv ? first + 1 : first; i < columns; i++)
        if (csv)
            put_cell(ask, i, out);
        else
            json_object_set_new(json, sqlite3_column_name(ask, i), cell_of(ask, i));
    return json;
}

/* Prints the rows of a statement, each with its facts (NULL: no facts). `row` is true if the
 * statement has a first row; it was already read. */
static void put_rows(sqlite3_stmt *rows, bool row, int first, int columns, sqlite3_stmt *facts,
                     enum export_format format, FILE *out)
{
    const bool csv = format == EXPORT_CSV;
    json_auto_t *all = json_array();
    for (bool fact = facts && store_next(facts); row; row = store_next(rows)) {
        json_t *json = put_row(rows, first, columns, csv, out);
        if (facts) put_facts(facts, &fact, sqlite3_column_int(rows, 0), json, out);
        if (csv)
            fputc('\n', out);
        else if (format == EXPORT_JSON)
            json_array_append_new(all, json);
        else
            cell_put_json(json, out);
    }
    if (format == EXPORT_JSON) {
        json_dumpf(all, out, JSON_INDENT(2));
        fputc('\n', out);
    }
}

void query_print_verdicts(struct store *store, enum export_format format, FILE *out)
{
    sqlite3_stmt *ask = store_ask(store, "SELECT * FROM verdict ORDER BY rowid", "");
    const int columns = sqlite3_column_count(ask);
    if (format == EXPORT_CSV) put_header(ask, 0, columns, NULL, out);
    put_rows(ask, store_next(ask), 0, columns, NULL, format, out);
}

void query_print(struct store *store, const struct found_stage *stage, int count,
                 enum query_form form, enum export_format format, FILE *out)
{
    static const struct {
        enum value_cache_rows rows;
        int columns[2]; /* number of columns in CSV and in JSON, with `at` */
    } forms[] = {[QUERY_LIST] = {VALUE_CACHE_STAGES, {16, 16}},
                 [QUERY_WIDE] = {VALUE_CACHE_HEADS, {11, 12}},
                 [QUERY_LONG] = {VALUE_CACHE_LINES, {13, 13}}};
    const int columns = forms[form].columns[format != EXPORT_CSV];
    sqlite3_stmt *rows = query_rows(store, forms[form].rows, stage, count), *facts = NULL;
    const bool wide = form == QUERY_WIDE, csv = format == EXPORT_CSV,
               row = store_next(rows); /* keeps a read transaction open, so that the other
                                          statements read the same state */
    if (csv)
        put_header(rows, 1, columns,
                   wide ? query_rows(store, VALUE_CACHE_KEYS, stage, count) : NULL, out);
    if (wide) facts = query_rows(store, csv ? VALUE_CACHE_CELLS : VALUE_CACHE_FACTS, stage, count);
    put_rows(rows, row, 1, columns, facts, format, out);
}
