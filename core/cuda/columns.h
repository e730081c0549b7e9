/* Loops of a warp over rows. A warp has 256 columns. A lane has the same packs in all rows, and
 * keeps their sums. Loads of several rows are in flight at the same time. */
#pragma once

#include "core/cuda/window.h"

/* True if rows of `count` values are even: all packs are whole or empty, and aligned. */
static inline bool row_is_even(const void *first, int64_t count)
{
    return (uintptr_t)first % 16 == 0 && count % PACK == 0;
}

/* Loads a pack of an even row, without a branch; zeros if the row is not even. */
DEVICE_FN struct words words_load(const struct act *from, struct stretch s, bool even)
{
    struct words w;
    for (int i = 0; i < 4; i++) w.word[i] = 0;
    if (even && s.hi == PACK)
        w = *(const struct words *)(const void *)((const act_type *)(const void *)from + s.at);
    return w;
}

/* Returns the address of the n-th private pack of a lane in a warp's shared memory. The 16-byte
 * pieces of the lanes are contiguous, which avoids bank conflicts. */
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

/* Returns the index of the stored value of a column, pack by pack. */
DEVICE_FN int kept_place(int column)
{
    const int pack = column / (WARP * PACK), lane = column / PACK % WARP;
    return ((pack * (PACK / 4) + column % PACK / 4) * WARP + lane) * 4 + column % 4;
}

/* Returns the bits of the n-th pack, from the 512 bits that all lanes have for two windows. */
DEVICE_FN unsigned pack_kept(unsigned both, int n)
{
    return __shfl_sync(ALL_LANES, both, n % WARP) >> (n / WARP * PACK) & ((1u << PACK) - 1);
}

/* Returns the bits of 256 values from random index `index` on, which may be inside of a window. */
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
