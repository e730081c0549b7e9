/* Checkpoints on disk. A step is written into a temporary folder, synced and renamed. Reading
 * starts with the newest step. Steps that differ from their MANIFEST are moved to quarantine. */
#include "core/model/checkpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crash.h"
#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/path.h"
#include "core/base/sweep.h"

enum { STATE_MOST = 1 << 24, MANIFEST_MOST = 1 << 16 }; /* bytes */

/* The files of a checkpoint. Its MANIFEST has a line for each file: digest, bytes and name. The
 * MANIFEST of a thinned checkpoint still lists the optimizer's files. */
enum { FILE_MODEL, FILE_M, FILE_V, FILE_STATE, FILE_COUNT };
static const char *const names[FILE_COUNT] = {"model.safetensors", "adam-m.safetensors",
                                              "adam-v.safetensors", "state.json"};

struct manifest {
    struct {
        char digest[DIGEST_TEXT];
        int64_t bytes;
    } file[FILE_COUNT];
};

const char *checkpoint_folder(struct arena *arena, const char *ckpt, int64_t step)
{
    return arena_print(arena, "%s/step-%08lld", ckpt, (long long)step);
}

static const char *step_folder(struct arena *arena, const char *folder, int64_t step)
{
    return checkpoint_folder(arena, arena_print(arena, "%s/ckpt", folder), step);
}

static const char *file_in(struct arena *arena, const char *path, int file)
{
    return arena_print(arena, "%s/%s", path, names[file]);
}

/* ---- MANIFEST ---- */

/* Sets the entry of the file in a line of a MANIFEST, and returns the file; FILE_COUNT if the line
 * is invalid. */
static int read_line(const char *line, struct manifest *manifest)
{
    char digest[DIGEST_TEXT], name[64];
    long long bytes;
    int file = 0;
    if (sscanf(line, "%64s %lld %63s", digest, &bytes, name) != 3) return FILE_COUNT;
    while (file < FILE_COUNT && strcmp(name, names[file]) != 0) file++;
    if (file == FILE_COUNT) return file;
    memcpy(manifest->file[file].digest, digest, sizeof digest);
    manifest->file[file].bytes = bytes;
    return file;
}

/* Returns the reason why the MANIFEST of a folder cannot be read, or NULL. Does not check the
 * files. */
static const char *manifest_read(struct arena *arena, const char *folder, struct manifest *manifest)
{
    const char *path = arena_print(arena, "%s/MANIFEST", folder);
    if (!file_exists(path)) return "no MANIFEST";
    char *text = file_read(arena, path, MANIFEST_MOST, NULL), *save = NULL;
    bool named[FILE_COUNT] = {0};
    int lines = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const int file = read_line(line, manifest);
        if (file == FILE_COUNT || named[file]) return "MANIFEST is damaged";
        named[file] = true;
        lines++;
    }
    return lines == FILE_COUNT ? NULL : "MANIFEST is incomplete";
}

static void manifest_write(const char *folder, const struct manifest *manifest)
{
    SCOPED(heap_free) char *path = heap_print("%s/MANIFEST", folder);
    struct file_writer writer = file_create(path);
    for (int f = 0; f < FILE_COUNT; f++)
        fprintf(writer.stream, "%s %lld %s\n", manifest->file[f].digest,
                (long long)manifest->file[f].bytes, names[f]);
    file_commit(&writer);
}

/* Sets the entry of a file from its content in the folder. */
static void manifest_take(struct manifest *manifest, int file, const char *folder)
{
    SCOPED(heap_free) char *path = heap_print("%s/%s", folder, names[file]);
    digest_file(path, manifest->file[file].digest);
    manifest->file[file].bytes = file_bytes(path);
}

/* ---- one step ---- */

/* Writes a slab from device memory as a file with one tensor per parameter. */
static void write_slab(const char *path, const struct parameters *parameters, const real *device,
                       struct metadata metadata)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct tensors tensors = {.tensor = ARENA_ARRAY(&arena, struct tensor, parameters->count),
                              .metadata = metadata};
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = parameters->item[i];
        struct tensor *tensor = &tensors.tensor[tensors.count++];
        *tensor = (struct tensor){.name = parameter->path,
                                  .format = TENSOR_REAL,
                                  .dimensions = parameter->matrix ? 2 : 1,
                                  .count = (int64_t)parameter->rows * parameter->columns,
                                  .data = device + parameter->offset};
        tensor->shape[0] = parameter->matrix ? parameter->rows : parameter->columns;
        tensor->shape[1] = parameter->columns;
    }
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, &tensors, parameters->ops->download);
    file_commit(&writer);
}

