/* What the kernels' files and a backend have from one another: core/cuda's own for a GPU, core/emu
 * for fibers.
 *
 *   DEVICE(op)   the name of this table's function for an op
 *
 * A backend gives upload, download, clear, read_act, write_act, sync, the products of products.h
 * and what is declared below; kernels give all other ops. */
#pragma once

#include "core/tensor/ops.h"

/* Bytes of a GPU's memory that cuBLASLt works in, on each stream: that of all, and that of what is
 * beside it. */
enum { LIBRARY_WORK = 32 << 20, DEVICE_STREAMS = 2 };

/* What the kernels of this folder compute, to the last bit: another order of sums is another
 * number. */
enum { DEVICE_KERNELS = 5 };

#define DEVICE_JOIN2(op, table) device_##op##_##table
#define DEVICE_JOIN(op, table) DEVICE_JOIN2(op, table)
#define DEVICE(op) DEVICE_JOIN(op, DEVICE_TABLE)
#define OP(name, parameters, arguments) C_NAME void DEVICE(name) parameters;
#include "core/tensor/ops.def"
#undef OP
/* Memory that a kernel leaves for the next one of the same op, at least so many bytes; the op that
 * asks next has it. */
C_NAME void *device_scratch(size_t bytes);
/* Issues a kernel of a GPU (LAUNCH, kernel.h); no blocks are no launch. Dies when CUDA refuses. */
C_NAME void device_launch(const void *kernel, const char *name, int64_t blocks, int threads,
                          size_t shared, const void *arguments);
/* Bytes of shared memory that a block may have. */
C_NAME int64_t device_room(void);
/* Whether attention in bf16 multiplies on tensor cores, of what is in shared memory (wmma.h) or in
 * registers (warp_mma.h): unless SANLAB_CUDA_OFF names `wmma`. */
C_NAME bool device_has_fragments(void);
/* The table that a plug-in shows for a precision, on the device of that number
 * (core/tensor/plugin.h). Dies where the device does not work. */
C_NAME const struct ops *plugin_table(enum precision precision, int number);
/* The node whose ops are issued now; NULL: none is. */
C_NAME const char *device_node(void);
/* The folder of a package of Python, from the heap; NULL if there is none. */
C_NAME char *device_python_package(const char *package);
