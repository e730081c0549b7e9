/* Names and measures the implementation of matrix products. The default is sanlab's own code, which
 * gives the same bits on every machine (gemm.c). SANLAB_PRODUCTS=blas selects OpenBLAS. */
#pragma once

#include "core/base/base.h"

/* Returns the name of the implementation. The same name means the same bits. The name is "1", a
 * version, for sanlab's own code; else "OpenBLAS" with version, build and core. Dies if OpenBLAS is
 * selected and cannot be opened. */
const char *products_name(void);

/* Dies because the file at `path` was computed with another implementation, `saved`. If this
 * process continued from the file, the bytes would differ from an uninterrupted run. The message
 * has the environment variables that select `saved`. */
NORETURN void products_refuse(const char *path, const char *saved);

/* Returns the operations per second of an sgemm of 512 x 2048 x 512, best of five, with all OpenMP
 * threads. `clock` returns seconds (usually clock_seconds). OpenBLAS itself divides this product
 * among its threads, unlike in blas_gemm. So this is its full speed. */
double products_rate(double (*clock)(void));
