/* The difference d between two sides: estimate, standard error, p and confidence interval. A side
 * is one row of a grid, or several pooled rows.
 *
 * A side has n trainings (seeds), each with a value. A value that is a statistic of items (BLEU of
 * sentences) also has resamples. They come from B sets of items drawn with replacement, which are
 * equal for both sides and all of their seeds. A resample is the mean of the side's seeds on one
 * set.
 *
 *     d = mean of ours - mean of theirs, over their seeds
 *
 * Two seeds or more on both sides: Student's t with
 *
 *     error^2 = E + V      freedom = 1 / ((1 - r)^2 / e + r^2 / f)      r = V / (c E + V)
 *
 * E is the variance of d between seeds, and e its degrees of freedom. They are pooled over the rows
 * of the family, or the pair's own (results/stats/pooled.h). V is the variance of the B resampled
 * d; without items it is 0. f = items - strata, because V is an estimate from that many items, and
 * more resamples (B) do not improve it. An f of some hundred sentences is practically infinite; an
 * f of ten items is not. An item that is alone in its stratum is drawn every time. If all items
 * are, V and f are 0.
 *
 * With c = 1 the freedom would be Satterthwaite's. Two or three seeds can agree by chance. Then E
 * is far too small, V dominates, and Satterthwaite's freedom is far too large. So c E is the upper
 * limit of E, of level 0.85 (variance_limit).
 *
 * Seeds of different models are independent, even if their numbers are equal. Two sides may have
 * the same trainings: a margin trained - start, or one model scored in two ways. They are paired by
 * seed: E = s_d^2 / n. s_d is the standard deviation of the differences by seed.
 *
 * This is conservative. E already contains the interaction of sentences and trainings, and V, an
 * estimate from n trainings, contains a part of it again. V alone is the variance of d over other
 * sentences of the same kind for fixed trainings.
 *
 * One seed on a side: the variance between trainings is unknown, and no verdict is possible. The
 * resamples still compare these two trainings: p = (k + 1) / (B + 1). Here k resamples are on the
 * other side of a limit (Koehn 2004 for the limit 0; Davison and Hinkley 1997 for the + 1). No such
 * p is less than 2^-items, the probability that all items are on one side by chance. Without this
 * bound the p of a single item would look certain, because every resample is that item. */
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

/* Properties of the comparison, common to both sides. */
struct difference_design {
    bool paired;                    /* by seed; both sides then have equally many seeds */
    int others;                     /* number of other rows of the family */
    const struct pooled_row *other; /* [others] their variances; of differences by seed if paired */
    bool single;       /* the samples have single precision (statistic.h), except means */
    int items, strata; /* 0: none */
    int samples;       /* B */
};

struct difference_known {
    double a, b, value;                /* means of ours and theirs; d */
    int seeds;                         /* smaller number of seeds of both sides */
    struct student_difference student; /* valid if seeds > 1; error 0: no variance */
    int samples;
    const double *sample; /* [samples] resampled d, ascending; NULL: no items */
    double spread;        /* sqrt(V) */
    double least;         /* lower limit of every p of the resamples */
};

/* Estimates d. The samples live in the arena. A d within the rounding error is set to 0. */
struct difference_known difference_of(const struct difference_side *ours,
                                      const struct difference_side *theirs,
                                      const struct difference_design *design, struct arena *arena);

/* Returns the largest difference between equal numbers that rounding can cause. */
double difference_rounding(double a, double b);
/* True if p is Student's: seeds > 1 and a variance above 0. */
bool difference_by_student(const struct difference_known *known);
/* One-sided p of d > limit and of d < limit. p is the probability of the observed d, or a more
 * extreme d, if the true d were the limit. With one seed, or without variance, p is over items.
 * Without items p is 0 or 1. */
double difference_above(const struct difference_known *known, double limit);
double difference_below(const struct difference_known *known, double limit);
/* Two-sided p of d != 0, by Student's t; over items if no seed varies. With one seed: the one-sided
 * p of the side with the larger value (Koehn 2004). */
double difference_p(const struct difference_known *known);
/* The confidence interval of level 1 - 2 tail. */
void difference_interval(const struct difference_known *known, double tail, double *low,
                         double *high);
/* The smallest difference that a test with probability `tail` in each tail detects with power 0.8:
 * (t[1 - tail] + t[0.8]) error. With one seed: by the normal distribution, over items alone. */
double difference_detectable(const struct difference_known *known, double tail);
