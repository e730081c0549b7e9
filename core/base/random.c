/* Computes random numbers from the words of blocks, by the mapping in random.h. */
#include "core/base/random.h"

#include <math.h>

#include "core/base/elementary.h"

uint32_t random_stream(const char *path)
{
    uint32_t hash = 2166136261u;
    for (; *path; path++) hash = (hash ^ (unsigned char)*path) * 16777619u;
    return hash;
}

double random_uniform(struct random_key key, uint64_t index, uint32_t step)
{
    uint32_t word[4];
    random_block(key, index / 4, step, 0, word);
    return (word[index % 4] >> 8) * 0x1p-24;
}

double random_normal(struct random_key key, uint64_t index)
{
    const double two_pi = 6.283185307179586;
    uint32_t word[4];
    random_block(key, index, 0, 0, word);
    double radius = sqrt(-2 * elementary_log((word[0] + 1.0) * 0x1p-32));
    return radius * elementary_cos(two_pi * word[1] * 0x1p-32);
}

uint32_t random_below(struct random_key key, uint64_t index, uint32_t step, uint32_t bound)
{
    uint32_t word[4];
    random_block(key, index, step, 0, word);
    /* Scales 64 random bits to the bound. The bias is below 2^-32, and no draw is ever repeated. */
    uint64_t draw = (uint64_t)word[1] << 32 | word[0];
    return (uint32_t)(((unsigned __int128)draw * bound) >> 64);
}

void random_permute(struct random_key key, uint32_t step, int32_t *order, int count)
{
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)random_below(key, (uint64_t)i, step, (uint32_t)i + 1);
        int32_t keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}
