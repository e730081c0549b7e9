/* Prints a stage for `show` (query.h): pairs of key and value, and metrics. */
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
    LOG_LINES = 20
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
    const char *problem = NULL, *why = explain(status, killed);
    if (killed) json_decref(stage_folder_done(arena, stage->path, &problem));
    if (problem) why = arena_print(arena, ": %s", problem);
    mask_line(show->out, "%s: %s%s%s", stage->folder, status, why, step);
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

/* Values by step, without layer, head, set and class: at the first step, after each quarter of the
 * steps, the lowest and the highest. If a step is repeated, its last line counts. */
static const char curves[] =
    "WITH line AS (SELECT name, step, value, max(rowid) AS place FROM value WHERE stage = ?1 AND"
    " step IS NOT NULL AND " STORE_PLAIN " GROUP BY name, step),"
    " numbered AS (SELECT name, place, coalesce(value, 'not finite') AS value,"
    " row_number() OVER (PARTITION BY name ORDER BY step) - 1 AS at,"
    " count(*) OVER (PARTITION BY name) - 1 AS last FROM line)"
    " SELECT name AS name, counted(last + 1) AS steps,"
    " max(value) FILTER (WHERE at = 0) AS first,"
    " max(value) FILTER (WHERE at = last / 4) AS \"1/4\","
    " max(value) FILTER (WHERE at = last / 2) AS \"1/2\","
    " max(value) FILTER (WHERE at = last * 3 / 4) AS \"3/4\","
    " max(value) FILTER (WHERE at = last) AS last,"
    " (SELECT short(min(value)) || ' at ' || counted(step) FROM line WHERE name = numbered.name)"
    " AS lowest,"
    " (SELECT short(max(value)) || ' at ' || counted(step) FROM line WHERE name = numbered.name)"
    " AS highest FROM numbered WHERE last > 0 GROUP BY name ORDER BY min(place)";

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
    show_rows(&show, "Learning curve", "lrnnnnnrr", curves);
    show_rows(&show, "Last values by layer, head, set and class", "lrrlorn", values);
    show_rows(&show, "Events", "lrlrl", events);
    put_part(&show, "Environment", "  ", VALUE_CACHE_ENVIRONMENTS);
    if (log) show_log(&show, stage->path);
    arena_free(&show.arena);
}
