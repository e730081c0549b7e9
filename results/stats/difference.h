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
 *     error^2 = E + V      freedom = 1 / ((1 - r)^2 / e + r^2 / f)      r = V / (c E + V)
 *
 * E is the variance of d between seeds and e its degrees of freedom: pooled over the rows of the
 * family, or the pair's own (results/stats/pooled.h). V is the variance of the B resampled d, 0
 * without items. f = items - strata: V is an estimate from that many items, and more resamples (B)
 * make it no better. With some hundred sentences f is as good as infinite, with ten items it is
 * not. An item that is alone in its stratum is drawn every time; where all are, V and f are 0, and
 * only seeds vary.
 *
 * With c = 1 the freedom would be Satterthwaite's. Two or three seeds can agree by chance: then E
 * is far too small, V decides alone, and Satterthwaite's freedom says that the error is well known.
 * So c E is the upper limit of E, of level 0.85 (variance_limit).
 *
 * Seeds of different models are independent, also where their numbers are equal. Where both sides
 * are the same trainings (a margin trained - start, one model scored in two ways) they are paired
 * by seed: E = s_d^2 / n, s_d being the standard deviation of the differences by seed.
 *
 * This is conservative. E already contains the interaction of sentences and trainings, and V,
 * which is of n trainings, contains a part of it again. V alone contains how d changes with other
 * sentences of the same kind when the trainings stay the same.
 *
 * One seed on a side: nothing is known of how trainings differ, and no verdict is possible. The
 * resamples still compare these two trainings: p = (k + 1) / (B + 1), where k resamples lie on the
 * other side of a limit (Koehn 2004 for the limit 0; Davison and Hinkley 1997 for the 1). No such p
 * is less than 2^-items, the probability that all items are on one side by chance: every resample
 * of a single item is that item, so p would look certain. */
#pragma once

#include <stdbool.h>

#include "core/base/arena.h"
#include "results/stats/pooled.h"
#include "results/stats/student.h"

struct difference_side {
    int seeds;
    const double *value;  /* [seeds] */
    const double *sample; /* [samples] means over the seeds; NULL: no items */
};

/* What the values of both sides have in common. */
struct difference_design {
    bool paired; /* seed by seed; then both have as many */
    int others;  /* rows of the family beside the pair; of a paired design the variances are */
    const struct pooled_row *other; /* [others] of differences by seed */
    bool single;       /* the samples are of single precision (statistic.h), but for their means */
    int items, strata; /* 0: none */
    int samples;       /* B */
};

struct difference_known {
    double a, b, value;                /* means of ours and theirs; d */
    int seeds;                         /* of the side that has fewer */
    struct student_difference student; /* seeds > 1; an error of 0: nothing varies */
    int samples;
    const double *sample; /* [samples] resampled d, ascending; NULL: no items */
    double spread;        /* sqrt(V) */
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
/* Of any difference, when nobody said before which side would be more: two-sided, by Student's t or
 * where nothing varies over items. Of one seed the p of the side that is more, one-sided (Koehn
 * 2004). */
double difference_p(const struct difference_known *known);
/* The interval of level 1 - 2 tail. */
void difference_interval(const struct difference_known *known, double tail, double *low,
                         double *high);
/* The smallest difference that such a test, of so much in each tail, finds in 4 of 5 cases:
 * (t[1 - tail] + t[0.8]) error. Of one seed of items alone, by the normal distribution. */
double difference_detectable(const struct difference_known *known, double tail);
