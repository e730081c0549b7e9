/* Arguments of the attention ops and of the ops that compute the inputs of attention terms.
 * Included by ops.h, which declares struct step and struct dropout. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/tensor/real.h"

enum {
    ATTENTION_BRANCHES = 8,
    ATTENTION_TILE = 16,       /* rows of a sentence that a GPU processes together */
    ATTENTION_HEAD_MOST = 256, /* largest width of a head on a device; no limit on the CPU */
    /* Longest sentence on a device, in tokens; no limit on the CPU. */
    ATTENTION_LONGEST_MOST = 4096,
    ATTENTION_FAR = 1 << 30 /* greater than the length of any sentence */
};

/* Range of the keys of a branch: query i attends to keys i - before .. i + after of its
 * sentence. */
struct attention_reach {
    int before, after;
    bool undropped; /* no dropout on the weights of this branch */
};

enum {
    ATTENTION_TERMS = 4,
    TERM_ROWS = 2,   /* maximum number of arrays by query that a term reads */
    TERM_NUMBERS = 4 /* maximum number of constants of a term */
};

/* A term changes the energies (logits of the softmax) of heads 0 .. heads-1 and, if `kinds` is
 * above 0, also adds to the values. A term is the same for all branches. `kind` is the index of the
 * term. The term's file in attention/term defines the meaning of `number` and `row`. */
struct attention_term {
    int kind, heads;
    bool cuts; /* the term can exclude keys, in addition to changing energies */
    real number[TERM_NUMBERS];
    int columns[TERM_ROWS];           /* columns per head; 0: no such array */
    const struct act *row[TERM_ROWS]; /* [Tq, heads * columns] */
    struct act *row_gradient[TERM_ROWS];
    int kinds;          /* C, number of kinds of keys; 0: the term adds nothing to values */
    struct act *weight; /* [Tq, R, H, C]: sum of the weights of each kind, after dropout */
    const struct act *weight_gradient;
};

/* Scaled dot-product attention of packed sentences. In branch r, query i attends to the keys j in
 * the range branch[r]. If `causal` is true, query i attends only to keys j <= i of this range. At
 * least one key of a query is in all branches. A branch excludes the keys that a term cuts. If no
 * key would remain, the branch excludes none of its keys. Energies and their exponentials are
 * computed once per tile for all branches. The statistics are the only intermediate result that the
 * backward pass reads. */
struct attention_args {
    const struct step *step;
    int B, Tq, Tk, H, d, R;
    struct attention_reach branch[ATTENTION_BRANCHES];
    bool causal;
    bool zeros;                       /* set trailing rows, from start[B] on, to zero */
    const int32_t *start_q, *start_k; /* [B+1] */
    /* tile: first rows of the tiles, then -1 (OPS_TILES). A tile has up to ATTENTION_TILE rows of
     * one sentence. group: index of the sentence of each row (OPS_GROUPS). */
    const int32_t *tile_q, *tile_k;   /* [Tq], [Tk] */
    const int32_t *group_q, *group_k; /* [Tq], [Tk] */
    int longest;                      /* upper bound of the keys and queries of a sentence */
    const struct act *q, *k, *v;      /* [Tq, D], [Tk, D], [Tk, D] */
    int ldq, ldk, ldv;
    real scale;      /* factor of q, d^-1/2 */
    struct act *out; /* [Tq, R*D]: the branches in order */
    /* [Tq, R, H, 2]: the number subtracted from a row's energies, and 1 / sum of the exponentials.
     * This number is the largest energy of all branches. If the largest energy of a branch is far
     * smaller, it is the largest energy of the branch. */
    real *statistics;
    struct dropout dropout; /* the random counter contains the index of the branch */
    const struct act *out_gradient;
    struct act *dq, *dk, *dv; /* gradients, with the ld of q, k, v */
    bool add_q, add_k, add_v;
    int terms;
    struct attention_term term[ATTENTION_TERMS];
};

/* Attention in a step list, with one query per live row. Keys and values are addressed by index. So
 * beam search need not copy caches when it reorders rows. */
struct attention_step {
    int rows, H, d, R;
    struct attention_reach branch[ATTENTION_BRANCHES];
    const int32_t *begin; /* [rows+1] row r has the keys index[begin[r]] .. index[begin[r+1]-1] */
    const int32_t *index; /* rows of k and v, in order of position */
    int query;            /* position of the query in its sentence */
    int longest;          /* upper bound of the keys of a row */
    const struct act *q, *k, *v;
    int ldq, ldk, ldv;
    real scale;
    struct act *out; /* [rows, R*D] */
    int terms;
    struct attention_term term[ATTENTION_TERMS];
};

/* Describes which keys each row attends to. In packed rows, these are the keys of the same
 * sentence; if `causal` is true (self-attention only), only the keys up to the row itself. In a
 * step list (start_q is NULL), these are the keys index[start_k[t]] .. index[start_k[t+1]-1] for
 * row t. n(t) is the number of the keys of row t. */
struct visible {
    int B, Tq;
    const int32_t *start_q, *start_k; /* [B+1]; if start_q is NULL, start_k is [Tq+1] */
    const int32_t *index;
    /* [Tq] index of the sentence of each row (OPS_GROUPS); unused in a step list */
    const int32_t *group;
    bool causal;
};

/* Maps the predictions of a term to its rows, for example to positions and widths (Yang et al.
 * 2018, eqs. 6 and 10). x is z[t, c] or, if z is NULL, weight[c].
 *
 *   EXTENT_SIGMOID   out[t, c] = (share * n(t) + limit) * sigmoid(x) + floor
 *   EXTENT_SQUARE    out[t, c] = 2 x^2
 *   EXTENT_SAME      out[t, c] = x */
enum extent_shape { EXTENT_SIGMOID, EXTENT_SQUARE, EXTENT_SAME };
struct extent_args {
    struct visible visible;
    int columns;
    const struct act *z;
    int ldz;
    const real *weight;
    real share, limit, floor;
    enum extent_shape shape;
    struct act *out; /* [Tq, columns] */
    const struct act *out_gradient;
    struct act *z_gradient;
    bool add_z;
    real *weight_gradient;
    bool add_weight;
};

/* out[t] = mean of the keys that row t attends to. Backward computes the gradients of the keys and,
 * with add_k, adds them to dk. */
struct mean_keys {
    struct visible visible;
    int D, Tk;
    const struct act *k; /* [Tk, D] */
    int ldk;
    struct act *out; /* [Tq, D] */
    const struct act *out_gradient;
    struct act *dk;
    bool add_k;
};
