/* Loads and stores of activations and reals in kernels. PACK elements are one access of 16 bytes if
 * all of them exist and are aligned. Otherwise they are accessed one by one. */
#pragma once

#include "core/cuda/kernel.h"

/* 16 bytes in four registers, before conversion to floats. A thread waits for a load only at the
 * first use of its value. So a kernel can issue several loads before it converts the first
 * value. */
struct ALIGNED16 words {
    uint32_t word[4];
};

#ifdef DEVICE_BF16

#ifdef __CUDACC__
#include <cuda_bf16.h>
#endif

/* A number in bf16, which is the upper half of a float. */
typedef uint16_t act_type;

DEVICE_FN float act_real(act_type x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float y;
    memcpy(&y, &bits, sizeof y);
    return y;
}

/* Returns the i-th activation in 16 bytes, as a float. */
DEVICE_FN float words_real(struct words w, int i)
{
    const uint32_t bits = i % 2 ? w.word[i / 2] & 0xffff0000u : w.word[i / 2] << 16;
    float y;
    memcpy(&y, &bits, sizeof y);
    return y;
}

/* Rounds to nearest, ties to even; a NaN stays NaN. */
DEVICE_FN act_type act_of(float x)
{
#ifdef __CUDACC__
    return __bfloat16_as_ushort(__float2bfloat16_rn(x));
#else
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (act_type)(bits >> 16 | 0x40u);
    return (act_type)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#endif
}

#else

typedef float act_type;

DEVICE_FN float act_real(act_type x)
{
    return x;
}
DEVICE_FN act_type act_of(float x)
{
    return x;
}
DEVICE_FN float words_real(struct words w, int i)
{
    float y;
    memcpy(&y, &w.word[i], sizeof y);
    return y;
}

#endif

enum {
    PACK = 16 / sizeof(act_type), /* activations per 16 bytes */
    ACT_IS_REAL = sizeof(act_type) == sizeof(real)
};

struct ALIGNED16 act_bytes {
    act_type x[PACK];
};
struct ALIGNED16 real_bytes {
    float x[4];
};

/* Stores 16 bytes. nvcc splits this store into several stores unless it knows that the address is
 * in global memory. */
#ifdef __CUDACC__
DEVICE_FN void store16(void *to, uint4 x)
{
    if (__isGlobal(to))
        __stwb((uint4 *)to, x);
    else
        *(uint4 *)to = x;
}
#define STORE16(type, to, x) store16(to, *(const uint4 *)&(x))
#else
#define STORE16(type, to, x) (*(type *)(void *)(to) = (x))
#endif

/* PACK consecutive values, as floats. */
struct packed {
    float x[PACK];
};

/* The indices of PACK consecutive elements, from `at` on. Only the elements at + lo to at + hi - 1
 * exist. `at` may be negative. */
struct stretch {
    int64_t at;
    int lo, hi;
};

DEVICE_FN struct stretch stretch_of(int64_t at, int64_t count)
{
    struct stretch s;
    s.at = at;
    s.lo = at >= 0 ? 0 : at <= -PACK ? PACK : (int)-at;
    s.hi = at + PACK <= count ? PACK : at >= count ? 0 : (int)(count - at);
    return s;
}

/* Returns the same columns in row `row` of a matrix. */
DEVICE_FN struct stretch columns_at(struct stretch columns, int64_t row, int64_t ld)
{
    columns.at += row * ld;
    return columns;
}

DEVICE_FN struct packed pack_zero(void)
{
    struct packed x;
    for (int i = 0; i < PACK; i++) x.x[i] = 0;
    return x;
}

/* True if one access of 16 bytes is enough. */
DEVICE_FN bool whole(const void *p, struct stretch s)
{
    return s.lo == 0 && s.hi == PACK && (uintptr_t)p % 16 == 0;
}

DEVICE_FN float act_get(const struct act *p, int64_t at)
{
    return act_real(((const act_type *)(const void *)p)[at]);
}

DEVICE_FN void act_put(struct act *p, int64_t at, float x)
{
    ((act_type *)(void *)p)[at] = act_of(x);
}

