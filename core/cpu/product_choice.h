/* The matrix products in use. Sanlab's own products give the same bits on every machine (gemm.c).
 * SANLAB_PRODUCTS=blas selects OpenBLAS. */
#pragma once

#include "core/base/base.h"

/* Returns the name of the products, which determines their bits: "1" for own products, else
 * OpenBLAS with version, build and core. Dies if OpenBLAS cannot be opened. */
const char *products_name(void);

/* Dies because the file at `path` was computed with other products. To continue here would not give
 * the bytes of an uninterrupted run. The message has the settings for the other products. */
NORETURN void products_refuse(const char *path, const char *saved);

/* Returns the operations per second of an sgemm of 512 x 2048 x 512, best of five, with all OpenMP
 * threads. `clock` returns seconds (usually clock_seconds). OpenBLAS here divides a product among
 * threads itself, at full speed. */
double products_rate(double (*clock)(void));
