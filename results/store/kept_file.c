/* done.json has the digests of what a stage leaves. */
#include "results/store/kept_file.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "results/store/stage_folder.h"

const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena)
{
    const char *folder = arena_print(arena, "%s/stages/" STAGE_FOLDER, store->runs, kind, id);
    const char *path = arena_print(arena, "%s/%s", folder, name);
    json_t *done = json_file_try(arena, arena_print(arena, "%s/" STAGE_DONE, folder), problem);
    const char *said = json_string_value(json_object_get(json_object_get(done, "outputs"), name));
    const char *digest = said ? arena_text(arena, said) : NULL;
    char text[DIGEST_TEXT];
    json_decref(done);
    if (*problem) return NULL;
    if (!digest) {
        *problem = arena_print(arena, "%s is not among what its stage has left", path);
        return NULL;
    }
    if (!file_exists(path)) {
        *problem = arena_print(arena, "%s is gone", path);
        return NULL;
    }
    digest_file(path, text);
    if (!strcmp(text, digest)) return path;
    *problem =
        arena_print(arena, "%s has changed since it was written (its digest is %.8s, not %.8s)",
                    path, text, digest);
    return NULL;
}
