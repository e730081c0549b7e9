/* One stage whole, for `show` (query.h): pairs of key and value, then what it measured. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "results/query/query.h"
#include "results/sheet/number.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

enum {
    ROWS = 40, /* of a sheet */
    LOG_LINES = 20,
    LOG_BYTES = 8192,
    CURVE_ROWS = 20, /* of the table: first, last, and evenly between */
    CURVE_MOST = 12, /* series */
    BLOCKS = 48,     /* characters of a line of blocks, of a narrow terminal: */
    BLOCKS_LEAST = 12
};

struct show {
    struct store *store;
    struct arena arena;
    FILE *out;
    int64_t stage; /* its number */
};

/* ---- pairs ---- */

/* "key  value" below a heading, keys padded to one width, behind `mark` but for defaults. */
static void put_pairs(struct show *show, const char *heading, const char *mark,
                      const struct query_pairs *pairs)
{
    const struct query_pair *pair = pairs->pair;
    int width = 0;
    for (int i = 0; i < pairs->count; i++)
        if (sheet_width(pair[i].key) > width) width = sheet_width(pair[i].key);
    if (pairs->count) fprintf(show->out, "\n%s\n", heading);
    for (int i = 0; i < pairs->count; i++)
        mask_line(show->out, "%s%s%*s  %s", pair[i].is_default ? "  " : mark, pair[i].key,
                  width - sheet_width(pair[i].key), "",
                  pair[i].value ? pair[i].value : "not finite");
}

static void show_pairs(struct show *show, const char *heading, const char *sql)
{
    const struct query_pairs pairs = query_pairs(show->store, sql, show->stage, &show->arena);
    put_pairs(show, heading, "  ", &pairs);
}

/* With so many digits, and behind it the step that it has. */
static void round_pairs(struct show *show, const struct query_pairs *pairs, int digits)
{
    for (int i = 0; i < pairs->count; i++) {
        struct query_pair *pair = &pairs->pair[i];
        struct arena *arena = &show->arena;
        if (!pair->value) pair->value = "not finite";
        if (isfinite(pair->number)) pair->value = arena_print(arena, "%.*g", digits, pair->number);
        if (pair->step)
            pair->value = arena_print(arena, "%s at step %s", pair->value,
                                      number_count(arena, (double)pair->step));
    }
}

/* ---- the head, notes and the log ---- */

static const char *say_time(struct show *show, double seconds)
{
    char text[TIME_TEXT];
    return arena_text(&show->arena, time_print(text, "%Y-%m-%d %H:%M:%S %z", seconds, false));
}

/* What the words mean that do not say it themselves. */
static const char *explain(const char *status, bool killed)
{
    if (!strcmp(status, STATUS_NEW)) return ": no worker has started it";
    if (!strcmp(status, STATUS_DIVERGED))
        return ": its numbers are not finite, or its loss is worse than guessing";
    if (strcmp(status, STATUS_STOPPED) != 0) return "";
    return killed ? ": killed without a word; the same run goes on"
                  : ": it saved; the same run goes on";
}

/* Returns the folder's name. *ends: the end of the log should be shown, of a stage that failed or
 * was killed; then its journal ends without saying so. *done: it is. */
