#include "core/model/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/model/safetensors.h"

static const char *const file_names[] = {"model.safetensors", "optimizer.safetensors",
                                         "state.json"};
enum { FILE_MODEL, FILE_OPTIMIZER, FILE_STATE };

static char *step_folder(const char *folder, int64_t step)
{
    return heap_print("%s/ckpt/step-%08lld", folder, (long long)step);
}

/* One tensor per parameter and slab, where it lies in device memory. */
static void add_slab(struct arena *arena, struct tensors *tensors,
                     const struct parameters *parameters, const real *device, const char *suffix)
{
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = parameters->item[i];
        struct tensor *tensor = &tensors->tensor[tensors->count++];
        *tensor = (struct tensor){.name = arena_print(arena, "%s%s", parameter->path, suffix),
                                  .format = TENSOR_REAL,
                                  .dimensions = parameter->rows > 1 ? 2 : 1,
                                  .count = (int64_t)parameter->rows * parameter->columns,
                                  .data = device + parameter->offset};
        tensor->shape[0] = parameter->rows > 1 ? parameter->rows : parameter->columns;
        tensor->shape[1] = parameter->columns;
    }
}

static void write_tensors(const char *path, const struct tensors *tensors, const struct ops *ops)
{
    struct file_writer writer = file_create(path);
    tensors_write(writer.stream, tensors, ops->download);
    file_commit(&writer);
}

static void write_manifest(const char *folder)
{
    char *path = heap_print("%s/MANIFEST", folder);
    struct file_writer writer = file_create(path);
    for (size_t i = 0; i < COUNT_OF(file_names); i++) {
        char *name = heap_print("%s/%s", folder, file_names[i]), digest[DIGEST_TEXT];
        digest_file(name, digest);
        fprintf(writer.stream, "%s %lld %s\n", digest, (long long)file_bytes(name), file_names[i]);
        free(name);
    }
    file_commit(&writer);
    free(path);
}

void checkpoint_save(const char *folder, int64_t step, const struct parameters *parameters,
                     const char *state)
{
    struct arena arena = {0};
    char *final = step_folder(folder, step);
    char *temporary = heap_print("%s.tmp-%d", final, (int)getpid());
    file_remove_tree(temporary);
    file_make_folder(temporary);
    struct tensors tensors = {.tensor = ARENA_ARRAY(&arena, struct tensor, 2 * parameters->count)};
    add_slab(&arena, &tensors, parameters, parameters->master, "");
    write_tensors(arena_print(&arena, "%s/%s", temporary, file_names[FILE_MODEL]), &tensors,
                  parameters->ops);
    file_crash_point("checkpoint-model");
    tensors.count = 0;
    add_slab(&arena, &tensors, parameters, parameters->m, ".m");
    add_slab(&arena, &tensors, parameters, parameters->v, ".v");
    write_tensors(arena_print(&arena, "%s/%s", temporary, file_names[FILE_OPTIMIZER]), &tensors,
                  parameters->ops);
    file_crash_point("checkpoint-optimizer");
    file_write(arena_print(&arena, "%s/%s", temporary, file_names[FILE_STATE]), state,
               strlen(state));
    write_manifest(temporary);
    file_crash_point("checkpoint-manifest");
    file_remove_tree(final); /* the same step saved by an attempt that died before its journal */
    file_rename(temporary, final);
    file_crash_point("checkpoint-renamed");
    free(temporary);
    free(final);
    arena_free(&arena);
}

/* NULL when everything that the manifest names is there and right, else what is wrong. A thinned
 * checkpoint lacks its optimizer, which is fine unless it is needed. */
static const char *fault(struct arena *arena, const char *folder, bool optimizer)
{
    const char *path = arena_print(arena, "%s/MANIFEST", folder);
    if (!file_exists(path)) return "no MANIFEST";
    char *text = file_read(arena, path, 1 << 16, NULL), *save = NULL;
    int lines = 0;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char expected[DIGEST_TEXT], digest[DIGEST_TEXT], name[64];
        long long bytes;
        if (sscanf(line, "%64s %lld %63s", expected, &bytes, name) != 3)
            return "MANIFEST is damaged";
        lines++;
        const char *file = arena_print(arena, "%s/%s", folder, name);
        if (!file_exists(file)) {
            if (!strcmp(name, file_names[FILE_OPTIMIZER]) && !optimizer) continue;
            return arena_print(arena, "%s is missing", name);
        }
        if (file_bytes(file) != bytes) return arena_print(arena, "%s has another size", name);
        digest_file(file, digest);
        if (strcmp(digest, expected)) return arena_print(arena, "%s has another digest", name);
    }
    return lines == (int)COUNT_OF(file_names) ? NULL : "MANIFEST is incomplete";
}

