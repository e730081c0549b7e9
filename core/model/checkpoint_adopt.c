/* The bytes of a step do not depend on how long its training was to be, but for what the model's
 * file says of itself: so all other files are shared with the folder that they come from. */
#include <errno.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/model/checkpoint.h"
#include "core/model/manifest.h"

/* A link, or a copy on a disk that makes none; false with errno: it cannot be linked. */
static bool share(const char *from, const char *to)
{
    if (path_link(from, to)) return true;
    if (errno != EPERM && errno != EMLINK && errno != EXDEV && errno != ENOSYS &&
        errno != EOPNOTSUPP)
        return false;
    file_copy(from, to);
    return true;
}

/* The same tensors under another description. The file that was there stays where it is linked. */
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
    /* Of the links, not of what they were made of: that may be going away. */
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
