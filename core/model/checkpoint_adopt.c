/* The bytes of a step do not depend on how long its training was to be, but for what the model's
 * file says of itself: so all other files are shared with the folder that they come from. */
#include <errno.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/model/checkpoint.h"

enum { MANIFEST_MOST = 1 << 16, FILES_MOST = 8 };

static const char name_of_model[] = "model.safetensors", name_of_state[] = "state.json";

struct manifest {
    int count;
    struct {
        char name[64], digest[DIGEST_TEXT];
        long long bytes;
    } file[FILES_MOST];
};

/* False: it is damaged. A name may not lead elsewhere. */
static bool manifest_read(struct arena *arena, const char *folder, struct manifest *manifest)
{
    const char *path = arena_print(arena, "%s/MANIFEST", folder);
    char *text = file_exists(path) ? file_read(arena, path, MANIFEST_MOST, NULL) : NULL;
    char *save = NULL;
    manifest->count = 0;
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        const int i = manifest->count;
        if (i == FILES_MOST || sscanf(line, "%64s %lld %63s", manifest->file[i].digest,
                                      &manifest->file[i].bytes, manifest->file[i].name) != 3)
            return false;
        if (strchr(manifest->file[i].name, '/')) return false;
        manifest->count++;
    }
    return manifest->count;
}

static void manifest_write(const char *folder, const struct manifest *manifest)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/MANIFEST", folder);
    struct file_writer writer = file_create(path);
    for (int i = 0; i < manifest->count; i++)
        fprintf(writer.stream, "%s %lld %s\n", manifest->file[i].digest, manifest->file[i].bytes,
                manifest->file[i].name);
    file_commit(&writer);
}

/* A link, or a copy on a disk that makes none; false: it is not there, or cannot be read. */
static bool share(const char *from, const char *to)
{
    if (path_link(from, to)) return true;
    if (errno != EPERM && errno != EMLINK && errno != EXDEV && errno != ENOSYS &&
        errno != EOPNOTSUPP)
        return false;
    struct arena arena = {0};
    size_t bytes;
    const char *problem, *content = file_try_read(&arena, from, 0, &bytes, &problem);
    if (content) file_write(to, content, bytes);
    arena_free(&arena);
    return content;
}

/* The same tensors under another description. The file that was there stays where it is linked. */
static void describe(const char *path, int64_t step, const struct metadata *description)
{
    struct arena arena = {0};
    struct tensors tensors = tensors_read(&arena, path);
    tensors.metadata = checkpoint_metadata(&arena, step, description);
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, &tensors, NULL);
    file_commit(&writer);
    arena_free(&arena);
}

const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state)
{
    struct manifest manifest;
    const char *source = arena_print(arena, "%s/ckpt/step-%08lld", from, (long long)step);
    const char *target = arena_print(arena, "%s/step-%08lld", into, (long long)step);
    if (!manifest_read(arena, source, &manifest)) return "MANIFEST is damaged";
    file_make_folder(target);
    for (int i = 0; i < manifest.count; i++) {
        const char *name = manifest.file[i].name;
        const char *file = arena_print(arena, "%s/%s", source, name);
        if (file_exists(file) && !share(file, arena_print(arena, "%s/%s", target, name)))
            return arena_print(arena, "%s: %s", name, file_why(errno));
    }
    manifest_write(target, &manifest);
    /* Of the links, not of what they were made of: that may be going away. */
    const char *fault = checkpoint_fault_at(arena, target);
    if (fault) return fault;
    for (int i = 0; i < manifest.count; i++) {
        const char *path = arena_print(arena, "%s/%s", target, manifest.file[i].name);
        const bool is_model = !strcmp(manifest.file[i].name, name_of_model);
        if (is_model)
            describe(path, step, description);
        else if (state && !strcmp(manifest.file[i].name, name_of_state))
            file_write(path, state, strlen(state));
        else
            continue;
        digest_file(path, manifest.file[i].digest);
        manifest.file[i].bytes = file_bytes(path);
    }
    manifest_write(target, &manifest);
    return NULL;
}
