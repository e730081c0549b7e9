/* Generates the random numbers of NumPy's default_rng(seed), so that resampling yields the same
 * samples as sacreBLEU 2.6.0 with the same seed. Only statistics use these numbers. Models use
 * counter-based random numbers (random.h).
 *
 * The generator is PCG XSL RR 128/64 (O'Neill 2014). NumPy's SeedSequence computes its first state
 * from one 32-bit seed. */
#pragma once

#include "core/base/base.h"

__extension__ typedef unsigned __int128 pcg64_wide;

struct pcg64 {
    pcg64_wide state, increment;
    uint32_t half; /* upper half of the last 64 bits; valid if `held` */
    bool held;
};

struct pcg64 pcg64_seed(uint32_t seed);

uint32_t pcg64_next_half(struct pcg64 *random); /* 32 bits; lower half first */
double pcg64_uniform(struct pcg64 *random);     /* as random(): in [0, 1) */
/* Returns a number from 0 to bound - 1 without bias (Lemire 2019), as integers(bound). If bound is
 * 1, draws no random number. */
uint32_t pcg64_below(struct pcg64 *random, uint32_t bound);
