/* One stage whole, for `show` (query.h). */
#include <math.h>
#include <string.h>
#include <time.h>

#include "results/number.h"
#include "results/query.h"

enum {
    CURVE_ROWS = 20, /* of the learning curve: first, last, and evenly between */
    VALUE_ROWS = 40, /* of values with layer, head or tag */
    LOG_LINES = 15,
    LOG_BYTES = 8192
};

struct show {
    struct store *store;
    struct arena arena;
    FILE *out;
    int64_t stage; /* its number */
};

/* A heading and lines of "key  value", keys padded to one width; nothing when there is no row. */
static void show_pairs(struct show *show, const char *heading, const char *sql)
{
    int width = 0, rows = 0;
    for (int turn = 0; turn < 2; turn++) {
        sqlite3_stmt *ask = store_ask(show->store, sql, "i", show->stage);
        while (store_next(ask)) {
            const char *key = store_text(ask, 0, &show->arena);
            const char *value = store_text(ask, 1, &show->arena);
            if (turn == 0) {
                if (sheet_width(key) > width) width = sheet_width(key);
                continue;
            }
            if (rows++ == 0) fprintf(show->out, "\n%s\n", heading);
            fputs("  ", show->out);
            sheet_put(key, show->out);
            fprintf(show->out, "%*s  ", width - sheet_width(key), "");
            sheet_put(value ? value : "not finite", show->out);
            fputc('\n', show->out);
        }
        store_finish(ask);
    }
}

static const char *say_time(struct show *show, double seconds)
{
    time_t whole = (time_t)seconds;
    struct tm parts;
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", localtime_r(&whole, &parts));
    return arena_text(&show->arena, text);
}

/* Returns the folder's name, and whether the end of the log should be shown. */
static const char *show_head(struct show *show, const char *id, bool *log)
{
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT number, folder, status, message, attempts, started, wall, step,"
                  " (SELECT group_concat(name, ', ') FROM called WHERE stage = number)"
                  " FROM stage WHERE id = ?",
                  "s", id);
    if (!store_next(ask)) die("no stage %s in %s", id, show->store->runs);
    show->stage = sqlite3_column_int64(ask, 0);
    const char *folder = store_text(ask, 1, &show->arena),
               *status = store_text(ask, 2, &show->arena);
    const char *message = store_text(ask, 3, &show->arena),
               *names = store_text(ask, 8, &show->arena);
    double started = store_real(ask, 5), wall = store_real(ask, 6), step = store_real(ask, 7);
    int attempts = sqlite3_column_int(ask, 4);
    store_finish(ask);
    *log = !strcmp(status, "failed") || !strcmp(status, "stopped");

    fprintf(show->out, "%s: %s", folder, status);
    if (isfinite(step)) fprintf(show->out, " (step %s)", number_count(&show->arena, step));
    fprintf(show->out, "\n  id       %s\n  folder   ", id);
    sheet_put(show->store->runs, show->out);
    fprintf(show->out, "/stages/%s\n", folder);
    if (names) {
        fputs("  names    ", show->out);
        sheet_put(names, show->out);
        fputc('\n', show->out);
    }
    if (isfinite(started))
        fprintf(show->out, "  started  %s, %s in %d attempt%s\n", say_time(show, started),
                number_seconds(&show->arena, wall), attempts, attempts == 1 ? "" : "s");
    if (message) {
        fputs("  message  ", show->out);
        sheet_put(message, show->out);
        fputc('\n', show->out);
    }
    return folder;
}

/* The names that have values by step alone, and how many each. */
struct series {
    int count, anchor; /* anchor: the one whose steps are shown */
    const char **name;
    int64_t *rows;
};

static struct series list_series(struct show *show)
{
    enum { MOST = 12 };
    struct series series = {.name = ARENA_ARRAY(&show->arena, const char *, MOST),
                            .rows = ARENA_ARRAY(&show->arena, int64_t, MOST)};
    sqlite3_stmt *ask = store_ask(show->store,
                                  "SELECT name, count(*) FROM metric WHERE stage = ? AND step IS "
                                  "NOT NULL AND layer IS NULL AND tag IS NULL GROUP BY name "
                                  "HAVING count(*) > 1 ORDER BY min(rowid)",
                                  "i", show->stage);
    while (series.count < MOST && store_next(ask)) {
        series.name[series.count] = store_text(ask, 0, &show->arena);
        series.rows[series.count] = sqlite3_column_int64(ask, 1);
        if (series.rows[series.count] < series.rows[series.anchor]) series.anchor = series.count;
        series.count++;
    }
    store_finish(ask);
    return series;
}

/* The value of a name at a step, or the last one before it. */
static const char *value_at(struct show *show, sqlite3_stmt *ask, const char *name, int64_t step)
{
    const char *text = NULL;
    store_bind(ask, "isi", show->stage, name, step);
    while (store_next(ask)) {
        double value = store_real(ask, 0);
        text = isfinite(value) ? number_short(&show->arena, value) : "not finite";
    }
    return text;
}

