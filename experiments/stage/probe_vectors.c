/* Finds, checks and opens files with vectors of other programs. All files are checked before any
 * stage runs. */
#include "experiments/stage/probe_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/config/word.h"
#include "core/corpus/corpus_sources.h"

static const char ending[] = ".npy";

const char *probe_vectors_folder(const char *path, const struct tree *option, struct arena *arena)
{
    const struct location location = option->location;
    const char *folder = location.line ? shipped_beside(arena, location.file, path) : path;
    if (!file_is_folder(folder)) die_at(location, "vectors: there is no folder %s", folder);
    return folder;
}

int probe_vectors_seeds(const char *folder, int **seed, struct arena *arena)
{
    int names, count = 0;
    const char **name = file_folder_names(arena, folder, &names);
    *seed = NULL;
    for (int i = 0; name && i < names; i++) {
        const size_t digits = strspn(name[i], "0123456789");
        if (!digits || digits > 9 || name[i][digits] || (digits > 1 && *name[i] == '0')) continue;
        if (!file_is_folder(arena_print(arena, "%s/%s", folder, name[i]))) continue;
        ARENA_ADD(arena, *seed, count, atoi(name[i]));
    }
    if (count) qsort(*seed, (size_t)count, sizeof **seed, compare_ints);
    return count;
}

/* Returns the folder with the files of a seed. */
static const char *folder_of_seed(const char *folder, uint32_t seed, struct arena *arena)
{
    int *known;
    const int count = probe_vectors_seeds(folder, &known, arena);
    if (!count) return folder;
    for (int i = 0; i < count; i++)
        if (known[i] == (int)seed) return arena_print(arena, "%s/%u", folder, seed);
    die("vectors: %s has no folder of seed %u; expected %s/%u, like %s/%d", folder, seed, folder,
        seed, folder, known[0]);
}

bool probe_vectors_has(const char *folder, const char *view)
{
    SCOPED(arena_free) struct arena arena = {0};
    int *seed;
    const int seeds = probe_vectors_seeds(folder, &seed, &arena);
    const char *where = seeds ? arena_print(&arena, "%s/%d", folder, seed[0]) : folder;
    return file_is_folder(arena_print(&arena, "%s/%s", where, view));
}

const char *probe_vectors_file(const char *folder, const char *part, uint32_t seed,
                               struct arena *arena)
{
    const char *where = folder_of_seed(folder, seed, arena), *view = strchr(part, '@'),
               *task = arena_text_range(arena, part, (size_t)(view - part));
    if (strcmp(view, PROBE_VECTORS) != 0) where = arena_print(arena, "%s/%s", where, view + 1);
    const char *file = arena_print(arena, "%s/%s%s", where, task, ending);
    if (file_exists(file)) return file;
    if (!strcmp(view, PROBE_VECTORS) && probe_vectors_has(folder, "encoder.1"))
        die("vectors: there is no file %s; %s has folders of layers, which path layers reads", file,
            folder);
    const char *near = word_nearest(task, shipped_names(arena, where, ending));
    die("vectors: there is no file %s%s%s%s", file, near ? "; nearest is " : "", near ? near : "",
        near ? ending : "");
}

struct npy probe_vectors_open(const char *path, const struct task_data *data)
{
    const struct npy npy = npy_open(path);
    if (npy.rows != data->items)
        die("%s: %lld rows; expected one for each of the %d lines of %s", path, (long long)npy.rows,
            data->items, data->path);
    if (!npy.columns) die("%s: its rows have no numbers; expected at least one", path);
    const int64_t bad = npy_bad_row(&npy);
    if (bad >= 0) die("%s: row %lld has a number that is not finite", path, (long long)bad + 1);
    return npy;
}

int probe_vectors_width(const char *path)
{
    struct npy npy = npy_open(path);
    const int width = (int)npy.columns;
    npy_close(&npy);
    return width;
}

void probe_vectors_check(const char *folder, const char *part, const struct probe_task *task,
                         const uint32_t *seed, int seeds)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *text = corpus_find_file(&arena, task->file), *first = NULL;
    int64_t width = 0;
    const struct task_data data = text ? task_data_read(&arena, text) : (struct task_data){0};
    for (int s = 0; s < seeds; s++) {
        const char *path = probe_vectors_file(folder, part, seed[s], &arena);
        if (!text || (first && !strcmp(path, first))) continue;
        struct npy npy = probe_vectors_open(path, &data);
        if (first && npy.columns != width)
            die("%s: %lld numbers per row; expected %lld, as in %s", path, (long long)npy.columns,
                (long long)width, first);
        width = npy.columns;
        npy_close(&npy);
        first = first ? first : path;
    }
}