static int by_step(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

int checkpoint_steps(const char *folder, int64_t step[], int limit)
{
    char *path = heap_print("%s/ckpt", folder);
    DIR *entries = opendir(path);
    free(path);
    if (!entries) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        char *end;
        if (strncmp(entry->d_name, "step-", 5)) continue;
        long long number = strtoll(entry->d_name + 5, &end, 10);
        if (*end || end == entry->d_name + 5 || count == limit) continue;
        step[count++] = number;
    }
    closedir(entries);
    qsort(step, (size_t)count, sizeof *step, by_step);
    return count;
}

static void quarantine(const char *folder, int64_t step, const char *reason)
{
    char *from = step_folder(folder, step), *into = heap_print("%s/ckpt/quarantine", folder);
    char *to = heap_print("%s/step-%08lld-%d", into, (long long)step, (int)getpid());
    warn("%s: %s; moved to %s", from, reason, to);
    file_make_folder(into);
    file_remove_tree(to);
    file_rename(from, to);
    free(from);
    free(into);
    free(to);
}

/* Leftovers of attempts that died while writing. */
static void remove_temporaries(const char *folder)
{
    char *path = heap_print("%s/ckpt", folder);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!strstr(entry->d_name, ".tmp-")) continue;
        char *inner = heap_print("%s/%s", path, entry->d_name);
        file_remove_tree(inner);
        free(inner);
    }
    if (entries) closedir(entries);
    free(path);
}

bool checkpoint_newest(struct arena *arena, const char *folder, struct checkpoint *checkpoint)
{
    int64_t step[CHECKPOINTS_MOST];
    remove_temporaries(folder);
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = count - 1; i >= 0; i--) {
        char *path = step_folder(folder, step[i]);
        char *optimizer = heap_print("%s/%s", path, file_names[FILE_OPTIMIZER]);
        const bool thinned = !file_exists(optimizer);
        const char *reason = fault(arena, path, !thinned);
        if (!reason && !thinned)
            *checkpoint = (struct checkpoint){
                step[i],
                file_read(arena, arena_print(arena, "%s/state.json", path), 1 << 24, NULL)};
        free(optimizer);
        free(path);
        if (reason)
            quarantine(folder, step[i], reason);
        else if (!thinned)
            return true;
    }
    return false;
}

static void load_slab(const struct tensors *tensors, const char *path,
                      const struct parameters *parameters, real *device, const char *suffix)
{
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = parameters->item[i];
        char name[256];
        snprintf(name, sizeof name, "%s%s", parameter->path, suffix);
        const struct tensor *tensor = tensors_find(tensors, name);
        const int64_t count = (int64_t)parameter->rows * parameter->columns;
        if (!tensor) die("%s: no tensor %s: it is a checkpoint of another model", path, name);
        if (tensor->count != count || tensor->format != TENSOR_REAL)
            die("%s: %s has %lld elements, this model wants %lld", path, name,
                (long long)tensor->count, (long long)count);
        parameters->ops->upload(device + parameter->offset, tensor->data,
                                (size_t)count * sizeof(real));
    }
}

/* Verified; dies when it is damaged. The caller frees. */
static char *sound_folder(struct arena *arena, const char *folder, int64_t step, bool optimizer)
{
    char *path = step_folder(folder, step);
    const char *reason = fault(arena, path, optimizer);
    if (reason) die("%s: %s", path, reason);
    return path;
}

void checkpoint_load(const char *folder, int64_t step, struct parameters *parameters,
                     bool optimizer)
{
    struct arena arena = {0};
    char *path = sound_folder(&arena, folder, step, optimizer);
    const char *file = arena_print(&arena, "%s/%s", path, file_names[FILE_MODEL]);
    struct tensors tensors = tensors_read(&arena, file);
    load_slab(&tensors, file, parameters, parameters->master, "");
    if (optimizer) {
        arena_free(&arena); /* one file at a time */
        file = arena_print(&arena, "%s/%s", path, file_names[FILE_OPTIMIZER]);
        tensors = tensors_read(&arena, file);
        load_slab(&tensors, file, parameters, parameters->m, ".m");
        load_slab(&tensors, file, parameters, parameters->v, ".v");
    }
    parameters_refresh(parameters);
    free(path);
    arena_free(&arena);
}

