/* Functions for a warp that loops over rows and processes 256 columns of them. A lane processes the
 * same packs in all rows and keeps their sums. Loads of several rows are in flight at the same
 * time. */
#pragma once

#include "core/cuda/window.h"

/* True if rows of `count` values are even. In an even row, each pack has either PACK values or
 * none, and begins at a multiple of 16 bytes. */
static inline bool row_is_even(const void *first, int64_t count)
{
    return (uintptr_t)first % 16 == 0 && count % PACK == 0;
}

/* Loads a pack of an even row, without the branch of pack_words. Returns zeros if the pack is empty
 * or the row is not even. */
DEVICE_FN struct words words_load(const struct act *from, struct stretch s, bool even)
{
    struct words w;
    for (int i = 0; i < 4; i++) w.word[i] = 0;
    if (even && s.hi == PACK)
        w = *(const struct words *)(const void *)((const act_type *)(const void *)from + s.at);
    return w;
}

/* Returns the address of four values of this lane's n-th pack in the shared memory of a warp,
 * beginning with value 4 quarter. The pieces of 16 bytes of the 32 lanes are contiguous, so there
 * are no bank conflicts. */
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

/* Returns the index in `memory` at which kept_store stores the value of a column. The packs of the
 * lanes are in the order of columns. */
DEVICE_FN int kept_place(int column)
{
    const int pack = column / (WARP * PACK), lane = column / PACK % WARP;
    return ((pack * (PACK / 4) + column % PACK / 4) * WARP + lane) * 4 + column % 4;
}

/* Returns the dropout bits of the n-th pack of two windows. `both` has a lane's bits of the two
 * windows, and the 32 lanes together have 512 bits. */
DEVICE_FN unsigned pack_kept(unsigned both, int n)
{
    return __shfl_sync(ALL_LANES, both, n % WARP) >> (n / WARP * PACK) & ((1u << PACK) - 1);
}

/* Returns this lane's dropout bits of 256 values, as window_kept does. The first value has random
 * index `index`, which may be inside of a window. */
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
