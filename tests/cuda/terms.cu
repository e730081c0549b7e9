/* A kernel for each thing that terms do to a row, so that nvcc compiles every file of
 * attention/term/ (tests/cli/device_terms.sh). */
#include "tests/cuda/lane.h"
#include "attention/dispatch.h"

#define KERNEL(function, ...)                                                                      \
    __global__ void do_##function(struct attention_term term, struct term_row row, const real *x,  \
                                  real *y)                                                         \
    {                                                                                              \
        row.term = &term;                                                                          \
        term_##function(&row, __VA_ARGS__);                                                        \
    }

KERNEL(energy, y)
KERNEL(slope, x)
KERNEL(collect, x, y)
KERNEL(spread, x, y)
KERNEL(cut, y)
