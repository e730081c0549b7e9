/* Prints a stage for `show` (query.h): pairs of key and value, and metrics. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "results/query/find_stage.h"
#include "results/query/query.h"
#include "results/sheet/number_format.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

enum {
    ROWS = 40, /* maximum number of rows of a sheet */
    LOG_LINES = 20,
    CURVE_ROWS = 20, /* maximum number of rows of the table: the first and the last step, and evenly
                        spaced steps between them */
    CURVE_MOST = 12, /* maximum number of series */
    BLOCKS = 48,     /* maximum number of characters of a sparkline */
    BLOCKS_LEAST = 12 /* their minimum number, on a narrow terminal */
};

struct show {
    struct store *store;
    struct arena arena;
    FILE *out;
    int64_t stage; /* number of the stage */
    struct query_detail *detail;
    int details;
};

/* ---- pairs of key and value ---- */

/* Prints lines "key value" below a heading. Keys are padded to the same width. Lines have the
 * prefix `mark`, but options that have their default are indented by blanks. */
static void put_part(struct show *show, const char *heading, const char *mark, int part)
{
    const struct query_detail *end = show->detail + show->details;
    int width = 0;
    for (const struct query_detail *one = show->detail; one < end; one++)
        if (one->part == part && sheet_width(one->key) > width) width = sheet_width(one->key);
    if (width) fprintf(show->out, "\n%s\n", heading);
    for (const struct query_detail *one = show->detail; one < end; one++)
        if (one->part == part)
            mask_line(show->out, "%s%s%*s  %s",
                      part == VALUE_CACHE_OPTIONS && one->flag ? "  " : mark, one->key,
                      width - sheet_width(one->key), "",
                      one->shown   ? one->shown
                      : one->value ? one->value
                                   : "not finite");
}

/* ---- the head, notes and the log ---- */

/* Returns an explanation of the status; "" if its word is clear. */
static const char *explain(const char *status, bool killed)
{
    if (!strcmp(status, STATUS_NEW)) return ": no worker has started it";
    if (!strcmp(status, STATUS_DIVERGED))
        return ": its numbers are not finite, or its loss is worse than guessing";
    if (strcmp(status, STATUS_STOPPED) != 0) return "";
    return killed ? ": killed; the same command continues it"
                  : ": saved a checkpoint; the same command continues it";
}

/* Prints the head and returns the status. Sets *log if the end of the log should be shown, because
 * the stage failed or was killed. A stage was killed if it stopped and its last event is not
 * "interrupted". */
static const char *show_head(struct show *show, const struct found_stage *stage, bool *log)
{
    struct arena *arena = &show->arena;
    sqlite3_stmt *ask = store_ask(
        show->store,
        "SELECT status, coalesce(' (step ' || counted(step) || ')', ''), coalesce((SELECT event <> "
        "'interrupted' FROM event WHERE event.stage = number ORDER BY rowid DESC LIMIT 1), 1) "
        "FROM stage WHERE number = ?",
        "i", stage->number);
    store_next(ask);
    const char *status = store_text(ask, 0, arena), *step = store_text(ask, 1, arena);
    const bool killed = !strcmp(status, STATUS_STOPPED) && sqlite3_column_int(ask, 2);
    store_finish(ask);
    *log = !strcmp(status, STATUS_FAILED) || killed;
    mask_line(show->out, "%s: %s%s%s", stage->folder, status, explain(status, killed), step);
    for (int i = 0; i < show->details; i++)
        if (show->detail[i].part == VALUE_CACHE_HEAD && show->detail[i].shown)
            mask_line(show->out, "  %-8s %s", show->detail[i].key, show->detail[i].shown);
    return status;
}

static void show_log(struct show *show, const char *folder)
{
    struct arena *arena = &show->arena;
    const char *problem, *path = arena_print(arena, "%s/" STAGE_LOG, folder);
    size_t bytes;
    int lines;
    char *text = file_try_read(arena, path, 0, &bytes, &problem);
    while (text && bytes && text[bytes - 1] == '\n') text[--bytes] = 0;
    if (!text || !bytes) return;
    const char **line = file_cut_lines(arena, text, bytes, &lines);
    fputc('\n', show->out);
    mask_line(show->out, "End of %s", path);
    for (int i = lines > LOG_LINES ? lines - LOG_LINES : 0; i < lines; i++)
        mask_line(show->out, "  %s", line[i]);
}

