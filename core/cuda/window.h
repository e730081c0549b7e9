/* Loops of a warp over a row of values, in windows of 256 values. A lane processes WINDOW_PACKS
 * packs of each window. A pack has PACK neighboring values (act.h). The random index of a window's
 * first value is a multiple of 256 (core/base/random.h). So the first window may begin before the
 * row. The dropout of a window needs 32 Philox blocks, and each lane computes one block.
 *
 *   for (int w = 0; w < row.windows; w++) {
 *       const unsigned kept = window_kept(row, w, ..);
 *       EACH_PACK(k) {
 *           const struct stretch s = window_pack(row, w, k);
 *           .. pack_load(x, s) .. */
#pragma once

#include "core/base/random.h"
#include "core/cuda/act.h"

enum { WINDOW = 256, WINDOW_PACKS = WINDOW / (WARP * PACK), GROUP = 128 };
#define EACH_PACK(k) for (int k = 0; k < WINDOW_PACKS; k++)

struct window_row {
    int64_t count;  /* number of values */
    uint64_t index; /* random index of the first value; 0 without dropout */
    int windows;
};

DEVICE_FN struct window_row window_row(int64_t count, uint64_t index)
{
    struct window_row row;
    row.count = count;
    row.index = index;
    row.windows = (int)((index % WINDOW + (uint64_t)count + WINDOW - 1) / WINDOW);
    return row;
}

/* Returns the k-th pack of this lane in window w. */
DEVICE_FN struct stretch window_pack(struct window_row row, int64_t w, int k)
{
    const int64_t at = w * WINDOW + k * WARP * PACK + lane_of() * PACK;
    return stretch_of(at - (int64_t)(row.index % WINDOW), row.count);
}

/* The four words of a block of Philox4x32-10. */
struct philox {
    uint32_t word[4];
};

DEVICE_FN struct philox philox(struct random_key key, uint64_t block, uint32_t step,
                               uint32_t branch)
{
    struct philox x;
    random_block(key, block, step, branch, x.word);
    return x;
}

/* True if dropout keeps a value. A block x decides on eight values at distance 16 in a group of 128
 * values. `eighth`, from 0 to 7, selects one of them. */
DEVICE_FN bool philox_keeps(struct philox x, int eighth, uint32_t threshold)
{
    const uint32_t word = eighth < 2   ? x.word[0]
                          : eighth < 4 ? x.word[1]
                          : eighth < 6 ? x.word[2]
                                       : x.word[3];
    return (word >> (16 * (eighth % 2)) & 0xffffu) >= threshold;
}

/* Combines the PACK bits of 32 / PACK consecutive lanes into a word, lowest lane first. All of
 * these lanes get the word. All lanes of the warp must call this function. */
DEVICE_FN uint32_t pack_word(unsigned bits)
{
    uint32_t word = bits << (lane_of() % (32 / PACK) * PACK);
    for (int away = 1; away < 32 / PACK; away *= 2) word |= __shfl_xor_sync(ALL_LANES, word, away);
    return word;
}

/* Returns the dropout mask of this lane's values in window w. Bit k PACK + i is 1 if value i of
 * pack k is kept. Without dropout, all bits are 1. All lanes of the warp must call this function. A
 * lane computes one Philox block, which decides on eight values at distance 16. Eight ballots then
 * give each lane the bits of its packs. */
DEVICE_FN unsigned window_kept(struct window_row row, int64_t w, const struct step *step,
                               struct dropout dropout)
{
    if (!dropout.threshold) return ~0u;
    struct random_key key;
    key.seed = step->seed, key.stream = dropout.stream;
    const int lane = lane_of();
    const uint64_t window = row.index / WINDOW + (uint64_t)w;
    const struct philox x = philox(key, window * WARP + (uint64_t)lane, step->number, 0);
    unsigned kept = 0;
    for (int eighth = 0; eighth < 8; eighth++) {
        /* Bit i is for value i of this eighth in the first group of the window. Bit 16 + i is for
         * value i of this eighth in the second group. */
        const unsigned votes = __ballot_sync(ALL_LANES, philox_keeps(x, eighth, dropout.threshold));
        for (int k = 0; k < WINDOW_PACKS; k++) {
            const int at = k * WARP * PACK + lane * PACK; /* position of the pack in the window */
            if (at % GROUP / 16 != eighth) continue;
            const unsigned mine = votes >> (at / GROUP * 16 + at % 16) & ((1u << PACK) - 1);
            kept |= mine << (k * PACK);
        }
    }
    return kept;
}

/* Applies dropout to the k-th pack. A NaN stays NaN, even if it is dropped. */
DEVICE_FN struct packed pack_drop(struct packed y, unsigned kept, int k, float scale)
{
    for (int i = 0; i < PACK; i++) y.x[i] *= kept >> (k * PACK + i) & 1 ? scale : 0;
    return y;
}

/* Returns the random index of the first value of row t; 0 without dropout. */
DEVICE_FN uint64_t dropout_index(const struct step *step, struct dropout dropout, int64_t t,
                                 int64_t columns)
{
    if (!dropout.threshold) return 0;
    return (uint64_t)(step->first_row[dropout.rows] + t) * (uint64_t)columns;
}
