/* `sanlab compare` prints the differences of two scored systems, as compare-mt does (Neubig et al.
 * 2019):
 *
 * - the options and results that differ (query.h)
 * - the first step at which their training losses differ
 * - BLEU of both, and the difference with its interval and p values (significance.h). With two or
 *   more trainings each, the output advises to use the p of Student's t for a verdict. With one
 *   training each, it advises to use no p, because the variance between trainings is unknown. In
 *   both cases, the p of randomization accounts only for the choice of sentences
 * - BLEU by the length of the reference
 * - F1 of words, for each range of frequencies in train. Words of a hypothesis and its reference
 *   are matched one to one: F1 = 2 matched / (words of the hypotheses + words of the references)
 * - the share of reference words that are matched in the hypothesis, by tag, if tags are given
 * - the sentences with the largest gains and losses of sentence BLEU (bleu_sentence)
 *
 * A system is a score stage, a train stage with one score, or a row of a grid (GRID/ROW). GRID/ROW
 * means the scores of all seeds of the row. With several seeds or sets of hypotheses, BLEU is the
 * mean over them, and words are counted in all of them. If both systems are scores of the same
 * trainings (one model, scored in two ways), the tests are paired by seed. */
#pragma once

#include "results/query/query.h"
#include "results/stats/significance.h"

/* The scores of a row of a grid, found by the caller. */
struct compare_scores {
    int count;             /* number of scores; 0: the argument names a stage, not a row */
    const char *const *id; /* [count] */
};

struct compare_options {
    /* scores of the two systems; place[i] belongs to the argument word[i] of compare_systems */
    struct compare_scores place[2];
    const char *tags; /* path of a file with a line per sentence and a tag per word of the
                         reference; NULL: none */
    int sentences;    /* number of sentences to print with the largest gains, and with the
                         largest losses */
    struct significance_options test;
    /* Defaults of the options of train and score stages, for query_diff; NULL: none. */
    const char *train, *score;
};

/* Prints the comparison of the systems that two arguments name. Exits with an error if an argument
 * selects no score, or if the hypotheses of a score are missing. Also exits with an error if the
 * scores are not comparable (comparison_problem). */
void compare_systems(struct store *store, const char *const word[2],
                     const struct compare_options *options, FILE *out);