/* Prints the notes of the stage and of its grids. */
static void show_notes(struct show *show)
{
    sqlite3_stmt *ask = store_ask(
        show->store,
        "SELECT time, clock(time), text FROM note WHERE stage = ?1 UNION ALL "
        "SELECT DISTINCT NULL, grid.grid, grid.note FROM stage JOIN member ON member.stage = id "
        "JOIN grid ON grid.number = member.grid WHERE stage.number = ?1 AND grid.note IS NOT NULL "
        "ORDER BY time",
        "i", show->stage);
    for (int row = 0; store_next(ask); row++) {
        if (!row) fputs("\nNotes\n", show->out);
        mask_line(show->out, "  %s  %s", sqlite3_column_text(ask, 1), sqlite3_column_text(ask, 2));
    }
}

/* ---- rows as a sheet ---- */

static void show_rows(struct show *show, const char *title, const char *letters, const char *sql)
{
    struct sheet *sheet = query_sheet(store_ask(show->store, sql, "i", show->stage), 0, letters,
                                      ROWS, 0, &show->arena);
    const bool whole = sheet->columns == (int)strlen(letters);
    if (!sheet->rows) return;
    sheet->title = whole ? title : "Last values by layer, head and set";
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

static const char events[] =
    "SELECT clock(time) AS time, attempt AS attempt, event AS event, coalesce(step, '') AS step,"
    " coalesce(text, '') AS text FROM (SELECT rowid AS place, * FROM event WHERE stage = ?"
    " ORDER BY rowid DESC LIMIT 12) ORDER BY place";
/* Columns of the last values with a layer, a head, a set or a class. */
#define DIMENSIONS "name, layer, head, \"set\", class"
static const char values[] =
    "SELECT name AS name, layer AS layer, head AS head, \"set\" AS \"set\", class AS class, n AS n,"
    " coalesce(value, 'not finite') AS value, max(rowid) FROM value WHERE stage = ?1 AND NOT "
    "(" STORE_PLAIN ") GROUP BY " DIMENSIONS " ORDER BY " DIMENSIONS;

/* ---- the learning curve ---- */

/* The values of a metric by step, without layer, head, set and class. If a step is repeated, its
 * value is the one that was written last. */
struct metric_series {
    const char *name;
    int count;
    int64_t *step; /* [count] ascending */
    double *value; /* [count] NaN: not finite */
};

/* Reads the series with two steps or more, at most CURVE_MOST, in the order of their first values.
 * Returns their number. */
static int read_series(struct show *show, const char *id, struct metric_series series[CURVE_MOST])
{
    struct arena *arena = &show->arena;
    struct value_cache *cache = value_cache_open(show->store, &id, 1, arena);
    const char **name;
    const int count = store_texts(
        store_ask(show->store,
                  "SELECT name FROM value WHERE stage = ?1 AND step IS NOT NULL AND " STORE_PLAIN
                  " GROUP BY name HAVING min(step) < max(step) ORDER BY min(rowid) LIMIT ?2",
                  "ii", show->stage, (int64_t)CURVE_MOST),
        &name, arena);
    for (int i = 0, lines; i < count; i++) {
        const struct value_cache_line *line =
            value_cache_lines(cache, show->stage, name[i], &(struct dimensions){0}, &lines);
        struct metric_series *one = &series[i];
        *one = (struct metric_series){name[i], 0, ARENA_ARRAY(arena, int64_t, lines),
                                      ARENA_ARRAY(arena, double, lines)};
        for (int k = 0; k < lines; k++) {
            if (line[k].step < 0) continue;
            if (one->count && one->step[one->count - 1] == line[k].step) one->count--;
            one->step[one->count] = line[k].step;
            one->value[one->count++] = line[k].value;
        }
    }
    return count;
}

/* Finds the indices of the lowest and the highest finite value. Returns false if no value is
 * finite. */
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

const char *query_blocks(struct arena *arena, const double *value, int count, int width)
{
    static const char *const block[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    enum { HEIGHTS = (int)COUNT_OF(block), BLOCK_BYTES = 3 };
    if (count < width) width = count;
    char *text = arena_alloc(arena, (size_t)width * BLOCK_BYTES + 1), *to = text;
    int low, high;
    if (!find_range(value, count, &low, &high)) return text;
    double half = value[high] / 2 - value[low] / 2; /* half of the range of values; the whole range
                                                       might overflow */
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

/* Returns the summary of a series: "4.935 to 1.736, lowest 1.721 at 4,951". */
static const char *say_range(struct show *show, const struct metric_series *series)
{
    struct arena *arena = &show->arena;
    int low, high, first = 0, last = series->count - 1;
    if (!find_range(series->value, series->count, &low, &high)) return "no finite value";
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

/* Prints a line with a sparkline for each series. Sparklines are as wide as the terminal allows. */
static void print_blocks(struct show *show, const struct metric_series *series, int count)
{
    int width = 0, range_width = 0;
    for (int i = 0; i < count; i++) {
        const int name = sheet_width(series[i].name),
                  range = sheet_width(say_range(show, &series[i]));
        if (name > width) width = name;
        if (range > range_width) range_width = range;
    }
    int most = mask_columns(show->out) - width - range_width - 6;
    most = most > BLOCKS ? BLOCKS : most < BLOCKS_LEAST ? BLOCKS_LEAST : most;
    for (int i = 0; i < count; i++) {
        const char *blocks = query_blocks(&show->arena, series[i].value, series[i].count, most);
        mask_line(show->out, "  %s%*s  %s%*s  %s", series[i].name,
                  width - sheet_width(series[i].name), "", blocks, most - sheet_width(blocks), "",
                  say_range(show, &series[i]));
    }
}

/* Returns the value at a step, or the last value before it; NULL: none. */
static const char *value_at(struct show *show, const struct metric_series *series, int64_t step)
{
    int at = series->count - 1;
    while (at >= 0 && series->step[at] > step) at--;
    if (at < 0) return NULL;
    return isfinite(series->value[at]) ? number_short(&show->arena, series->value[at])
                                       : "not finite";
}

/* Prints a sparkline for each series, and a table of selected steps. */
static void show_curve(struct show *show, const char *id)
{
    struct metric_series series[CURVE_MOST] = {0};
    int count = read_series(show, id, series), anchor = 0;
    if (!count) return;
    fputs("\nLearning curve\n", show->out);
    print_blocks(show, series, count);
    for (int i = 1; i < count; i++) /* `anchor`: the series whose steps the table has */
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

void query_show(struct store *store, const char *id, const char *defaults, FILE *out)
{
    struct show show = {.store = store, .out = out};
    struct found_stage *stage;
    bool log;
    if (!find_stages(store, &id, 1, &stage, &show.arena)) die("no stage %s in %s", id, store->runs);
    show.stage = stage->number;
    show.details = query_details(store, &show.stage, 1, &defaults, &show.detail, &show.arena);
    const char *status = show_head(&show, stage, &log);
    show_notes(&show);
    put_part(&show, "Reads", "  ", VALUE_CACHE_READS);
    put_part(&show, "Files", "  ", VALUE_CACHE_FILES);
    put_part(&show, "Read by", "  ", VALUE_CACHE_READERS);
    put_part(&show, defaults ? "Options (* given)" : "Options", defaults ? "* " : "  ",
             VALUE_CACHE_OPTIONS);
    put_part(&show, "Results", "  ", VALUE_CACHE_RESULTS);
    if (strcmp(status, STATUS_DONE) != 0) put_part(&show, "Last values", "  ", VALUE_CACHE_LATEST);
    show_curve(&show, id);
    show_rows(&show, "Last values by layer, head, set and class", "lrrlorn", values);
    show_rows(&show, "Events", "lrlrl", events);
    put_part(&show, "Environment", "  ", VALUE_CACHE_ENVIRONMENTS);
    if (log) show_log(&show, stage->path);
    arena_free(&show.arena);
}
