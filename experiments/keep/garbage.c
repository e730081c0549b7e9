/* Collects garbage in two passes. The first pass lists items for the user. The second pass removes
 * the items that are still in a new list. Items of stages are removed under the lease of the
 * stage. */
#include "experiments/keep/garbage.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/lease.h"
#include "core/model/checkpoint.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/continue.h"
#include "experiments/stage/stage_train.h"
#include "results/report/report.h"
#include "results/sheet/cell.h"
#include "results/store/stage_folder.h"

enum { HOUR = 3600, DAY = 24 * HOUR };

struct search {
    struct store *store;
    struct arena *arena;
    struct gc_list list;
    time_t now;
    int keep_optimizers; /* days */
};

static bool is_old(const struct search *search, const char *path)
{
    struct stat info;
    return path_stat(path, &info) && info.st_mtime + HOUR < search->now;
}

static int64_t tree_bytes(const char *path)
{
    return (int64_t)plan_disk_bytes(path, true);
}

static const char *full(struct search *search, const char *path)
{
    return arena_print(search->arena, "%s/%s", search->store->runs, path);
}

static void add(struct search *search, enum gc_kind kind, const char *path, const char *reason,
                int64_t bytes)
{
    struct gc_list *list = &search->list;
    ARENA_ADD(search->arena, list->item, list->count, (struct gc_item){kind, path, reason, bytes});
    list->bytes += bytes;
}

/* Calls `look` for each entry of a folder in RUNS. Does nothing if the folder is a link. */
static void each(struct search *search, const char *path,
                 void (*look)(struct search *search, const char *path, const char *name))
{
    const char *whole = full(search, path);
    DIR *folder = file_is_folder(whole) ? file_open_folder(whole) : NULL;
    for (const char *next; (next = file_next(folder));) {
        const char *name = arena_text(search->arena, next);
        look(search, *path ? arena_print(search->arena, "%s/%s", path, name) : name, name);
    }
}

/* ---- stages ---- */

/* SQL function: "process 12 on HOST works on it" for the folder of a stage; null if no process
 * does. */
