/* How a warp goes over rows by columns: it has 256 of them, and a lane the same packs of them in
 * all rows, whose sums it keeps. Loads of several rows are in flight at once. */
#pragma once

#include "core/cuda/window.h"

/* Rows of `count` values are even where all of their packs are whole or empty, and aligned. */
static inline bool row_is_even(const void *first, int64_t count)
{
    return (uintptr_t)first % 16 == 0 && count % PACK == 0;
}

/* A pack of an even row, without a branch; zeros of another one. */
DEVICE_FN struct words words_load(const struct act *from, struct stretch s, bool even)
{
    struct words w;
    for (int i = 0; i < 4; i++) w.word[i] = 0;
    if (even && s.hi == PACK)
        w = *(const struct words *)(const void *)((const act_type *)(const void *)from + s.at);
    return w;
}

/* The n-th pack that a lane keeps of a warp's shared memory, for itself: 16 bytes of each lane are
 * side by side, so that no two are of one bank. */
DEVICE_FN struct real_bytes *kept_bytes(real *memory, int n, int quarter)
{
    return (struct real_bytes *)(void *)memory + (n * (PACK / 4) + quarter) * WARP + lane_of();
}

DEVICE_FN struct packed kept_load(real *memory, int n)
{
    struct packed y;
    for (int k = 0; k < PACK / 4; k++) {
        const struct real_bytes b = *kept_bytes(memory, n, k);
        for (int i = 0; i < 4; i++) y.x[4 * k + i] = b.x[i];
    }
    return y;
}

DEVICE_FN void kept_store(real *memory, int n, struct packed y)
{
    for (int k = 0; k < PACK / 4; k++) {
        struct real_bytes b;
        for (int i = 0; i < 4; i++) b.x[i] = y.x[4 * k + i];
        *kept_bytes(memory, n, k) = b;
    }
}

/* Where the value of a column is that its lane keeps, pack by pack. */
DEVICE_FN int kept_place(int column)
{
    const int pack = column / (WARP * PACK), lane = column / PACK % WARP;
    return ((pack * (PACK / 4) + column % PACK / 4) * WARP + lane) * 4 + column % 4;
}

/* PACK of the 512 bits that all lanes have of two windows, those of the n-th pack. */
DEVICE_FN unsigned pack_kept(unsigned both, int n)
{
    return __shfl_sync(ALL_LANES, both, n % WARP) >> (n / WARP * PACK) & ((1u << PACK) - 1);
}

/* The same of 256 values from random index `index` on, where no window need begin. */
DEVICE_FN unsigned values_kept(uint64_t index, const struct step *step, struct dropout dropout)
{
    const struct window_row row = window_row(2 * WINDOW, index);
    const unsigned first = window_kept(row, 0, step, dropout);
    const int away = (int)(index % WINDOW);
    if (!away || !dropout.threshold) return first;
    const unsigned both = first | window_kept(row, 1, step, dropout) << (WINDOW_PACKS * PACK);
    unsigned kept = 0;
    EACH_PACK(k)
    {
        const int at = away + (k * WARP + lane_of()) * PACK;
        const unsigned two = pack_kept(both, at / PACK) | pack_kept(both, at / PACK + 1) << PACK;
        kept |= (two >> at % PACK & ((1u << PACK) - 1)) << (k * PACK);
    }
    return kept;
}
