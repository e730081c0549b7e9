/* The dense oracle: what a block computes of one sentence, dropout off, in plain loops over double
 * with whole matrices [queries, keys] (Vaswani et al. 2017, eq. 1; of a variant, the equations that
 * its file cites). Slow, straight from the equations; it shares options and parameters with the
 * program and no arithmetic. So dense.c takes its exponentials from libm: nothing of the oracle
 * reaches a parameter, loss, score or choice. tests/f64/dense_test.c compares every variant with
 * it.
 *
 * A term brings its part as `dense` and, if it acts on values, `dense_values`, if it cuts keys,
 * `dense_cut` (term.h); a fusion as `dense` (attention.h): each in its own file, in the words of
 * this header. */
#pragma once

#include "attention/attention.h"

struct dense {
    const char *path; /* of the block */
    const struct attention_spec *spec;
    int H, d, n, nk;      /* D = H d; queries, keys */
    bool causal;          /* query i sees no key behind itself */
    const double *input;  /* [n, D] */
    const double *memory; /* [nk, D] what keys and values are made from; NULL: the input */
    const struct parameters *parameters;
    const double *master; /* their slab on the host */
    struct arena *arena;  /* owns every result */

    /* From here on for terms and fusions; dense_block sets it. */
    double scale;        /* of the queries, d^-1/2 */
    const double *query; /* [n, D] before scaling, with its bias */
    const double *key;   /* [nk, D] */
    const double *value; /* [nk, D] */
};

/* The block's output [n, D]. */
double *dense_block(const struct dense *of);
/* The weights of a head in a branch, both from 0: [n, nk]. */
double *dense_weights(const struct dense *of, int branch, int h);

/* What terms get: head h (from 0) of a block whose term is called `name` ("gauss2"). */
struct dense_term {
    const struct dense *block;
    const char *name;
    int h;
    const void *options;
};

/* Keys [0, visible) are those of query i, whatever its branches. */
int dense_visible(const struct dense *dense, int i);
/* By libm, which the files of terms and fusions do not call (scripts/lint). */
double dense_sigmoid(double x);
double dense_tanh(double x);
double dense_exp2(double x);

/* The elements of parameter PATH.NAME, NAME as printf has it; CHECKs that it is there. */
const double *dense_parameter(const struct dense *dense, const char *name, ...) PRINTF(2, 3);
double *dense_zeros(const struct dense *dense, int rows, int columns);
/* x W (+ b) [rows, N] of x [rows, K], with PATH.NAME.weight [K, N] and PATH.NAME.bias [N]. */
double *dense_linear(const struct dense *dense, const double *x, int rows, int K, int N, bool bias,
                     const char *name, ...) PRINTF(7, 8);
/* Columns [column, column + N) of x [rows, K]. */
double *dense_columns(const struct dense *dense, const double *x, int rows, int K, int column,
                      int N);
/* The projection that ends a block: [n, D] of x [n, K]. */
double *dense_project(const struct dense *dense, const double *x, int K);
