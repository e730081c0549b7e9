/* One stage whole, for `show` (query.h). */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "results/query/show.h"
#include "results/sheet/number.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

enum {
    LOG_LINES = 20,
    LOG_BYTES = 8192,
    EVENT_ROWS = 12 /* the last ones */
};

/* "key  value" below a heading, keys padded to one width, behind `mark` but for defaults. */
static void put_pairs(struct show *show, const char *heading, const char *mark,
                      const struct query_pair *pair, int count)
{
    int width = 0;
    for (int i = 0; i < count; i++)
        if (sheet_width(pair[i].key) > width) width = sheet_width(pair[i].key);
    if (count) fprintf(show->out, "\n%s\n", heading);
    for (int i = 0; i < count; i++)
        mask_line(show->out, "%s%s%*s  %s", pair[i].is_default ? "  " : mark, pair[i].key,
                  width - sheet_width(pair[i].key), "",
                  pair[i].value ? pair[i].value : "not finite");
}

static void show_pairs(struct show *show, const char *heading, const char *sql)
{
    struct query_pair *pair;
    const int count = query_pairs(show->store, sql, show->stage, &pair, &show->arena);
    put_pairs(show, heading, "  ", pair, count);
}

static void show_options(struct show *show, const struct query_defaults *defaults)
{
    struct query_pair *pair;
    const int count = query_options(show->store, show->stage, defaults, &pair, &show->arena);
    put_pairs(show, defaults ? "Options (* given)" : "Options", defaults ? "* " : "  ", pair,
              count);
}

static const char *say_time(struct show *show, double seconds)
{
    char text[TIME_TEXT];
    return arena_text(&show->arena, time_print(text, "%Y-%m-%d %H:%M:%S %z", seconds, false));
}

/* A line "  name     text"; nothing when there is no text. */
static void put_line(struct show *show, const char *name, const char *text)
{
    if (text) mask_line(show->out, "  %-8s %s", name, text);
}