/* Returns the metadata of model.safetensors. */
static struct metadata metadata_of(struct arena *arena, int64_t step,
                                   const struct metadata *description)
{
    struct metadata metadata = {0};
    metadata_add(arena, &metadata, "format", "sanlab");
    metadata_add(arena, &metadata, "format_version", arena_print(arena, "%d", CHECKPOINT_FORMAT));
    metadata_add(arena, &metadata, "step", arena_print(arena, "%lld", (long long)step));
    for (int i = 0; description && i < description->count; i++)
        metadata_add(arena, &metadata, description->item[i].key, description->item[i].value);
    return metadata;
}

void checkpoint_write(const char *path, int64_t step, const struct parameters *parameters,
                      const struct metadata *description)
{
    SCOPED(arena_free) struct arena arena = {0};
    write_slab(path, parameters, parameters->master, metadata_of(&arena, step, description));
}

/* Removes a checkpoint. Renames it first, so that a folder with a final name is always complete. */
static void remove_step(const char *path)
{
    if (!file_is_folder(path)) return;
    char *temporary = heap_print("%s" FILE_TEMPORARY "%d-old", path, (int)getpid());
    file_remove_tree(temporary);
    file_rename(path, temporary);
    file_remove_tree(temporary);
    free(temporary);
}

void checkpoint_remove(const char *folder, int64_t step)
{
    SCOPED(arena_free) struct arena arena = {0};
    remove_step(step_folder(&arena, folder, step));
}

void checkpoint_save(const char *folder, int64_t step, const struct parameters *parameters,
                     const struct metadata *description, const char *state)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *final = step_folder(&arena, folder, step);
    const char *temporary = arena_print(&arena, "%s" FILE_TEMPORARY "%d", final, (int)getpid());
    struct manifest manifest;
    file_remove_tree(temporary);
    file_make_folder(temporary);
    file_sync_once(temporary);
    checkpoint_write(file_in(&arena, temporary, FILE_MODEL), step, parameters, description);
    crash_point("checkpoint-model");
    const struct metadata none = {0};
    write_slab(file_in(&arena, temporary, FILE_M), parameters, parameters->m, none);
    write_slab(file_in(&arena, temporary, FILE_V), parameters, parameters->v, none);
    crash_point("checkpoint-optimizer");
    file_write(file_in(&arena, temporary, FILE_STATE), state, strlen(state));
    for (int f = 0; f < FILE_COUNT; f++) manifest_take(&manifest, f, temporary);
    manifest_write(temporary, &manifest);
    file_sync_end();
    crash_point("checkpoint-manifest");
    remove_step(final); /* an earlier process saved this step, but died before its journal entry */
    file_rename(temporary, final);
    crash_point("checkpoint-renamed");
}

void checkpoint_take(const char *file, const char *folder, int64_t step)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = step_folder(&arena, folder, step);
    const char *state =
        arena_print(&arena, "{\"step\": %lld, \"best\": [[%lld, 0]], \"recent\": [%lld]}\n",
                    (long long)step, (long long)step, (long long)step);
    struct manifest manifest = {0};
    file_make_folder(path);
    file_copy(file, file_in(&arena, path, FILE_MODEL));
    file_write(file_in(&arena, path, FILE_STATE), state, strlen(state));
    for (int f = FILE_M; f <= FILE_V; f++) digest_bytes("", 0, manifest.file[f].digest);
    manifest_take(&manifest, FILE_MODEL, path);
    manifest_take(&manifest, FILE_STATE, path);
    manifest_write(path, &manifest);
}

/* Returns the reason why a checkpoint is damaged; NULL if all files match the manifest. A thinned
 * checkpoint has no optimizer files; this is a fault only if `optimizer` is set. */
static const char *fault(struct arena *arena, const char *folder, bool optimizer)
{
    struct manifest manifest;
    const char *problem = manifest_read(arena, folder, &manifest);
    if (problem) return problem;
    for (int f = 0; f < FILE_COUNT; f++) {
        const char *name = names[f], *file = file_in(arena, folder, f);
        char digest[DIGEST_TEXT];
        if (!file_exists(file)) {
            if ((f == FILE_M || f == FILE_V) && !optimizer) continue;
            return arena_print(arena, "%s is missing", name);
        }
        if (file_bytes(file) != manifest.file[f].bytes)
            return arena_print(arena, "%s has a wrong size", name);
        digest_file(file, digest);
        if (strcmp(digest, manifest.file[f].digest))
            return arena_print(arena, "%s has a wrong digest", name);
    }
    return NULL;
}

int checkpoint_steps(const char *folder, int64_t step[], int limit)
{
    char *path = heap_print("%s/ckpt", folder);
    DIR *entries = file_open_folder(path);
    free(path);
    int count = 0;
    for (const char *name; (name = file_next(entries));) {
        char *end;
        if (strncmp(name, "step-", 5)) continue;
        long long number = strtoll(name + 5, &end, 10);
        if (*end || end == name + 5 || count == limit) continue;
        step[count++] = number;
    }
    qsort(step, (size_t)count, sizeof *step, compare_int64s);
    return count;
}

