/* Computes log, exp, exp2, sin, cos and pow with the same bits on every machine. Code whose results
 * affect a parameter, a loss, a score or a choice uses these functions.
 *
 * The last bit of a result of libm depends on the version of libm and on the processor. One
 * different bit at the start of a training changes all later parameters. The functions of this file
 * use + - * and fma of doubles in a fixed order. To reduce the argument of sin and cos, they use
 * integers. So every compiler, libc and processor yields the same bits. The functions require
 * rounding to nearest and -ffp-contract=off, which the Makefile sets. scripts/lint refuses libm's
 * functions in such code. sqrt, fmin, floor and similar functions yield the same bits everywhere
 * and are allowed.
 *
 * Every double is a valid argument. Results for zeros, infinities and NaN are those of C's Annex F.
 * errno and floating point exceptions are not specified. These are the largest errors over 10^7
 * arguments for each function, in units of the last place (tests/unit/elementary_test.c tries
 * fewer):
 *
 *   log 0.51   exp 0.61   exp2 0.60   pow 0.64   and 0.77 for denormal results
 *   sin 0.74   cos 0.74   for arguments of any size: multiples of pi/2 are subtracted in integers
 *
 * Results that a double can represent are exact, such as exp2 of integers and pow(x, 1). */
#pragma once

#include "core/base/base.h"

double elementary_log(double x);  /* natural logarithm; -infinity for 0, NaN for x < 0 */
double elementary_exp(double x);  /* e^x */
double elementary_exp2(double x); /* 2^x */
double elementary_sin(double x);  /* NaN if x is infinite, as for cos */
double elementary_cos(double x);
/* x^y; NaN for finite x < 0 unless y is an integer or infinite; x^0 and 1^y are 1, also for NaN. */
double elementary_pow(double x, double y);
