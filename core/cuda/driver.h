/* One GPU, by CUDA's runtime; used by the other C files of this folder. */
#pragma once

#include "core/cuda/device.h"

/* Opens GPU `number` on the first call. Dies with one line if there is no driver or no GPU with
 * this number, or if the driver is too old. Also dies if the GPU is not supported or cannot be
 * opened. */
void driver_open(int number);
/* Returns the name, "NVIDIA H200". */
const char *driver_gpu(void);
/* Dies with the operation and the reason unless `status` (cudaError_t) is success. */
void driver_need(int status, const char *what);
/* Returns driver, GPU and free memory, separated by "; ". */
const char *driver_facts(void);
/* Returns the total bytes of device memory. */
size_t driver_memory(void);
/* Returns the stream for new operations: the main stream or, in a fork, the side stream. */
struct CUstream_st *driver_stream(void);
/* struct ops: fork, fork_end, join. */
void driver_fork(void);
void driver_fork_end(void);
void driver_join(int late);
/* Turns planning on or off. During planning no kernel runs, and only scratch memory is
 * allocated. */
void driver_plan(bool on);
bool driver_plans(void);
/* Sets the function that is called before scratch memory moves. */
void driver_tell_moves(void (*tell)(void));
/* struct ops: mark, elapsed. */
void driver_mark(int number);
double driver_elapsed(int from, int to);
/* Returns zeroed device memory, aligned to 256 bytes. Dies if there is not enough. */
void *driver_alloc(size_t bytes);
/* Waits for all issued operations before freeing. */
void driver_free(void *memory);

void driver_clear(void *memory, size_t bytes);
/* Waits for all issued operations, on both streams. */
void driver_sync(void);

/* SANLAB_CUDA_SYNC=1: waits after every op, so that an error message names its op and node.
 * driver_op_begins and driver_op_ends enclose an op. */
bool driver_synced(void);
void driver_op_begins(const char *op);
void driver_op_ends(void);
