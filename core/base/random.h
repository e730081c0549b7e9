/* Counter-based random numbers: a pure function without state, so there is no state to save.
 *
 * Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"):
 *   key     = (seed, hash of the path name of the node or parameter)
 *   counter = (block low, block high, step, branch)
 * One block yields four 32-bit words. The mapping from indices to words is fixed here for every
 * backend, and frozen by the golden files. branch is 0, except for dropout:
 *   uniform  value i  word i % 4 of block i / 4, upper 24 bits, in [0, 1)
 *   normal   value i  words 0 and 1 of block i at step 0, Box and Muller's cosine, in double
 *   below    value i  words 0 and 1 of block i, as lower and upper half of a 64-bit number u: floor
 *                     of bound * u / 2^64
 *   dropout  value i  16-bit lane (i / 16) % 8 of block 16 * (i / 128) + i % 16. Sixteen neighbors
 *                     are thus one lane of sixteen blocks: a vector on the host, half a warp on a
 *                     device. Lane k is the lower (k even) or upper half of word k / 2. The value
 *                     is kept if its lane is at least round(p * 65536).
 * With these lanes neither backend shuffles words for dropout. The index of dropout counts rows
 * over the whole optimizer step. For attention weights i is (row * H + h) * 65536 + j. */
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

/* Returns the stream of a path name: 32-bit FNV-1a of its bytes. */
uint32_t random_stream(const char *path);

double random_uniform(struct random_key key, uint64_t index, uint32_t step); /* [0, 1) */
double random_normal(struct random_key key, uint64_t index); /* mean 0, standard deviation 1 */
/* Returns a number from 0 to bound - 1; bound is at least 1. */
uint32_t random_below(struct random_key key, uint64_t index, uint32_t step, uint32_t bound);

/* Fills a permutation of 0..count-1 (Fisher and Yates), a pure function of key and step. */
void random_permute(struct random_key key, uint32_t step, int32_t *order, int count);

/* Dropout keeps value `index` iff the lane is at least the threshold of probability p. */
static inline uint32_t random_threshold(double p)
{
    return (uint32_t)(p * 65536 + 0.5);
}
