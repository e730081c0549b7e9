/* Elementary functions with 113 bits, an independent reference for
 * core/base/elementary.h. They use series, with pi from Machin's formula, and share no code with
 * the code under test or a library. Relative errors are below 2^-98. */
#pragma once

#include "core/base/base.h"

#ifdef __x86_64__
typedef __float128 quad;
#else
typedef long double quad; /* has 113 bits on aarch64 */
#endif

void quad_open(void); /* call once, before all other functions */

quad quad_exp(quad x); /* |x| <= 11,000 */
quad quad_exp2(double x);
quad quad_log(double x);           /* 0 < x < infinity */
quad quad_pow(double x, double y); /* 0 < x < infinity, |y log x| <= 11,000 */
struct quad_wave {
    quad sin, cos;
} quad_wave(double x); /* finite */
/* Returns the double nearest to k pi/2. */
double quad_quarters(double k);

/* Returns |got - wanted| in units of the last place of a double near wanted. An infinity counts
 * as 2^1024; it is correct for all larger numbers. */
double quad_ulps(double got, quad wanted);
