/* Reads localness.npy, the positions that an analysis of localness writes
 * (experiments/stage/kind_localness.c). */
#pragma once

#include "probes/localness.h"

/* The positions in localness.npy of one or more stages, by layer. A position is counted once for
 * each head. */
enum { LOCALNESS_LAYERS = 64 };
struct localness_positions {
    int count, in[LOCALNESS_LAYERS + 1]; /* number of positions in total; in each layer */
    /* [in] LOCALNESS_COLUMNS numbers for each position. */
    const float **number[LOCALNESS_LAYERS + 1];
};
/* Adds the positions of a file, which stays mapped until the process ends. Returns NULL on success;
 * else the reason why the file is invalid, in one line. */
const char *localness_read(struct localness_positions *to, const char *path, struct arena *arena);
/* Returns the "center" of a position, its "window", or its "offset", which is center - position. */
double localness_value(const float *number, const char *name);
