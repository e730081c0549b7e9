/* Whose products decide the bits: our own, which are the same on every machine (gemm.c), or, with
 * SANLAB_PRODUCTS=blas, OpenBLAS's. */
#ifndef CORE_CPU_PRODUCTS_H
#define CORE_CPU_PRODUCTS_H

#include "core/base/base.h"

/* By SANLAB_PRODUCTS: own (or not set) or blas; dies of any other word. */
bool products_are_own(void);

/* What decides the bits of a product: "1" for our own, else OpenBLAS with its version, build and
 * core (dies where it cannot be opened). */
const char *products_name(void);

#endif
