/* Gates by part of speech (Xu et al. 2019, figure 4). The gate of a word is the mean over its
 * pieces and heads; the gate of a class is the mean over its words. A word without a piece has no
 * gate and is not counted.
 *
 * The gates of one sentence depend on each other. So the standard error of a class is the standard
 * deviation of its means in 1,000 bootstrap samples of sentences. It is unknown for a class whose
 * words are all in one sentence.
 *
 * Differences between the means of classes may be caused by the frequencies of their words. A
 * control tests this. Its statistic is V = sum over classes of n (mean - overall mean)^2 / N. A
 * class has n words, and all classes together have N words. V is compared with the V of 200
 * shuffles of the tags. A shuffle exchanges tags among words of the same decile of frequency in the
 * train text. */
#pragma once

#include "core/decode/statistic.h"
#include "probes/gates.h"

enum { GATES_SAMPLES = 1000, GATES_SHUFFLES = 200, GATES_DECILES = 10 };

struct gates_class {
    int64_t words;
    int sentences; /* number of sentences with a word of the class */
    double mean;   /* NaN without words */
    double error;  /* standard error of the mean; NaN: unknown */
};

struct gates_pos {
    int layers;  /* number of gated layers */
    int classes; /* number of classes of the text */
    /* [1 + layers][classes] first the mean over all gated layers, then each gated layer. */
    struct gates_class *of;
    bool controlled; /* true if the next two fields are set */
    double *between; /* [1 + layers] V (see above) */
    int *reached;    /* [1 + layers] number of shuffles whose V is at least as large */
};

/* Computes the means of set `set`, or of all sets together if `set` is -1. Computes errors and the
 * control only if `set` is -1. The result is in the arena. The gates must be of tagged text. */
struct gates_pos gates_by_pos(const struct gates *gates, int set, struct arena *arena);

/* Returns a word's gate in a set (-1: mean) and a layer (index into gates->layer; -1: mean). */
double gates_of_word(const struct gates *gates, int set, int layer, int32_t word);

/* Returns the sum and the number of the gates of a sentence, averaged over all sets. If `class` is
 * not -1, these are the gates of the words of the class. If it is -1, these are the gates of all
 * positions. If `class` and `layer` are -1, each head of each gated layer is counted separately. */
struct ratio_item gates_of_sentence(const struct gates *gates, int sentence, int layer, int class);

/* Returns [words], in the arena: for each word with a piece, its decile of frequency in the train
 * text, from 0; -1 for other words. Decile d means that at least d tenths of these words are less
 * frequent. Words of equal frequency have equal deciles. */
int *gates_deciles(const struct tagged_text *text, struct arena *arena);
