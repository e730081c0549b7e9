/* Arguments of attention and of what its terms read, ops of the table in ops.h, which includes this
 * where struct step and struct dropout are known. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/tensor/real.h"

enum {
    ATTENTION_BRANCHES = 8,
    ATTENTION_TILE = 16,           /* rows of a sentence that a device looks at together */
    ATTENTION_HEAD_MOST = 256,     /* width of a head that a device takes, */
    ATTENTION_LONGEST_MOST = 4096, /* and pieces of a sentence; the CPU takes any */
    ATTENTION_FAR = 1 << 30        /* farther than any sentence is long */
};

/* The keys of a branch: query i sees i - before .. i + after of its sentence. */
struct attention_reach {
    int before, after;
    bool undropped; /* its weights meet no dropout */
};

enum {
    ATTENTION_TERMS = 4,
    TERM_ROWS = 2,   /* arrays of numbers per query that a term may read */
    TERM_NUMBERS = 4 /* numbers that are the same for all queries */
};

/* A term acts on the energies (and by `kinds` on the values) of heads 0 .. heads-1, the same for
 * all branches. `kind` says which of attention/term/ it is; what its numbers mean stands there. */
struct attention_term {
    int kind, heads;
    bool cuts; /* puts keys out of reach, not only further away */
    real number[TERM_NUMBERS];
    int columns[TERM_ROWS];           /* per head; 0: no such array */
    const struct act *row[TERM_ROWS]; /* [Tq, heads * columns] */
    struct act *row_gradient[TERM_ROWS];
    int kinds;          /* of keys, C; 0: the term adds nothing to values */
    struct act *weight; /* [Tq, R, H, C]: the (dropped) weights summed by kind */
    const struct act *weight_gradient;
};

/* Scaled dot-product attention of packed sentences; branch r lets query i see the keys j of
 * branch[r] and, when causal, j <= i; all branches of a row have a key in common. A branch leaves
 * out the keys that a term cuts from the row, unless that leaves it none. Energies and their
 * exponentials are computed once per tile for all branches.
 * Statistics are all that is kept for the backward pass. */
struct attention_args {
    const struct step *step;
    int B, Tq, Tk, H, d, R;
    struct attention_reach branch[ATTENTION_BRANCHES];
    bool causal;
    bool zeros;                       /* rows from start[B] on become zero, up to Tq and Tk */
    const int32_t *start_q, *start_k; /* [B+1] */
    /* First rows of tiles, up to ATTENTION_TILE rows of one sentence, and then -1 (OPS_TILES); the
     * sentence of each row (OPS_GROUPS). */
    const int32_t *tile_q, *tile_k;   /* [Tq], [Tk] */
    const int32_t *group_q, *group_k; /* [Tq], [Tk] */
    int longest;                      /* no sentence has more keys or queries */
    const struct act *q, *k, *v;      /* [Tq, D], [Tk, D], [Tk, D] */
    int ldq, ldk, ldv;
    real scale;      /* of q, d^-1/2 */
    struct act *out; /* [Tq, R*D]: branch after branch */
    /* [Tq, R, H, 2]: what is taken off a row's energies (the largest in reach of the branch, or of
     * any branch where its own are not too far below), 1 / sum of their exponentials. */
    real *statistics;
    struct dropout dropout; /* counter branch = branch number */
    const struct act *out_gradient;
    struct act *dq, *dk, *dv; /* with the strides of q, k, v */
    bool add_q, add_k, add_v;
    int terms;
    struct attention_term term[ATTENTION_TERMS];
};

/* One query per live row against keys and values that are found by index (beam search: the cache
 * is never copied when rows are reordered). */
struct attention_step {
    int rows, H, d, R;
    struct attention_reach branch[ATTENTION_BRANCHES];
    const int32_t *begin; /* [rows+1] into index */
    const int32_t *index; /* rows of k and v, by position */
    int query;            /* position of the query in its sentence */
    int longest;          /* no row has more keys */
    const struct act *q, *k, *v;
    int ldq, ldk, ldv;
    real scale;
    struct act *out; /* [rows, R*D] */
    int terms;
    struct attention_term term[ATTENTION_TERMS];
};

/* Which keys the rows of a block see: those of the same sentence in packed rows, up to the row
 * itself when causal (self-attention only); or, with start_q NULL, row t sees the keys
 * index[start_k[t]] .. index[start_k[t+1]-1] (a step list). n(t) is their number. */
struct visible {
    int B, Tq;
    const int32_t *start_q, *start_k; /* [B+1]; with start_q NULL start_k is [Tq+1] */
    const int32_t *index;
    const int32_t *group; /* [Tq] the sentence of each row (OPS_GROUPS); not in a step list */
    bool causal;
};

/* out[t, c] = (share * n(t) + limit) * sigmoid(x) + floor, x from z [Tq, columns] or, with z NULL,
 * from weight [columns]; square: 2 x^2 instead of all that. What a term's predictions become before
 * they are positions and widths (Yang et al. 2018, eqs. 6 and 10). */
struct extent_args {
    struct visible visible;
    int columns;
    const struct act *z;
    int ldz;
    const real *weight;
    real share, limit, floor;
    bool square;
    struct act *out; /* [Tq, columns] */
    const struct act *out_gradient;
    struct act *z_gradient;
    bool add_z;
    real *weight_gradient;
    bool add_weight;
};

/* out[t] = mean of the keys that row t sees; backward adds up (or assigns) the keys' gradients. */
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
