/* The matrix products in use: our own, which give the same bits on every machine (gemm.c), or
 * OpenBLAS's, with SANLAB_PRODUCTS=blas. */
#pragma once

#include "core/base/base.h"

/* Returns the name of the products, which determines their bits: "1" for our own, else OpenBLAS
 * with version, build and core. Dies if OpenBLAS cannot be opened. */
const char *products_name(void);

/* Dies: the file at `path` was computed with other products, so continuing here would not give the
 * bytes of an undisturbed run. The message names the settings for those products. */
NORETURN void products_refuse(const char *path, const char *saved);

/* Returns the operations per second of sgemm of 512 x 2048 x 512 by these products, best of five,
 * with all of OpenMP's threads. `clock` returns seconds (usually clock_seconds). OpenBLAS divides a
 * product among threads itself, at full speed. */
double products_rate(double (*clock)(void));
