/* Dropout of a single element, by the definition; backends compute blocks (core/base/random.h). */
#pragma once

#include "core/base/random.h"

static inline bool dropout_keeps(struct random_key key, uint64_t index, uint32_t step,
                                 uint32_t branch, uint32_t threshold)
{
    uint32_t word[4];
    random_block(key, index / 128 * 16 + index % 16, step, branch, word);
    return (word[index / 32 % 4] >> (index & 16) & 0xffff) >= threshold;
}