void checkpoint_load_mean(const char *folder, const int64_t *step, int count,
                          struct parameters *parameters)
{
    const size_t bytes = (size_t)parameters->slab * sizeof(real);
    real *other = parameters->ops->alloc(bytes);
    checkpoint_load(folder, step[0], parameters, false);
    for (int i = 1; i < count; i++) {
        struct arena arena = {0};
        char *path = sound_folder(&arena, folder, step[i], false);
        const char *file = arena_print(&arena, "%s/%s", path, file_names[FILE_MODEL]);
        struct tensors tensors = tensors_read(&arena, file);
        load_slab(&tensors, file, parameters, other, "");
        parameters->ops->average(parameters->master, other, parameters->slab, i + 1);
        free(path);
        arena_free(&arena);
    }
    parameters->ops->release(other, bytes);
    parameters_refresh(parameters);
}

void checkpoint_thin(const char *folder, const int64_t *keep, int keeps, int whole)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++) {
        bool kept = i >= count - whole;
        for (int k = 0; k < keeps; k++) kept |= keep[k] == step[i];
        char *path = step_folder(folder, step[i]);
        char *optimizer = heap_print("%s/%s", path, file_names[FILE_OPTIMIZER]);
        if (!kept) file_remove_tree(path);
        if (kept && i < count - whole && file_exists(optimizer)) unlink(optimizer);
        free(optimizer);
        free(path);
    }
}

enum checkpoint_choice checkpoint_parse(const char *words, const char *what, int *count)
{
    *count = 1;
    if (!strcmp(words, "last")) return CHECKPOINT_LAST;
    if (!strcmp(words, "best")) return CHECKPOINT_BEST;
    static const struct {
        const char *prefix;
        enum checkpoint_choice choice;
    } forms[] = {{"average(", CHECKPOINT_AVERAGE}, {"mean_of_best(", CHECKPOINT_MEAN_OF_BEST}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const size_t length = strlen(forms[i].prefix);
        if (strncmp(words, forms[i].prefix, length)) continue;
        char *end;
        const long n = strtol(words + length, &end, 10);
        if (n >= 1 && n <= 1000 && !strcmp(end, ")")) {
            *count = (int)n;
            return forms[i].choice;
        }
    }
    die("%s: expected best, last, average(N) or mean_of_best(N), got \"%s\"", what, words);
}

/* Up to `wanted` steps of a list in the newest state: "best" is [[step, value], ...], best first;
 * "recent" is [step, ...], newest last. */
static int select_listed(const char *folder, int64_t newest, const char *list, int wanted,
                         int64_t step[])
{
    char *path = heap_print("%s/ckpt/step-%08lld/state.json", folder, (long long)newest);
    json_error_t error;
    json_t *state = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!state) die("%s: %s", path, error.text);
    json_t *steps = json_object_get(state, list);
    const int there = (int)json_array_size(steps);
    const bool best = !strcmp(list, "best");
    int count = 0;
    for (int i = best || there < wanted ? 0 : there - wanted; i < there && count < wanted; i++) {
        json_t *item = json_array_get(steps, (size_t)i);
        step[count++] = json_integer_value(best ? json_array_get(item, 0) : item);
    }
    json_decref(state);
    free(path);
    return count;
}

int checkpoint_select(const char *folder, const char *words, int64_t step[], int limit)
{
    int64_t there[CHECKPOINTS_MOST];
    int wanted;
    const enum checkpoint_choice choice = checkpoint_parse(words, "checkpoint", &wanted);
    const int count = checkpoint_steps(folder, there, CHECKPOINTS_MOST);
    if (!count) die("%s: no checkpoint there", folder);
    CHECK(wanted <= limit, "room for %d checkpoints", limit);
    const bool best = choice == CHECKPOINT_BEST || choice == CHECKPOINT_MEAN_OF_BEST;
    step[0] = there[count - 1];
    const int found =
        choice == CHECKPOINT_LAST
            ? 1
            : select_listed(folder, there[count - 1], best ? "best" : "recent", wanted, step);
    if (found < wanted)
        die("checkpoint: %s wants %d checkpoints, %s has %d", words, wanted, folder, found);
    return found;
}