static const char *show_head(struct show *show, const char *id, bool *ends, bool *done)
{
#define LAST_EVENT(what, where)                                                                    \
    "(SELECT " what " FROM event WHERE event.stage = number" where                                 \
    " ORDER BY event.rowid DESC LIMIT 1)"
    enum { NUMBER, FOLDER, STATUS, KILLED, STARTED, WALL, ATTEMPTS, STEP, LINES };
    static const char *const line[] = {"id",   "folder", "names",   "tags",
                                       "from", "copied", "started", "message"};
    enum { BEGUN = 6 }; /* of them */
    sqlite3_stmt *ask =
        store_ask(
            show->store,
            "SELECT number, folder, status, "
            "coalesce(" LAST_EVENT(
                "event <> 'interrupted'",
                "") ", 1), started, wall, attempts, step,"
                    " id, ?2 || folder, (SELECT group_concat(name, ', ') FROM called WHERE stage = "
                    "number),"
                    " (SELECT group_concat(tag, ' ') FROM tagged WHERE stage = "
                    "number), " LAST_EVENT(
                        "iif(event = 'continued', text || ', step ' || step, NULL)",
                        " AND event IN ('begun', 'continued')") ", " LAST_EVENT("'from ' || text",
                                                                                " AND event = "
                                                                                "'copied'") ", '', "
                                                                                            "messag"
                                                                                            "e"
                                                                                            " FROM "
                                                                                            "stage "
                                                                                            "WHERE "
                                                                                            "id = "
                                                                                            "?1",
            "ss", id, arena_print(&show->arena, "%s/stages/", show->store->runs));
    if (!store_next(ask)) die("no stage %s in %s", id, show->store->runs);
    show->stage = sqlite3_column_int64(ask, NUMBER);
    const char *folder = store_text(ask, FOLDER, &show->arena),
               *status = store_text(ask, STATUS, &show->arena), *at = "";
    const double started = store_real(ask, STARTED), step = store_real(ask, STEP);
    const int attempts = sqlite3_column_int(ask, ATTEMPTS);
    const bool killed = !strcmp(status, STATUS_STOPPED) && sqlite3_column_int(ask, KILLED);
    *ends = !strcmp(status, STATUS_FAILED) || killed;
    *done = !strcmp(status, STATUS_DONE);
    if (isfinite(step))
        at = arena_print(&show->arena, " (step %s)", number_count(&show->arena, step));
    mask_line(show->out, "%s: %s%s%s", folder, status, explain(status, killed), at);
    for (int i = 0; i < (int)COUNT_OF(line); i++) {
        const char *text = store_text(ask, LINES + i, &show->arena);
        if (i == BEGUN)
            text =
                !isfinite(started)
                    ? NULL
                    : arena_print(&show->arena, "%s, %s in %d attempt%s", say_time(show, started),
                                  number_seconds(&show->arena, store_real(ask, WALL)), attempts,
                                  attempts == 1 ? "" : "s");
        if (text) mask_line(show->out, "  %-8s %s", line[i], text);
    }
    store_finish(ask);
    return folder;
}

static void show_log(struct show *show, const char *folder)
{
    const char *path =
        arena_print(&show->arena, "%s/stages/%s/" STAGE_LOG, show->store->runs, folder);
    FILE *file = file_stream(path);
    if (!file) return;
    char text[LOG_BYTES + 1];
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
    fputc('\n', show->out);
    mask_line(show->out, "End of %s", path);
    for (char *line; (line = strsep(&start, "\n"));) mask_line(show->out, "  %s", line);
}

/* Notes of the stage and of the grids that name it. */
static void show_notes(struct show *show)
{
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT time, NULL, text FROM note WHERE stage = ?1 UNION ALL "
                  "SELECT DISTINCT NULL, grid.grid, grid.note FROM stage JOIN member ON "
                  "member.stage = id JOIN grid ON grid.number = member.grid WHERE stage.number = "
                  "?1 AND grid.note IS NOT NULL ORDER BY time",
                  "i", show->stage);
    for (int row = 0; store_next(ask); row++) {
        const char *grid = store_text(ask, 1, &show->arena);
        if (!row) fputs("\nNotes\n", show->out);
        mask_line(show->out, "  %s  %s", grid ? grid : say_time(show, store_real(ask, 0)),
                  store_text(ask, 2, &show->arena));
    }
}

/* ---- rows as a sheet ---- */

/* What a statement about the stage gives, under the names of its columns. One letter per column:
 * l text, r to the right, n a number of five digits, t a time. The column after these counts all
 * rows, of which it may give the first. */
