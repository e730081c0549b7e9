/* Terms for the cases of attention: gauss and relpos with random numbers, as their files in
 * attention/term/ lay them out, and what they add, collect and get back by plain formulas in
 * double. */
#pragma once

#include "tests/support/op_run.h"

/* A row of queries: its place in its sentence, and the keys of that sentence. */
struct op_query {
    int i, keys;
};

struct op_terms {
    int count, H, R, T;
    const struct op_query *query; /* [T] */
    struct attention_term term[ATTENTION_TERMS];
    const real *row[ATTENTION_TERMS][TERM_ROWS];
    real *row_gradient[ATTENTION_TERMS][TERM_ROWS], *weight[ATTENTION_TERMS];
    const real *weight_gradient[ATTENTION_TERMS];
    /* What to expect, as the op's arguments have it. */
    double *row_slope[ATTENTION_TERMS][TERM_ROWS], *sum[ATTENTION_TERMS];
};

/* None to three terms; `query` lives as long as the run. */
struct op_terms op_terms_new(struct op_run *run, int H, int R, int T, const struct op_query *query);
/* With the buffers of a forward or of a backward op, to its arguments. */
void op_terms_forward(struct op_run *run, struct op_terms *terms,
                      struct attention_term to[ATTENTION_TERMS]);
void op_terms_backward(struct op_run *run, struct op_terms *terms,
                       struct attention_term to[ATTENTION_TERMS]);

/* What all terms add to the energy of key j, and whether one of them cuts it from the row. */
double op_terms_energy(const struct op_terms *terms, int64_t row, int h, int j);
bool op_terms_cut(const struct op_terms *terms, int64_t row, int h, int j);
/* Forward: key j of branch r has this (dropped) weight. */
void op_terms_collect(struct op_terms *terms, int64_t row, int r, int h, int j, double weight);
/* Backward: their part of the gradient of that weight. */
double op_terms_spread(const struct op_terms *terms, int64_t row, int r, int h, int j);
/* Backward: key j's energy has this gradient (one branch's part). */
void op_terms_slope(struct op_terms *terms, int64_t row, int h, int j, double slope);

/* After the op. */
void op_terms_expect(struct op_run *run, const struct op_terms *terms);
