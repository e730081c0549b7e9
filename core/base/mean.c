/* Mean and deviation in two passes: a single pass over sums of squares would lose digits to
 * cancellation. */
#include "core/base/mean.h"

#include <math.h>

double mean_of(const double *value, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += value[i];
    return sum / count;
}

double mean_deviation(const double *value, int count)
{
    if (count < 2) return 0;
    double mean = mean_of(value, count), sum = 0;
    for (int i = 0; i < count; i++) sum += (value[i] - mean) * (value[i] - mean);
    return sqrt(sum / (count - 1));
}
