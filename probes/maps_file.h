/* Reads the files of an analysis of attention maps (experiments/stage/kind_maps.c): maps.npy,
 * pieces.tsv and branches.tsv. */
#pragma once

#include "core/base/npy.h"

enum maps_column {
    MAPS_SENTENCE, /* from 1, like all columns except MAPS_HEAD and MAPS_WEIGHT */
    MAPS_LAYER,
    MAPS_BRANCH,
    MAPS_HEAD, /* from 1; 0: the mean over heads */
    MAPS_QUERY,
    MAPS_KEY,
    MAPS_WEIGHT,
    MAPS_COLUMNS
};
enum { MAPS_BRANCHES = 64, MAPS_PIECES = 60 /* maximum pieces of a sentence that is read */ };

/* The maps of one sentence in one layer, for one head. */
struct maps_file {
    int sentence, layer, head; /* input: the requested numbers; 0: the default (maps_file_read) */
    int pieces;
    const char *piece[MAPS_PIECES];
    const char *branch[MAPS_BRANCHES];         /* names; NULL: no such branch */
    float (*weight)[MAPS_PIECES][MAPS_PIECES]; /* [MAPS_BRANCHES]: weight of key j for query i */
};

/* Reads the requested sentence, layer and head. Defaults: the first sentence, the last layer, and
 * the mean over heads (the first head if there is no mean). `branches` may be NULL, because older
 * programs did not write branches.tsv. Returns NULL on success; else the reason why the map cannot
 * be read, in one line. */
const char *maps_file_read(struct maps_file *map, const char *maps, const char *pieces,
                           const char *branches, struct arena *arena);
