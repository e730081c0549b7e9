/* Compares the digests of output files with recorded digests. done.json has complete digests, and
 * signatures have their first digits. */
#include "results/store/kept_file.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "results/store/stage_folder.h"

/* Returns NULL if the digest `found` begins with the digits `recorded` (one digit at least).
 * Otherwise returns the reason as the end of a sentence. */
static const char *compare(struct arena *arena, const char found[DIGEST_TEXT], const char *recorded)
{
    if (*recorded && !strncmp(found, recorded, strlen(recorded))) return NULL;
    return arena_print(arena, "has changed since it was written (its digest is %.8s, not %.8s)",
                       found, recorded);
}

const char *kept_fault(struct arena *arena, const char *path, const char *digest)
{
    char found[DIGEST_TEXT];
    if (!file_exists(path)) return "is gone";
    digest_file(path, found);
    return compare(arena, found, digest);
}

/* Returns stages/STAGE/FILE for a path in a runs folder, which may be temporary. */
static const char *in_runs(const char *path)
{
    const char *at = strstr(path, "/stages/");
    return at ? at + 1 : path;
}

char *kept_read(struct arena *arena, const char *path, const char *digest, size_t *bytes,
                const char **problem)
{
    const bool there = file_exists(path);
    char found[DIGEST_TEXT];
    const char *fault = there ? NULL : "is gone";
    char *text = there ? file_read(arena, path, 0, bytes) : NULL;
    if (text && digest) {
        digest_bytes(text, *bytes, found);
        fault = compare(arena, found, digest);
    }
    if (!fault) return text;
    *problem = arena_print(arena, "%s %s", in_runs(path), fault);
    return NULL;
}

const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena)
{
    const char *folder = arena_print(arena, "%s/stages/" STAGE_FOLDER, store->runs, kind, id);
    const char *path = arena_print(arena, "%s/%s", folder, name);
    json_auto_t *done = stage_folder_done(arena, folder, problem);
    const char *said = json_string_value(json_object_get(json_object_get(done, "outputs"), name));
    if (*problem) return NULL;
    const char *fault = said ? kept_fault(arena, path, said) : "is not an output of its stage";
    if (!fault) return path;
    *problem = arena_print(arena, "%s %s", path, fault);
    return NULL;
}
