/* Counter-based random numbers. Each number is a pure function of a key, an index and a step. So a
 * checkpoint stores no state of random numbers.
 *
 * Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"):
 *   key     = (seed, hash of the path name of the node or parameter)
 *   counter = (block low, block high, step, branch)
 * One block yields four 32-bit words. All backends compute value i from the following words;
 * another mapping would change the golden files (tests/golden). `branch` is 0, except for dropout:
 *   uniform  value i  upper 24 bits of word i % 4 of block i / 4, as a number in [0, 1)
 *   normal   value i  words 0 and 1 of block i at step 0, by the cosine of Box and Muller's method,
 *                     in double
 *   below    value i  words 0 and 1 of block i are the lower and upper half of a 64-bit number u.
 *                     The value is floor(bound * u / 2^64).
 *   dropout  value i  16-bit lane (i / 16) % 8 of block 16 * (i / 128) + i % 16. Lane k is a half
 *                     of word k / 2: the lower half if k is even, else the upper half. The value is
 *                     kept if its lane is at least round(p * 65536).
 * Sixteen neighboring values of dropout use the same lane of sixteen blocks: a vector on the host,
 * half a warp on a device. So neither backend must move words within a vector or warp. The rows in
 * the index i of dropout are counted over the whole optimizer step. For attention weights i is
 * (row * H + h) * 65536 + j, for head h of H and position j. */
#pragma once

#include "core/base/base.h"

struct random_key {
    uint32_t seed, stream;
};

enum { RANDOM_ROUNDS = 10 };
#define RANDOM_MULTIPLY_0 0xD2511F53u
#define RANDOM_MULTIPLY_1 0xCD9E8D57u
#define RANDOM_WEYL_0 0x9E3779B9u
#define RANDOM_WEYL_1 0xBB67AE85u

#ifdef __CUDACC__
#define RANDOM_FN static __host__ __device__ __forceinline__
#else
#define RANDOM_FN static inline
#endif

RANDOM_FN void random_block(struct random_key key, uint64_t block, uint32_t step, uint32_t branch,
                            uint32_t word[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = step, c3 = branch;
    uint32_t k0 = key.seed, k1 = key.stream;
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)RANDOM_MULTIPLY_0 * c0, p1 = (uint64_t)RANDOM_MULTIPLY_1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += RANDOM_WEYL_0;
        k1 += RANDOM_WEYL_1;
    }
    word[0] = c0, word[1] = c1, word[2] = c2, word[3] = c3;
}

/* Returns the stream of a path name, which is the 32-bit FNV-1a hash of its bytes. */
uint32_t random_stream(const char *path);

double random_uniform(struct random_key key, uint64_t index, uint32_t step); /* [0, 1) */
double random_normal(struct random_key key, uint64_t index); /* mean 0, standard deviation 1 */
/* Returns a number from 0 to bound - 1; bound is at least 1. */
uint32_t random_below(struct random_key key, uint64_t index, uint32_t step, uint32_t bound);

/* Fills `order` with a random permutation of 0..count-1 (Fisher and Yates). It is a pure function
 * of key, step and count. */
void random_permute(struct random_key key, uint32_t step, int32_t *order, int count);

/* Returns the threshold for the dropout probability p. Dropout keeps a value if its lane is at
 * least this threshold. */
static inline uint32_t random_threshold(double p)
{
    return (uint32_t)(p * 65536 + 0.5);
}
