/* The dense oracle of a block of attention (attention/dense.h). */
#pragma once

#include "attention/dense.h"

/* Returns the output of the block, [n, D]. */
double *dense_block(const struct dense *of);
/* Returns the attention weights [n, nk] of head h in a branch. `branch` and `h` count from 0. */
double *dense_weights(const struct dense *of, int branch, int h);
