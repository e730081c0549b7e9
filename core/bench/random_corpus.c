/* Times depend on lengths, hardly on words: so lengths are drawn with the mean, the deviation and
 * the correlation of real ones, and words are uniform. */
#include "core/bench/random_corpus.h"

#include <math.h>

#include "core/base/random.h"

const struct corpus *random_corpus(struct arena *arena, uint32_t seed)
{
    enum { SENTENCES = 29000, VOCABULARY = 7869, SHORTEST = 3, LONGEST = 60 };
    static const double mean[SIDES] = {14.96, 15.15}, deviation[SIDES] = {4.54, 5.06};
    static const double shared = 0.93; /* its square is the correlation of the two */
    const struct random_key key = {seed, random_stream("bench.corpus")};
    struct corpus *corpus = ARENA_NEW(arena, struct corpus);
    struct split *split = &corpus->split[SPLIT_TRAIN];
    corpus->joint = true;
    split->sentences = SENTENCES;
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(arena, int64_t, SENTENCES + 1);
        for (int s = 0; s < SENTENCES; s++) {
            const double both = random_normal(key, (uint64_t)s * 4);
            const double own = random_normal(key, (uint64_t)s * 4 + 1 + (uint64_t)side);
            const double z = shared * both + sqrt(1 - shared * shared) * own;
            const double length = fmin(fmax(mean[side] + deviation[side] * z, SHORTEST), LONGEST);
            start[s + 1] = start[s] + lround(length);
            if (lround(length) > split->longest[side]) split->longest[side] = (int)lround(length);
        }
        int32_t *token = ARENA_ARRAY(arena, int32_t, start[SENTENCES]);
        for (int64_t t = 0; t < start[SENTENCES]; t++)
            token[t] = VOCABULARY_FIRST + (int32_t)random_below(key, (uint64_t)t, (uint32_t)side,
                                                                VOCABULARY - VOCABULARY_FIRST);
        for (int s = 0; s < SENTENCES; s++) token[start[s + 1] - 1] = VOCABULARY_EOS;
        split->side[side] = (struct side){token, start};
        corpus->vocabulary[side].size = VOCABULARY;
    }
    return corpus;
}
