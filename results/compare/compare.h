/* `sanlab compare`: what two scored systems do differently. After compare-mt (Neubig et al. 2019).
 *
 *   options and results that differ (query.h)
 *   the first step at which their training losses part
 *   BLEU of both, the difference with its interval, how sure it is (significance.h), and which of
 *   the p values to believe: Student's t, or of one training each randomization, which decides
 *   nothing
 *   BLEU by the length of the reference
 *   F1 of words by how often train has them: of all words of a bucket in hypotheses and reference,
 *   how many are in the other one as well
 *   the share of reference words found in the hypothesis, by a tag of theirs, where tags are given
 *   the sentences that gain and lose most (BLEU of the sentence, bleu_sentence)
 *
 * A system is a score stage, a train stage with one score, or a place in a grid (GRID/ROW), which
 * means the scores of all its seeds. Over several seeds or sets of hypotheses BLEU is a mean, and
 * words are counted in all of them. Scores of the same trainings are paired seed by seed. */
#pragma once

#include "results/query/query.h"
#include "results/stats/significance.h"

/* The scores of a place in a grid, which the caller of a comparison knows. */
struct compare_place {
    int count;             /* 0: the word means a stage */
    const char *const *id; /* [count] */
};

struct compare_options {
    struct compare_place place[2]; /* of both words */
    const char *tags; /* a file: a line per sentence, one tag per word of the reference; or NULL */
    int sentences;    /* shown of the largest gains, and of the largest losses */
    struct significance_options test; /* whether they are paired is found here */
    const char *train, *score;        /* what nobody gave to such a stage; or NULL */
};

/* Both must be scored alike. Dies when a word means nothing, and when observations are gone. */
void compare_systems(struct store *store, const char *const word[2],
                     const struct compare_options *options, FILE *out);
