/* The CPU backend: the same sources compiled for x86-64-v3 and -v4 with one order of operations, so
 * both tables give the same bits; in the double build there is one table. */
#pragma once

#include "core/tensor/ops.h"

#ifdef SANLAB_DOUBLE
extern const struct ops cpu_table_f64;
#else
extern const struct ops cpu_table_v3, cpu_table_v4;
#endif

enum { CPU_PACKED = 1 << 20 }; /* elements of an operand that a product packs at once, at most */

/* One thread computes a loop over fewer numbers. Tests set this to 0; no bit depends on it. */
extern int64_t cpu_sharing;

/* The best table for this processor, or what SANLAB_ISA (v3, v4) asks for; its products are
 * OpenBLAS's where SANLAB_PRODUCTS=blas (products.h). */
const struct ops *cpu_ops(void);