static void show_curve(struct show *show)
{
    struct series series = list_series(show);
    if (!series.count) return;
    int64_t all = series.rows[series.anchor];
    int rows = all < CURVE_ROWS ? (int)all : CURVE_ROWS;
    struct sheet *sheet = sheet_new(&show->arena, rows, 1 + series.count);
    sheet->title = "Learning curve";
    sheet->column[0] = (struct sheet_column){"step", SHEET_RIGHT, 0};
    for (int i = 0; i < series.count; i++)
        sheet->column[1 + i] = (struct sheet_column){series.name[i], SHEET_NUMBER, 0};
    sqlite3_stmt *steps = store_ask(show->store,
                                    "SELECT step FROM metric WHERE stage = ? AND name = ? AND "
                                    "step IS NOT NULL AND layer IS NULL ORDER BY step",
                                    "is", show->stage, series.name[series.anchor]);
    sqlite3_stmt *value =
        store_prepare(show->store, "SELECT value FROM metric WHERE stage = ? AND name = ? AND "
                                   "layer IS NULL AND step <= ? ORDER BY step DESC LIMIT 1");
    int row = 0;
    for (int64_t at = 0; store_next(steps); at++) {
        if (rows > 1 && at != row * (all - 1) / (rows - 1)) continue;
        int64_t step = sqlite3_column_int64(steps, 0);
        sheet_set(sheet, row, 0, number_count(&show->arena, (double)step));
        for (int i = 0; i < series.count; i++)
            sheet_set(sheet, row, 1 + i, value_at(show, value, series.name[i], step));
        row++;
    }
    store_finish(steps);
    store_finish(value);
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

/* Values with a layer, a head or a tag: their last ones. */
static void show_values(struct show *show)
{
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT name, layer, head, tag, n, value, max(rowid), count(*) OVER () FROM "
                  "metric WHERE stage = ? AND (layer IS NOT NULL OR tag IS NOT NULL) "
                  "GROUP BY name, layer, head, tag ORDER BY name, layer, head, tag",
                  "i", show->stage);
    int rows = 0, all = 0;
    static const char *const header[] = {"name", "layer", "head", "tag", "n", "value"};
    struct sheet *sheet = sheet_new(&show->arena, VALUE_ROWS, (int)COUNT_OF(header));
    for (int i = 0; i < sheet->columns; i++)
        sheet->column[i] = (struct sheet_column){header[i],
                                                 i == 0 || i == 3 ? SHEET_LEFT
                                                 : i == 5         ? SHEET_NUMBER
                                                                  : SHEET_RIGHT,
                                                 0};
    sheet->title = "Last values by layer, head and tag";
    while (store_next(ask)) {
        all = sqlite3_column_int(ask, 7);
        if (rows == VALUE_ROWS) continue;
        for (int i = 0; i < 5; i++) sheet_set(sheet, rows, i, store_text(ask, i, &show->arena));
        double value = store_real(ask, 5);
        sheet_set(sheet, rows++, 5,
                  isfinite(value) ? number_short(&show->arena, value) : "not finite");
    }
    store_finish(ask);
    sheet->rows = rows;
    if (all > rows) sheet_caption(&show->arena, sheet, ".. and %d more", all - rows);
    if (!rows) return;
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

static void show_log(struct show *show, const char *folder)
{
    const char *path = arena_print(&show->arena, "%s/stages/%s/log.txt", show->store->runs, folder);
    FILE *file = fopen(path, "rb");
    if (!file) return;
    static char text[LOG_BYTES + 1];
    fseeko(file, 0, SEEK_END);
    off_t size = ftello(file);
    fseeko(file, size > LOG_BYTES ? size - LOG_BYTES : 0, SEEK_SET);
    size_t bytes = fread(text, 1, LOG_BYTES, file);
    fclose(file);
    while (bytes && text[bytes - 1] == '\n') bytes--;
    text[bytes] = 0;
    if (!bytes) return;
    char *start = text + bytes;
    int lines = 0;
    while (start > text && (start[-1] != '\n' || ++lines < LOG_LINES)) start--;
    fprintf(show->out, "\nEnd of ");
    sheet_put(path, show->out);
    fputc('\n', show->out);
    for (char *line = start; line;) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        fputs("  ", show->out);
        sheet_put(line, show->out);
        fputc('\n', show->out);
        line = end ? end + 1 : NULL;
    }
}

void query_show(struct store *store, const char *id, FILE *out)
{
    struct show show = {.store = store, .out = out};
    bool log;
    const char *folder = show_head(&show, id, &log);
    show_pairs(&show, "Inputs",
               "SELECT coalesce(folder, substr(input, 1, 12)), coalesce(status, 'missing') FROM "
               "input LEFT JOIN stage ON id = input WHERE input.stage = ? ORDER BY position");
    show_pairs(&show, "Options", "SELECT key, value FROM option WHERE stage = ? ORDER BY key");
    show_pairs(&show, "Results",
               "SELECT name, coalesce(text, printf('%.10g', value)) FROM summary WHERE stage = ? "
               "AND name <> 'status' ORDER BY name");
    show_curve(&show);
    show_values(&show);
    show_pairs(&show, "Environment",
               "SELECT key, value FROM environment WHERE stage = ? ORDER BY key");
    if (log) show_log(&show, folder);
    arena_free(&show.arena);
}
