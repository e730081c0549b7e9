/* The kernel language: the common subset of C and C++, with CUDA's names for threads, barriers and
 * warps. nvcc compiles the kernels for a GPU. gcc -std=c11 -x c compiles the same kernels for the
 * host, where each thread is a fiber (core/simt). This needs no CUDA installation.
 *
 *   KERNEL(name, threads, type, a) { .. }  defines a kernel for blocks of `threads` threads; `a`
 *                                          points to its argument, a struct
 *   LAUNCH(name, blocks, shared, &args)    launches `blocks` blocks of a kernel, each with `shared`
 *                                          bytes of shared memory
 *   OP_KERNEL(op, type, a, name, blocks, shared)
 *                                          defines an op that only launches this kernel
 *   SHARED(type, name)                     declares a pointer to the block's shared memory, once
 *                                          per kernel
 *   DEVICE_FN                              prefix of a function for kernels
 *   BOTH_FN                                prefix of a function for kernels and the host
 *   AHEAD for (..)                         unrolls 16 times, so that loads are in flight at the
 *                                          same time. It is for sums that few warps compute. The
 *                                          order of a sum stays the same
 *   UNROLL for (..)                        unrolls all iterations of a loop with a constant number
 *                                          of iterations, so that arrays indexed by the loop
 *                                          variable stay in registers
 *   ROLLED for (..)                        does not unroll, so that the loop needs few registers
 *
 * In comments of kernels, "x [T, N] -> out [T]" gives the shapes of the input x and of the output
 * out. "(+)=" is an assignment, or an addition if the flag of the op (`add`, `add_x`, ..) is true.
 *
 * Padding bytes of an argument must be zero (memset), because tests compare recorded arguments byte
 * by byte (core/emu/record.h).
 *
 * Kernels use one-dimensional grids, no static shared memory, no atomic operation on floats, and no
 * assembler outside of warp_mma.h. No block waits for another block. Sums have a fixed order: each
 * lane adds its own values, warp_sum adds the lanes, then warps or chunks are added in order. */
#pragma once

#include "core/cuda/device.h"

enum { WARP = 32 };
#define ALL_LANES 0xffffffffu

#ifdef __CUDACC__

#define DEVICE_FN static __device__ __forceinline__
#define BOTH_FN static __host__ __device__ __forceinline__
#define DEVICE_CONSTANT static __device__ const
#define KERNEL(name, threads, type, a)                                                             \
    enum { name##_threads = threads };                                                             \
    DEVICE_FN void name##_body(const type *a);                                                     \
    static __global__ void __launch_bounds__(threads, 1)                                           \
        name(const __grid_constant__ type arguments)                                               \
    {                                                                                              \
        name##_body(&arguments);                                                                   \
    }                                                                                              \
    DEVICE_FN void name##_body(const type *a)
#define LAUNCH(name, blocks, shared, arguments)                                                    \
    device_launch((const void *)name, #name, blocks, name##_threads, shared, arguments)
#define SHARED(type, name)                                                                         \
    extern __shared__ __align__(32) unsigned char device_shared[];                                 \
    type *name = (type *)device_shared
#define ALIGNED16 __align__(16)
#define AHEAD _Pragma("unroll 16")
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")

#else

#include <math.h>
#include <string.h>

#include "core/simt/simt.h"

#define DEVICE_FN static inline __attribute__((always_inline, unused))
#define BOTH_FN DEVICE_FN
#define DEVICE_CONSTANT static const
#define KERNEL(name, threads, type, a)                                                             \
    static void name##_body(const type *a);                                                        \
    static void name##_run(const void *arguments)                                                  \
    {                                                                                              \
        name##_body((const type *)arguments);                                                      \
    }                                                                                              \
    static const struct simt_kernel name = {#name, name##_run, threads, sizeof(type)};             \
    static void name##_body(const type *a)
#define LAUNCH(name, blocks, shared, arguments) simt_launch(&name, blocks, shared, arguments)
#define SHARED(type, name) type *name = (type *)(void *)simt_now.shared
#define ALIGNED16 __attribute__((aligned(16)))
#define AHEAD
#define UNROLL
#define ROLLED

#define threadIdx simt_now.thread
#define blockIdx simt_now.block
#define blockDim simt_now.threads
#define gridDim simt_now.blocks

#define SIMT_TEXT2(x) #x
#define SIMT_TEXT(x) SIMT_TEXT2(x)
#define SIMT_PLACE __FILE__ ":" SIMT_TEXT(__LINE__)
#define __syncthreads() simt_barrier(SIMT_PLACE)
#define __syncwarp(mask) simt_meet(mask, SIMT_PLACE)
#define __ballot_sync(mask, yes) simt_ballot(mask, yes, SIMT_PLACE)
/* Shuffles a value of at most eight bytes. */
#define __shfl_sync(mask, value, from)                                                             \
    __extension__({                                                                                \
        __typeof__(value) shuffled_ = (value);                                                     \
        uint64_t bits_ = 0;                                                                        \
        memcpy(&bits_, &shuffled_, sizeof shuffled_);                                              \
        bits_ = simt_shuffle(mask, bits_, from, SIMT_PLACE);                                       \
        memcpy(&shuffled_, &bits_, sizeof shuffled_);                                              \
        shuffled_;                                                                                 \
    })
#define __shfl_xor_sync(mask, value, away)                                                         \
    __shfl_sync(mask, value, (int)((threadIdx.x % WARP) ^ (unsigned)(away)))

#endif

#define OP_KERNEL(op, type, a, name, blocks, shared)                                               \
    void DEVICE(op)(const type *a)                                                                 \
    {                                                                                              \
        LAUNCH(name, blocks, shared, a);                                                           \
    }

DEVICE_FN int lane_of(void)
{
    return (int)(threadIdx.x % WARP);
}

/* Return the index of this warp among the warps of its block, and among the warps of all blocks. */
DEVICE_FN int warp_of(void)
{
    return (int)(threadIdx.x / WARP);
}
DEVICE_FN int64_t warp_of_all(void)
{
    return (int64_t)blockIdx.x * (blockDim.x / WARP) + warp_of();
}

/* Return the sum and the maximum over the lanes of a warp. All lanes get the result. */
DEVICE_FN float warp_sum(float x)
{
    for (int away = WARP / 2; away; away /= 2) x += __shfl_xor_sync(ALL_LANES, x, away);
    return x;
}
DEVICE_FN float warp_max(float x)
{
    for (int away = WARP / 2; away; away /= 2) {
        const float other = __shfl_xor_sync(ALL_LANES, x, away);
        x = other > x ? other : x;
    }
    return x;
}

/* Returns exp(x) with a relative error of a few millionths. This is enough for results that are
 * rounded to bf16. */
DEVICE_FN float exp_near(float x)
{
#ifdef __CUDACC__
    return __expf(x);
#else
    return expf(x);
#endif
}

DEVICE_FN float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

static inline int64_t parts(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* Returns an upper bound of the number of chunks into which `rows` rows or fewer are divided. A
 * chunk has at least `least` rows, and there are at most `most` chunks. So memory for this number
 * of chunks is also enough for fewer rows. */
static inline int64_t chunks_most(int64_t rows, int64_t least, int64_t most)
{
    const int64_t chunks = parts(rows, least);
    return chunks < most ? chunks : most;
}