static void tell_owner(sqlite3_context *context, int count, sqlite3_value **folder)
{
    struct lease_owner owner;
    SCOPED(heap_free)
    char *path = heap_print("%s/stages/%s", (const char *)sqlite3_user_data(context),
                            (const char *)sqlite3_value_text(folder[0]));
    SCOPED(heap_free)
    char *text = lease_held(path, &owner)
                     ? heap_print("process %d on %s works on it", owner.pid, owner.host)
                     : NULL;
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* ?1: the named ids; null: all stages. ?2: the grid, or null. ?3: its named points. ?4: ids that
 * reports cite. needed: the stages that stay, with reasons; the reason of the lowest rank is
 * printed. found: the named stages, and the readers of those that are not needed. stays: needed
 * stages, and their inputs. */
static const char found_stages[] =
    "WITH RECURSIVE needed (id, rank, why) AS MATERIALIZED ("
    " SELECT id, 1, group_concat(grid, ' and ') || iif(count(*) > 1, ' need it', ' needs it')"
    "  FROM (SELECT DISTINCT member.stage AS id, grid.grid FROM member"
    "   JOIN grid ON grid.number = member.grid WHERE grid.grid IS NOT ?2 ORDER BY grid.grid)"
    "  GROUP BY id HAVING count(*) > (?1 IS NOT NULL AND ?2 IS NULL)"
    " UNION ALL SELECT stage, 2, ?2 || '/' || min(row || '/' || seed) || ' needs it' FROM member"
    "  WHERE row || '/' || seed NOT IN (SELECT value FROM json_each(?3)) AND grid ="
    "   (SELECT number FROM grid WHERE grid = ?2 ORDER BY modified DESC, number DESC LIMIT 1)"
    "  GROUP BY stage"
    " UNION ALL SELECT value, 3, 'a report cites it' FROM json_each(?4)"
    " UNION ALL SELECT stage.id, 4, 'tagged' FROM tag JOIN stage ON number = stage"
    "  WHERE ?1 IS NULL"
    " UNION ALL SELECT id, 5, owner(folder) FROM stage WHERE owner(folder) IS NOT NULL), "
    "found (id, why) AS (SELECT value, 'named in the command' FROM json_each(?1)"
    " UNION SELECT id, 'no grid, report or tag refers to it' FROM stage WHERE ?1 IS NULL"
    " UNION SELECT reader.id, 'reads ' || stage.folder FROM found JOIN stage USING (id)"
    "  JOIN input ON input.input = stage.id JOIN stage AS reader ON reader.number = input.stage"
    "  WHERE ?1 IS NOT NULL AND stage.id NOT IN (SELECT id FROM needed)), "
    "stays (id, why) AS (SELECT id, needed.why FROM found JOIN needed USING (id)"
    " UNION SELECT input.input, stage.folder || ' reads it' FROM stays JOIN stage USING (id)"
    "  JOIN input ON input.stage = stage.number"
    "  WHERE input.input IN (SELECT id FROM found)) "
    "SELECT folder, min(why) || coalesce("
    "  (SELECT ', tagged ' || group_concat(tag, ' ') FROM tag WHERE tag.stage = number), ''),"
    " coalesce((SELECT needed.why FROM needed WHERE needed.id = stage.id ORDER BY rank LIMIT 1),"
    "  (SELECT min(stays.why) FROM stays WHERE stays.id = stage.id)) "
    "FROM found JOIN stage USING (id) GROUP BY stage.id ORDER BY folder";

/* Lists the stages of a request (NULL: all stages) that can be removed. Sets *stays as
 * gc_find_named does. */
static void find_stages_of(struct search *search, const struct gc_named *named, const char ***stays,
                           int *count)
{
    struct arena *arena = search->arena;
    struct store *store = search->store;
    SCOPED(heap_free) char *wanted = named ? cell_json_texts(named->id, named->ids) : NULL;
    SCOPED(heap_free) char *points = named ? cell_json_texts(named->point, named->points) : NULL;
    sqlite3_create_function(store->database, "owner", 1, SQLITE_UTF8, store->runs, tell_owner, NULL,
                            NULL);
    sqlite3_stmt *ask = store_ask(store, found_stages, "ssss", wanted, named ? named->grid : NULL,
                                  points, report_cited(store->runs, arena));
    while (store_next(ask)) {
        const char *folder = (const char *)sqlite3_column_text(ask, 0),
                   *why = arena_text(arena, (const char *)sqlite3_column_text(ask, 1)),
                   *reason = (const char *)sqlite3_column_text(ask, 2),
                   *path = arena_print(arena, "stages/%s", folder), *whole = full(search, path);
        if (reason)
            ARENA_ADD(arena, *stays, *count, arena_print(arena, "%s stays: %s", folder, reason));
        else if (file_is_folder(whole) && !stage_folder_denied(whole))
            add(search, GC_STAGE, path, why, tree_bytes(whole));
    }
}

struct gc_list gc_find_named(struct store *store, const struct gc_named *named, const char ***stays,
                             int *count, struct arena *arena)
{
    struct search search = {.store = store, .arena = arena};
    *stays = NULL;
    *count = 0;
    find_stages_of(&search, named, stays, count);
    return search.list;
}

/* True if the list already has the whole stage. */
static bool goes(const struct search *search, const char *path)
{
    for (int i = 0; i < search->list.count; i++)
        if (search->list.item[i].kind == GC_STAGE && !strcmp(search->list.item[i].path, path))
            return true;
    return false;
}

static void find_spare(struct search *search)
{
    const double before = (double)(search->now - (time_t)search->keep_optimizers * DAY);
    sqlite3_stmt *ask = store_ask(search->store,
                                  "SELECT folder, kind FROM stage WHERE status = 'done' AND"
                                  " (?1 OR coalesce(finished, 0) <= ?2) ORDER BY folder",
                                  "id", (int64_t)!search->keep_optimizers, before);
    while (store_next(ask)) {
        const char *path =
            arena_print(search->arena, "stages/%s", (const char *)sqlite3_column_text(ask, 0));
        const struct stage_kind *kind = stage_kind_find((const char *)sqlite3_column_text(ask, 1));
        if (!kind || !continue_trains(kind) || goes(search, path)) continue;
        const char *folder = full(search, path);
        const bool readable = file_is_folder(folder) && !stage_folder_denied(folder);
        const int64_t bytes = readable ? checkpoint_optimizer_bytes(folder) : 0;
        if (!bytes) continue;
        add(search, GC_SPARE, path, "optimizers of a finished training", bytes);
    }
    store_finish(ask);
}

/* ---- leftovers ---- */

static void look_for_temporary(struct search *search, const char *path, const char *name)
{
    const char *whole = full(search, path);
    bool temporary =
        file_is_temporary(name) || !strncmp(name, ".gc-", 4) || !strcmp(name, STORE_FILE_NEW);
    if (temporary && is_old(search, whole))
        add(search, GC_LEFTOVER, path, "left by a process that has ended", tree_bytes(whole));
    else if (!strcmp(name, "quarantine") && file_is_folder(whole))
        add(search, GC_LEFTOVER, path, "damaged checkpoints", tree_bytes(whole));
}

static void look_at_stage(struct search *search, const char *path, const char *name)
{
    const char *whole = full(search, path);
    if (stage_folder_denied(whole)) return; /* its contents are unknown */
    look_for_temporary(search, path, name);
    if (name[0] == '.' || file_is_temporary(name) || !file_is_folder(whole) || goes(search, path) ||
        lease_held(whole, NULL))
        return;
    if (!file_exists(arena_print(search->arena, "%s/" STAGE_RECORD, whole))) {
        if (is_old(search, whole))
            add(search, GC_STAGE, path, "has no " STAGE_RECORD, tree_bytes(whole));
        return;
    }
    each(search, path, look_for_temporary);
    each(search, arena_print(search->arena, "%s/ckpt", path), look_for_temporary);
}

static void look_at_grid(struct search *search, const char *path, const char *name)
{
    each(search, path, look_for_temporary);
}

struct gc_list gc_find(struct store *store, int keep_optimizers, struct arena *arena)
{
    struct search search = {
        .store = store, .arena = arena, .now = time(NULL), .keep_optimizers = keep_optimizers};
    static const char *const folder[] = {"stages", "grids", "reports", "names"};
    for (size_t i = 0; i < COUNT_OF(folder); i++) {
        struct stat info;
        const char *whole = full(&search, folder[i]);
        if (path_stat(whole, &info) && S_ISLNK(info.st_mode))
            die("%s: is a link; nothing is removed through links", whole);
    }
    const char **stays = NULL;
    int count = 0;
    find_stages_of(&search, NULL, &stays, &count);
    find_spare(&search);
    each(&search, "stages", look_at_stage);
    each(&search, "grids", look_at_grid);
    each(&search, "reports", look_for_temporary);
    each(&search, "names", look_for_temporary);
    each(&search, "", look_for_temporary);
    return search.list;
}

/* ---- removal ---- */

/* Takes the lease of a stage's folder. If the lease cannot be taken, warns and returns NULL. */
static struct lease *take(const char *folder)
{
    SCOPED(heap_free) char *fault = NULL;
    struct lease *lease = file_is_folder(folder) ? lease_try(folder, &fault) : NULL;
    if (fault)
        warn("%s; %s was not removed", fault, folder);
    else if (!lease)
        warn("%s: another process works on it; it was not removed", folder);
    return lease;
}

/* Removes a stage. First renames its folder, so that no reader finds a partly removed stage. */
static bool remove_stage(const char *runs, const char *folder, struct lease *lease)
{
    SCOPED(heap_free)
    char *aside = heap_print("%s/stages/.gc-%d-%s", runs, (int)getpid(), strrchr(folder, '/') + 1);
    const bool gone = file_move(folder, aside);
    if (!gone) warn("%s: cannot be removed: %s", folder, file_why(errno));
    lease_release(lease);
    if (gone) file_remove_tree(aside);
    return gone;
}

static bool remove_item(const char *runs, const struct gc_item *item)
{
    SCOPED(heap_free) char *whole = heap_print("%s/%s", runs, item->path);
    if (item->kind == GC_LEFTOVER) {
        file_remove_tree(whole);
        return true;
    }
    struct lease *lease = take(whole);
    if (!lease) return false;
    if (item->kind == GC_STAGE) return remove_stage(runs, whole, lease);
    int64_t step[CHECKPOINTS_MOST];
    /* Without optimizers, no training can continue this one. */
    checkpoint_thin(whole, step, checkpoint_steps(whole, step, CHECKPOINTS_MOST), 0);
    lease_release(lease);
    return true;
}

int64_t gc_remove(const char *runs, const struct gc_list *shown, const struct gc_list *now)
{
    int64_t bytes = 0;
    for (int i = 0; i < shown->count; i++) {
        const struct gc_item *item = &shown->item[i];
        int k = 0;
        while (k < now->count &&
               (now->item[k].kind != item->kind || strcmp(now->item[k].path, item->path) != 0))
            k++;
        if (k == now->count)
            warn("%s: was not removed: it is in use now, or already gone", item->path);
        else if (remove_item(runs, item))
            bytes += now->item[k].bytes;
    }
    return bytes;
}
