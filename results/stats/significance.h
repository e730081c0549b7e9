/* Is one system better than another? From items (core/decode/statistic.h: sentences, or numbers),
 * never from re-scored text.
 *
 * A system is n trainings (seeds) of one configuration, each with its results on the same items.
 * What is tested is the difference of a statistic S (BLEU, say) in the mean,
 * d = mean_s S(b, s) - mean_s S(a, s). Resampling draws items with replacement, the same for both
 * systems and all seeds, from each stratum as many as it has; seeds are not drawn. So the first
 * four p look at items alone, and not at what training owes to chance, which is why only the
 * last one decides anything.
 *
 *   koehn      one-sided, Koehn 2004: the share of resamples in which the one that is better on the
 *              whole text is not better, (k + 1) / (samples + 1). Either system may turn out the
 *              better one: of two equal ones 2 alpha are marked, alpha each way.
 *   centered   what sacreBLEU's --paired-bs and Moses print (Riezler and Maxwell 2005):
 *              (#{|d_b| - mean |d| > |d|} + 1) / (samples + 1). It centers |d|
 *              instead of d, and so marks 2 alpha of equal systems, too.
 *   swapped    approximate randomization: each item's results change sides with probability 1/2,
 *              those of all its seeds at once; (#{|d_t| >= |d|} + 1) / (trials + 1).
 *              NaN with unequal numbers of runs, or no trials. sacreBLEU counts |d_t| > |d|:
 *              the same of BLEU, where hardly two differences are equal. Where numbers have few
 *              values (right or wrong) many are, and leaving them out would mark equal systems up
 *              to four times as often as it says.
 *   mcnemar    two-sided and exact (mcnemar.h), of one seed each and items that are right or wrong:
 *              a mean over one stratum of numbers that have two values at most. NaN of others.
 *   p          two-sided, Student's t over seeds and items (difference.h); NaN with one seed
 *
 * Differences that rounding alone tells apart are equal. Where d is 0 every p is 1 (sacreBLEU's
 * would be its smallest, because it counts what is larger). The order of seeds changes nothing but
 * the rounding of means.
 *
 * Random numbers are NumPy's: PCG64 of the seed, so that one seed against one seed gives
 * sacreBLEU's digits. */
#pragma once

#include "core/decode/statistic.h"
#include "results/stats/difference.h"

struct significance_options {
    int samples;                    /* of the bootstrap */
    int trials;                     /* of the randomization */
    uint32_t seed;                  /* 12345 */
    bool paired;                    /* seed s of both systems is the same training */
    int others;                     /* rows of the family beside both systems (difference.h) */
    const struct pooled_row *other; /* [others] */
};
/* What tables and claims take when nobody asks for another one. */
#define SIGNIFICANCE_SAMPLES "10000"
extern const struct significance_options significance_usual;

struct significance_system {
    int seeds;
    int sets; /* of items a seed, whose statistic is their mean (mean_of_best); 0 means 1 */
    const void *const *item; /* [seeds * sets] arrays of items, a seed's sets together; NULL: they
                                are not known, or there are none */
    const double *sample;    /* [samples] means of its runs (significance_draw); NULL: are drawn */
    const double *value;     /* [seeds] NULL: the statistic of its items */
};

struct significance {
    double a, b;       /* means of the statistic */
    double difference; /* b - a */
    bool decides;      /* two seeds each: p is known; without items also something must vary */
    double low, high;  /* 95% interval of d: by t where p is known, else of items */
    double koehn, centered, swapped, mcnemar, p; /* see above */
    double detectable; /* smallest difference that p, or with one seed koehn, finds at .05 in 4 of 5
                          cases */
    struct difference_known known; /* of b less a */
};

/* Items of both systems are those of the statistic, in the same strata. Without a statistic both
 * have values alone: the p of items are NaN. What `known` has lives in the arena. */
struct significance significance_compare(const struct statistic *statistic, struct strata strata,
                                         const struct significance_options *options,
                                         const struct significance_system *a,
                                         const struct significance_system *b, struct arena *arena);

/* The resamples alone, of several runs at once: score [runs][samples]. What is drawn depends on the
 * strata and the options, and on nothing else: so runs that are drawn apart can be compared. */
void significance_draw(const struct statistic *statistic, struct strata strata,
                       const struct significance_options *options, const void *const *item,
                       int runs, double *score);

/* Holm 1979: p [count] of one family becomes adjusted [count], which may be p itself. */
void significance_holm(const double *p, int count, double *adjusted);
