/* The dense oracle computes the output of a block for one sentence without dropout, in double. It
 * uses plain loops over whole matrices [queries, keys]. It follows eq. 1 of Vaswani et al. 2017,
 * and the equations that the file of each term or fusion cites. It shares options and parameters
 * with the program, but no arithmetic. dense.c may call libm, because its results are used only for
 * comparison. The block and its softmax are in tests/support/dense_block.c. tests/f64/dense_test.c
 * compares every variant with the oracle.
 *
 * The files of terms and fusions implement their parts with the functions of this header. A term
 * must have `dense`. It must have `dense_values` if it changes values, and `dense_cut` if it cuts
 * keys (term.h). A fusion must have `dense` (attention.h). */
#pragma once

#include "attention/attention.h"

struct dense {
    const char *path; /* path of the block */
    const struct attention_spec *spec;
    int H, d, n, nk;      /* number of heads, width of a head, queries, keys; D = H d */
    bool causal;          /* query i attends to keys j <= i only */
    const double *input;  /* [n, D] */
    const double *memory; /* [nk, D] input of keys and values; NULL: `input` */
    const struct parameters *parameters;
    const double *master; /* all master parameters, on the host (parameter.offset is an index) */
    struct arena *arena;  /* owns every result */

    /* dense_block and dense_weights set these members, for terms and fusions. */
    double scale;        /* factor of the queries, d^-1/2 */
    const double *query; /* [n, D] before scaling, with its bias */
    const double *key;   /* [nk, D] */
    const double *value; /* [nk, D] */
};

/* Argument of terms: head h (from 0) of a block; `name` is the name of the term ("gauss2"). */
struct dense_term {
    const struct dense *block;
    const char *name;
    int h;
    const void *options;
};

/* Returns the number of keys that query i can see, ignoring branches: keys 0 to visible - 1. */
int dense_visible(const struct dense *dense, int i);
/* These functions call libm. The files of terms and fusions must not call libm directly
 * (scripts/lint). */
double dense_sigmoid(double x);
double dense_tanh(double x);
double dense_exp2(double x);
double dense_power(double x, double y);
double dense_sin(double x);
double dense_cos(double x);

/* Returns the elements of parameter PATH.NAME; NAME is a printf format. The parameter must exist
 * (CHECK). */
const double *dense_parameter(const struct dense *dense, const char *name, ...) PRINTF(2, 3);
double *dense_zeros(const struct dense *dense, int rows, int columns);
/* Returns x W (+ b), [rows, N], for x [rows, K]. PATH.NAME.weight is [K, N], PATH.NAME.bias [N]. */
double *dense_linear(const struct dense *dense, const double *x, int rows, int K, int N, bool bias,
                     const char *name, ...) PRINTF(7, 8);
/* Returns columns [column, column + N) of x [rows, K]. */
double *dense_columns(const struct dense *dense, const double *x, int rows, int K, int column,
                      int N);
/* Returns the output projection of a block: [n, D] for x [n, K]. */
double *dense_project(const struct dense *dense, const double *x, int K);
