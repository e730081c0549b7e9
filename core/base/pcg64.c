/* Computes PCG64 and its seeding in the same steps as NumPy. */
#include "core/base/pcg64.h"

enum { POOL = 4, WORDS = 8 };

/* Hash of SeedSequence, with a constant that changes at every use. */
static uint32_t hash_mix(uint32_t value, uint32_t *constant, uint32_t multiplier)
{
    value ^= *constant;
    *constant *= multiplier;
    value *= *constant;
    return value ^ value >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y)
{
    const uint32_t result = 0xCA01F9DDu * x - 0x4973F715u * y;
    return result ^ result >> 16;
}

static void seed_words(uint32_t seed, uint32_t word[WORDS])
{
    uint32_t constant = 0x43B0D7E5u, pool[POOL];
    for (int i = 0; i < POOL; i++) pool[i] = hash_mix(i ? 0 : seed, &constant, 0x931E8875u);
    for (int from = 0; from < POOL; from++)
        for (int to = 0; to < POOL; to++)
            if (to != from) pool[to] = mix(pool[to], hash_mix(pool[from], &constant, 0x931E8875u));
    constant = 0x8B51F9DDu;
    for (int i = 0; i < WORDS; i++) word[i] = hash_mix(pool[i % POOL], &constant, 0x58F38DEDu);
}

static void step(struct pcg64 *random)
{
    const pcg64_wide multiplier = (pcg64_wide)2549297995355413924u << 64 | 4865540595714422341u;
    random->state = random->state * multiplier + random->increment;
}

struct pcg64 pcg64_seed(uint32_t seed)
{
    uint32_t word[WORDS];
    seed_words(seed, word);
    pcg64_wide quarter[WORDS / 2];
    for (int i = 0; i < WORDS / 2; i++) quarter[i] = word[2 * i] | (uint64_t)word[2 * i + 1] << 32;
    struct pcg64 random = {.increment = (quarter[2] << 64 | quarter[3]) << 1 | 1};
    step(&random);
    random.state += quarter[0] << 64 | quarter[1];
    step(&random);
    return random;
}

/* Returns the next 64 bits. A held half stays held. */
static uint64_t next_whole(struct pcg64 *random)
{
    step(random);
    const uint64_t folded = (uint64_t)(random->state >> 64) ^ (uint64_t)random->state;
    const unsigned turn = (unsigned)(random->state >> 122);
    return folded >> turn | folded << (-turn & 63);
}

uint32_t pcg64_next_half(struct pcg64 *random)
{
    if (random->held) {
        random->held = false;
        return random->half;
    }
    const uint64_t next = next_whole(random);
    random->half = (uint32_t)(next >> 32);
    random->held = true;
    return (uint32_t)next;
}

double pcg64_uniform(struct pcg64 *random)
{
    return (double)(next_whole(random) >> 11) * 0x1p-53;
}

uint32_t pcg64_below(struct pcg64 *random, uint32_t bound)
{
    CHECK(bound > 0, "a random number below nothing");
    if (bound == 1) return 0;
    uint64_t product = (uint64_t)pcg64_next_half(random) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t threshold = -bound % bound; /* (2^32 - bound) mod bound */
        while ((uint32_t)product < threshold) product = (uint64_t)pcg64_next_half(random) * bound;
    }
    return (uint32_t)(product >> 32);
}
