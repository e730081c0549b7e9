/* What a stage `maps` has left of one sentence in one layer, for figures of kind map. */
#ifndef PLOTS_MAP_DATA_H
#define PLOTS_MAP_DATA_H

#include "results/store/store.h"

enum { MAP_BRANCHES = 64 };

struct map_data {
    const char *problem;       /* one line; or NULL, and then all that follows is there */
    int sentence, layer, head; /* head 0: the mean over heads */
    int pieces;                /* n */
    const char **piece;        /* [n] */
    bool joined;               /* a · in some piece stands where the text has no blank */
    int branches;
    const char *branch[MAP_BRANCHES]; /* their names */
    float *weight;                    /* [branches][n][n]: of query i for key j */
};

/* What is asked: 0 is the first sentence and the last layer that there are, and head 0 is the mean,
 * or the first head where that was not asked for. */
struct map_asked {
    int sentence, layer, head;
};
struct map_data map_data_read(struct store *store, const char *kind, const char *id,
                              struct map_asked asked, struct arena *arena);

#endif
