/* Makes a random corpus for measurements of speed. The speed depends on lengths and hardly on
 * tokens. So lengths have the mean, deviation and correlation of actual corpora, and tokens are
 * uniform. */
#include "core/bench/random_corpus.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/file.h"
#include "core/base/random.h"
#include "core/corpus/corpus_shard.h"

const struct random_lengths random_multi30k = {29000, 7869, 3, 60, {14.96, 15.15}, {4.54, 5.06}};
const struct random_lengths random_wmt = {100000, 32000, 3, 100, {29, 30}, {15, 15.5}};

const struct corpus *random_corpus(struct arena *arena, uint32_t seed,
                                   const struct random_lengths *like)
{
    const int sentences = like->sentences, vocabulary = like->vocabulary;
    const double *mean = like->mean, *deviation = like->deviation;
    /* its square is the correlation between the lengths of the two sides */
    static const double shared = 0.93;
    const struct random_key key = {seed, random_stream("bench.corpus")};
    struct corpus *corpus = ARENA_NEW(arena, struct corpus);
    struct split *split = &corpus->split[SPLIT_TRAIN];
    corpus->joint = true;
    split->sentences = sentences;
    for (int side = 0; side < SIDES; side++) {
        int64_t *start = ARENA_ARRAY(arena, int64_t, sentences + 1);
        for (int s = 0; s < sentences; s++) {
            const double both = random_normal(key, (uint64_t)s * 4);
            const double own = random_normal(key, (uint64_t)s * 4 + 1 + (uint64_t)side);
            const double z = shared * both + sqrt(1 - shared * shared) * own;
            const double length =
                fmin(fmax(mean[side] + deviation[side] * z, like->shortest), like->longest);
            start[s + 1] = start[s] + lround(length);
            if (lround(length) > split->longest[side]) split->longest[side] = (int)lround(length);
        }
        int32_t *token = ARENA_ARRAY(arena, int32_t, start[sentences]);
        for (int64_t t = 0; t < start[sentences]; t++)
            token[t] = VOCABULARY_FIRST + (int32_t)random_below(key, (uint64_t)t, (uint32_t)side,
                                                                vocabulary - VOCABULARY_FIRST);
        for (int s = 0; s < sentences; s++) token[start[s + 1] - 1] = VOCABULARY_EOS;
        split->side[side] = (struct side){token, start};
        corpus->vocabulary[side].size = vocabulary;
    }
    return corpus;
}

void random_corpus_write(const struct corpus *corpus, const char *folder)
{
    file_make_folder(folder);
    char *path = heap_print("%s/train.shard", folder);
    shard_write(path, &corpus->split[SPLIT_TRAIN]);
    free(path);
    for (int side = 0; side < SIDES; side++) {
        path = heap_print("%s/vocabulary.%s", folder, side_names[side]);
        struct file_writer writer = file_create(path);
        for (int i = 0; i < corpus->vocabulary[side].size; i++)
            fprintf(writer.stream, "w%d\t1\n", i);
        file_commit(&writer);
        free(path);
    }
}
