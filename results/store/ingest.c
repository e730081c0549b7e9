/* Helper functions for the readers of folders, journals and records. They complain, read JSON
 * objects, detect changed files, and update the names and tags of stages. */
#include "results/store/ingest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/base/path.h"

enum { NAMED = 5 }; /* number of complaints that a collect prints; others are only counted */

void ingest_complain(struct ingest *ingest, const char *format, ...)
{
    if (ingest->complaints++ >= NAMED) return;
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    warn("%s", message);
}

json_t *ingest_object(struct ingest *ingest, const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *problem;
    json_t *object = json_file_try(&arena, path, &problem);
    if (problem) ingest_complain(ingest, "%s", problem);
    if (object && !json_is_object(object)) {
        ingest_complain(ingest, "%s: is not a JSON object", path);
        json_decref(object);
        object = NULL;
    }
    return object;
}

int64_t ingest_time(const struct stat *info)
{
    return info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
}

struct ingest_file ingest_look(const char *path)
{
    struct stat info;
    if (!path_stat(path, &info)) return (struct ingest_file){0};
    return (struct ingest_file){.bytes = (int64_t)info.st_size, .modified = ingest_time(&info)};
}

bool ingest_changed(const char *path, struct ingest_file *known)
{
    const struct ingest_file now = ingest_look(path);
    if (now.bytes == known->bytes && now.modified == known->modified) return false;
    *known = now;
    return true;
}

void ingest_remember(struct ingest *ingest, int64_t stage, const char *name,
                     const struct ingest_file *known)
{
    store_insert(ingest->store, "file", "isiisi", stage, name, known->bytes, known->modified,
                 known->tail ? known->tail : "", known->bad);
}

/* Writes the names and tags of all stages again. A stage may have many names. For example, several
 * seeds share a corpus, and several grids may share a training. */
void ingest_names(struct ingest *ingest)
{
    struct store *store = ingest->store;
    if (!ingest->renamed) return;
    store_run(store, "DELETE FROM called", "");
    store_run(store,
              "INSERT INTO called (stage, name) SELECT stage, name FROM name UNION"
              " SELECT stage.number, grid.grid || '/' || row || '/' || seed FROM member"
              "  JOIN stage ON id = member.stage JOIN grid ON grid.number = member.grid",
              "");
    store_run(store, "DELETE FROM tagged", "");
    store_run(store,
              "INSERT INTO tagged (stage, tag) SELECT stage, tag FROM tag UNION"
              " SELECT stage.number, tag FROM grid_tag JOIN member ON member.grid = grid_tag.grid"
              "  JOIN stage ON id = member.stage",
              "");
    ingest->renamed = false;
}
