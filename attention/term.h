/* Terms of attention. A term adds to the energies of a block, adds to its values, cuts keys, or
 * maps queries and keys.
 * Examples: a Gaussian around a predicted position, relative positions. The terms of a block are
 * summed. They act on all branches of the block (Yang et al. 2018, eq. 4; Shaw et al. 2018, eqs.
 * 3-4).
 *
 * A term is one file of attention/term/, which the build finds; `make new-attention NAME=x` writes
 * a skeleton. The file is compiled twice:
 *
 *   for the program: options, parameters, documentation and the term in plain loops (`dense`).
 *       Also the nodes that compute the term's rows, which are numbers for each query and head.
 *       They are computed from the block's queries, from its keys or from parameters only;
 *   for every backend, with TERM_TILE defined: the functions for one row of a tile, forward and
 *       backward. The kernels for packed batches and for steps of beam search call these functions.
 *
 * The code under TERM_TILE is compiled by gcc, clang and, for a device, nvcc. On a device, several
 * threads process a row, and each thread has one key of a vector. The code must be valid C and C++.
 * It may use
 *
 *   - struct term_row, int and real, with `if` and loops: their values are equal in all threads
 *     of a row;
 *   - vec, KEYS and the other operations of attention/lane.h for numbers that differ between keys;
 *   - its own enums, structs and functions, each function with TERM_FN. Their names begin with the
 *     name of the term, because all terms are compiled in one file.
 *
 * It must not
 *
 *   - access one key of a vector, x[l]. Use vec_gather to read a number for each key, vec_sum and
 *     row_sum to reduce over keys;
 *   - write p[c] = x, because all threads would write. Use vec_store for keys, row_put for a number
 *     of the row, EACH for many numbers;
 *   - read numbers that it has written, except the numbers of the same keys, because threads are
 *     not synchronized;
 *   - call libc or libm, or use function pointers, arrays, statics or doubles.
 *
 * tests/cli/device_terms.sh compiles all terms for a device if nvcc is installed. */
#pragma once

#include "core/tensor/ops.h"

#ifdef TERM_TILE

#include "attention/lane.h"

/* One query of one head. Arrays over keys are indexed by j, the position of the key in its
 * sentence. Their elements may be read and written up to the next multiple of LANES past hi. */
struct term_row {
    const struct attention_term *term;
    int i, h; /* position of the query in its sentence; head, from 0 */
    /* Range of keys [lo, hi); lo is a multiple of LANES. In `energy`, `slope` and `cut`, the range
     * has the keys of all branches and of all queries of the tile. In `collect` and `spread`, it
     * has the keys of one branch. */
    int lo, hi;
    const real *row[TERM_ROWS]; /* [columns] numbers of this head and query */
    /* [columns] gradient of row[], assigned by `slope`; NULL: not needed. */
    real *row_gradient[TERM_ROWS];
};

/* Functions of the term NAME. The table is NAME_tile, such as TERM_TABLE gauss_tile = {.energy =
 * gauss_energy, ..}. C++ requires that the members have this order. */
struct term_tile {
    /* Adds the term's part to energy[j]. */
    void (*energy)(const struct term_row *t, real *energy);
    /* Computes row_gradient from slope[j], the gradient of energy[j] (0 outside of the branches).
     * NULL: the term has no rows. */
    void (*slope)(const struct term_row *t, const real *slope);
    /* Writes to sum [C] the sum of the weights of each of C kinds of keys, for one branch. The
     * weights are those after dropout, and 0 for keys outside of the branch. NULL: the term does
     * not change values. */
    void (*collect)(const struct term_row *t, const real *weight, real *sum);
    /* Backward pass of collect: adds the element of sum_gradient for the kind of key j to slope[j],
     * the gradient of the weight of key j. */
    void (*spread)(const struct term_row *t, const real *sum_gradient, real *slope);
    /* Sets far[j] to 1 for keys that the term cuts from the row. Does not change other elements.
     * The branches give no weight to these keys. A branch ignores all cuts of the row if no key
     * would remain. Called if the term has `cuts` (struct term_use). */
    void (*cut)(const struct term_row *t, real *far);
};

#else

#include "attention/attention.h"

struct dense_term; /* attention/dense.h */

