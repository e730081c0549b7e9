/* The files that an analysis of attention maps leaves (experiments/stage/kind_maps.c), read again:
 * maps.npy, pieces.tsv and branches.tsv. */
#pragma once

#include "core/base/npy.h"

enum maps_column {
    MAPS_SENTENCE, /* from 1, as all but the last two */
    MAPS_LAYER,
    MAPS_BRANCH,
    MAPS_HEAD, /* 0: the mean over heads */
    MAPS_QUERY,
    MAPS_KEY,
    MAPS_WEIGHT,
    MAPS_COLUMNS
};
enum { MAPS_BRANCHES = 64, MAPS_PIECES = 60 /* of a sentence that is read */ };

/* The maps of one sentence in one layer. */
struct maps_file {
    int sentence, layer, head; /* before it is read: what is asked for; 0: see maps_file_read */
    int pieces;
    const char *piece[MAPS_PIECES];
    const char *branch[MAPS_BRANCHES];         /* their names; NULL: there is no such branch */
    float (*weight)[MAPS_PIECES][MAPS_PIECES]; /* [MAPS_BRANCHES] of query i for key j */
};

/* Reads the sentence, layer and head that are asked for, or the first sentence, the last layer and
 * the mean over heads (the first head where there is no mean). `branches` may be NULL: a stage of
 * an older program has no names of branches. Returns why there is no such map, in one line; NULL:
 * there is one. */
const char *maps_file_read(struct maps_file *map, const char *maps, const char *pieces,
                           const char *branches, struct arena *arena);
