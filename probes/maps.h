/* Measures attention maps of chosen sentences (Song et al. 2018, figure 5). A map has the weight of
 * each key for each query, by branch and head of a layer. The attention kernel itself computes the
 * weights (attention/weights.h). */
#pragma once

#include "core/model/frozen.h"

struct attention_map {
    int pieces;    /* n, <eos> included */
    int branches;  /* R */
    int heads;     /* H */
    float *weight; /* [R][H][n][n]: weight of key j for query i; rows sum to 1 */
};

/* Measures the loaded set. Returns the maps [sentences][layers] in the arena. `sentence` has
 * indices of the split; `layer` has numbers of attention layers, from 1. */
struct attention_map *maps_measure(struct frozen *frozen, const struct split *split,
                                   const int32_t *sentence, int sentences, const int *layer,
                                   int layers, struct arena *arena);