/* The block that contains a term. */
struct term_block {
    const char *path;    /* path of the block, such as "encoder.1.attention" */
    const char *name;    /* name of the term in the block: "gauss"; second gauss: "gauss2" */
    int heads;           /* H of the block */
    double scale;        /* factor of the queries, d^-1/2 */
    bool causal;         /* row t attends to keys up to t only */
    bool step;           /* the block is in a step list (beam search) */
    bool self;           /* self-attention: keys and queries have the same input */
    struct value *query; /* [T, D] queries, before scaling */
    struct value *key;   /* [Tk, D] keys; in a step list [cache_rows, 2D], keys, then values */
};

/* Inputs and settings that a term gives to the attention node. */
struct term_use {
    int heads;
    bool cuts; /* the term cuts keys (`cut` of struct term_tile) */
    double number[TERM_NUMBERS];
    /* [T, heads * columns] numbers for each query and head; NULL: none. */
    struct value *row[TERM_ROWS];
    /* Number C of kinds of keys: `values` receives the sum of the weights of each kind. 0: the term
     * does not change values. With kinds, heads must be H. */
    int kinds;
};

struct term_preset {
    const char *name, *options; /* such as "neighbor" and "{center: self}" */
};

struct term_type {
    const char *name, *help;
    const struct section *section;     /* options; NULL: none */
    const struct term_preset *presets; /* terminated by a NULL name; NULL: none */
    /* Normalizes the options, so that each meaning has one spelling. Dies at the location if they
     * are inconsistent. NULL: no conditions. */
    void (*check)(void *options, const struct attention_size *size, struct location location);
    /* Creates nodes and parameters under PATH.NAME. NULL: the term only maps. */
    struct term_use (*build)(struct graph *graph, const struct term_block *block,
                             const void *options);
    /* Returns a map of x [T, D], the queries or keys of the block; label is "query" or "key".
     * The energies are the products of the maps. Other terms, and fusions, read x. NULL: no map.
     * decoder.cross cannot have terms with maps. */
    struct value *(*map)(struct graph *graph, const struct term_block *block, const void *options,
                         struct value *x, const char *label);
    /* Called if the term has `kinds`. Returns branches [T, R*D] plus what the term adds to values,
     * computed from the collected sums [T, R*H*C]. */
    struct value *(*values)(struct graph *graph, const struct term_block *block,
                            const void *options, struct value *branches, struct value *collected);
    /* The term for the oracle (dense.h). `dense` adds to energy [n, nk] of one head. `dense_values`
     * adds to out [n, d] of one branch, given the branch's weights [n, nk]. `dense_cut` sets far
     * [n, nk] to true for keys that the term cuts. */
    void (*dense)(const struct dense_term *term, double *energy);
    void (*dense_values)(const struct dense_term *term, const double *weight, double *out);
    void (*dense_cut)(const struct dense_term *term, bool *far);
    /* The map for the oracle: replaces the queries or keys x [n, D] of positions 0 to n - 1. */
    void (*dense_map)(const struct dense_term *term, double *x, int n);
    /* For tests: texts of options that together have every value of every choice;
     * NULL-terminated. */
    const char *const *examples;
};

/* Returns the name that term k (from 0) of a block has in paths: "gauss", or "gauss2" for the
 * second gauss of the block. */
const char *term_name(const struct attention_spec *spec, int k, struct arena *arena);

/* Returns PATH.NAME.LABEL, in the list's arena. */
const char *term_path(const struct graph *graph, const struct term_block *block, const char *label);

/* Nodes for terms (attention/term_nodes.c). */

/* Formula of PATH.NAME.LABEL [T, columns of z]: (share * n + limit) * sigmoid(z) + floor, where n
 * is the number of keys to which the row attends. With another shape, it is 2 z^2 or z. */
struct extent_form {
    double share, limit, floor;
    enum extent_shape shape;
};
struct value *term_extent(struct graph *graph, const struct term_block *block, struct value *z,
                          const struct extent_form *form, const char *label);
/* Like term_extent, but z of every row is the parameter `weight` [1, columns]. */
struct value *term_extent_of(struct graph *graph, const struct term_block *block,
                             struct parameter *weight, const struct extent_form *form,
                             const char *label);
/* Returns PATH.NAME.mean [T, D]. Each row is the mean of the keys to which the row attends. */
struct value *term_mean_keys(struct graph *graph, const struct term_block *block);

#endif
