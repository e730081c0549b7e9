/* Interface between kernels and a backend: core/cuda for a GPU, core/emu for fibers.
 *
 *   DEVICE(op)   the name of this table's function for an op
 *
 * A backend defines upload, download, clear, read_act, write_act, sync, the products of products.h
 * and the functions declared below. Kernels define all other ops. */
#pragma once

#include "core/tensor/ops.h"

/* LIBRARY_WORK: bytes of cuBLASLt's workspace on each stream. DEVICE_STREAMS: the main stream and
 * the stream of forks. */
enum { LIBRARY_WORK = 32 << 20, DEVICE_STREAMS = 2 };

/* Version of the kernels' results. Increase it if a last bit changes, for example by another order
 * of a sum. */
enum { DEVICE_KERNELS = 5 };

#define DEVICE_JOIN2(op, table) device_##op##_##table
#define DEVICE_JOIN(op, table) DEVICE_JOIN2(op, table)
#define DEVICE(op) DEVICE_JOIN(op, DEVICE_TABLE)
#define OP(name, parameters, arguments) C_NAME void DEVICE(name) parameters;
#include "core/tensor/ops.def"
#undef OP
/* Returns at least `bytes` bytes of memory, for data between the kernels of one op. The next op
 * that calls this function gets the same memory. */
C_NAME void *device_scratch(size_t bytes);
/* Launches a kernel (LAUNCH, kernel.h); does nothing for 0 blocks. Dies if CUDA refuses. */
C_NAME void device_launch(const void *kernel, const char *name, int64_t blocks, int threads,
                          size_t shared, const void *arguments);
/* Returns the upper bound of a block's shared memory in bytes. */
C_NAME int64_t device_room(void);
/* True if attention in bf16 uses tensor cores, with operands in shared memory (wmma.h) or in
 * registers (warp_mma.h). False if SANLAB_CUDA_OFF names `wmma`. */
C_NAME bool device_has_fragments(void);
/* Returns the table of a plug-in for a precision, on device `number` (core/tensor/plugin.h). Dies
 * if the device does not work. */
C_NAME const struct ops *plugin_table(enum precision precision, int number);
/* Returns the path of the node that is issuing ops; NULL: none. */
C_NAME const char *device_node(void);
/* Returns the folder of a Python package, allocated on the heap; NULL if there is none. */
C_NAME char *device_python_package(const char *package);
