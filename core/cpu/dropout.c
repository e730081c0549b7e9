#include <stdlib.h>

#include "core/cpu/vec.h"

void CPU(dropout_row)(struct random_key key, uint64_t index, uint32_t step, uint32_t branch,
                      uint32_t threshold, int64_t count, real *factor)
{
    uint64_t end = index + (uint64_t)count;
    for (uint64_t group = index / 128; group * 128 < end; group++) {
        struct dropout_group blocks = dropout_blocks(key, group, step, branch);
        for (int eighth = 0; eighth < 8; eighth++) {
            uint64_t first = group * 128 + (uint64_t)eighth * 16;
            if (first + 16 <= index || first >= end) continue;
            vec x = dropout_factor(&blocks, eighth, threshold);
            if (first >= index && first + 16 <= end) {
                vec_store(factor + (first - index), LANES, x);
                continue;
            }
            for (uint64_t i = 0; i < 16; i++)
                if (first + i >= index && first + i < end) factor[first + i - index] = x[i];
        }
    }
}

enum { SCRATCH_SLOTS = 16 };

real *CPU(scratch)(int slot, int64_t count)
{
    static _Thread_local struct {
        real *memory;
        int64_t count;
    } scratch[SCRATCH_SLOTS];
    CHECK(slot < SCRATCH_SLOTS, "scratch slot %d", slot);
    if (scratch[slot].count < count) {
        free(scratch[slot].memory);
        size_t bytes = ((size_t)(count + count / 2) * sizeof(real) + 63) / 64 * 64;
        scratch[slot].memory = aligned_alloc(64, bytes);
        if (!scratch[slot].memory) die("out of memory: %zu bytes of scratch", bytes);
        scratch[slot].count = (int64_t)(bytes / sizeof(real));
    }
    return scratch[slot].memory;
}