static void show_rows(struct show *show, const char *title, const char *letters, const char *sql)
{
    struct arena *arena = &show->arena;
    const int columns = (int)strlen(letters);
    struct sheet *sheet = sheet_new(arena, ROWS, columns);
    int rows = 0, all = 0;
    sqlite3_stmt *ask = store_ask(show->store, sql, "i", show->stage);
    for (; store_next(ask); rows++) {
        all = sqlite3_column_int(ask, columns);
        for (int i = 0; i < columns; i++) {
            const double number = store_real(ask, i);
            const bool real = sqlite3_column_type(ask, i) == SQLITE_FLOAT;
            sheet->column[i].header = arena_text(arena, sqlite3_column_name(ask, i));
            sheet->column[i].align = letters[i] == 'r'   ? SHEET_RIGHT
                                     : letters[i] == 'n' ? SHEET_NUMBER
                                                         : SHEET_LEFT;
            sheet_set(sheet, rows, i,
                      letters[i] == 't' ? say_time(show, number)
                      : real            ? number_short(arena, number)
                                        : store_text(ask, i, arena));
        }
    }
    if (!rows) return;
    sheet->rows = rows;
    sheet->title = title;
    if (all > rows) sheet_caption(arena, sheet, ".. and %d more", all - rows);
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

static const char events[] =
    "SELECT time AS time, attempt AS attempt, event AS event, coalesce(step, '') AS step,"
    " coalesce(text, '') AS text, count(*) OVER () FROM (SELECT rowid AS place, * FROM event"
    " WHERE stage = ? ORDER BY rowid DESC LIMIT 12) ORDER BY place";
/* Last values of what has a layer, a head, a set or a class. The column of classes is there where a
 * class is. */
#define DIMENSIONS "name, layer, head, \"set\", class"
#define VALUES(class, some)                                                                        \
    "SELECT name AS name, layer AS layer, head AS head, \"set\" AS \"set\", " class                \
        "n AS n, coalesce(value, 'not finite') AS value, count(*) OVER (), max(rowid) FROM value " \
        "WHERE stage = ?1 AND NOT (" STORE_PLAIN ") AND " some                                     \
        " (SELECT 1 FROM value WHERE stage = "                                                     \
        "?1 AND class IS NOT NULL) GROUP BY " DIMENSIONS " ORDER BY " DIMENSIONS " LIMIT 40"

/* ---- the learning curve ---- */

/* The values of one name by step alone. A step that stands twice counts once, with its last. */
struct series {
    const char *name;
    int count;
    int64_t *step; /* [count] rising */
    double *value; /* [count] NaN: not finite */
};

/* All that have two steps at least, in the order of their first; returns how many. */
static int read_series(struct show *show, struct series series[CURVE_MOST])
{
    int count = 0;
    int64_t first = -1;
    sqlite3_stmt *ask = store_ask(
        show->store,
        "WITH named AS (SELECT min(rowid) AS first, name FROM value WHERE stage = ?1 AND step IS "
        "NOT NULL AND " STORE_PLAIN " GROUP BY name HAVING min(step) < max(step)"
        " ORDER BY first LIMIT ?2) SELECT first, value.name, step, value FROM named JOIN value"
        " ON stage = ?1 AND value.name = named.name AND step IS NOT NULL AND " STORE_PLAIN
        " ORDER BY first, step, value.rowid",
        "ii", show->stage, (int64_t)CURVE_MOST);
    while (store_next(ask)) {
        if (sqlite3_column_int64(ask, 0) != first)
            series[count++] = (struct series){.name = store_text(ask, 1, &show->arena)};
        first = sqlite3_column_int64(ask, 0);
        struct series *one = &series[count - 1];
        const int64_t step = sqlite3_column_int64(ask, 2);
        if (!one->count || one->step[one->count - 1] != step) {
            ARENA_MORE(&show->arena, one->step, one->count);
            ARENA_MORE(&show->arena, one->value, one->count);
            one->step[one->count++] = step;
        }
        one->value[one->count - 1] = store_real(ask, 3);
    }
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

const char *query_blocks(struct arena *arena, const double *value, int count, int width)
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
        const char *blocks = query_blocks(&show->arena, series[i].value, series[i].count, most);
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

/* A line of blocks for each series, and a table of some steps. */
static void show_curve(struct show *show)
{
    struct series series[CURVE_MOST];
    int count = read_series(show, series), anchor = 0;
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

void query_show(struct store *store, const char *id, const struct query_defaults *defaults,
                FILE *out)
{
    struct show show = {.store = store, .out = out};
    struct query_pairs part[RELATION_PARTS];
    bool log, done;
    const char *folder = show_head(&show, id, &log, &done);
    query_facts(store, show.stage, defaults, part, &show.arena);
    round_pairs(&show, &part[RELATION_RESULTS], 10);
    round_pairs(&show, &part[RELATION_LATEST], 6);
    show_notes(&show);
    show_pairs(&show, "Reads",
               "SELECT coalesce(folder, substr(input, 1, 12)), coalesce(status, 'new') FROM "
               "input LEFT JOIN stage ON id = input WHERE input.stage = ? ORDER BY position");
    show_pairs(&show, "Files", QUERY_FILES);
    show_pairs(&show, "Read by",
               "SELECT reader.folder, reader.status FROM stage JOIN input ON input.input = stage.id"
               " JOIN stage AS reader ON reader.number = input.stage WHERE stage.number = ? "
               "ORDER BY reader.folder LIMIT 20");
    put_pairs(&show, defaults ? "Options (* given)" : "Options", defaults ? "* " : "  ",
              &part[RELATION_OPTIONS]);
    put_pairs(&show, "Results", "  ", &part[RELATION_RESULTS]);
    if (!done) put_pairs(&show, "Last values", "  ", &part[RELATION_LATEST]);
    show_curve(&show);
    show_rows(&show, "Last values by layer, head, set and class", "lrrllrn",
              VALUES("class AS class, ", "EXISTS"));
    show_rows(&show, "Last values by layer, head and set", "lrrlrn", VALUES("", "NOT EXISTS"));
    show_rows(&show, "Events", "trlrl", events);
    put_pairs(&show, "Environment", "  ", &part[RELATION_ENVIRONMENTS]);
    if (log) show_log(&show, folder);
    arena_free(&show.arena);
}
