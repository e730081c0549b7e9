/* Reader of localness.npy, the positions that an analysis of localness writes
 * (experiments/stage/kind_localness.c). */
#pragma once

#include "probes/localness.h"

/* The positions in localness.npy of one or more stages, by layer, heads separately. */
enum { LOCALNESS_LAYERS = 64 };
struct localness_positions {
    int count, in[LOCALNESS_LAYERS + 1];        /* in total; in each layer */
    const float **number[LOCALNESS_LAYERS + 1]; /* [in] LOCALNESS_COLUMNS numbers each */
};
/* Adds the positions of a file, which stays mapped until the process ends. Returns NULL; if the
 * file has no positions, the reason in one line. */
const char *localness_read(struct localness_positions *to, const char *path, struct arena *arena);
/* Returns the "center" of a position, its "window", or its "offset", which is center - position. */
double localness_value(const float *number, const char *name);
