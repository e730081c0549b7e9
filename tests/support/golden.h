/* What PyTorch computed in float64 (tests/golden, made by scripts/golden/make_golden.py), for any
 * table: initial parameters, outputs, losses, every gradient, ten training steps with dropout, a
 * beam search. */
#pragma once

#include "core/model/model.h"

/* How far a table may be away: of 1 + |number|, of the norm of an array. */
struct golden_limits {
    double start, output, loss, gradient; /* untrained */
    double trained, norm;                 /* losses, and norms of gradients, of the ten steps */
    double sum;                           /* of all parameters behind them; 0: not asked */
    double score;                         /* of hypotheses; their tokens are equal */
    int steps; /* of the trainings: fewer than the ten are not followed by the search; 0: all */
};

/* Of kernels, and of the CPU, in fp32. */
extern const struct golden_limits golden_device;

/* The files, without their endings. */
extern const char *const golden_names[];
extern const int golden_count;
/* Two tests of every file, or of the one of that name (NULL: all); returns how many failed. */
int golden_run(const char *name, const struct ops *ops, const struct golden_limits *limits,
               const char *only);

/* For tests of other models against such files. Releases all that was opened. */
void golden_release(struct graph *graph, struct model *model, struct arena *own);
/* The slab of parameters or gradients, from the device. */
real *golden_slab(const struct graph *graph, const struct model *model, const real *device);
double golden_moment(const real *x, int64_t count, int power); /* the sum of powers */
/* Fails where a number is further away than tolerance * (1 + |expected|), or an array than that
 * share of its norm. */
void golden_close(const char *what, double got, double expected, double tolerance);
void golden_near(const char *what, const real *got, const double *expected, int64_t count,
                 double tolerance);
