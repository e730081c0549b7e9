/* Memory, streams, launches and errors of one GPU, by CUDA's runtime. Only C files of this folder
 * include this header. */
#pragma once

#include "core/cuda/device.h"

/* Opens GPU `number` on the first call. Dies with one line if there is no driver or no GPU with
 * this number, or if the driver is too old. Also dies if the GPU is not supported or cannot be
 * opened. */
void driver_open(int number);
/* Returns the name of the GPU, such as "NVIDIA H200". */
const char *driver_gpu(void);
/* Dies unless `status`, a cudaError_t, is cudaSuccess. The message has the operation, `what`, and
 * CUDA's reason. */
void driver_need(int status, const char *what);
/* Returns a text about driver, GPU and free memory, separated by "; ". */
const char *driver_facts(void);
/* Returns the total bytes of device memory. */
size_t driver_memory(void);
/* Returns the stream for new operations: the main stream or, in a fork, the side stream. */
struct CUstream_st *driver_stream(void);
/* Implement fork, fork_end and join of struct ops. */
void driver_fork(void);
void driver_fork_end(void);
void driver_join(int late);
/* Turns planning on or off. During planning, ops do not launch kernels. They only allocate the
 * scratch memory that they need. */
void driver_plan(bool on);
bool driver_plans(void);
/* Sets the function that is called before scratch memory gets another address. */
void driver_tell_moves(void (*tell)(void));
/* Implement mark and elapsed of struct ops. */
void driver_mark(int number);
double driver_elapsed(int from, int to);
/* Returns zeroed device memory, aligned to 256 bytes. Dies if not enough memory is free. */
void *driver_alloc(size_t bytes);
/* Waits for all issued operations, then frees the memory. */
void driver_free(void *memory);

void driver_clear(void *memory, size_t bytes);
/* Waits for all issued operations, on both streams. */
void driver_sync(void);

/* True with SANLAB_CUDA_SYNC=1. The host then waits after every kernel and op, so that a message of
 * an error has the op and node. The table of ops calls driver_op_begins before an op and
 * driver_op_ends after it. */
bool driver_synced(void);
void driver_op_begins(const char *op);
void driver_op_ends(void);
