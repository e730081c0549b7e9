/* Computes the expected best of k trials. Weights of the order statistics follow from each other,
 * from the best one on, so no binomial coefficient overflows. */
#include "results/stats/best_of.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/mean.h"
#include "results/stats/student.h"

/* Ascending; NaN last. */
static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return isnan(one) || isnan(other) ? isnan(one) - isnan(other) : (one > other) - (one < other);
}

/* Returns the expected best of k values. best: [count] best first. One value may be left out. */
static double best_without(const double *best, int count, int k, int without)
{
    double sum = 0, weight = 1;
    int left = without < count ? count - 1 : count;
    if (k < 1 || k > left) return (double)NAN;
    weight = (double)k / left;
    for (int i = 0; i < count && left >= k; i++) {
        if (i == without) continue;
        sum += weight * best[i];
        left--;
        if (left) weight *= (double)(left - k + 1) / left;
    }
    return sum;
}

/* Returns a copy, best first, with the sign of values of which a lower one is better. */
static double *sorted(const double *value, int count, bool less, struct arena *arena)
{
    double *best = ARENA_ARRAY(arena, double, count + 1);
    for (int i = 0; i < count; i++) best[i] = less ? value[i] : -value[i];
    qsort(best, (size_t)count, sizeof *best, ascending);
    return best;
}

double best_of(const double *value, int count, int k, bool less)
{
    SCOPED(arena_free) struct arena arena = {0};
    const double best = best_without(sorted(value, count, less, &arena), count, k, count);
    return less ? best : -best;
}

double best_of_reach(const double *value, int count, int k, bool less)
{
    SCOPED(arena_free) struct arena arena = {0};
    const double *best = sorted(value, count, less, &arena);
    double *one = ARENA_ARRAY(&arena, double, count + 1);
    if (k < 1 || k >= count) return (double)NAN;
    for (int i = 0; i < count; i++) one[i] = best_without(best, count, k, i);
    /* (n - 1) / n times the sum of squares */
    const double error = mean_deviation(one, count) * (count - 1) / sqrt(count);
    return error * student_quantile(0.975, fmin(count - 1, fmax(1, 1.7 * count / k - 1)));
}
