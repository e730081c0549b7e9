/* Prints a stage for `show` (query.h): pairs of key and value. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "results/query/find_stage.h"
#include "results/query/query.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

enum {
    ROWS = 40, /* maximum number of values by layer, head and class */
    LOG_LINES = 20
};

struct show {
    struct store *store;
    struct arena arena;
    FILE *out;
    struct query_detail *detail;
    int details;
};

/* ---- pairs of key and value ---- */

/* Last values that are also results are not printed again. */
static bool is_of(const struct query_detail *one, int part)
{
    return one->part == part && !(part == VALUE_CACHE_LATEST && one->flag);
}

/* Prints lines "key value" below a heading. Keys are padded to the same width. Lines have the
 * prefix `mark`, but options that have their default are indented by blanks. Of values by layer,
 * head and class, only the first ROWS lines are printed. */
static void put_part(struct show *show, const char *heading, const char *mark, int part)
{
    const struct query_detail *end = show->detail + show->details;
    int width = 0, rows = 0;
    for (const struct query_detail *one = show->detail; one < end; one++)
        if (is_of(one, part) && sheet_width(one->key) > width) width = sheet_width(one->key);
    if (width) fprintf(show->out, "\n%s\n", heading);
    for (const struct query_detail *one = show->detail; one < end; one++)
        if (is_of(one, part) && (rows++ < ROWS || part != VALUE_CACHE_CLASSES))
            mask_line(show->out, "%s%s%*s  %s",
                      part == VALUE_CACHE_OPTIONS && one->flag ? "  " : mark, one->key,
                      width - sheet_width(one->key), "",
                      one->shown   ? one->shown
                      : one->value ? one->value
                                   : "not finite");
    if (part == VALUE_CACHE_CLASSES && rows > ROWS)
        fprintf(show->out, ".. and %d more\n", rows - ROWS);
}

/* ---- the head and the log ---- */

/* Prints the head. Returns true if the end of the log should be shown, because the stage failed or
 * stopped. */
static bool show_head(struct show *show, const struct found_stage *stage)
{
    static const char *const explained[][2] = {
        {STATUS_NEW, ": no worker has started it"},
        {STATUS_DIVERGED, ": its numbers are not finite, or its loss is worse than guessing"},
        {STATUS_STOPPED, ": the same command continues it"}};
    const bool stopped = !strcmp(stage->status, STATUS_STOPPED);
    const char *why = "", *problem = NULL;
    for (size_t i = 0; i < COUNT_OF(explained); i++)
        if (!strcmp(stage->status, explained[i][0])) why = explained[i][1];
    if (stopped) json_decref(stage_folder_done(&show->arena, stage->path, &problem));
    if (problem) why = arena_print(&show->arena, ": %s", problem);
    mask_line(show->out, "%s: %s%s", stage->folder, stage->status, why);
    for (int i = 0; i < show->details; i++)
        if (show->detail[i].part == VALUE_CACHE_HEAD && show->detail[i].shown)
            mask_line(show->out, "  %-8s %s", show->detail[i].key, show->detail[i].shown);
    return stopped || !strcmp(stage->status, STATUS_FAILED);
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

void query_show(struct store *store, const char *id, const char *defaults, FILE *out)
{
    struct show show = {.store = store, .out = out};
    struct found_stage *stage;
    if (!find_stages(store, &id, 1, &stage, &show.arena)) die("no stage %s in %s", id, store->runs);
    show.details = query_details(store, &stage->number, 1, &defaults, &show.detail, &show.arena);
    const bool log = show_head(&show, stage);
    put_part(&show, "Reads", "  ", VALUE_CACHE_READS);
    put_part(&show, "Files", "  ", VALUE_CACHE_FILES);
    put_part(&show, "Read by", "  ", VALUE_CACHE_READERS);
    put_part(&show, defaults ? "Options (* given)" : "Options", defaults ? "* " : "  ",
             VALUE_CACHE_OPTIONS);
    put_part(&show, "Results", "  ", VALUE_CACHE_RESULTS);
    put_part(&show, "Last values", "  ", VALUE_CACHE_LATEST);
    put_part(&show, "Last values by layer, head and class", "  ", VALUE_CACHE_CLASSES);
    put_part(&show, "Environment", "  ", VALUE_CACHE_ENVIRONMENTS);
    if (log) show_log(&show, stage->path);
    arena_free(&show.arena);
}
