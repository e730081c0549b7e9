/* Whose products decide the bits: our own, which are the same on every machine (gemm.c), or, with
 * SANLAB_PRODUCTS=blas, OpenBLAS's. */
#pragma once

#include "core/base/base.h"

/* What decides the bits of a product: "1" for our own, else OpenBLAS with its version, build and
 * core (dies where it cannot be opened). */
const char *products_name(void);

/* Dies: what lies at `path` was computed with products of another name, and its bytes would not be
 * those of an undisturbed run. Says which settings have those products again. */
NORETURN void products_refuse(const char *path, const char *saved);

/* Operations per second of sgemm of 512 x 2048 x 512 by these products, best of five, on all of
 * OpenMP's threads, by a clock in seconds (clock_seconds as a rule). OpenBLAS shares a product out
 * by itself, as fast as it can. */
double products_rate(double (*clock)(void));
