/* Writes and reads the records of reports. A record, RUNS/reports/GRID.json, lists the stages that
 * a page cites. It is written before the page. gc keeps these stages, so that the page stays
 * reproducible. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "results/query/find_stage.h"
#include "results/report/report.h"
#include "results/sheet/cell.h"

/* Returns the ids of a grid's stages and of all their inputs, sorted. */
static json_t *cited(struct store *store, const struct grid *grid)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char **id = NULL;
    int ids = 0;
    for (struct grid_cursor at = {0}; grid_next(grid, &at); at.stage++)
        ARENA_ADD(&arena, id, ids, grid_stage_at(grid, &at)->id);
    ids = find_needed(store, id, ids, &id, &arena);
    SCOPED(heap_free) char *list = cell_json_texts(id, ids);
    return json_loads(list, 0, NULL);
}

/* Returns the record in a file; NULL if the file does not exist. */
static json_t *read_record(const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *problem;
    json_t *record = json_file_try(&arena, path, &problem);
    if (problem || (record && !json_is_object(json_object_get(record, "pages"))))
        die("%s: is not the record of a report; remove the file if its pages need not keep their "
            "stages",
            problem ? problem : path);
    return record;
}

/* Returns a page's name in the record. For a page in RUNS/reports this is the name of the file, so
 * that RUNS can be moved. For other pages it is the absolute path. */
static const char *page_name(const char *folder, const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *parent = slash ? arena_text_range(arena, path, (size_t)(slash - path)) : ".";
    const char *name = slash ? slash + 1 : path;
    SCOPED(heap_free)
    char *own = realpath(folder, NULL), *real = realpath(*parent ? parent : "/", NULL);
    return !real || (own && !strcmp(own, real)) ? name : arena_print(arena, "%s/%s", real, name);
}

static void cite(struct store *store, const struct grid *grid, const char *page)
{
    struct arena arena = {0};
    const char *folder = arena_print(&arena, "%s/reports", store->runs);
    const char *path = arena_print(&arena, "%s/%s.json", folder, grid->name);
    if (access(store->runs, W_OK)) {
        warn("%s cannot be written: the stages of this page are not recorded, and `sanlab gc` may "
             "remove them",
             store->runs);
        arena_free(&arena);
        return;
    }
    file_make_folder(folder);
    const int turn = file_turn(folder, 60);
    json_t *record = read_record(path);
    if (!record) record = json_pack("{s:s, s:{}}", "grid", grid->name, "pages");
    const char *name = page_name(folder, page, &arena);
    if (json_object_set_new(json_object_get(record, "pages"), name, cited(store, grid)))
        die("%s: the name of a page must be UTF-8", page);
    json_file_write(path, record);
    if (turn >= 0) close(turn);
    json_decref(record);
    arena_free(&arena);
}

/* Appends the ids of a record to a list. */
static void add_record(json_t *all, const char *path)
{
    json_t *record = read_record(path), *ids, *id;
    const char *page;
    size_t i;
    json_object_foreach(json_object_get(record, "pages"), page, ids) {
        json_array_foreach(ids, i, id)
            if (!json_is_string(id)) die("%s: %s: expected a list of ids", path, page);
        json_array_extend(all, ids);
    }
    json_decref(record);
}

const char *report_cited(const char *runs, struct arena *arena)
{
    const char *folder = arena_print(arena, "%s/reports", runs);
    json_auto_t *all = json_array();
    int count;
    const char **name = file_folder_names(arena, folder, &count);
    for (int i = 0; i < count; i++) {
        const char *ending = strrchr(name[i], '.');
        if (ending && !strcmp(ending, ".json"))
            add_record(all, arena_print(arena, "%s/%s", folder, name[i]));
    }
    SCOPED(heap_free) char *list = json_dumps(all, JSON_COMPACT);
    return arena_text(arena, list);
}

void report_write(struct store *store, const struct report *report, const char *path)
{
    cite(store, report->grid, path);
    struct file_writer writer = file_create(path);
    report_print(store, report, writer.stream);
    file_commit(&writer);
}
