/* Runs the kernels of core/cuda, compiled by gcc, on the host (core/cuda/kernel.h). Every CUDA
 * thread of a block is a fiber: a function with a separate stack. Fibers run one at a time, each
 * until it must wait. The same order of fibers always gives the same bits. If a kernel has a race,
 * another order may give other bits.
 *
 * A violation of CUDA's rules ends the program. The message names the kernel, the block and the
 * threads. The violations are:
 *   - threads of a block are at different barriers
 *   - lanes of a mask are at different warp functions
 *   - threads have ended while others wait for them
 *
 * Shared memory is NaN at the beginning of a block. */
#pragma once

#include "core/base/base.h"

enum {
    SIMT_LANES = 32,
    SIMT_THREADS = 1024,     /* maximum number of threads of a block */
    SIMT_SHARED = 227 << 10, /* maximum bytes of shared memory per block, as on an H200 */
    FIBER_STACK = 256 << 10  /* bytes of the stack of a thread */
};

struct simt_index {
    unsigned x;
};

struct simt_kernel {
    const char *name;
    void (*body)(const void *arguments);
    unsigned threads; /* threads per block */
    size_t bytes;     /* bytes of the arguments */
};

/* The running CUDA thread, its block and its kernel. */
struct simt_now {
    struct simt_index thread, block, threads, blocks;
    unsigned char *shared; /* shared memory of the block */
    size_t shared_bytes;   /* requested bytes of shared memory */
    const void *arguments;
    const struct simt_kernel *kernel; /* NULL: no kernel is running */
};
extern struct simt_now simt_now;

/* Runs all blocks, one after the other. */
void simt_launch(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                 const void *arguments);

/* Callbacks for a memory checker (tests/watch/memory_watch.h). */
struct simt_watch {
    /* Called when device memory of this size was allocated; 0: the memory was released. */
    void (*memory)(const void *memory, size_t bytes);
    /* Called when a block begins. */
    void (*block)(void);
    /* Called when all lanes of a mask have arrived at the same warp function, in the warp of the
     * running thread. `orders` is true if the function is __syncwarp, which orders accesses to
     * memory. */
    void (*met)(unsigned mask, bool orders);
    /* Called when all threads of the block have arrived at a barrier. */
    void (*opened)(const char *place);
};

/* Settings for tests; may be changed between launches. */
struct simt_control {
    /* Order of warps and of their lanes. 0: by index; other values permute warps and lanes. */
    uint32_t order;
    /* Kernel and source location of a barrier that threads skip, to test a kernel without it. NULL:
     * threads wait at every barrier. */
    const char *skip_kernel, *skip_place;
    /* Called for every arrival of a thread at a barrier; may be NULL. */
    void (*barrier)(const char *kernel, const char *place);
    /* Called before every launch; false prevents the launch. NULL: all kernels run. */
    bool (*issued)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                   const void *arguments);
    /* Called before and after every launch. */
    void (*launch)(const struct simt_kernel *kernel, int64_t blocks, bool begins);
    const struct simt_watch *watch; /* NULL: none */
};
extern struct simt_control simt_control;

/* CUDA's functions for a block or a warp. `place` is the source location of the call. simt_shuffle
 * receives the bits of a value and returns the bits of lane `source`. If `source` is not a number
 * of a lane, 0 to 31, the lane keeps its value. */
void simt_barrier(const char *place);
void simt_meet(unsigned mask, const char *place);
unsigned simt_ballot(unsigned mask, bool yes, const char *place);
uint64_t simt_shuffle(unsigned mask, uint64_t bits, int source, const char *place);
/* Computes c += a b by all lanes of a warp. Each lane has a part of the operands
 * (core/cuda/warp_mma.h). */
void simt_mma(float c[4], const uint32_t a[4], const uint32_t b[2], const char *place);

/* Calls `memory` of simt_control.watch. Call it when device memory is allocated; with 0 bytes when
 * it is released. */
void simt_memory(const void *memory, size_t bytes);

/* Ends the program with a message: the kernel, the block, the thread, and the given text. */
NORETURN void simt_fail(const char *format, ...) PRINTF(1, 2);
