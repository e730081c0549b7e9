/* Is one system better than another? From statistics per sentence, never from re-scored text.
 *
 * A system is n trainings (seeds) of one configuration, each with its hypotheses' statistics on the
 * same sentences. What is tested is the difference of mean BLEU, d = mean_s BLEU(b, s) -
 * mean_s BLEU(a, s). Resampling draws sentences with replacement, the same for both systems and all
 * seeds, and, where a system has n > 1 seeds, n - 1 of its seeds with replacement, too: n of n
 * would have too small a variance, by (n - 1) / n (Rao and Wu 1988). With one seed the training's
 * own randomness is not covered; whoever prints a mark says so.
 *
 *   koehn      one-sided, Koehn 2004: the share of resamples in which the one that is better on the
 *              whole text is not better. Sets the marks of tables. Either system
 *              may turn out the better one: of two equal ones 2 alpha are marked, alpha each way.
 *   centered   what sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1). It centers |d|
 *              instead of d, and so marks 2 alpha of equal systems, too.
 *   swapped    approximate randomization: each sentence's statistics change sides with probability
 *              1/2, those of all its seeds at once; (#{|d_t| > |d|} + 1) / (trials + 1). Looks at
 *              sentences only. NaN with unequal numbers of runs, or no trials.
 *
 * Where d is 0 every p is 1 (sacreBLEU's would be its smallest, because it counts what is larger).
 * The order of seeds changes nothing.
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
    int sets; /* of hypotheses a seed, whose BLEU is their mean (mean_of_best); 0 means 1 */
    const struct bleu_stats *const *stats; /* [seeds * sets][sentences], a seed's sets together */
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

/* The bootstrap alone: difference [samples] of the resamples, sorted. Returns the real one. */
double significance_resample(const struct bleu_options *bleu,
                             const struct significance_options *options,
                             const struct significance_system *a,
                             const struct significance_system *b, int sentences,
                             double *difference);

/* Holm 1979: p [count] of one family becomes adjusted [count], which may be p itself. */
void significance_holm(const double *p, int count, double *adjusted);

#endif
