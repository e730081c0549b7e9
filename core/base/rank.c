/* Computes ranks by counting smaller values. This takes O(n^2) steps, but lists have only some
 * hundred values. */
#include "core/base/rank.h"

#include <math.h>

/* Returns the rank, from 1. Equal values all have the mean of their ranks. */
static double rank_of(const double *value, int count, int at)
{
    int less = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        less += value[i] < value[at];
        equal += value[i] == value[at];
    }
    return less + 0.5 * (equal + 1);
}

double rank_correlation(const double *x, const double *y, int count)
{
    const double middle = 0.5 * (count + 1); /* the mean of all ranks */
    double xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        const double dx = rank_of(x, count, i) - middle, dy = rank_of(y, count, i) - middle;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return count < 3 || xx <= 0 || yy <= 0 ? (double)NAN : xy / sqrt(xx * yy);
}
