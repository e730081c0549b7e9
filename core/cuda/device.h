/* Interface between the kernels and the two backends that run them: core/cuda on a GPU, core/emu on
 * the host.
 *
 *   DEVICE(op)   the name of this table's function for an op
 *
 * Each backend defines upload, download, clear, read_act, write_act, sync, the products of
 * products.h and the functions declared below. The .cu files define all other ops. */
#pragma once

#include "core/tensor/ops.h"

/* LIBRARY_WORK: bytes of cuBLASLt's workspace on each stream. DEVICE_STREAMS: number of streams,
 * the main stream and the side stream of forks. */
enum { LIBRARY_WORK = 32 << 20, DEVICE_STREAMS = 2 };

/* Version of the kernels, for `numerics` of struct ops. Increase it if a change of the kernels can
 * change the last bit of a result, for example the order of a sum. */
enum { DEVICE_KERNELS = 5 };

#define DEVICE_JOIN2(op, table) device_##op##_##table
#define DEVICE_JOIN(op, table) DEVICE_JOIN2(op, table)
#define DEVICE(op) DEVICE_JOIN(op, DEVICE_TABLE)
#define OP(name, parameters, arguments) C_NAME void DEVICE(name) parameters;
#include "core/tensor/ops.def"
#undef OP
/* Returns scratch memory of at least `bytes` bytes, in which a kernel leaves data for the next
 * kernel of the op. The next op on the same stream that calls this function gets the same
 * memory. */
C_NAME void *device_scratch(size_t bytes);
/* Launches a kernel on a GPU; the macro LAUNCH (kernel.h) calls it. Does nothing for 0 blocks. Dies
 * if CUDA refuses the launch. */
C_NAME void device_launch(const void *kernel, const char *name, int64_t blocks, int threads,
                          size_t shared, const void *arguments);
/* Returns the maximum size of the shared memory of a block, in bytes. */
C_NAME int64_t device_room(void);
/* True if attention in bf16 uses tensor cores, with operands in shared memory (wmma.h) or in
 * registers (warp_mma.h). False if SANLAB_CUDA_OFF contains `wmma`. */
C_NAME bool device_has_fragments(void);
/* Returns the op table for a precision, on device `number`. Every plug-in has this function
 * (core/tensor/plugin.h). Dies if the device does not work. */
C_NAME const struct ops *plugin_table(enum precision precision, int number);
/* Returns the path of the node that is issuing ops; NULL if no node is. */
C_NAME const char *device_node(void);
/* Returns the folder of a Python package; NULL if the package is not installed. The caller frees
 * the string. */
C_NAME char *device_python_package(const char *package);
