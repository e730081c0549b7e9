/* Compares two sides: estimates the difference d of their means, its standard error, its p and its
 * confidence interval. A side is one row of a grid, or a weighted sum of several rows.
 *
 * A side has n trainings (seeds), each with a value. A value that is a statistic of items (BLEU of
 * sentences) also has resamples. They come from B sets of items drawn with replacement, which are
 * equal for both sides and all of their seeds. A resample of a side is the mean of its seeds on one
 * of these sets.
 *
 *     d = mean of ours - mean of theirs, over their seeds
 *
 * If both sides have two seeds or more, the error of d is a sum of two errors. One is caused by
 * seeds, with the variance E and e degrees of freedom. Both are pooled over the rows of the family,
 * or are computed from the compared pair alone (results/stats/pooled.h). The other is caused by
 * items. Its variance V is that of the B resampled d; without items V is 0.
 *
 * The degrees of freedom of V are f = items - strata. V is an estimate from that many items, so
 * more resamples (B) do not improve it. If there are some hundred items, f is practically infinite;
 * if there are ten items, it is not. An item that is alone in its stratum is drawn every time. If
 * every item is alone in its stratum, V and f are 0.
 *
 * p and interval are those of the fiducial distribution of the sum (fiducial_share). Without items
 * it is Student's. Satterthwaite's degrees of freedom of E + V would be wrong, because two or three
 * seeds can agree by chance. Then E is far too small, V dominates, and the degrees of freedom are
 * far too many. Small p would be too frequent (tests/unit/level_family_test.c, levels_of_one_row).
 *
 * Seeds of different models are independent, even if their numbers are equal. Two sides may have
 * the same trainings, for example if one model is scored in two ways. Such sides are paired by
 * seed: E = s_d^2 / n. s_d is the standard deviation of the differences by seed.
 *
 * This test is conservative. E already contains the interaction of sentences and trainings. V is
 * estimated from n trainings, so it contains a part of this interaction again. V alone is the
 * variance of d for fixed trainings and other sentences of the same kind.
 *
 * If a side has one seed, the variance between trainings is unknown, and no verdict is possible.
 * The resamples still compare these two trainings: p = (k + 1) / (B + 1). k is the number of
 * resampled d that are not beyond a limit, such as 0. Koehn 2004 has this p for the limit 0, and
 * Davison and Hinkley 1997 have the + 1. p is at least 2^-items, the probability that all items
 * favor one side by chance. Without this bound, a single item would give a very small p, because
 * all resamples are equal to this item. */
#pragma once

#include <stdbool.h>

#include "core/base/arena.h"
#include "results/stats/pooled.h"
#include "results/stats/student.h"

struct difference_side {
    int seeds;
    const double *value;  /* [seeds] */
    const double *sample; /* [samples] resamples, which are means over the seeds; NULL: no items.
                             A resample that is NaN on a side is left out */
};

/* Properties of the comparison, common to both sides. */
struct difference_design {
    int owns;                       /* number of rows of a contrast, which are independent; 0: the
                                       sides are the rows, or their differences if `paired` */
    const struct pooled_row *own;   /* [owns] */
    bool paired;                    /* true: the sides are paired by seed, and have equally many
                                       seeds */
    int others;                     /* number of rows of the family without the compared sides */
    const struct pooled_row *other; /* [others] variances of these rows; if `paired`, variances of
                                       their differences by seed */
    bool single;                    /* true: samples are means of float numbers (statistic.h) */
    int items, strata;              /* numbers of items and of their strata; 0: no items */
    int samples;                    /* number of resamples (B) */
};

struct difference_known {
    double a, b, value;                     /* a, b: means of ours and of theirs; value: d */
    int seeds;                              /* number of seeds of the side with fewer seeds */
    int samples;                            /* number of resamples that are numbers on both sides */
    const double *sample;                   /* [samples] resampled d, ascending; NULL: no items */
    double spread;                          /* sqrt(V) */
    int items, strata;                      /* of the design */
    struct student_part of_seeds, of_items; /* E and V, with their degrees of freedom; both 0 if a
                                               side has one seed */
    double least; /* lower limit of p, if p is computed from the resamples */
};

/* Estimates d. The samples live in the arena. A d within the rounding error is set to 0. */
struct difference_known difference_of(const struct difference_side *ours,
                                      const struct difference_side *theirs,
                                      const struct difference_design *design, struct arena *arena);

/* Returns the largest |a - b| that rounding alone can cause. */
double difference_rounding(double a, double b);
/* True if p is computed from the variance between seeds. This requires two seeds or more on both
 * sides, and E + V above 0. */
bool difference_by_seeds(const struct difference_known *known);
/* Return the one-sided p of d > limit and of d < limit. p is the probability of the observed d, or
 * a more extreme d, if the true d were the limit. With one seed, p is computed from the
 * resamples. Without resamples, p is 0 or 1. */
double difference_above(const struct difference_known *known, double limit);
double difference_below(const struct difference_known *known, double limit);
/* Returns the two-sided p of d != 0. If a side has one seed, returns the one-sided p that the side
 * with the larger value is better (Koehn 2004). */
double difference_p(const struct difference_known *known);
/* Writes the limits of the confidence interval of level 1 - 2 tail. */
void difference_interval(const struct difference_known *known, double tail, double *low,
                         double *high);
/* Returns the smallest difference that a test with probability `tail` in each tail detects with
 * this power. It is the sum of the quantiles 1 - tail and power of the error. If a side has one
 * seed, the error is normal, with the variance V. */
#define DIFFERENCE_POWER 0.8
double difference_detectable(const struct difference_known *known, double tail, double power);
/* Returns the detectable difference that is left with any number of seeds, because V does not
 * depend on it. 0 without items. */
double difference_floor(const struct difference_known *known, double tail, double power);

/* The size of an experiment that detects a difference `wanted`. */
struct difference_plan {
    int seeds;    /* of each side, at least 2; 0: no number up to DIFFERENCE_SEEDS is enough */
    double items; /* number of items if more are needed, because the floor is above `wanted`. This
                     number leaves half of the variance to the seeds. 0: these items are enough */
};
enum { DIFFERENCE_SEEDS = 1000 };
/* Requires difference_by_seeds. Assumes that E falls as 1 / seeds, its degrees of freedom grow as
 * seeds - 1, and V falls as 1 / items. */
struct difference_plan difference_plan(const struct difference_known *known, double wanted,
                                       double tail, double power);
