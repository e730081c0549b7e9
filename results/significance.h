/* Is one system better than another? From statistics per sentence, never from re-scored text.
 *
 * A system is n trainings (seeds) of one configuration, each with its hypotheses' statistics on the
 * same sentences. What is tested is the difference of mean BLEU, d = mean_s BLEU(b, s) -
 * mean_s BLEU(a, s). Resampling draws sentences with replacement, the same for both systems and all
 * seeds, and, where a system has more than one seed, its seeds with replacement, too.
 *
 *   koehn      one-sided, Koehn 2004: the share of resamples in which the one that is better on the
 *              whole text is not better (papers.md 3.7). Sets the marks of tables.
 *   centered   what sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1) (papers.md 7.4)
 *   swapped    approximate randomization: each sentence's statistics change sides with probability
 *              1/2; (#{|d_t| > |d|} + 1) / (trials + 1)
 *
 * Random numbers are NumPy's: PCG64 of the seed, so that one seed against one seed gives
 * sacreBLEU's digits. */
#ifndef RESULTS_SIGNIFICANCE_H
#define RESULTS_SIGNIFICANCE_H

#include "core/base/arena.h"
#include "core/decode/bleu.h"

struct significance_options {
    int samples;   /* of the bootstrap, 1000 */
    int trials;    /* of the randomization, 10000 */
    uint32_t seed; /* 12345 */
};

struct significance_system {
    int seeds;
    const struct bleu_stats *const *stats; /* [seeds][sentences] */
};

struct significance {
    double a, b;                     /* mean BLEU */
    double difference;               /* b - a */
    double low, high;                /* of the difference: the middle 95% of the resamples */
    double koehn, centered, swapped; /* p */
    double detectable; /* smallest difference that this design finds at alpha .05 (one-sided) in 4
                          of 5 cases: 2.486 standard deviations of the resampled differences */
};

struct significance significance_compare(const struct bleu_options *bleu,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, int sentences);

/* Holm 1979: p [count] of one family becomes adjusted [count], which may be p itself. */
void significance_holm(const double *p, int count, double *adjusted);

#endif
