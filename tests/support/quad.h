/* The elementary functions in __float128 (113 bits), as witness for core/base/elementary.h: from
 * their series, with pi from Machin's formula. Nothing here is taken from the code under test, nor
 * from a library. Relative errors are below 2^-98. */
#pragma once

#include "core/base/base.h"

typedef __float128 quad;

void quad_open(void); /* before all others, once */

quad quad_exp(quad x); /* |x| <= 11,000 */
quad quad_exp2(double x);
quad quad_log(double x);           /* 0 < x < infinity */
quad quad_pow(double x, double y); /* 0 < x < infinity, |y log x| <= 11,000 */
struct quad_wave {
    quad sin, cos;
} quad_wave(double x); /* finite */
/* The double nearest to k pi/2. */
double quad_quarters(double k);

/* |got - wanted| in units of the last place that a double near wanted has; an infinity counts as
 * 2^1024, and is right for all that is larger. */
double quad_ulps(double got, quad wanted);