/* Whether a stage that is stopped was killed: its journal ends without saying so. */
static bool was_killed(const struct show *show)
{
    bool said = false;
    sqlite3_stmt *ask = store_ask(show->store,
                                  "SELECT event = 'interrupted' FROM event WHERE stage = ?"
                                  " ORDER BY rowid DESC LIMIT 1",
                                  "i", show->stage);
    while (store_next(ask)) said = sqlite3_column_int(ask, 0);
    store_finish(ask);
    return !said;
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

/* Returns the folder's name, and whether the end of the log should be shown. */
static const char *show_head(struct show *show, const char *id, bool *log)
{
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT number, folder, status, message, attempts, started, wall, step,"
                  " (SELECT group_concat(name, ', ') FROM called WHERE stage = number),"
                  " (SELECT group_concat(tag, ' ') FROM tagged WHERE stage = number),"
                  " (SELECT iif(event = 'continued', text || ', step ' || step, NULL) FROM event"
                  "   WHERE event.stage = number AND event IN ('begun', 'continued')"
                  "   ORDER BY event.rowid DESC LIMIT 1),"
                  " (SELECT text FROM event WHERE event.stage = number AND event = 'copied'"
                  "   ORDER BY event.rowid DESC LIMIT 1)"
                  " FROM stage WHERE id = ?",
                  "s", id);
    if (!store_next(ask)) die("no stage %s in %s", id, show->store->runs);
    show->stage = sqlite3_column_int64(ask, 0);
    const char *folder = store_text(ask, 1, &show->arena),
               *status = store_text(ask, 2, &show->arena);
    const char *message = store_text(ask, 3, &show->arena),
               *names = store_text(ask, 8, &show->arena), *tags = store_text(ask, 9, &show->arena),
               *from = store_text(ask, 10, &show->arena),
               *copied = store_text(ask, 11, &show->arena);
    double started = store_real(ask, 5), wall = store_real(ask, 6), step = store_real(ask, 7);
    int attempts = sqlite3_column_int(ask, 4);
    store_finish(ask);
    const bool killed = !strcmp(status, STATUS_STOPPED) && was_killed(show);
    *log = !strcmp(status, STATUS_FAILED) || killed;

    const char *at = "";
    if (isfinite(step))
        at = arena_print(&show->arena, " (step %s)", number_count(&show->arena, step));
    mask_line(show->out, "%s: %s%s%s", folder, status, explain(status, killed), at);
    put_line(show, "id", id);
    put_line(show, "folder", arena_print(&show->arena, "%s/stages/%s", show->store->runs, folder));
    put_line(show, "names", names);
    put_line(show, "tags", tags);
    put_line(show, "from", from);
    if (copied) put_line(show, "copied", arena_print(&show->arena, "from %s", copied));
    if (isfinite(started))
        put_line(show, "started",
                 arena_print(&show->arena, "%s, %s in %d attempt%s", say_time(show, started),
                             number_seconds(&show->arena, wall), attempts,
                             attempts == 1 ? "" : "s"));
    put_line(show, "message", message);
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

static void show_events(struct show *show)
{
    sqlite3_stmt *ask =
        store_ask(show->store,
                  "SELECT time, attempt, event, step, text FROM (SELECT rowid AS place, * FROM "
                  "event WHERE stage = ? ORDER BY rowid DESC LIMIT ?) ORDER BY place",
                  "ii", show->stage, (int64_t)EVENT_ROWS);
    struct sheet *sheet = sheet_new(&show->arena, EVENT_ROWS, 5);
    static const struct sheet_column header[] = {{.header = "time"},
                                                 {.header = "attempt", .align = SHEET_RIGHT},
                                                 {.header = "event"},
                                                 {.header = "step", .align = SHEET_RIGHT},
                                                 {.header = "text"}};
    for (int i = 0; i < sheet->columns; i++) sheet->column[i] = header[i];
    sheet->title = "Events";
    sheet->missing = "";
    int rows = 0;
    for (; store_next(ask); rows++) {
        sheet_set(sheet, rows, 0, say_time(show, store_real(ask, 0)));
        for (int i = 1; i < 5; i++) sheet_set(sheet, rows, i, store_text(ask, i, &show->arena));
    }
    sheet->rows = rows;
    if (!rows) return;
    fputc('\n', show->out);
    sheet_text(sheet, show->out);
}

void query_show(struct store *store, const char *id, const struct query_defaults *defaults,
                FILE *out)
{
    struct show show = {.store = store, .out = out};
    bool log;
    const char *folder = show_head(&show, id, &log);
    show_notes(&show);
    show_pairs(&show, "Reads",
               "SELECT coalesce(folder, substr(input, 1, 12)), coalesce(status, 'new') FROM "
               "input LEFT JOIN stage ON id = input WHERE input.stage = ? ORDER BY position");
    show_pairs(&show, "Files", QUERY_FILES);
    show_pairs(&show, "Read by",
               "SELECT reader.folder, reader.status FROM stage JOIN input ON input.input = stage.id"
               " JOIN stage AS reader ON reader.number = input.stage WHERE stage.number = ? "
               "ORDER BY reader.folder LIMIT 20");
    show_options(&show, defaults);
    show_pairs(&show, "Results",
               "SELECT name, coalesce(text, iif(value IS NULL, NULL, printf('%.10g', value))) "
               "FROM (" STORE_SUMMARY ") WHERE stage = ? AND name <> 'status' ORDER BY name");
    show_pairs(
        &show, "Last values",
        "SELECT name, iif(value IS NULL, 'not finite', printf('%.6g', value)) || "
        "iif(latest.step IS NULL, '', printf(' at step %,d', latest.step)) FROM (" STORE_LATEST
        ") AS latest JOIN "
        "stage ON "
        "number = stage WHERE stage = ? AND status <> 'done' ORDER BY name");
    show_curve(&show);
    show_values(&show);
    show_events(&show);
    show_pairs(&show, "Environment", QUERY_ENVIRONMENT);
    if (log) show_log(&show, folder);
    arena_free(&show.arena);
}
