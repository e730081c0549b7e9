/* A setting is a row of numbers (npy.h): evaluations, best, updates, predictions of dev and test,
 * log-likelihoods of test. Whole numbers up to 2^24 are exact in it. */
#include "experiments/stage/probe_partial.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/npy.h"

static const char mark[] = "partial-";
enum { FIRST = 3 }; /* numbers before the predictions */

static const char *path_of(const struct probe_partial *partial, int setting, struct arena *arena)
{
    return arena_print(arena, "%s/%s%s-%d-%d.npy", partial->folder, mark, partial->stamp,
                       partial->training, setting);
}

static int64_t numbers_of(const struct probe_partial *partial)
{
    const struct probe_items *items = partial->data->items;
    return FIRST + items[PROBE_DEV].count + 2 * (int64_t)items[PROBE_TEST].count;
}

bool probe_partial_known(const struct probe_partial *partial, int setting,
                         struct probe_trained *trained)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path = path_of(partial, setting, &arena);
    const int dev = partial->data->items[PROBE_DEV].count,
              test = partial->data->items[PROBE_TEST].count;
    if (!file_exists(path)) return false;
    struct npy npy = npy_open(path);
    if (npy.rows != 1 || npy.columns != numbers_of(partial))
        die("%s: not of this probe; remove it", path);
    const float *number = npy.number;
    trained->evaluations = (int)*number++;
    trained->best = (int)*number++;
    trained->updates = (int64_t)*number++;
    for (int i = 0; i < dev; i++) trained->predicted[PROBE_DEV][i] = (int32_t)*number++;
    for (int i = 0; i < test; i++) trained->predicted[PROBE_TEST][i] = (int32_t)*number++;
    memcpy(trained->likelihood, number, (size_t)test * sizeof *number);
    npy_close(&npy);
    return true;
}

void probe_partial_keep(const struct probe_partial *partial, int setting,
                        const struct probe_trained *trained)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int dev = partial->data->items[PROBE_DEV].count,
              test = partial->data->items[PROBE_TEST].count;
    float *row = ARENA_ARRAY(&arena, float, numbers_of(partial)), *number = row;
    *number++ = (float)trained->evaluations;
    *number++ = (float)trained->best;
    *number++ = (float)trained->updates;
    for (int i = 0; i < dev; i++) *number++ = (float)trained->predicted[PROBE_DEV][i];
    for (int i = 0; i < test; i++) *number++ = (float)trained->predicted[PROBE_TEST][i];
    memcpy(number, trained->likelihood, (size_t)test * sizeof *number);
    npy_write(path_of(partial, setting, &arena), row, 1, numbers_of(partial));
}

void probe_partial_forget(const struct probe_partial *partial)
{
    SCOPED(arena_free) struct arena arena = {0};
    int count;
    const char **name = file_folder_names(&arena, partial->folder, &count);
    for (int i = 0; i < count; i++)
        if (!strncmp(name[i], mark, strlen(mark)))
            file_unlink(arena_print(&arena, "%s/%s", partial->folder, name[i]));
}
