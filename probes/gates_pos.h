/* Gates by part of speech (Xu et al. 2019, figure 4): the mean over the pieces and heads of a word,
 * then over the words of a class. A word without a piece has no gate and is not counted.
 *
 * Gates of a sentence depend on each other, so a standard error is the standard deviation of 1,000
 * bootstrap samples of sentences. Of a class whose words all stand in one sentence it is not known.
 *
 * The control: how far the means of classes are apart may come from how frequent their words are.
 * V = sum over classes of n (mean - mean of all)^2 / N is compared with the V of 200 shuffles of
 * the tags among words of the same decile of frequency in the train text. */
#pragma once

#include "core/decode/statistic.h"
#include "probes/gates.h"

enum { GATES_SAMPLES = 1000, GATES_SHUFFLES = 200, GATES_DECILES = 10 };

struct gates_class {
    int64_t words;
    int sentences; /* that have one */
    double mean;   /* of no word NaN */
    double error;  /* of the bootstrap; NaN: not known */
};

struct gates_pos {
    int layers;  /* of the gates, */
    int classes; /* and of the text */
    /* [1 + layers][classes] of all gated layers together (the mean over them), then of each. */
    struct gates_class *of;
    bool controlled; /* the next two are known */
    double *between; /* [1 + layers] V */
    int *reached;    /* [1 + layers] shuffles whose V is as large */
};

/* Of one set, or of the mean over all sets: -1, with errors and control. In the arena; the gates
 * are of tagged text. */
struct gates_pos gates_by_pos(const struct gates *gates, int set, struct arena *arena);

/* A word's gate, of a set or -1, of a layer (index into gates->layer) or -1. */
double gates_of_word(const struct gates *gates, int set, int layer, int32_t word);

/* The sum of a sentence's gates, as means over all sets, and how many they are: of the words of a
 * class, or with -1 of all positions (of all gated layers positions and heads). */
struct ratio_item gates_of_sentence(const struct gates *gates, int sentence, int layer, int class);

/* The decile of frequency, from 0, of each word that has a piece: a tenth of these words are less
 * frequent each. Words of one frequency are in one decile. Others: -1. [words], in the arena. */
int *gates_deciles(const struct tagged_text *text, struct arena *arena);
