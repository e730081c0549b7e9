/* The CPU backend. The same sources are compiled for x86-64-v3 and -v4, with one order of
 * operations, so both tables give the same bits. The double build has a single table. */
#pragma once

#include "core/tensor/ops.h"

#ifdef SANLAB_DOUBLE
extern const struct ops cpu_table_f64;
#else
extern const struct ops cpu_table_v3, cpu_table_v4;
#endif

/* Upper bound of the elements of an operand that a product packs at once. */
enum { CPU_PACKED = 1 << 20 };

/* Loops over fewer numbers run on one thread. Tests set this to 0; no bit depends on it. */
extern int64_t cpu_sharing;

/* Returns the best table for this processor, or the table of SANLAB_ISA (v3, v4). With
 * SANLAB_PRODUCTS=blas its products are OpenBLAS's (product_choice.h). */
const struct ops *cpu_ops(void);
