/* The metrics of one stage: by step a line of blocks and a table, else their last values. */
#include <math.h>
#include <string.h>

#include "core/base/mask_output.h"
#include "results/query/show.h"
#include "results/sheet/number.h"

enum {
    CURVE_ROWS = 20, /* of the table: first, last, and evenly between */
    CURVE_MOST = 12, /* series */
    BLOCKS = 48,     /* characters of a line of blocks, of a narrow terminal: */
    BLOCKS_LEAST = 12,
    VALUE_ROWS = 40 /* of values with layer, head, set or class */
};

/* The values of one name by step alone. A step that stands twice counts once, with its last. */
struct series {
    const char *name;
    int count;
    int64_t *step; /* [count] rising */
    double *value; /* [count] NaN: not finite */
};

static struct series read_series(struct show *show, const char *name, int rows)
{
    struct series series = {.name = name,
                            .step = ARENA_ARRAY(&show->arena, int64_t, rows),
                            .value = ARENA_ARRAY(&show->arena, double, rows)};
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT step, value FROM value WHERE stage = ? AND name = ? AND step IS NOT NULL"
                  " AND " STORE_PLAIN " ORDER BY step, rowid LIMIT ?",
                  "isi", show->stage, name, (int64_t)rows);
    while (store_next(ask)) {
        int64_t step = sqlite3_column_int64(ask, 0);
        bool again = series.count && series.step[series.count - 1] == step;
        int at = again ? series.count - 1 : series.count++;
        series.step[at] = step;
        series.value[at] = store_real(ask, 1);
    }
    return series;
}

/* All that have two steps at least, in the order of their first; returns how many. */
static int list_series(struct show *show, struct series series[CURVE_MOST])
{
    int count = 0;
    sqlite3_stmt *ask = store_ask(
        show->store,
        "SELECT name, count(*) FROM value WHERE stage = ? AND step IS NOT NULL AND " STORE_PLAIN
        " GROUP BY name "
        "HAVING min(step) < max(step) ORDER BY min(rowid) LIMIT ?",
        "ii", show->stage, (int64_t)CURVE_MOST);
    while (store_next(ask))
        series[count++] =
            read_series(show, store_text(ask, 0, &show->arena), sqlite3_column_int(ask, 1));
    return count;
}

/* The lowest and highest finite value; false when there is none. */
static bool find_range(const double *value, int count, int *low, int *high)
{
    *low = *high = -1;
    for (int i = 0; i < count; i++) {
        if (!isfinite(value[i])) continue;
        if (*low < 0 || value[i] < value[*low]) *low = i;
        if (*high < 0 || value[i] > value[*high]) *high = i;
    }
    return *low >= 0;
}

