/* Reads localness.npy. Each position is a row of the mapped file. Each layer has a list of pointers
 * to rows. */
#include "probes/localness_file.h"

#include <string.h>

#include "core/base/npy.h"

const char *localness_read(struct localness_positions *to, const char *path, struct arena *arena)
{
    static const struct npy_bounds column[LOCALNESS_COLUMNS] = {
        {1, LOCALNESS_LAYERS}, {0, 1e9}, {0, 1e9}, {0, 1e9}, {0, 1e9}, {-1e9, 1e9}, {-1e9, 1e9}};
    const struct npy npy = npy_open(path);
    const char *problem = npy_fault(&npy, path, column, LOCALNESS_COLUMNS, arena);
    for (int64_t r = 0; r < npy.rows && !problem; r++, to->count++) {
        const float *number = npy.number + r * LOCALNESS_COLUMNS;
        const int layer = (int)number[LOCALNESS_LAYER];
        ARENA_MORE(arena, to->number[layer], to->in[layer]);
        to->number[layer][to->in[layer]++] = number;
    }
    return problem;
}

double localness_value(const float *number, const char *name)
{
    const double center = (double)number[LOCALNESS_CENTER];
    if (!strcmp(name, "window")) return (double)number[LOCALNESS_WINDOW];
    return strcmp(name, "offset") ? center : center - (double)number[LOCALNESS_POSITION];
}
