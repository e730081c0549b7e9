/* Adopts a checkpoint of another training. The bytes of a step are independent of the planned
 * length of training, except for the metadata of the model. All other files are therefore
 * shared. */
#include <errno.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/model/checkpoint.h"
#include "core/model/manifest.h"

/* Makes a hard link, or a copy if the disk does not support links. Returns false with errno if
 * linking failed. */
static bool share(const char *from, const char *to)
{
    if (path_link(from, to)) return true;
    if (errno != EPERM && errno != EMLINK && errno != EXDEV && errno != ENOSYS &&
        errno != EOPNOTSUPP)
        return false;
    file_copy(from, to);
    return true;
}

/* Replaces the metadata of a file with tensors. Writes a new file, so other links keep the old
 * one. */
static void describe(const char *path, int64_t step, const struct metadata *description)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct tensors tensors = tensors_read(&arena, path);
    tensors.metadata = checkpoint_metadata(&arena, step, description);
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, &tensors, NULL);
    file_commit(&writer);
}

const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state)
{
    struct manifest manifest;
    const char *source = checkpoint_folder(arena, arena_print(arena, "%s/ckpt", from), step);
    const char *target = checkpoint_folder(arena, into, step);
    const char *problem = manifest_read(arena, source, &manifest);
    if (problem) return problem;
    file_make_folder(target);
    for (int f = 0; f < FILE_COUNT; f++) {
        const char *name = manifest_names[f], *file = arena_print(arena, "%s/%s", source, name);
        if (file_exists(file) && !share(file, arena_print(arena, "%s/%s", target, name)))
            return arena_print(arena, "%s: %s", name, file_why(errno));
    }
    manifest_write(target, &manifest);
    /* Check the links, not their sources, which another process may be removing. */
    const char *fault = checkpoint_fault_at(arena, target);
    if (fault) return fault;
    describe(arena_print(arena, "%s/%s", target, manifest_names[FILE_MODEL]), step, description);
    manifest_take(&manifest, FILE_MODEL, target);
    if (state) {
        file_write(arena_print(arena, "%s/%s", target, manifest_names[FILE_STATE]), state,
                   strlen(state));
        manifest_take(&manifest, FILE_STATE, target);
    }
    manifest_write(target, &manifest);
    return NULL;
}