const char *show_blocks(struct arena *arena, const double *value, int count, int width)
{
    static const char *const block[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    enum { HEIGHTS = (int)COUNT_OF(block), BLOCK_BYTES = 3 };
    if (count < width) width = count;
    char *text = arena_alloc(arena, (size_t)width * BLOCK_BYTES + 1), *to = text;
    int low, high;
    if (!find_range(value, count, &low, &high)) return text;
    double half = value[high] / 2 - value[low] / 2; /* of the range, which might overflow */
    for (int i = 0; i < width; i++) {
        int first = (int)((int64_t)i * count / width), seen = 0;
        int end = (int)((int64_t)(i + 1) * count / width);
        double share = 0;
        for (int k = first; k < end; k++) {
            if (!isfinite(value[k])) continue;
            share += half > 0 ? (value[k] / 2 - value[low] / 2) / half : 0;
            seen++;
        }
        int height = seen ? (int)(share / seen * HEIGHTS) : 0;
        if (height >= HEIGHTS) height = HEIGHTS - 1;
        to = stpcpy(to, seen ? block[height] : " ");
    }
    return text;
}

/* "4.935 to 1.736, lowest 1.721 at 4,951" */
static const char *say_range(struct show *show, const struct series *series)
{
    struct arena *arena = &show->arena;
    int low, high, first = 0, last = series->count - 1;
    if (!find_range(series->value, series->count, &low, &high)) return "nothing finite";
    while (!isfinite(series->value[first])) first++;
    while (!isfinite(series->value[last])) last--;
    const char *text = arena_print(arena, "%s to %s", number_short(arena, series->value[first]),
                                   number_short(arena, series->value[last]));
    bool rises = series->value[last] > series->value[first];
    int best = rises ? high : low;
    if (best == last) return text;
    return arena_print(arena, "%s, %s %s at %s", text, rises ? "highest" : "lowest",
                       number_short(arena, series->value[best]),
                       number_count(arena, (double)series->step[best]));
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* As many blocks as the terminal has room for. */
static void print_blocks(struct show *show, const struct series *series, int count)
{
    int width = 0, behind = 0;
    for (int i = 0; i < count; i++) {
        width = larger(width, sheet_width(series[i].name));
        behind = larger(behind, sheet_width(say_range(show, &series[i])));
    }
    int most = larger(BLOCKS_LEAST, mask_columns(show->out) - width - behind - 6);
    if (most > BLOCKS) most = BLOCKS;
    for (int i = 0; i < count; i++) {
        const char *blocks = show_blocks(&show->arena, series[i].value, series[i].count, most);
        mask_line(show->out, "  %s%*s  %s%*s  %s", series[i].name,
                  width - sheet_width(series[i].name), "", blocks, most - sheet_width(blocks), "",
                  say_range(show, &series[i]));
    }
}

/* The value at a step, or the last one before it; NULL: none. */
static const char *value_at(struct show *show, const struct series *series, int64_t step)
{
    int at = series->count - 1;
    while (at >= 0 && series->step[at] > step) at--;
    if (at < 0) return NULL;
    return isfinite(series->value[at]) ? number_short(&show->arena, series->value[at])
                                       : "not finite";
}

void show_curve(struct show *show)
{
    struct series series[CURVE_MOST];
    int count = list_series(show, series), anchor = 0;
    if (!count) return;
    fputs("\nLearning curve\n", show->out);
    print_blocks(show, series, count);
    for (int i = 1; i < count; i++) /* whose steps are shown */
        if (series[i].count < series[anchor].count) anchor = i;
    int all = series[anchor].count, rows = all < CURVE_ROWS ? all : CURVE_ROWS;
    struct sheet *sheet = sheet_new(&show->arena, rows, 1 + count);
    sheet->column[0] = (struct sheet_column){.header = "step", .align = SHEET_RIGHT};
    for (int i = 0; i < count; i++)
        sheet->column[1 + i] =
            (struct sheet_column){.header = series[i].name, .align = SHEET_NUMBER};
    for (int row = 0; row < rows; row++) {
        int at = rows > 1 ? (int)((int64_t)row * (all - 1) / (rows - 1)) : 0;
        int64_t step = series[anchor].step[at];
        sheet_set(sheet, row, 0, number_count(&show->arena, (double)step));
        for (int i = 0; i < count; i++)
            sheet_set(sheet, row, 1 + i, value_at(show, &series[i], step));
    }
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

/* Values with a layer, a head, a set or a class: their last ones. The column of classes is there
 * where a class is. */
void show_values(struct show *show)
{
    enum { CLASS = 4, N, VALUE, COLUMNS, ALL = COLUMNS, CLASSES };
    static const struct sheet_column column[COLUMNS] = {
        {.header = "name"},        {"layer", SHEET_RIGHT, 0}, {"head", SHEET_RIGHT, 0},
        {.header = "set"},         {.header = "class"},       {"n", SHEET_RIGHT, 0},
        {"value", SHEET_NUMBER, 0}};
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT name, layer, head, \"set\", class, n, value, count(*) OVER (), "
                  "count(class) OVER (), max(rowid) FROM value WHERE stage = ? AND NOT "
                  "(" STORE_PLAIN ") GROUP BY name, layer, head, \"set\", class ORDER BY name, "
                  "layer, head, \"set\", class",
                  "i", show->stage);
    struct sheet *sheet = NULL;
    int rows = 0, all = 0;
    while (store_next(ask)) {
        const double value = store_real(ask, VALUE);
        const bool classes = sqlite3_column_int(ask, CLASSES);
        if (!sheet) {
            sheet = sheet_new(&show->arena, VALUE_ROWS, COLUMNS - !classes);
            sheet->title = classes ? "Last values by layer, head, set and class"
                                   : "Last values by layer, head and set";
            all = sqlite3_column_int(ask, ALL);
        }
        if (rows == VALUE_ROWS) continue;
        for (int i = 0, to = 0; i < COLUMNS; i++) {
            if (i == CLASS && !classes) continue;
            sheet->column[to] = column[i];
            sheet_set(sheet, rows, to++,
                      i != VALUE        ? store_text(ask, i, &show->arena)
                      : isfinite(value) ? number_short(&show->arena, value)
                                        : "not finite");
        }
        rows++;
    }
    if (!rows) return;
    sheet->rows = rows;
    if (all > rows) sheet_caption(&show->arena, sheet, ".. and %d more", all - rows);
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}
