/* Declares the op tables of the CPU backend. On x86-64, its sources are compiled twice, for
 * x86-64-v3 (AVX2) and x86-64-v4 (AVX-512). On aarch64, they are compiled once, for NEON. The order
 * of operations is the same, so all tables give the same bits. The double build has a single table.
 */
#pragma once

#include "core/tensor/ops.h"

#ifdef SANLAB_DOUBLE
extern const struct ops cpu_table_f64;
#else
#ifdef __x86_64__
extern const struct ops cpu_table_v3, cpu_table_v4;
#else
extern const struct ops cpu_table_neon;
#endif
enum { CPU_TABLES = 2 };

/* Writes the tables that this processor can run, the best one last. Returns their number. */
int cpu_tables(const struct ops *table[CPU_TABLES]);
#endif

/* Maximum number of elements of B in one block of k that a product packs at the same time. */
enum { CPU_PACKED = 1 << 20 };

/* A loop over fewer numbers runs on one thread. Results do not depend on this limit. Tests set it
 * to 0. */
extern int64_t cpu_sharing;

/* Returns memory for operands of ops, aligned to 64 bytes. free releases it. Dies if there is not
 * enough memory. Large memory consists of huge pages if the system allows them. Products otherwise
 * take some 5% longer, because every row of a tile is on another page. */
void *cpu_alloc(size_t bytes);

/* Returns the best table for this processor, or the table of SANLAB_ISA (v3, v4, neon). With
 * SANLAB_PRODUCTS=blas, the table computes matrix products by OpenBLAS (product_choice.h). */
const struct ops *cpu_ops(void);
