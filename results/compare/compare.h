/* `sanlab compare`: the differences of two scored systems, after compare-mt (Neubig et al. 2019).
 *
 *   options and results that differ (query.h)
 *   the first step at which their training losses differ
 *   BLEU of both, and the difference with its interval and p values (significance.h). The
 *   recommended p is Student's t; with one training each it is randomization, which decides nothing
 *   BLEU by the length of the reference
 *   F1 of words by their frequency in train: of all words of a bucket in hypotheses and references,
 *   the share that the other text has as well
 *   the share of reference words found in the hypothesis, by tag, if tags are given
 *   the sentences with the largest gains and losses (BLEU of the sentence, bleu_sentence)
 *
 * A system is a score stage, a train stage with one score, or a cell of a grid (GRID/ROW). A cell
 * means the scores of all its seeds. Over several seeds or sets of hypotheses BLEU is a mean, and
 * words are counted in all of them. Scores of the same trainings are paired seed by seed. */
#pragma once

#include "results/query/query.h"
#include "results/stats/significance.h"

/* The scores of a cell of a grid, found by the caller. */
struct compare_place {
    int count;             /* 0: the word means a stage */
    const char *const *id; /* [count] */
};

struct compare_options {
    struct compare_place place[2]; /* for both words */
    const char *tags; /* a file: a line per sentence, one tag per word of the reference; or NULL */
    int sentences;    /* number of sentences shown of the largest gains, and of the largest
                         losses */
    struct significance_options test; /* `paired` is set by the comparison */
    const char *train, *score;        /* defaults of stages of these kinds; or NULL */
};

/* Prints the comparison. Both systems must be scored alike. Exits with an error if a word has no
 * meaning or if observations are missing. */
void compare_systems(struct store *store, const char *const word[2],
                     const struct compare_options *options, FILE *out);
