/* Golden tests of any table of ops, against results of PyTorch in float64. The files in
 * tests/golden are made by scripts/golden/make_golden.py. They have initial parameters, outputs,
 * losses, every gradient, ten training steps with dropout, and a beam search. */
#pragma once

#include "core/model/model.h"

/* Tolerances: relative to 1 + |number|, or to the norm of an array. */
struct golden_limits {
    double start, output, loss, gradient; /* untrained */
    double trained, norm;                 /* losses, and norms of gradients, of the ten steps */
    double sum;   /* of all parameters after the ten steps; 0: not checked */
    double score; /* of hypotheses; their tokens must be equal */
    int steps;    /* number of training steps; after fewer than ten the search is not run; 0: all */
};

/* Tolerances of kernels and of the CPU in fp32. */
extern const struct golden_limits golden_device;

/* Names of the files, without extension. */
extern const char *const golden_names[];
extern const int golden_count;
/* Runs two tests of every file, or only of the file `only` (NULL: all). Returns the number of
 * failures. */
int golden_run(const char *name, const struct ops *ops, const struct golden_limits *limits,
               const char *only);

/* Helpers for tests of other models against golden files. Releases graph, model and arena. */
void golden_release(struct graph *graph, struct model *model, struct arena *own);
/* Returns a host copy of the slab of parameters or gradients. */
real *golden_slab(const struct graph *graph, const struct model *model, const real *device);
double golden_moment(const real *x, int64_t count, int power); /* the sum of powers */
/* Fails if a number differs by more than tolerance * (1 + |expected|), or an array by more than
 * tolerance times its norm. */
void golden_close(const char *what, double got, double expected, double tolerance);
void golden_near(const char *what, const real *got, const double *expected, int64_t count,
                 double tolerance);
