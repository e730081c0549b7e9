/* A term acts on a tile of energies, or on the values: a Gaussian around a predicted place,
 * relative positions. Terms of a block add up and act on all its branches (Yang et al. 2018,
 * eq. 4; Shaw et al. 2018, eqs. 3-4).
 *
 * A term is one file of attention/term/, found by the build; `make new-attention NAME=x` writes its
 * skeleton. The file is read twice:
 *
 *   by the program: options, parameters, the nodes that predict its rows from the block's query,
 *       keys or nothing, the same once more in plain loops (`dense`), and documentation;
 *   by every backend, with TERM_TILE defined: what it does to one row of a tile, forward and
 *       backward. Both the packed tiles and the steps of beam search call these functions.
 *
 * What is read with TERM_TILE is compiled by gcc, clang and, for a device, nvcc, where a row is
 * that of several threads with one key each. So it is C that is C++ as well. It is written in
 *
 *   - struct term_row, int and real, `if` and loops over them: the same in all threads of a row;
 *   - vec, KEYS and the other words of attention/lane.h for what differs by key;
 *   - enums, structs and functions of its own, each TERM_FN. Their names begin with the term's, for
 *     all terms become one file.
 *
 * It must not
 *
 *   - look at one key of a vector, x[l]: vec_gather finds each key its own number, vec_sum and
 *     row_sum make one number of many keys;
 *   - write p[c] = x, which all threads would do at once: keys are written by vec_store, a number
 *     of the row by row_put, many of them in EACH;
 *   - read what it has written, but for the same keys again: threads do not wait for each other;
 *   - call libc or libm, point to functions, or have arrays, statics or doubles.
 *
 * tests/cli/device_terms.sh compiles all terms for a device, where there is nvcc. */
#pragma once

#include "core/tensor/ops.h"

#ifdef TERM_TILE

#include "attention/lane.h"

/* One query of one head. Arrays over keys are indexed by j, the key's place in its sentence, and
 * may be read and written up to the next multiple of LANES past hi. */
struct term_row {
    const struct attention_term *term;
    int i, h; /* the query's place in its sentence; its head, from 0 */
    /* Keys [lo, hi), LANES | lo: what any branch shows to any query of the tile; for `collect` and
     * `spread`, what their branch shows. */
    int lo, hi;
    const real *row[TERM_ROWS];    /* [columns] this head's numbers of this query */
    real *row_gradient[TERM_ROWS]; /* [columns] assigned by `slope`; NULL: not wanted */
};

/* NAME_tile: TERM_TABLE gauss_tile = {.energy = gauss_energy, ..}, in this order. */
struct term_tile {
    /* Adds the term's part to energy[j]. */
    void (*energy)(const struct term_row *t, real *energy);
    /* From slope[j], the gradient of energy[j] (0 outside of the branches), to row_gradient. NULL:
     * the term has no rows. */
    void (*slope)(const struct term_row *t, const real *slope);
    /* Weights of one branch (after dropout; 0 for keys that it does not show) summed by kind of key
     * into sum [C]; NULL: the term leaves values alone. */
    void (*collect)(const struct term_row *t, const real *weight, real *sum);
    /* Adds the gradient of sum to slope[j], the gradient of the weights. */
    void (*spread)(const struct term_row *t, const real *sum_gradient, real *slope);
    /* Sets far[j] to 1 for keys that the term puts out of the row's reach and leaves the others as
     * they are: each branch gives such keys no weight at all, or ignores all cuts of the row where
     * they leave it no key. Asked of terms with `cuts`. */
    void (*cut)(const struct term_row *t, real *far);
};

#else

#include "attention/attention.h"

struct dense_term; /* attention/dense.h */

/* The block that a term is built into. */
struct term_block {
    const char *path;    /* "encoder.1.attention" */
    const char *name;    /* of the term here, "gauss" (the second one of a block: "gauss2") */
    int heads;           /* H of the block */
    double scale;        /* of the queries, d^-1/2 */
    bool causal;         /* row t sees no key behind itself */
    bool step;           /* rows are the live rows of a step list */
    bool self;           /* the keys are rows of the block itself */
    struct value *query; /* [T, D] before scaling */
    struct value *key;   /* [Tk, D]; in a step list [cache_rows, 2D], keys first */
};

/* What the attention node gets of a term. */
struct term_use {
    int heads;
    bool cuts; /* the tile's `cut` is asked */
    double number[TERM_NUMBERS];
    struct value *row[TERM_ROWS]; /* [T, heads * columns] or NULL */
    int kinds; /* of keys, whose weights go to `values`; 0: none. Then heads is H */
};

struct term_preset {
    const char *name, *options; /* "neighbor", "{center: self, window: query}" */
};

struct term_type {
    const char *name, *help;
    const struct section *section;     /* its options, or NULL */
    const struct term_preset *presets; /* up to a NULL name; or NULL */
    /* Brings options into the one spelling of their meaning, dies at the place when they make no
     * sense. NULL: anything goes. */
    void (*check)(void *options, const struct attention_size *size, struct place place);
    /* Makes nodes and parameters below PATH.NAME. */
    struct term_use (*build)(struct graph *graph, const struct term_block *block,
                             const void *options);
    /* With `kinds`: branches [T, R*D] and what was collected, [T, R*H*C], to the branches with the
     * term's part of the values added. */
    struct value *(*values)(struct graph *graph, const struct term_block *block,
                            const void *options, struct value *branches, struct value *collected);
    /* For the oracle: adds to energy [n, nk] of one head; with `values`, given a branch's weights
     * [n, nk], to its out [n, d]; with a `cut`, sets far [n, nk] for keys out of reach. */
    void (*dense)(const struct dense_term *term, double *energy);
    void (*dense_values)(const struct dense_term *term, const double *weight, double *out);
    void (*dense_cut)(const struct dense_term *term, bool *far);
    /* Texts of options that together meet every choice; tests walk them. Up to NULL. */
    const char *const *examples;
};

/* What the k-th term of a block is called in paths: "gauss", the second of its type "gauss2". */
const char *term_name(const struct attention_spec *spec, int k, struct arena *arena);

/* PATH.NAME.LABEL, in the list's arena. */
const char *term_path(const struct graph *graph, const struct term_block *block, const char *label);

/* Nodes for terms (attention/term_rows.c). */

/* PATH.NAME.LABEL [T, columns of z] = (share * n + limit) * sigmoid(z) + floor, n the number of
 * keys that the row sees. */
struct extent_form {
    double share, limit, floor;
    bool square; /* 2 z^2 */
};
struct value *term_extent(struct graph *graph, const struct term_block *block, struct value *z,
                          const struct extent_form *form, const char *label);
/* The same of a parameter [1, columns] for all rows. */
struct value *term_extent_of(struct graph *graph, const struct term_block *block,
                             struct parameter *weight, const struct extent_form *form,
                             const char *label);
/* PATH.NAME.mean [T, D]: the mean of the keys that the row sees. */
struct value *term_mean_keys(struct graph *graph, const struct term_block *block);

#endif
