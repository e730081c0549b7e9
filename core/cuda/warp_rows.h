/* Loads rows of heads with 32 or 64 columns as operands of a warp's products (warp_mma.h). A lane
 * loads 16 contiguous bytes, although its numbers in an operand are pairs of columns that are not
 * neighbors. So the columns of an operand are not in their usual order. In a sum over columns, both
 * operands have the same order (rows_left, by_rows). In a result, over_rows and `store` use the
 * same order. */
#pragma once

#include "core/cuda/warp_mma.h"

#ifdef DEVICE_BF16

enum {
    HEAD_MOST = 64,
    STEPS = HEAD_MOST / 16, /* steps of a sum over a head's columns */
    TILES = HEAD_MOST / 8   /* tiles of a head's columns */
};

/* The rows of a sentence in one head. Element (i, c) is x[at + i ld + c], unless the rows are
 * folded in shared memory (fold). The struct has x as the kernel receives it, and indices of type
 * int, because this needs the fewest registers. */
struct slice {
    const struct act *x;
    int at, ld;
    bool folded;
};

DEVICE_FN struct slice slice_of(const struct act *x, int64_t row, int ld, int column)
{
    struct slice s;
    s.x = x, s.at = (int)row * ld + column, s.ld = ld, s.folded = false;
    return s;
}

/* Returns the position in shared memory, in packs, of the n-th pack of folded rows. A line of eight
 * packs covers all banks. The order of the packs within a line depends on the line. So eight lanes
 * that read at the same time use eight different positions within lines, and there are no bank
 * conflicts. These lanes read four packs of each of two rows (rows_left, by_rows). In over_rows,
 * they read two packs of each of four rows: every second of eight rows. */
DEVICE_FN int fold(int n)
{
    const int line = n / 8;
    return line * 8 + (n % 8 ^ (line & 6) ^ (line & 1) << 2);
}

/* Returns the index in x of an element of a row, in heads with d columns. */
DEVICE_FN int slice_place(struct slice s, int row, int column, const int d)
{
    if (!s.folded) return s.at + row * s.ld + column;
    return s.at + fold(row * (d / PACK) + column / PACK) * PACK + column % PACK;
}

/* Loads 16 bytes, four pairs of neighboring numbers, from element `at` on. Its address is a
 * multiple of 16 bytes. */
DEVICE_FN struct words words_at(const struct act *x, int at)
{
    return *(const struct words *)(const void *)act_from(x, at);
}
/* Loads 8 bytes into the first two words. The address of element `at` is a multiple of 8 bytes. */
DEVICE_FN struct words half_words_at(const struct act *x, int at)
{
    const uint64_t both = *(const uint64_t *)(const void *)act_from(x, at);
    struct words w;
    w.word[0] = (uint32_t)both, w.word[1] = (uint32_t)(both >> 32), w.word[2] = w.word[3] = 0;
    return w;
}

DEVICE_FN int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns one of this lane's two rows in a tile of 16 rows: first + g for half 0, first + g + 8 for
 * half 1. If this row is greater than `last`, returns `last`. */
DEVICE_FN int own_row(int first, int half, int last)
{
    return least(first + mma_row() + 8 * half, last);
}

/* Loads 16 rows, from `first` on, as the left operand of products that sum over d columns. Of each
 * 32 columns, a lane loads the eight columns from 8 c on. They are its part of two steps of the
 * sum. */
DEVICE_FN void rows_left(struct slice s, int first, int last, const int d, uint32_t left[STEPS][4])
{
    UNROLL for (int p = 0; p < d / 32; p++)
    {
        const int c = 32 * p + 8 * mma_column();
        const struct words low = words_at(s.x, slice_place(s, own_row(first, 0, last), c, d)),
                           high = words_at(s.x, slice_place(s, own_row(first, 1, last), c, d));
        UNROLL for (int half = 0; half < 2; half++)
        {
            left[2 * p + half][0] = low.word[2 * half], left[2 * p + half][1] = high.word[2 * half];
            left[2 * p + half][2] = low.word[2 * half + 1];
            left[2 * p + half][3] = high.word[2 * half + 1];
        }
    }
}

