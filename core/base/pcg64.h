/* NumPy's random numbers, default_rng(seed), so that resampling yields the same samples as
 * sacreBLEU 2.6.0 with the same seed. For statistics only: models use counter-based random numbers
 * (random.h).
 *
 * PCG XSL RR 128/64 (O'Neill 2014), seeded by NumPy's SeedSequence from one 32-bit word. */
#pragma once

#include "core/base/base.h"

__extension__ typedef unsigned __int128 pcg64_wide;

struct pcg64 {
    pcg64_wide state, increment;
    uint32_t half; /* upper half of the last 64 bits, if `held` */
    bool held;
};

struct pcg64 pcg64_seed(uint32_t seed);

uint32_t pcg64_next_half(struct pcg64 *random); /* 32 bits, lower halves first */
double pcg64_uniform(struct pcg64 *random);     /* [0, 1): random() */
/* integers(bound), without bias (Lemire 2019). Draws nothing if bound is 1. */
uint32_t pcg64_below(struct pcg64 *random, uint32_t bound);
