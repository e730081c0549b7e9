/* log, exp, exp2, sin, cos and pow for every value that affects a parameter, a loss, a score or a
 * choice.
 *
 * The last bit of libm's functions depends on its version and on the processor, and one different
 * bit at the start makes a different training. These functions use + - * and fma of doubles in a
 * fixed order, and integers for the reduction of sin and cos. So every compiler, libc and processor
 * yields the same bits. They require rounding to nearest and -ffp-contract=off, which the Makefile
 * sets. scripts/lint refuses libm's functions. sqrt, fmin, floor and similar functions are exact
 * everywhere and are allowed.
 *
 * All doubles are accepted. Special values are those of C's Annex F; errno and floating point
 * exceptions are not specified. Largest errors over 10^7 arguments each, in units of the last place
 * (tests/unit/elementary_test.c tries fewer):
 *
 *   log 0.51   exp 0.61   exp2 0.60   pow 0.64   and 0.77 for denormal results
 *   sin 0.74   cos 0.74   for arguments of any size: multiples of pi/2 are subtracted in integers
 *
 * Exact results are exact, such as exp2 of integers and pow(x, 1). */
#pragma once

#include "core/base/base.h"

double elementary_log(double x);  /* natural; -infinity for 0, NaN for less */
double elementary_exp(double x);  /* e^x */
double elementary_exp2(double x); /* 2^x */
double elementary_sin(double x);  /* NaN for an infinity, like cos */
double elementary_cos(double x);
/* x^y; NaN for x < 0 unless y is an integer or infinite; x^0 and 1^y are 1, also for NaN. */
double elementary_pow(double x, double y);
