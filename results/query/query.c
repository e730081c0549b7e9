/* The stages that a filter takes; and rows of the relation as a sheet and as a list. */
#include "results/query/query.h"

#include <string.h>

#include "results/sheet/cell.h"
#include "results/sheet/number.h"

int query_stages(struct store *store, const char *text, struct query_stage **stage,
                 struct arena *arena)
{
    struct filter *filter = text ? filter_read(store, text, arena) : NULL;
    int n = 0;
    *stage = NULL;
    sqlite3_stmt *ask = store_ask(store,
                                  "SELECT number, id, kind, folder, status, started, wall, step "
                                  "FROM stage ORDER BY started IS NOT NULL, started DESC, folder",
                                  "");
    while (store_next(ask)) {
        const int64_t number = sqlite3_column_int64(ask, 0);
        if (filter && !filter_takes(filter, number)) continue;
        ARENA_MORE(arena, *stage, n);
        (*stage)[n++] = (struct query_stage){.number = number,
                                             .id = store_text(ask, 1, arena),
                                             .kind = store_text(ask, 2, arena),
                                             .folder = store_text(ask, 3, arena),
                                             .status = store_text(ask, 4, arena),
                                             .started = store_real(ask, 5),
                                             .wall = store_real(ask, 6),
                                             .step = sqlite3_column_int64(ask, 7)};
    }
    return n;
}

sqlite3_stmt *query_rows(struct store *store, enum relation_rows rows,
                         const struct query_stage *stage, int count)
{
    struct arena arena = {0};
    int64_t *number = ARENA_ARRAY(&arena, int64_t, count);
    for (int i = 0; i < count; i++) number[i] = stage[i].number;
    sqlite3_stmt *ask = relation_rows(store, rows, number, count, NULL);
    arena_free(&arena);
    return ask;
}

int query_details(struct store *store, const int64_t *number, int count,
                  const struct query_defaults *const *defaults, struct query_detail **detail,
                  struct arena *arena)
{
    const char *list = NULL;
    int n = 0;
    for (int i = 0; i < count; i++)
        list = arena_append(arena, list, ",", defaults[i] ? defaults[i]->json : "null");
    sqlite3_stmt *ask =
        relation_rows(store, RELATION_DETAILS, number, count, arena_print(arena, "[%s]", list));
    for (*detail = NULL; store_next(ask); n++) {
        char digits[REAL_TEXT];
        const char *value = store_value(ask, 3, digits);
        ARENA_MORE(arena, *detail, n);
        (*detail)[n] = (struct query_detail){.at = sqlite3_column_int(ask, 0),
                                             .part = sqlite3_column_int(ask, 1),
                                             .key = store_text(ask, 2, arena),
                                             .value = value ? arena_text(arena, value) : NULL,
                                             .shown = store_text(ask, 4, arena),
                                             .flag = sqlite3_column_int(ask, 5)};
    }
    return n;
}

static void drop_column(struct sheet *sheet, int column)
{
    int kept = 0;
    for (int i = 0; i < sheet->rows * sheet->columns; i++)
        if (i % sheet->columns != column) sheet->cell[kept++] = sheet->cell[i];
    for (int i = column + 1; i < sheet->columns; i++) sheet->column[i - 1] = sheet->column[i];
    sheet->columns--;
}

struct sheet *query_sheet(sqlite3_stmt *ask, int first, const char *letters, int rows, int more,
                          struct arena *arena)
{
    const int columns = (int)strlen(letters);
    struct sheet *sheet = sheet_new(arena, rows, columns + more);
    for (int i = 0; i < columns; i++)
        sheet->column[i] =
            (struct sheet_column){.header = arena_text(arena, sqlite3_column_name(ask, first + i)),
                                  .align = letters[i] == 'r'   ? SHEET_RIGHT
                                           : letters[i] == 'n' ? SHEET_NUMBER
                                                               : SHEET_LEFT};
    int all = 0;
    for (; store_next(ask); all++)
        for (int i = 0; i < columns && all < rows; i++)
            sheet_set(sheet, all, i,
                      sqlite3_column_type(ask, first + i) == SQLITE_FLOAT
                          ? number_short(arena, store_real(ask, first + i))
                          : store_text(ask, first + i, arena));
    sheet->rows = all < rows ? all : rows;
    if (all > rows) sheet_caption(arena, sheet, ".. and %d more", all - rows);
    for (int i = 0; i < columns; i++) {
        bool empty = letters[i] == 'o';
        for (int row = 0; row < sheet->rows && empty; row++) empty = !sheet_at(sheet, row, i)->text;
        if (empty) drop_column(sheet, i);
    }
    return sheet;
}

/* ---- `ls` for people ---- */

/* As a list shows it: five digits of a number with a fraction; `show` shows all of it. */
static const char *tidy(const char *value, struct arena *arena)
{
    enum { WIDEST = 120 }; /* bytes of a text, cut between two characters */
    double number;
    int end = WIDEST;
    if (real_parse(value, &number) && strchr(value, '.')) return number_short(arena, number);
    if (strlen(value) <= WIDEST) return value;
    while (end && ((unsigned char)value[end] & 0xC0) == 0x80) end--;
    return arena_print(arena, "%.*s..", end, value);
}

struct sheet *query_list(struct store *store, const struct query_stage *stage, int count,
                         const char *const *keys, struct arena *arena)
{
    int extra = 0;
    while (keys && keys[extra]) extra++;
    struct sheet *sheet = query_sheet(query_rows(store, RELATION_LIST, stage, count), 1, "lllrrlo",
                                      count, extra, arena);
    struct filter *filter = extra ? filter_read(store, NULL, arena) : NULL;
    for (int k = 0; k < extra; k++) filter_check_key(filter, keys[k], keys[k]);
    for (int k = 0; k < extra; k++) {
        const int column = sheet->columns - extra + k;
        sheet->column[column] = (struct sheet_column){.header = keys[k], .align = SHEET_NUMBER};
        for (int i = 0; i < sheet->rows; i++) {
            const char *value = filter_values(filter, stage[i].number, keys[k], arena);
            sheet_set(sheet, i, column, value ? tidy(value, arena) : NULL);
        }
    }
    return sheet;
}