/* sum = left X^T. left is [16, d], X has 8 `tiles` rows from `first` on, and sum is [16, 8 tiles].
 * Row `last` replaces later rows. */
DEVICE_FN void by_rows(const uint32_t left[STEPS][4], struct slice s, int first, int last,
                       const int d, const int tiles, float sum[][4])
{
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int i = 0; i < 4; i++) sum[t][i] = 0;
        UNROLL for (int p = 0; p < d / 32; p++)
        {
            const int row = least(first + 8 * t + mma_row(), last);
            const struct words w = words_at(s.x, slice_place(s, row, 32 * p + 8 * mma_column(), d));
            mma(sum[t], left[2 * p], w.word);
            mma(sum[t], left[2 * p + 1], w.word + 2);
        }
    }
}

/* sum += left X. left is [16, 16], X has 16 rows from `first` on, and sum is [16, d]. Row `last`
 * replaces later rows. Column g of tile t of the sum is column (d / 8) g + t of X. So a lane loads
 * neighboring columns. */
DEVICE_FN void over_rows(const uint32_t left[4], struct slice s, int first, int last, const int d,
                         float sum[TILES][4])
{
    const int tiles = d / 8;
    struct words w[4];
    UNROLL for (int i = 0; i < 4; i++)
    {
        const int row = least(first + 2 * mma_column() + i % 2 + i / 2 * 8, last);
        const int at = slice_place(s, row, tiles * mma_row(), d);
        w[i] = tiles == 8 ? words_at(s.x, at) : half_words_at(s.x, at);
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        uint32_t right[2];
        UNROLL for (int i = 0; i < 2; i++)
        {
            const uint32_t even = w[2 * i].word[t / 2], odd = w[2 * i + 1].word[t / 2];
            right[i] = t % 2 ? even >> 16 | (odd & 0xffff0000u) : (even & 0xffffu) | odd << 16;
        }
        mma(sum[t], left, right);
    }
}

/* Converts two tiles of a result, together [16, 16], to the left operand of a product that sums
 * over the columns of the result. */
DEVICE_FN void result_left(const float result[2][4], uint32_t left[4])
{
    UNROLL for (int i = 0; i < 4; i++) left[i] =
        mma_pair(result[i / 2][i % 2 * 2], result[i / 2][i % 2 * 2 + 1]);
}

/* Multiplies the sums of over_rows by scale[half] and stores them in 16 rows of slice s of `to`,
 * from `first` on. With `add`, adds them to these rows instead. Does not write rows from `end`
 * on. */
DEVICE_FN void store(const float sum[TILES][4], const float scale[2], const int d, int first,
                     int end, struct act *to, struct slice s, bool add)
{
    UNROLL for (int half = 0; half < 2; half++)
    {
        const int row = first + mma_row() + 8 * half;
        if (row >= end) continue;
        UNROLL for (int k = 0; k < d / 4 / PACK; k++)
        {
            struct act *place = act_to(to, s.at + row * s.ld + d / 4 * mma_column() + k * PACK);
            struct words old, w;
            if (add) old = words_at(place, 0);
            UNROLL for (int i = 0; i < 4; i++)
            {
                float y[2];
                UNROLL for (int high = 0; high < 2; high++)
                {
                    const int column = k * PACK + 2 * i + high;
                    y[high] = sum[column % (d / 8)][2 * half + column / (d / 8)] * scale[half];
                    if (add) y[high] += act_real((act_type)(old.word[i] >> 16 * high));
                }
                w.word[i] = mma_pair(y[0], y[1]);
            }
            STORE16(struct words, place, w);
        }
    }
}

DEVICE_FN void clear(float sum[][4], const int tiles)
{
    EACH_ELEMENT(t, i, tiles) sum[t][i] = 0;
}

/* Sets d columns of x, from `column` on, to zero in the rows first, first + step, .. below `end`.
 * All lanes of a warp call this function. */
DEVICE_FN void clear_rows(struct act *x, int64_t ld, int64_t column, const int d, int64_t first,
                          int64_t step, int64_t end)
{
    for (int64_t row = first; row < end; row += step)
        for (int c = lane_of(); c < d; c += WARP) act_put(x, row * ld + column + c, 0);
}

#endif
