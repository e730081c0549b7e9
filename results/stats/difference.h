/* What is known of a difference d between two sides, a row of a grid each, or several pooled.
 *
 * A side has n trainings (seeds), each with a value, and where the value is a statistic of items
 * (BLEU of sentences) its resamples: B sets of items drawn with replacement, the same for both
 * sides and all of their seeds, and of each set the mean of the side's seeds.
 *
 *     d = mean of ours - mean of theirs, over their seeds
 *
 * Two seeds or more on both sides: Student's t with
 *
 *     error^2 = s_a^2 / n_a + s_b^2 / n_b + V
 *     freedom = error^4 / ((s_a^2 / n_a)^2 / (n_a - 1) + (s_b^2 / n_b)^2 / (n_b - 1) + V^2 / f)
 *
 * s is the standard deviation over seeds, V the variance of the B resampled d, 0 without items, and
 * freedom Satterthwaite's. f = items - strata: V stands for a variance that was estimated from so
 * many items, and B, which is chosen, says nothing of that; of some hundred sentences f is as good
 * as infinite, of ten items it is not. Seeds that have the same number have nothing else in common,
 * as long as they are of different models. Where both sides are the same trainings (a margin
 * trained - start, one model scored in two ways) seed s of one belongs to seed s of the other:
 * s_d^2 / n with n - 1 degrees stands in the place of the two variances, s_d of the differences by
 * seed.
 *
 * This is conservative. s^2 has already in it how sentences and trainings interact, which V, of n
 * trainings, has a share of again. What only V knows is that other sentences of the same kind would
 * give another d although the trainings were the same.
 *
 * One seed on a side: nothing is known of how trainings differ, and no verdict is possible. What
 * the resamples say of these two trainings stays: p = (k + 1) / (B + 1), k of them being on the
 * other side of a limit (Koehn 2004 of the limit 0; Davison and Hinkley 1997 of the 1). Of few
 * items none says less than 2^-items, how often all of them are on one side by chance: a single one
 * is all there is in every resample, and would be certain. */
#ifndef RESULTS_STATS_DIFFERENCE_H
#define RESULTS_STATS_DIFFERENCE_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "results/stats/student.h"

struct difference_side {
    int seeds;
    const double *value;  /* [seeds] */
    const double *sample; /* [samples] means over the seeds; NULL: no items */
};

/* What the values of both sides have in common. */
struct difference_design {
    bool paired;       /* seed by seed; then both have as many */
    int items, strata; /* 0: none */
    int samples;       /* B */
};

struct difference_known {
    double a, b, value;                /* means of ours and theirs; d */
    int seeds;                         /* of the side that has fewer */
    struct student_difference student; /* seeds > 1; an error of 0: nothing varies */
    int samples;
    const double *sample; /* [samples] resampled d, ascending; NULL: no items */
    double spread;        /* their standard deviation, sqrt(V) */
    double least;         /* no p of the resamples is less */
};

/* The samples live in the arena. As far as rounding may carry apart two equal numbers, d is 0. */
struct difference_known difference_of(const struct difference_side *ours,
                                      const struct difference_side *theirs,
                                      const struct difference_design *design, struct arena *arena);

/* How far rounding may carry apart two equal numbers. */
double difference_rounding(double a, double b);
/* Whether p is Student's: seeds > 1, and something varies. */
bool difference_by_student(const struct difference_known *known);
/* One-sided p of d > limit, and of d < limit: how likely what was found, or more, would be if d
 * were the limit. Of one seed, and where nothing varies, over items; without items either d is
 * certain or nothing is known, and p is 0 or 1. */
double difference_above(const struct difference_known *known, double limit);
double difference_below(const struct difference_known *known, double limit);
/* Of any difference, when nobody said before which side would be more: two-sided by Student's t. Of
 * one seed the p of the side that is more, one-sided (Koehn 2004). */
double difference_p(const struct difference_known *known);
/* The interval of level 1 - 2 tail. */
void difference_interval(const struct difference_known *known, double tail, double *low,
                         double *high);
/* The smallest difference that such a test, of so much in each tail, finds in 4 of 5 cases:
 * (t[1 - tail] + t[0.8]) error. Of one seed of items alone, by the normal distribution. */
double difference_detectable(const struct difference_known *known, double tail);

#endif
