/* Taylor series after an exact argument reduction. Multiples of pi/2 are subtracted in integers:
 * a table holds 2^e modulo 2 pi for every e, from 1,376 bits of pi. */
#include "tests/support/quad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIMBS = 44, /* of 32 bits, one before the binary point */
    KEPT = 8,   /* enough for the double that is nearest to a multiple of pi/2 */
    LOWEST = -60,
    HIGHEST = 972,
    TERMS = 30
};
typedef uint32_t number[LIMBS];

static number half_pi;
static uint32_t turn[HIGHEST - LOWEST][KEPT]; /* 2^e modulo 2 pi */
static quad factorial[TERMS], odd[TERMS];     /* 1 / n!, 1 / (2 n + 1) */
static quad ln2;

static quad two_to(int k)
{
    const unsigned __int128 bits = (unsigned __int128)(16383 + k) << 112;
    quad x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int exponent_of(quad x)
{
    unsigned __int128 bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 112 & 0x7fff) - 16383;
}

static void divide(number x, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = 0; i < LIMBS; i++) {
        rest = rest << 32 | x[i];
        x[i] = (uint32_t)(rest / by);
        rest %= by;
    }
}

/* x += sign y, sign 1 or -1 */
static void add(number x, const number y, int sign)
{
    int64_t carry = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        carry += (int64_t)x[i] + sign * (int64_t)y[i];
        x[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static bool below(const number x, const number y)
{
    for (int i = 0; i < LIMBS; i++)
        if (x[i] != y[i]) return x[i] < y[i];
    return false;
}

/* sum += times arctan(1 / q) = times (1/q - 1/(3 q^3) + 1/(5 q^5) ..) */
static void add_arctan(number sum, int times, uint32_t q)
{
    number power = {(uint32_t)abs(times)}, term;
    divide(power, q);
    for (uint32_t n = 1; n < 2 * 32 * LIMBS; n += 2) {
        memcpy(term, power, sizeof term);
        divide(term, n);
        add(sum, term, (n % 4 == 1) == (times > 0) ? 1 : -1);
        divide(power, q * q);
    }
}

/* c[0] + c[step] x + c[2 step] x^2 .., `count` terms */
static quad series(const quad *c, int step, int count, quad x)
{
    quad y = 0;
    for (int i = count - 1; i >= 0; i--) y = y * x + c[i * step];
    return y;
}

/* e^x 2^k as (e^(x / 256))^256 2^k */
static quad exp_small(quad x, int k)
{
    quad y = series(factorial, 1, 12, x / 256);
    for (int i = 0; i < 8; i++) y *= y;
    return y * two_to(k);
}

quad quad_exp(quad x)
{
    const double k = rint((double)(x / ln2));
    return exp_small(x - k * ln2, (int)k);
}

quad quad_exp2(double x)
{
    const double k = rint(x);
    return exp_small((x - k) * ln2, (int)k);
}

/* log((1 + s) / (1 - s)) for |s| < 0.18 */
static quad log_ratio(quad s)
{
    return 2 * s * series(odd, 1, TERMS, s * s);
}

quad quad_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < M_SQRT1_2) m *= 2, k--;
    return k * ln2 + log_ratio(((quad)m - 1) / ((quad)m + 1));
}

quad quad_pow(double x, double y)
{
    return quad_exp(y * quad_log(x));
}

void quad_open(void)
{
    number two_pi = {0}, x = {0};
    add_arctan(half_pi, 8, 5); /* Machin: pi = 16 arctan(1/5) - 4 arctan(1/239) */
    add_arctan(half_pi, -2, 239);
    for (int i = 0; i < 4; i++) add(two_pi, half_pi, 1);
    x[2] = 1 << (64 + LOWEST);
    for (int e = LOWEST; e < HIGHEST; e++) {
        memcpy(turn[e - LOWEST], x, sizeof turn[0]);
        add(x, x, 1);
        if (!below(x, two_pi)) add(x, two_pi, -1);
    }
    for (int n = 0; n < TERMS; n++) {
        factorial[n] = n ? factorial[n - 1] / n : 1;
        odd[n] = (quad)1 / (2 * n + 1);
    }
    ln2 = log_ratio((quad)1 / 5) + log_ratio((quad)1 / 7); /* 3/2 and 4/3 */
}

struct quad_wave quad_wave(double x)
{
    int e;
    const quad m = frexp(fabs(x), &e) * 0x1p53;
    quad rest = fabs(x), k = 0;
    e -= 53;
    if (e >= LOWEST) {
        const uint32_t *t = turn[e - LOWEST];
        quad about = 0, pi = 0;
        for (int i = 3; i >= 0; i--) {
            about = about / 0x1p32 + m * t[i];
            pi = pi / 0x1p32 + half_pi[i];
        }
        about = about / pi;
        rest = 0, k = about + two_to(112) - two_to(112); /* the nearest integer */
        for (int i = 0; i < KEPT; i++) rest += (m * t[i] - k * half_pi[i]) * two_to(-32 * i);
    }
    const quad square = -rest * rest, sin = rest * series(factorial + 1, 2, 14, square),
               cos = series(factorial, 2, 15, square);
    const int quadrant = (int)((int64_t)k & 3);
    struct quad_wave wave = {quadrant & 1 ? cos : sin, quadrant & 1 ? sin : cos};
    if ((quadrant & 2) != (x < 0 ? 2 : 0)) wave.sin = -wave.sin;
    if (quadrant == 1 || quadrant == 2) wave.cos = -wave.cos;
    return wave;
}

double quad_quarters(double k)
{
    quad sum = 0;
    for (int i = 5; i >= 0; i--) sum += k * (quad)half_pi[i] * two_to(-32 * i);
    return (double)sum;
}

double quad_ulps(double got, quad wanted)
{
    const int e = exponent_of(wanted) < -1022 ? -1022 : exponent_of(wanted);
    const quad size = wanted < 0 ? -wanted : wanted, shown = wanted < 0 ? -(quad)got : got;
    if (isinf(got) && shown > 0 && size >= two_to(1024)) return 0;
    const quad off = (isinf(got) && shown > 0 ? two_to(1024) : shown) - size;
    return fabs((double)(off * two_to(52 - e)));
}