static void quarantine(const char *folder, int64_t step, const char *reason)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *from = step_folder(&arena, folder, step);
    const char *into = arena_print(&arena, "%s/ckpt/quarantine", folder);
    const char *to = arena_print(&arena, "%s/step-%08lld-%d", into, (long long)step, (int)getpid());
    warn("%s: %s; moved to %s", from, reason, to);
    file_make_folder(into);
    file_remove_tree(to);
    file_rename(from, to);
}

/* Returns the index of the newest of `count` steps that is sound and has optimizer files; -1 if
 * there is none. Sets reason[i] of each newer step to its fault, or to NULL if the step is sound
 * but thinned. */
static int find_sound(struct arena *arena, const char *folder, const int64_t step[], int count,
                      const char **reason)
{
    int found = count - 1;
    for (; found >= 0; found--) {
        const char *path = step_folder(arena, folder, step[found]);
        const bool thinned = !file_exists(file_in(arena, path, FILE_V));
        reason[found] = fault(arena, path, !thinned);
        if (!reason[found] && !thinned) break;
    }
    return found;
}

static void read_state(struct arena *arena, const char *folder, int64_t step,
                       struct checkpoint *checkpoint)
{
    checkpoint->step = step;
    checkpoint->path = file_in(arena, step_folder(arena, folder, step), FILE_STATE);
    checkpoint->state = file_read(arena, checkpoint->path, STATE_MOST, NULL);
}

bool checkpoint_look(struct arena *arena, const char *folder, struct checkpoint *checkpoint)
{
    int64_t step[CHECKPOINTS_MOST];
    const char *reason[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    const int found = find_sound(arena, folder, step, count, reason);
    if (found >= 0) read_state(arena, folder, step[found], checkpoint);
    return found >= 0;
}

bool checkpoint_newest(struct arena *arena, const char *folder, struct checkpoint *checkpoint)
{
    int64_t step[CHECKPOINTS_MOST];
    const char *reason[CHECKPOINTS_MOST];
    /* Removes files of attempts that died during writing. */
    sweep_temporaries(arena_print(arena, "%s/ckpt", folder), true);
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    const int found = find_sound(arena, folder, step, count, reason);
    checkpoint->damaged = -1;
    /* Training will compute newer steps again. */
    for (int i = count - 1; i > found; i--) {
        if (reason[i] && checkpoint->damaged < 0) checkpoint->damaged = step[i];
        if (!reason[i] && found < 0)
            reason[i] = "training cannot continue from this checkpoint or a newer one";
        if (reason[i])
            quarantine(folder, step[i], reason[i]);
        else
            remove_step(step_folder(arena, folder, step[i]));
    }
    if (found >= 0) read_state(arena, folder, step[found], checkpoint);
    return found >= 0;
}

void checkpoint_check_format(const char *path, const struct tensors *tensors)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *format = tensors_metadata(tensors, "format_version");
    if (format && strcmp(format, arena_print(&arena, "%d", CHECKPOINT_FORMAT)) != 0)
        die("%s: checkpoint of format %s; this program reads format %d", path, format,
            CHECKPOINT_FORMAT);
}

static void load_slab(const char *path, const struct parameters *parameters, real *device)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct tensors tensors = tensors_read(&arena, path);
    checkpoint_check_format(path, &tensors);
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = parameters->item[i];
        const struct tensor *tensor = tensors_find(&tensors, parameter->path);
        const int64_t count = (int64_t)parameter->rows * parameter->columns;
        if (!tensor)
            die("%s: tensor %s is missing: this is a checkpoint of another model", path,
                parameter->path);
        if (tensor->count == count && tensor->shape[tensor->dimensions - 1] != parameter->columns)
            die("%s: %s has rows of %lld; this model needs %d", path, parameter->path,
                (long long)tensor->shape[tensor->dimensions - 1], parameter->columns);
        if (tensor->count != count || tensor->format != TENSOR_REAL)
            die("%s: %s has %lld elements; this model needs %lld", path, parameter->path,
                (long long)tensor->count, (long long)count);
        parameters->ops->upload(device + parameter->offset, tensor->data,
                                (size_t)count * sizeof(real));
    }
}

/* Verifies a step and returns its folder. Dies if the step is damaged. */
static const char *sound_folder(struct arena *arena, const char *folder, int64_t step,
                                bool optimizer)
{
    const char *path = step_folder(arena, folder, step);
    const char *reason = fault(arena, path, optimizer);
    if (reason) die("%s: %s", path, reason);
    return path;
}

