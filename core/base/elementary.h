/* log, exp, exp2, sin, cos and pow for whatever reaches a parameter, a loss, a score or a choice.
 *
 * The last bit of libm's functions differs by its version and by the processor, and a training
 * that starts one bit off is another training. These take + - * and fma of doubles in one order
 * (and integers where sin and cos are reduced), so that every compiler, libc and processor gives
 * the same bits. They want rounding to nearest and -ffp-contract=off, as the Makefile has it.
 * scripts/lint refuses libm's; sqrt, fmin, floor and their like are exact everywhere and stay.
 *
 * All doubles are taken, and special values are those of C's Annex F; neither errno nor a floating
 * point exception is promised. Largest errors seen over 10^7 arguments each, in units of the last
 * place (tests/unit/elementary_test.c tries fewer):
 *
 *   log 0.51   exp 0.61   exp2 0.60   pow 0.64   and 0.77 where a result is denormal
 *   sin 0.74   cos 0.74   of arguments of any size: multiples of pi/2 are taken off in integers
 *
 * Exact results are exact, as exp2 of integers and pow(x, 1). */
#pragma once

#include "core/base/base.h"

double elementary_log(double x);  /* natural; -infinity of 0, NaN of less */
double elementary_exp(double x);  /* e^x */
double elementary_exp2(double x); /* 2^x */
double elementary_sin(double x);  /* NaN of an infinity, as of cos */
double elementary_cos(double x);
/* x^y; NaN of x < 0 unless y is whole or infinite; x^0 and 1^y are 1, of a NaN, too. */
double elementary_pow(double x, double y);
