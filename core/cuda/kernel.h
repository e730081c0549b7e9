/* What kernels are written in: the part of C that is C++ as well, with CUDA's own words for
 * threads, barriers and warps. nvcc compiles it for a GPU; gcc -std=c11 -x c compiles it for fibers
 * (core/simt), where nothing of CUDA is installed.
 *
 *   KERNEL(name, threads, type, a) { .. }  a kernel for blocks of so many threads; `a` points to
 *                                          its arguments, one struct
 *   LAUNCH(name, blocks, shared, &args)    issues it, with so many bytes of shared memory a block
 *   OP_KERNEL(op, type, a, name, blocks, shared)
 *                                          the op that does nothing but issue this kernel
 *   SHARED(type, name)                     the block's shared memory, once in a kernel
 *   DEVICE_FN, BOTH_FN                     begin a function that kernels call, and the host, too
 *   AHEAD for (..)                         loads of 16 turns are in flight at once; for sums of few
 *                                          warps, which keep their order
 *   UNROLL for (..)                        of a constant number of turns: what they index by the
 *                                          turn is in registers
 *   ROLLED for (..)                        one turn behind the other, in the fewest registers
 *
 * Arguments have no gaps that are not zero (memset), for recorded ones are compared.
 *
 * Kernels use one-dimensional grids, no static shared memory, no atomic operation on floats and no
 * assembler but that of warp_mma.h, and no block waits for another one. Sums have one order: a
 * lane's own values, lanes by warp_sum, warps or chunks one after the other. */
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
/* Of values of at most eight bytes. */
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

/* Which warp of the block, which of all blocks. */
DEVICE_FN int warp_of(void)
{
    return (int)(threadIdx.x / WARP);
}
DEVICE_FN int64_t warp_of_all(void)
{
    return (int64_t)blockIdx.x * (blockDim.x / WARP) + warp_of();
}

/* Of a whole warp, in all its lanes. */
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

/* exp(x) to some parts in a million, for what is rounded to bf16. */
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

/* The most chunks that up to so many rows are cut into, each of `least` rows or more, together not
 * more than `most`. Room for them does for fewer rows, which may be more chunks. */
static inline int64_t chunks_most(int64_t rows, int64_t least, int64_t most)
{
    const int64_t chunks = parts(rows, least);
    return chunks < most ? chunks : most;
}