void checkpoint_load(const char *folder, int64_t step, struct parameters *parameters,
                     bool optimizer)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = sound_folder(&arena, folder, step, optimizer);
    load_slab(file_in(&arena, path, FILE_MODEL), parameters, parameters->master);
    if (optimizer) {
        load_slab(file_in(&arena, path, FILE_M), parameters, parameters->m);
        load_slab(file_in(&arena, path, FILE_V), parameters, parameters->v);
    }
    parameters_refresh(parameters);
}

void checkpoint_load_mean(const char *folder, const int64_t *step, int count,
                          struct parameters *parameters)
{
    SCOPED(arena_free) struct arena arena = {0};
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    real *other = parameters->ops->alloc(bytes);
    checkpoint_load(folder, step[0], parameters, false);
    for (int i = 1; i < count; i++) {
        const char *path = sound_folder(&arena, folder, step[i], false);
        load_slab(file_in(&arena, path, FILE_MODEL), parameters, other);
        parameters->ops->average(parameters->master, other, parameters->slab, i + 1);
    }
    parameters->ops->release(other, bytes);
    parameters_refresh(parameters);
}

void checkpoint_thin(const char *folder, const int64_t *keep, int keeps, int whole)
{
    SCOPED(arena_free) struct arena arena = {0};
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count - whole; i++) {
        const char *path = step_folder(&arena, folder, step[i]);
        bool kept = false;
        for (int k = 0; k < keeps; k++) kept |= keep[k] == step[i];
        if (!kept) remove_step(path);
        for (int file = FILE_M; kept && file <= FILE_V; file++)
            if (!file_unlink(file_in(&arena, path, file)))
                die("%s: cannot be removed: %s", file_in(&arena, path, file), file_why(errno));
    }
}

const char *checkpoint_fault(struct arena *arena, const char *folder, int64_t step)
{
    return fault(arena, step_folder(arena, folder, step), false);
}

const char *checkpoint_state(struct arena *arena, const char *folder, int64_t step,
                             const char **path)
{
    *path = file_in(arena, step_folder(arena, folder, step), FILE_STATE);
    return file_exists(*path) ? file_read(arena, *path, STATE_MOST, NULL) : NULL;
}

bool checkpoint_is_whole(const char *folder, int64_t step)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = step_folder(&arena, folder, step);
    return file_exists(file_in(&arena, path, FILE_M)) && file_exists(file_in(&arena, path, FILE_V));
}

int64_t checkpoint_optimizer_bytes(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    int64_t step[CHECKPOINTS_MOST], bytes = 0;
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++)
        for (int file = FILE_M; file <= FILE_V; file++) {
            const char *path = step_folder(&arena, folder, step[i]);
            const int64_t one = file_bytes(file_in(&arena, path, file));
            if (one > 0) bytes += one;
        }
    return bytes;
}

/* ---- a step of another training ---- */

/* The length of a training changes only the metadata in model.safetensors and, in some cases, the
 * state. So the other files are shared with the folder of the other training. */

/* Makes a hard link, or a copy if the disk does not support links. Returns false and sets errno if
 * the link fails for another reason. */
static bool share(const char *from, const char *to)
{
    if (path_link(from, to)) return true;
    if (errno != EPERM && errno != EMLINK && errno != EXDEV && errno != ENOSYS &&
        errno != EOPNOTSUPP)
        return false;
    file_copy(from, to);
    return true;
}

/* Replaces a file by a new file with the same tensors and another description. Other hard links to
 * the old file are not changed. */
static void describe(const char *path, int64_t step, const struct metadata *description)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct tensors tensors = tensors_read(&arena, path);
    tensors.metadata = metadata_of(&arena, step, description);
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, &tensors, NULL);
    file_commit(&writer);
}

const char *checkpoint_adopt(struct arena *arena, const char *from, int64_t step, const char *into,
                             const struct metadata *description, const char *state)
{
    struct manifest manifest;
    const char *source = step_folder(arena, from, step);
    const char *target = checkpoint_folder(arena, into, step);
    const char *problem = manifest_read(arena, source, &manifest);
    if (problem) return problem;
    file_make_folder(target);
    for (int f = 0; f < FILE_COUNT; f++) {
        const char *file = file_in(arena, source, f);
        if (file_exists(file) && !share(file, file_in(arena, target, f)))
            return arena_print(arena, "%s: %s", names[f], file_why(errno));
    }
    manifest_write(target, &manifest);
    /* Verifies the files in the target, because another process may remove the source at any
     * time. */
    if ((problem = fault(arena, target, false))) return problem;
    describe(file_in(arena, target, FILE_MODEL), step, description);
    manifest_take(&manifest, FILE_MODEL, target);
    if (state) {
        file_write(file_in(arena, target, FILE_STATE), state, strlen(state));
        manifest_take(&manifest, FILE_STATE, target);
    }
    manifest_write(target, &manifest);
    return NULL;
}
