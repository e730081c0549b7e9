/* One GPU, by CUDA's runtime: what the other C files of this folder need of driver.c. */
#pragma once

#include "core/cuda/device.h"

/* Opens the GPU of that number, once. Dies, in one line each: no driver, one that is too old, no
 * GPU, none of that number, one that these kernels are not for or that refuses. */
void driver_open(int number);
/* Its name, "NVIDIA H200". */
const char *driver_gpu(void);
/* Dies, with what failed and why, unless a call of CUDA's has succeeded (cudaError_t). */
void driver_need(int status, const char *what);
/* Driver, GPU and free memory, parted by "; ". */
const char *driver_facts(void);
/* Bytes of its memory, in all. */
size_t driver_memory(void);
/* What is issued now goes here: to one stream or, within a fork, to a second one. */
struct CUstream_st *driver_stream(void);
/* struct ops: fork, fork_end, join. */
void driver_fork(void);
void driver_fork_end(void);
void driver_join(int late);
/* From here on nothing is done, only scratch is taken; or no longer so. */
void driver_plan(bool on);
bool driver_plans(void);
/* Sets the function that is called before scratch memory moves. */
void driver_tell_moves(void (*tell)(void));
/* struct ops: mark, elapsed. */
void driver_mark(int number);
double driver_elapsed(int from, int to);
/* Zeroed memory of the GPU, aligned to 256 bytes. Dies where there is none. */
void *driver_alloc(size_t bytes);
/* Waits for all that was issued. */
void driver_free(void *memory);

/* Zeroes. */
void driver_clear(void *memory, size_t bytes);
/* Waits for all that was issued, on both streams. */
void driver_sync(void);

/* SANLAB_CUDA_SYNC=1: every op is waited for, so that an error is said of the op that made it, and
 * of its node. An op begins, and ends. */
bool driver_synced(void);
void driver_op_begins(const char *op);
void driver_op_ends(void);
