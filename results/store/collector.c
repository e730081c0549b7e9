/* Updates the database from the run folders. Each collect finds the folders that are new, changed
 * or removed. If the folder of a final stage is unchanged, the collector makes only one system call
 * for it. */
#include "results/store/collector.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "results/store/stage_folder.h"

/* Returns true if this user has no permission to read `path`, a file or folder of RUNS/grids. Then
 * also complains. */
static bool grid_denied(struct ingest *ingest, const char *path)
{
    if (!path_is_denied(path)) return false;
    ingest_complain(ingest, "%s: cannot be read: permission denied", path);
    ingest->report.bad++;
    return true;
}

static void collect_grids(struct ingest *ingest)
{
    struct store *store = ingest->store;
    SCOPED(arena_free) struct arena arena = {0};
    const char *grids = arena_print(&arena, "%s/grids", store->runs);
    int folders, files;
    const char **name = file_folder_names(&arena, grids, &folders);
    for (int i = 0; i < folders; i++) {
        const char *folder = arena_print(&arena, "%s/%s", grids, name[i]);
        if (!file_is_folder(folder) || grid_denied(ingest, folder)) continue;
        const char **file = file_folder_names(&arena, folder, &files);
        for (int k = 0; k < files; k++) {
            const char *path = arena_print(&arena, "%s/%s", name[i], file[k]);
            if (fnmatch("*.json", file[k], 0) == 0 &&
                !grid_denied(ingest, arena_print(&arena, "%s/%s", grids, path)))
                ingest_grid(ingest, path);
        }
    }
    sqlite3_stmt *ask = store_ask(store, "SELECT path FROM grid", "");
    while (store_next(ask)) {
        const char *path = store_text(ask, 0, &arena);
        const char *file = arena_print(&arena, "%s/%s", grids, path);
        if (file_exists(file) || path_is_denied(file)) continue;
        store_run(store, "DELETE FROM grid WHERE path = ?", "s", path);
        ingest->renamed = true;
    }
}

/* A stage in the database, with the name of its folder. */
struct known_folder {
    const char *folder;
    int64_t number, modified; /* modified: modification time of the folder if the stage is final,
                                 else 0 */
};

/* Loads all folders of the database, sorted by name. Returns their number. */
static int load_known(struct store *store, struct known_folder **known, struct arena *arena)
{
    int count = 0;
    sqlite3_stmt *ask =
        store_ask(store, "SELECT folder, number, folder_modified FROM stage ORDER BY folder", "");
    for (*known = NULL; store_next(ask); count++) {
        ARENA_MORE(arena, *known, count);
        (*known)[count] = (struct known_folder){
            store_text(ask, 0, arena), sqlite3_column_int64(ask, 1), sqlite3_column_int64(ask, 2)};
    }
    return count;
}

static bool is_denied(const struct store *store, const char *name)
{
    SCOPED(heap_free) char *folder = heap_print("%s/stages/%s", store->runs, name);
    return stage_folder_denied(folder);
}

/* Collects one entry of RUNS/stages. For the unchanged folder of a final stage, fstatat is the only
 * system call. */
static void collect_stage(struct ingest *ingest, int stages, const char *name,
                          const struct known_folder *known)
{
    struct stat info;
    if (fstatat(stages, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return; /* the entry was removed after it was listed */
    const int64_t modified = ingest_time(&info);
    if (!S_ISDIR(info.st_mode)) {
        ingest_complain(ingest, "%s/stages/%s: is a %s; expected the folder of a stage",
                        ingest->store->runs, name, S_ISLNK(info.st_mode) ? "link" : "file");
        ingest->report.bad++;
    } else if (known && known->modified == modified) {
        ingest->report.stages++;
    } else if (is_denied(ingest->store, name)) {
        /* The stage's rows stay in the database: another user, who can read the folder, may have
         * collected them. */
        ingest_complain(ingest, "%s/stages/%s: cannot be read: permission denied",
                        ingest->store->runs, name);
        ingest->report.bad++;
    } else {
        ingest_stage(ingest, name, modified);
    }
}

/* Merges the sorted lists of folders in the database and on disk. If a folder is only in the
 * database, it was removed. If a folder is only on disk, it is new. */
static void collect_stages(struct ingest *ingest)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct store *store = ingest->store;
    const char *path = arena_print(&arena, "%s/stages", store->runs);
    int folders;
    const char **name = file_folder_names(&arena, path, &folders);
    struct known_folder *known;
    int count = load_known(store, &known, &arena);
    DIR *stages = file_open_folder(path);
    for (int i = 0, k = 0; i < folders || k < count;) {
        int order = i == folders ? 1 : k == count ? -1 : strcmp(name[i], known[k].folder);
        if (order > 0) {
            store_run(store, "DELETE FROM stage WHERE number = ?", "i", known[k++].number);
        } else {
            collect_stage(ingest, stages ? dirfd(stages) : -1, name[i++], order ? NULL : &known[k]);
            k += order == 0;
        }
    }
    if (stages) closedir(stages);
}

bool collect_try(struct store *store, struct collect_report *report)
{
    const double begin = clock_seconds();
    struct ingest ingest = {.store = store};
    *report = ingest.report;
    if (!store_try_begin(store)) return false;
    collect_stages(&ingest);
    collect_grids(&ingest);
    ingest_names(&ingest);
    sqlite3_stmt *ask = store_ask(store, "SELECT coalesce(sum(bad), 0) FROM file", "");
    if (store_next(ask)) ingest.report.bad += sqlite3_column_int64(ask, 0);
    store_finish(ask);
    if (!store_commit(store)) {
        store_run(store, "ROLLBACK", "");
        return false;
    }

    sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    ingest.report.seconds = clock_seconds() - begin;
    *report = ingest.report;
    return !store->copy;
}

struct collect_report collect_runs(struct store *store)
{
    struct collect_report report;
    bool have = collect_try(store, &report) || store->copy;
    if (!have) store_leave(store);
    have = have && store_keep_state(store);
    if (!have) collect_try(store, &report);
    return report;
}

static void fill(struct store *store, void *context)
{
    collect_try(store, context);
}

struct collect_report collect_rebuild(const char *runs)
{
    struct collect_report report = {0};
    report.locked = !store_rebuild(runs, fill, &report);
    return report;
}
