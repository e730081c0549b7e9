/* Terms for the cases of attention: gauss and relpos with random numbers, in the layout of
 * attention/term/. Energies, sums and gradients are computed by plain formulas in double. */
#pragma once

#include "tests/support/op_run.h"

/* A row of queries: its position in its sentence, and the number of keys of the sentence. */
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
    /* Expected results, in the layout of the op's arguments. */
    double *row_slope[ATTENTION_TERMS][TERM_ROWS], *sum[ATTENTION_TERMS];
};

/* Returns up to three terms. `query` must live as long as the run. */
struct op_terms op_terms_new(struct op_run *run, int H, int R, int T, const struct op_query *query);
/* Copy the terms, with buffers of a forward or a backward op, to the op's arguments. */
void op_terms_forward(struct op_run *run, struct op_terms *terms,
                      struct attention_term to[ATTENTION_TERMS]);
void op_terms_backward(struct op_run *run, struct op_terms *terms,
                       struct attention_term to[ATTENTION_TERMS]);

/* Return the sum of all terms' energies of key j, and true if a term cuts the key from the row. */
double op_terms_energy(const struct op_terms *terms, int64_t row, int h, int j);
bool op_terms_cut(const struct op_terms *terms, int64_t row, int h, int j);
/* Forward: collects the weight (after dropout) of key j of branch r. */
void op_terms_collect(struct op_terms *terms, int64_t row, int r, int h, int j, double weight);
/* Backward: returns the terms' part of the gradient of that weight. */
double op_terms_spread(const struct op_terms *terms, int64_t row, int r, int h, int j);
/* Backward: adds one branch's gradient of the energy of key j. */
void op_terms_slope(struct op_terms *terms, int64_t row, int h, int j, double slope);

/* Checks the results after the op. */
void op_terms_expect(struct op_run *run, const struct op_terms *terms);
