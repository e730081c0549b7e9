/* Adds differences to the result of a check. A difference that is not finite counts as the
 * largest. */
#include "core/check/finding.h"

#include <math.h>

const double check_rounding = sizeof(real) == sizeof(double) ? 1e-12 : 1e-5;

bool finding_add(struct finding *finding, double difference)
{
    const double off = isfinite(difference) ? difference : INFINITY;
    const bool worst = finding->compared == 0 || off > finding->worst;
    finding->compared++;
    if (worst) finding->worst = off;
    finding->ok = finding->worst <= finding->limit;
    return worst;
}

void finding_rows(struct finding *finding, const real *got, const real *expected, int64_t count,
                  const char *where)
{
    double norm = 0;
    for (int64_t i = 0; i < count; i++) norm += (double)expected[i] * (double)expected[i];
    /* if all are zeros, differences are absolute */
    norm = norm > 0 ? sqrt(norm / (double)count) : 1;
    for (int64_t i = 0; i < count; i++)
        if (finding_add(finding, fabs((double)got[i] - (double)expected[i]) / norm))
            snprintf(finding->where, sizeof finding->where, "%s, element %lld: %.9g and %.9g",
                     where, (long long)i, (double)got[i], (double)expected[i]);
}
