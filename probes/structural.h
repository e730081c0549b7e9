/* The structural probe (Hewitt and Manning 2019) is a linear map B [D, k]. It is trained so that
 * the squared length of B'(x - y) is the number of edges between the words x and y in the tree. For
 * depths, the squared length of B'x is the number of edges from x to the root.
 *
 * The loss of a sentence of n words is the sum of the absolute errors, divided by n^2 (distances)
 * or n (depths). All words count, also punctuation. The loss of a batch is the mean over its
 * sentences. Training is that of the authors' program:
 *   - B starts uniform between -0.05 and 0.05. Batches have 20 sentences, in a new random order in
 *     each epoch.
 *   - Adam has rate 0.001, betas 0.9 and 0.999, and epsilon 1e-8.
 *   - Dev is measured after each epoch. If its loss is not below 0.9999 of the smallest loss, the
 *     rate is divided by 10. Moments are kept.
 *   - B of the smallest dev loss is used. A loss counts as smaller from 0.0001 on. Training ends
 *     after 5 epochs without a smaller loss, or after 40 epochs.
 *
 * Each rank k is trained. The rank with the smallest dev loss is chosen; ties: the first.
 *
 * Random numbers (core/base/random.h) depend on the seed and these streams:
 *     structural.map     [D, k]   uniform value i of the array, row by row
 *     structural.epoch   permutation of the sentences of train; step: the epoch, from 0
 * Trainings run on the CPU, one per thread. No bit depends on threads or instruction set. */
#pragma once

#include "core/tensor/real.h"
#include "probes/trees.h"

#define STRUCTURAL_TEXT                                                                            \
    "tree: structural probe of distances and depths, rank chosen on dev; UUAS of the minimum "     \
    "spanning tree without punctuation" /* for captions */

enum structural_task { STRUCTURAL_DISTANCE, STRUCTURAL_DEPTH, STRUCTURAL_TASKS };
enum { STRUCTURAL_RANKS = 16 }; /* maximum number of ranks */
/* Lengths of the sentences that count for correlations. */
enum { STRUCTURAL_SHORTEST = 5, STRUCTURAL_LONGEST = 50 };

/* Words with their vectors. */
struct structural_set {
    const struct trees *trees;
    const float *vector; /* [words][D] of the struct words of the trees */
};

struct structural_job {
    struct structural_set train, dev;
    int D;
    int ranks, rank[STRUCTURAL_RANKS]; /* ranks from 1 to D */
    uint32_t seed;
    /* Called after a training, by one thread at a time. `done` of `total` trainings are done. May
     * be NULL. */
    void (*told)(void *context, int done, int total);
    void *context;
};

struct structural_trained {
    int rank, epochs, best; /* number of epochs; epoch (from 1) of B */
    double dev;             /* loss on dev */
    real *map;              /* [D][rank] B */
};

/* Trains all ranks for both tasks. Sets `chosen` to the chosen maps, in the arena. */
void structural_train(const struct structural_job *job,
                      struct structural_trained chosen[STRUCTURAL_TASKS], struct arena *arena);

/* Quality of a map on a set of sentences. */
struct structural_score {
    double loss;
    /* Spearman's correlation of predicted and true numbers, computed as by the authors. A list has
     * the depths of a sentence, or the distances from a word to all words, itself included. The
     * mean over all lists of sentences of a length is `of_length`, and `lists` is their number.
     * Punctuation is included. If all numbers of a list are equal, it counts as 0. `correlation` is
     * the mean of `of_length` over all lengths that occur. NaN: there are none. */
    double correlation, of_length[STRUCTURAL_LONGEST + 1];
    int lists[STRUCTURAL_LONGEST + 1];
    /* Distances: edges of the minimum spanning tree, by document. Depths: roots. A root is right if
     * its predicted depth is the smallest of all words that are not punctuation. */
    struct trees_share *share;
    int shares;
};
struct structural_score structural_score(enum structural_task task,
                                         const struct structural_trained *trained,
                                         const struct structural_set *set, int D,
                                         struct arena *arena);
