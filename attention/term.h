/* Terms of attention: parts that act on a tile of energies, or on the values. Examples: a Gaussian
 * around a predicted position, relative positions. The terms of a block are summed and act on all
 * branches of the block (Yang et al. 2018, eq. 4; Shaw et al. 2018, eqs. 3-4).
 *
 * A term is one file of attention/term/, which the build finds; `make new-attention NAME=x` writes
 * a skeleton. The file is compiled twice:
 *
 *   for the program: options, parameters, documentation, the same term in plain loops (`dense`).
 *       Also the nodes that predict the term's rows from the block's query, its keys, or nothing;
 *   for every backend, with TERM_TILE defined: the functions for one row of a tile, forward and
 *       backward. Both the packed tiles and the steps of beam search call these functions.
 *
 * The code under TERM_TILE is compiled by gcc, clang and, for a device, nvcc. On a device several
 * threads share a row, with one key each. The code must be valid C and C++. It may use
 *
 *   - struct term_row, int and real, with `if` and loops: equal in all threads of a row;
 *   - vec, KEYS and the other operations of attention/lane.h for numbers that differ by key;
 *   - its own enums, structs and functions, each function with TERM_FN. Their names begin with the
 *     name of the term, because all terms are compiled in one file.
 *
 * It must not
 *
 *   - access one key of a vector, x[l]. Use vec_gather to read a number for each key, vec_sum and
 *     row_sum to reduce over keys;
 *   - write p[c] = x, because all threads would write. Use vec_store for keys, row_put for a number
 *     of the row, EACH for many numbers;
 *   - read numbers that it has written, except for the same keys. Threads are not synchronized;
 *   - call libc or libm, or use function pointers, arrays, statics or doubles.
 *
 * tests/cli/device_terms.sh compiles all terms for a device if nvcc is installed. */
#pragma once

#include "core/tensor/ops.h"

#ifdef TERM_TILE

#include "attention/lane.h"

/* One query of one head. Arrays over keys are indexed by j, the position of the key in its
 * sentence. They may be read and written up to the next multiple of LANES past hi. */
struct term_row {
    const struct attention_term *term;
    int i, h; /* position of the query in its sentence; its head, from 0 */
    /* Keys [lo, hi), lo a multiple of LANES: the union of the branches' keys over all queries of
     * the tile. In `collect` and `spread`: the keys of their branch. */
    int lo, hi;
    const real *row[TERM_ROWS];    /* [columns] numbers of this head and query */
    real *row_gradient[TERM_ROWS]; /* [columns] assigned by `slope`; NULL: not needed */
};

/* NAME_tile: TERM_TABLE gauss_tile = {.energy = gauss_energy, ..}, in this order. */
struct term_tile {
    /* Adds the term's part to energy[j]. */
    void (*energy)(const struct term_row *t, real *energy);
    /* Computes row_gradient from slope[j], the gradient of energy[j] (0 outside of the branches).
     * NULL: the term has no rows. */
    void (*slope)(const struct term_row *t, const real *slope);
    /* Sums the weights of one branch (after dropout; 0 for keys outside of the branch) by kind of
     * key into sum [C]. NULL: the term does not change values. */
    void (*collect)(const struct term_row *t, const real *weight, real *sum);
    /* Backward of collect: adds sum_gradient to slope[j], the gradient of the weights. */
    void (*spread)(const struct term_row *t, const real *sum_gradient, real *slope);
    /* Sets far[j] to 1 for keys that the term cuts from the row; does not change the others. The
     * branches give no weight to these keys. A branch ignores all cuts of the row if no key would
     * remain. Called for terms with `cuts`. */
    void (*cut)(const struct term_row *t, real *far);
};

#else

#include "attention/attention.h"

struct dense_term; /* attention/dense.h */

/* The block that contains a term. */
struct term_block {
    const char *path;    /* "encoder.1.attention" */
    const char *name;    /* name of the term in the block, "gauss" (the second one: "gauss2") */
    int heads;           /* H of the block */
    double scale;        /* factor of the queries, d^-1/2 */
    bool causal;         /* row t attends to keys up to t only */
    bool step;           /* rows are the live rows of a step list */
    bool self;           /* the keys are rows of the block itself */
    struct value *query; /* [T, D] before scaling */
    struct value *key;   /* [Tk, D]; in a step list [cache_rows, 2D], keys first */
};

/* Inputs of the attention node from a term. */
struct term_use {
    int heads;
    bool cuts; /* the tile's `cut` is called */
    double number[TERM_NUMBERS];
    struct value *row[TERM_ROWS]; /* [T, heads * columns] or NULL */
    /* Number of kinds of keys whose weights `values` receives; 0: none. Requires heads = H. */
    int kinds;
};

struct term_preset {
    const char *name, *options; /* "neighbor", "{center: self, window: query}" */
};

struct term_type {
    const char *name, *help;
    const struct section *section;     /* options; NULL: none */
    const struct term_preset *presets; /* terminated by a NULL name; NULL: none */
    /* Normalizes the options, so that each meaning has one spelling. Dies at the location if they
     * are inconsistent. NULL: no conditions. */
    void (*check)(void *options, const struct attention_size *size, struct location location);
    /* Creates nodes and parameters under PATH.NAME. */
    struct term_use (*build)(struct graph *graph, const struct term_block *block,
                             const void *options);
    /* With `kinds`: adds the term's part of the values to branches [T, R*D], given the collected
     * sums [T, R*H*C]. */
    struct value *(*values)(struct graph *graph, const struct term_block *block,
                            const void *options, struct value *branches, struct value *collected);
    /* For the oracle. dense adds to energy [n, nk] of one head. dense_values adds to out [n, d],
     * given a branch's weights [n, nk]. dense_cut sets far [n, nk] for keys that the term cuts. */
    void (*dense)(const struct dense_term *term, double *energy);
    void (*dense_values)(const struct dense_term *term, const double *weight, double *out);
    void (*dense_cut)(const struct dense_term *term, bool *far);
    /* Option texts that together cover every choice, for tests; NULL-terminated. */
    const char *const *examples;
};

/* Returns the name of the k-th term of a block in paths: "gauss"; the second of its type is
 * "gauss2". */
const char *term_name(const struct attention_spec *spec, int k, struct arena *arena);

/* Returns PATH.NAME.LABEL, in the list's arena. */
const char *term_path(const struct graph *graph, const struct term_block *block, const char *label);

/* Nodes for terms (attention/term_nodes.c). */

/* PATH.NAME.LABEL [T, columns of z] = (share * n + limit) * sigmoid(z) + floor. n is the number of
 * keys to which the row attends. */
struct extent_form {
    double share, limit, floor;
    bool square; /* the value is 2 z^2 instead */
};
struct value *term_extent(struct graph *graph, const struct term_block *block, struct value *z,
                          const struct extent_form *form, const char *label);
/* Like term_extent, for a parameter [1, columns] that is equal for all rows. */
struct value *term_extent_of(struct graph *graph, const struct term_block *block,
                             struct parameter *weight, const struct extent_form *form,
                             const char *label);
/* PATH.NAME.mean [T, D]: the mean of the keys to which the row attends. */
struct value *term_mean_keys(struct graph *graph, const struct term_block *block);

#endif
