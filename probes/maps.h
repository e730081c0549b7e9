/* Attention maps of chosen sentences (Song et al. 2018, figure 5): how much each query weighs each
 * key, by branch and head of a layer, from the kernel itself (attention/weights.h). */
#pragma once

#include "core/model/frozen.h"

struct attention_map {
    int pieces;    /* n, <eos> included */
    int branches;  /* R */
    int heads;     /* H */
    float *weight; /* [R][H][n][n]: of query i for key j; rows sum to 1 */
};

/* Of the loaded set, [sentences][layers] in the arena: sentences by their indices in the split,
 * layers of attention from 1. */
struct attention_map *maps_measure(struct frozen *frozen, const struct split *split,
                                   const int32_t *sentence, int sentences, const int *layer,
                                   int layers, struct arena *arena);
