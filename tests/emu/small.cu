/* Kernels for the watch's own test, each with one access pattern; `wrong` breaks it. */
#include "tests/emu/small.h"

#include "core/cuda/wmma.h"

enum { THREADS = 64, FIRST = 0xffff };
#define LAST 0xffff0000u

#define SMALL_KERNEL(name, blocks, shared)                                                         \
    KERNEL(name##_kernel, THREADS, struct small, s);                                               \
    void small_##name(const struct small *s)                                                       \
    {                                                                                              \
        LAUNCH(name##_kernel, blocks, shared, s);                                                  \
    }                                                                                              \
    static void name##_kernel_body(const struct small *s)

/* Reads a value from the other end of the block. */
SMALL_KERNEL(mirror, 2, THREADS * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x;
    x[t] = (float)t;
    if (!s->wrong) __syncthreads();
    s->out[blockIdx.x * THREADS + t] = x[THREADS - 1 - t];
}

SMALL_KERNEL(same_value, 1, sizeof(float))
{
    SHARED(float, x);
    if (s->wrong || threadIdx.x == 3) x[0] = 1;
    __syncthreads();
    s->out[threadIdx.x] = x[0];
}

/* The other end of the warp. */
SMALL_KERNEL(warp_mirror, 1, THREADS * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x;
    x[t] = (float)t;
    if (!s->wrong) __syncwarp(ALL_LANES);
    s->out[t] = x[t ^ (WARP - 1)];
}

/* Reads from the other end of half a warp; the halves run separately. */
SMALL_KERNEL(half_mirror, 1, THREADS * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x, half = t % WARP / 16;
    for (unsigned i = 0; i < 2 + half; i++) {
        x[t] = (float)(t + i);
        if (!s->wrong) __syncwarp(half ? LAST : FIRST);
        s->out[t] = x[t ^ 15];
        __syncwarp(half ? LAST : FIRST);
    }
}

/* A barrier of each half orders no accesses between the halves. */
SMALL_KERNEL(other_half, 1, THREADS * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x, half = t % WARP / 16;
    x[t] = (float)t;
    __syncwarp(half ? LAST : FIRST);
    if (!s->wrong) __syncwarp(ALL_LANES);
    s->out[t] = x[t ^ 16];
}

/* A shuffle brings a value, and orders no memory. */
SMALL_KERNEL(shuffled, 1, THREADS * sizeof(float))
{
    SHARED(float, all);
    const unsigned t = threadIdx.x;
    float x = (float)t;
    all[t] = x;
    x = __shfl_xor_sync(ALL_LANES, x, 1);
    s->out[t] = s->wrong ? all[t ^ 1] : x;
}

/* Writes the next round's value while another thread may still read this round's value. */
SMALL_KERNEL(read_then_write, 1, THREADS * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        x[t] = (float)i;
        __syncthreads();
        s->out[t] = x[THREADS - 1 - t];
        if (!s->wrong) __syncthreads();
    }
}

/* Both warps read first; then a thread of the second one writes. */
SMALL_KERNEL(many_readers, 1, sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x;
    if (t == 0) x[0] = 1;
    __syncthreads();
    s->out[t] = x[0];
    if (s->wrong)
        __syncwarp(ALL_LANES);
    else
        __syncthreads();
    if (t == THREADS - 1) x[0] = 2;
}

SMALL_KERNEL(read_then_write_in_warp, 1, 2 * sizeof(float))
{
    SHARED(float, x);
    const unsigned t = threadIdx.x, warp = t / WARP;
    if (t % WARP == 5) x[warp] = 1;
    __syncwarp(ALL_LANES);
    s->out[t] = x[warp];
    if (!s->wrong) __syncwarp(ALL_LANES);
    if (t % WARP == 20) x[warp] = 2;
}

SMALL_KERNEL(blocks_write, 2, 0)
{
    if (threadIdx.x == 0) s->out[s->wrong ? 0 : blockIdx.x] = 1;
}

/* The third block reads a value that the first block wrote. */
SMALL_KERNEL(blocks_read, 3, 0)
{
    if (blockIdx.x == 0) s->out[threadIdx.x] = s->in[threadIdx.x];
    if (blockIdx.x == 2 && s->wrong) s->out[THREADS + threadIdx.x] = s->out[threadIdx.x];
}

/* The last block writes a value that all blocks read. */
SMALL_KERNEL(blocks_read_write, 3, 0)
{
    s->out[THREADS + blockIdx.x * THREADS + threadIdx.x] = s->out[threadIdx.x];
    if (blockIdx.x == 2 && s->wrong) s->out[threadIdx.x] = 1;
}

/* Bytes and pairs of bytes of one word, written by several threads. */
SMALL_KERNEL(neighbors, 1, 3 * THREADS)
{
    SHARED(unsigned char, bytes);
    uint16_t *pairs = (uint16_t *)(void *)(bytes + THREADS);
    const unsigned t = threadIdx.x;
    bytes[t] = (unsigned char)t;
    pairs[t] = (uint16_t)t;
    s->bytes[t] = bytes[s->wrong ? t ^ 1 : t];
    s->tokens[t] = pairs[t];
}

/* 16 bytes in one access, of which another lane reads four. */
SMALL_KERNEL(wide, 1, THREADS * sizeof(struct real_bytes))
{
    SHARED(struct real_bytes, x);
    struct real_bytes ones;
    const unsigned t = threadIdx.x;
    for (int i = 0; i < 4; i++) ones.x[i] = 1;
    x[t] = ones;
    if (!s->wrong) __syncwarp(ALL_LANES);
    s->out[t] = x[t ^ 1].x[3];
}

SMALL_KERNEL(beyond_shared, 1, THREADS * sizeof(float))
{
    SHARED(float, x);
    x[threadIdx.x + (s->wrong ? 1u : 0u)] = 1;
}

SMALL_KERNEL(beyond_device, 1, 0)
{
    s->tokens[threadIdx.x + (s->wrong ? 1 : 0)] = 1;
}

SMALL_KERNEL(odd_place, 1, 0)
{
    if (threadIdx.x) return;
    struct real_bytes *at = (struct real_bytes *)(void *)(s->out + (s->wrong ? 1 : 4));
    *at = *(const struct real_bytes *)(const void *)s->in;
}

/* Constants, arguments and locals are not shared memory. */
DEVICE_CONSTANT float weights[4] = {1, 2, 3, 4};
SMALL_KERNEL(arguments, 1, 0)
{
    float own[4];
    for (int i = 0; i < 4; i++) own[i] = weights[(i + (int)threadIdx.x) % 4];
    float *volatile mine = own;
    s->out[threadIdx.x] = mine[threadIdx.x % 4];
    if (s->wrong) ((struct small *)(uintptr_t)s)->out = NULL;
}

KERNEL(nothing_kernel, THREADS, struct small, s)
{
}
void small_on_host(const struct small *s)
{
    if (s->wrong) s->out[0] = 1;
    LAUNCH(nothing_kernel, 1, 0, s);
}

SMALL_KERNEL(foreign_mask, 1, 0)
{
    if (threadIdx.x % WARP < 8 && s->wrong) __syncwarp(0xff);
}

/* A warp's fragment must be aligned to 32 bytes. */
SMALL_KERNEL(fragment, 1, (2 * WMMA * WMMA + 1) * sizeof(float))
{
    SHARED(float, x);
    wmma_sum sum;
    wmma_clear(&sum);
    wmma_store(&sum, 1, x + warp_of() * WMMA * WMMA + s->wrong, WMMA);
}

SMALL_KERNEL(copy, 2, 0)
{
    const unsigned t = blockIdx.x * THREADS + threadIdx.x;
    s->out[t] = s->in[t];
}

/* Each lane copies 32 adjacent numbers, one after the other. */
SMALL_KERNEL(rows, 1, 0)
{
    if (threadIdx.x >= WARP) return;
    for (unsigned i = 0; i < WARP; i++)
        s->out[threadIdx.x * WARP + i] = s->in[threadIdx.x * WARP + i];
}

SMALL_KERNEL(packs, 1, 0)
{
    const unsigned t = threadIdx.x;
    ((struct real_bytes *)(void *)s->out)[t] = ((const struct real_bytes *)(const void *)s->in)[t];
}

/* Reads everything that it copies twice. */
SMALL_KERNEL(again, 1, 0)
{
    float sum = 0;
    for (int i = 0; i < 2; i++) {
        sum += ((const volatile float *)s->in)[threadIdx.x];
        __syncwarp(ALL_LANES);
    }
    s->out[threadIdx.x] = sum;
}

/* Each warp reads the same row, and all of its lanes also read one number. */
SMALL_KERNEL(shared_row, 1, 0)
{
    s->out[threadIdx.x] = s->in[threadIdx.x % WARP] + s->in[THREADS];
}

/* Reads or writes bytes of memory. `own` receives a read of 16 bytes. */
DEVICE_FN void touch(unsigned char *memory, int code, struct real_bytes *own)
{
    const int write = code % 2, size = code / 2 % PROGRAM_SIZES, place = code / 2 / PROGRAM_SIZES;
    volatile unsigned char *bytes = memory;
    volatile uint16_t *pairs = (volatile uint16_t *)(void *)memory;
    volatile uint32_t *words = (volatile uint32_t *)(void *)memory;
    volatile uint64_t *twice = (volatile uint64_t *)(void *)memory;
    struct real_bytes *packs = (struct real_bytes *)(void *)memory, zero;
    memset(&zero, 0, sizeof zero);
    if (size == 4 && write) packs[place] = zero;
    if (size == 4 && !write) *own = packs[place];
    if (size == 3) write ? (void)(twice[place] = 0) : (void)twice[place];
    if (size == 2) write ? (void)(words[place] = 0) : (void)words[place];
    if (size == 1) write ? (void)(pairs[place] = 0) : (void)pairs[place];
    if (size == 0) write ? (void)(bytes[place] = 0) : (void)bytes[place];
}

SMALL_KERNEL(program, PROGRAM_BLOCKS, PROGRAM_BYTES)
{
    SHARED(unsigned char, memory);
    const int t = (int)threadIdx.x;
    struct real_bytes *own =
        (struct real_bytes *)(void *)s->out + blockIdx.x * THREADS + threadIdx.x;
    for (int i = 0; i < s->steps; i++) {
        const int32_t *step = s->program + ((int)blockIdx.x * s->steps + i) * (1 + PROGRAM_THREADS);
        if (step[1 + t]) touch(s->shared ? memory : s->bytes, step[1 + t] - 1, own);
        const int meet = step[0];
        if (meet == MEET_BLOCK) __syncthreads();
        if (meet == MEET_WARP + t / WARP) __syncwarp(ALL_LANES);
        if (meet == MEET_HALF + t / 16) __syncwarp(t / 16 % 2 ? LAST : FIRST);
    }
}