/* Returns the address of element `count`. */
BOTH_FN const struct act *act_from(const struct act *p, int64_t count)
{
    return (const struct act *)(const void *)((const act_type *)(const void *)p + count);
}

BOTH_FN struct act *act_to(struct act *p, int64_t count)
{
    return (struct act *)(void *)((act_type *)(void *)p + count);
}

/* Loads a pack without conversion. Elements that do not exist are 0. */
DEVICE_FN struct words pack_words(const struct act *from, struct stretch s)
{
    const act_type *p = (const act_type *)(const void *)from + s.at;
    struct words w;
    if (whole(p, s)) {
        w = *(const struct words *)(const void *)p;
    } else {
        struct act_bytes b;
        for (int i = 0; i < PACK; i++) b.x[i] = i >= s.lo && i < s.hi ? p[i] : 0;
        memcpy(&w, &b, sizeof w);
    }
    return w;
}

DEVICE_FN struct packed words_pack(struct words w)
{
    struct packed y;
    for (int i = 0; i < PACK; i++) y.x[i] = words_real(w, i);
    return y;
}

DEVICE_FN struct act_bytes bytes_load(const struct act *from, struct stretch s)
{
    const struct words w = pack_words(from, s);
    struct act_bytes b;
    memcpy(&b, &w, sizeof b);
    return b;
}

DEVICE_FN struct packed pack_load(const struct act *from, struct stretch s)
{
    return words_pack(pack_words(from, s));
}

DEVICE_FN void pack_store(struct act *to, struct stretch s, struct packed y)
{
    act_type *p = (act_type *)(void *)to + s.at;
    if (whole(p, s)) {
        struct act_bytes b;
        for (int i = 0; i < PACK; i++) b.x[i] = act_of(y.x[i]);
        STORE16(struct act_bytes, p, b);
    } else {
        for (int i = 0; i < PACK; i++)
            if (i >= s.lo && i < s.hi) p[i] = act_of(y.x[i]);
    }
}

/* Sets columns 0 to columns - 1 of x to 0 in rows first to end - 1, which are `ld` elements apart.
 * The rows are divided among `parts` blocks. This block clears every `parts`-th row, from row first
 * + part on. */
DEVICE_FN void block_clear(struct act *x, int64_t ld, int columns, int64_t first, int64_t end,
                           int64_t part, int64_t parts)
{
    for (int64_t row = first + part; row < end; row += parts)
        for (int c = (int)threadIdx.x; c < columns; c += (int)blockDim.x)
            act_put(x, row * ld + c, 0);
}

/* Sets a row of x to 0. The lanes of one warp call this function. If x is NULL, it does nothing. */
DEVICE_FN void row_clear(struct act *x, int64_t row, int columns)
{
    for (int c = lane_of(); c < columns && x; c += WARP) act_put(x, row * columns + c, 0);
}

/* Like pack_load, for reals. */
DEVICE_FN struct packed real_load(const real *from, struct stretch s)
{
    const real *p = from + s.at;
    struct packed y;
    if (whole(p, s)) {
        for (int k = 0; k < PACK / 4; k++) {
            const struct real_bytes b = ((const struct real_bytes *)(const void *)p)[k];
            for (int i = 0; i < 4; i++) y.x[4 * k + i] = b.x[i];
        }
    } else {
        for (int i = 0; i < PACK; i++) y.x[i] = i >= s.lo && i < s.hi ? p[i] : 0;
    }
    return y;
}

DEVICE_FN void real_store(real *to, struct stretch s, struct packed y)
{
    real *p = to + s.at;
    if (whole(p, s)) {
        for (int k = 0; k < PACK / 4; k++) {
            struct real_bytes b;
            for (int i = 0; i < 4; i++) b.x[i] = y.x[4 * k + i];
            STORE16(struct real_bytes, p + 4 * k, b);
        }
    } else {
        for (int i = 0; i < PACK; i++)
            if (i >= s.lo && i < s.hi) p[i] = y.x[i];
    }
}
