#include "results/collect.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "results/ingest.h"

enum {
    STATIC_LOG_PAGES = 1 << 16 /* of the write-ahead log, 256 MiB: somebody holds it */
};

struct names {
    int count;
    const char **name; /* [count] sorted */
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What stands in a folder, without hidden and temporary files; nothing when it is not there. */
static struct names list_folder(struct arena *arena, const char *path)
{
    struct names names = {0};
    DIR *folder = opendir(path);
    if (!folder && errno != ENOENT) die("%s: cannot be read: %s", path, strerror(errno));
    if (!folder) return names;
    size_t room = 0;
    const char **name = NULL;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".tmp-")) continue;
        if ((size_t)names.count == room)
            name = heap_resize(name, (room = room ? 2 * room : 64) * sizeof *name);
        name[names.count++] = arena_text(arena, entry->d_name);
    }
    closedir(folder);
    names.name = ARENA_ARRAY(arena, const char *, names.count);
    if (names.count) memcpy(names.name, name, (size_t)names.count * sizeof *name);
    free(name);
    qsort(names.name, (size_t)names.count, sizeof *names.name, compare_names);
    return names;
}

static bool names_have(const struct names *names, const char *name)
{
    return names->count &&
           bsearch(&name, names->name, (size_t)names->count, sizeof *names->name, compare_names);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && !strcmp(text + length - tail, ending);
}

static void collect_grids(struct ingest *ingest)
{
    struct store *store = ingest->store;
    struct arena arena = {0};
    const char *grids = arena_print(&arena, "%s/grids", store->runs);
    struct names folders = list_folder(&arena, grids);
    for (int i = 0; i < folders.count; i++) {
        const char *folder = arena_print(&arena, "%s/%s", grids, folders.name[i]);
        if (!file_is_folder(folder)) continue;
        struct names files = list_folder(&arena, folder);
        for (int k = 0; k < files.count; k++)
            if (ends_with(files.name[k], ".json"))
                ingest_grid(ingest, arena_print(&arena, "%s/%s", folders.name[i], files.name[k]));
    }
    sqlite3_stmt *ask = store_ask(store, "SELECT path FROM grid", "");
    sqlite3_stmt *forget = store_prepare(store, "DELETE FROM grid WHERE path = ?");
    while (store_next(ask)) {
        const char *path = store_text(ask, 0, &arena);
        if (file_exists(arena_print(&arena, "%s/%s", grids, path))) continue;
        store_bind(forget, "s", path);
        store_next(forget);
    }
    store_finish(ask);
    store_finish(forget);
    arena_free(&arena);
}

/* Stages whose folders are gone. */
static void forget_stages(struct store *store, const struct names *folders)
{
    struct arena arena = {0};
    sqlite3_stmt *ask = store_ask(store, "SELECT folder FROM stage", "");
    sqlite3_stmt *forget = store_prepare(store, "DELETE FROM stage WHERE folder = ?");
    while (store_next(ask)) {
        const char *name = store_text(ask, 0, &arena);
        if (names_have(folders, name)) continue;
        store_bind(forget, "s", name);
        store_next(forget);
    }
    store_finish(ask);
    store_finish(forget);
    arena_free(&arena);
}

static int64_t count_bad(struct store *store)
{
    sqlite3_stmt *ask = store_ask(store, "SELECT coalesce(sum(bad), 0) FROM file", "");
    int64_t bad = store_next(ask) ? sqlite3_column_int64(ask, 0) : 0;
    store_finish(ask);
    return bad;
}

struct collect_report collect(struct store *store)
{
    double begin = clock_seconds();
    struct arena arena = {0};
    struct ingest ingest = ingest_open(store);
    const char *stages = arena_print(&arena, "%s/stages", store->runs);
    struct names folders = list_folder(&arena, stages);
    store_begin(store);
    for (int i = 0; i < folders.count; i++) {
        if (file_is_folder(arena_print(&arena, "%s/%s", stages, folders.name[i]))) {
            ingest_stage(&ingest, folders.name[i]);
        } else {
            ingest_complain(&ingest, "%s/%s: is no stage's folder", stages, folders.name[i]);
            ingest.report.bad++;
        }
    }
    forget_stages(store, &folders);
    collect_grids(&ingest);
    ingest.report.bad += count_bad(store);
    store_commit(store);
    ingest_close(&ingest);
    arena_free(&arena);

    int log = 0, folded = 0;
    sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_PASSIVE, &log, &folded);
    if (log - folded > STATIC_LOG_PAGES)
        warn("%s-wal has grown to %d pages: another program keeps the database open at an old "
             "state",
             store->path, log);
    ingest.report.seconds = clock_seconds() - begin;
    return ingest.report;
}

static void fill(struct store *store, void *context)
{
    *(struct collect_report *)context = collect(store);
}

struct collect_report collect_rebuild(const char *runs)
{
    struct collect_report report = {0};
    store_rebuild(runs, fill, &report);
    return report;
}
