/* Computes elementary functions by polynomials of a number r near 0. For exp, e^x = 2^k e^r. For
 * sin and cos, x = k pi/2 + r. For log, log(x) = k log(2) + log(c) + log(1 + r), where a table has
 * 32 numbers c. */
#include "core/base/elementary.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary_constants.h"

#define FMA __builtin_fma
#define TERMS(terms, x) terms_sum(terms, (int)COUNT_OF(terms), x)

/* A number as the sum high + low, where |low| is at most about 2^-50 |high|. `low` keeps a rounding
 * error that could change the last bit of the result. */
struct double_double {
    double high, low;
};

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns a + b, exact if |a| >= |b| or a is 0 (Dekker 1971). */
static inline struct double_double sum(double a, double b)
{
    const double high = a + b;
    return (struct double_double){high, (a - high) + b};
}

/* Returns a * b, exact. */
static inline struct double_double product(double a, double b)
{
    const double high = a * b;
    return (struct double_double){high, FMA(a, b, -high)};
}

/* Returns c[0] + c[1] x + c[2] x^2 .. */
static inline double terms_sum(const double *c, int count, double x)
{
    double y = c[count - 1];
    for (int i = count - 2; i >= 0; i--) y = FMA(y, x, c[i]);
    return y;
}

/* Returns the nearest integer, for |x| < 2^51. */
static inline double nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* Returns e^x 2^k for |x| <= log(2)/2. A double may be unable to represent 2^k, so its factors
 * 2^(k/2) and 2^(k - k/2) are multiplied one after the other. If the result is denormal, only the
 * second multiplication rounds. */
static double exp_small(struct double_double x, int k)
{
    const struct double_double one = sum(1, x.high);
    const double square = x.high * x.high, low = FMA(x.low, x.high, x.low);
    const double y = one.high + (one.low + FMA(square, TERMS(exp_terms, x.high), low));
    const int half = k / 2;
    return y * of_bits((uint64_t)(1023 + half) << 52) * of_bits((uint64_t)(1023 + k - half) << 52);
}

static double exp_pair(struct double_double x)
{
    if (x.high > 710) return INFINITY;
    if (x.high < -746) return 0;
    const double k = nearest(x.high * PER_LN2);
    return exp_small(sum(FMA(-k, LN2_TOP, x.high), FMA(-k, LN2_REST, x.low)), (int)k);
}

double elementary_exp(double x)
{
    return x != x ? x : exp_pair((struct double_double){x, 0});
}

double elementary_exp2(double x)
{
    if (x != x) return x;
    if (x >= 1024) return INFINITY;
    if (x < -1076) return 0;
    const double k = nearest(x);
    struct double_double y = product(x - k, LN2);
    y.low = FMA(x - k, LN2_LOW, y.low);
    return exp_small(y, (int)k);
}

/* Returns log(x) for 0 < x < infinity. x = 2^k m and m (1/c) = 1 + r, where |r| < 1/64 and c is
 * from the table. The result is k log(2) + log(c) + r - r^2/2 + r^3 (..). All terms up to r^2/2 are
 * computed in two doubles. Near x = 1, c is 1 and k is 0, so no digits cancel. */
static struct double_double log_pair(double x)
{
    int64_t k = 0;
    if (x < 0x1p-1022) x *= 0x1p54, k = -54;
    const int64_t above = (int64_t)(bits_of(x) - bits_of(LOG_FIRST));
    const double m = of_bits(bits_of(x) - ((uint64_t)(above >> 52) << 52));
    const int step = (int)(above >> 47 & 31);
    k += above >> 52;
    const struct double_double ratio = product(m, log_step[step].inverse);
    const struct double_double r = sum(ratio.high - 1, ratio.low);
    const struct double_double square = product(.5 * r.high, r.high);
    const struct double_double first = sum(FMA((double)k, LN2_TOP, log_step[step].top), r.high);
    const struct double_double second = sum(first.high, -square.high);
    const double rest = FMA((double)k, LN2_REST, log_step[step].rest);
    const double cube = r.high * r.high * r.high * TERMS(log_terms, r.high);
    const double low = FMA(-r.high, r.low, r.low) - square.low + cube;
    return sum(second.high, first.low + second.low + rest + low);
}

double elementary_log(double x)
{
    if (!(x > 0)) return x == 0 ? -INFINITY : x < 0 ? NAN : x;
    return x < INFINITY ? log_pair(x).high : x;
}

double elementary_pow(double x, double y)
{
    if (x == 1 || y == 0) return 1;
    if (x != x || y != y) return x + y;
    const double size = fabs(x);
    const bool small = fabs(y) < 0x1p63; /* doubles of at least 2^53 are even */
    const bool whole = !small || (double)(int64_t)y == y;
    const bool minus = signbit(x) && whole && small && ((int64_t)y & 1);
    double power;
    if (size == 0 || size == INFINITY)
        power = (size == 0) == (y < 0) ? INFINITY : 0;
    else if (fabs(y) == INFINITY)
        power = size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    else if (x < 0 && !whole)
        return NAN;
    else {
        const struct double_double base = log_pair(size);
        struct double_double exponent = product(y, base.high);
        exponent.low = FMA(y, base.low, exponent.low);
        power = exp_pair(exponent);
    }
    return minus ? -power : power;
}

/* Returns x - k pi/2 for the nearest integer k, and adds k modulo 4 to *quadrant. Requires 1/2 <= x
 * < infinity. Uses the method of Payne and Hanek (1983). With x = m 2^e, the bits of 2/pi above
 * 2^(1 - e) only add multiples of 4 to k, so they are skipped. The product of m and the next 192
 * bits is x 2/pi modulo 4, with 126 bits after the binary point. x 2/pi differs from an integer by
 * at least 2^-62, so at least 64 of these bits are significant. */
static struct double_double reduce(double x, unsigned *quadrant)
{
    const int e = (int)(bits_of(x) >> 52) - 1075, from = e + 62, shift = from % 64;
    const uint64_t m = bits_of(x) << 12 >> 12 | (uint64_t)1 << 52;
    uint64_t bits[3];
    for (int i = 0; i < 3; i++) {
        const uint64_t *word = two_over_pi + from / 64 + i;
        bits[i] = word[0] << shift | word[1] >> 1 >> (63 - shift);
    }
    const unsigned __int128 turns = ((unsigned __int128)(m * bits[0]) << 64) +
                                    (unsigned __int128)m * bits[1] +
                                    (uint64_t)((unsigned __int128)m * bits[2] >> 64);
    *quadrant += (unsigned)(turns >> 126) + (unsigned)(turns >> 125 & 1);
    const uint64_t upper = (uint64_t)(turns >> 62), lower = (uint64_t)turns << 2;
    struct double_double rest =
        sum((double)(int32_t)(upper >> 32) * 0x1p-32, (double)(uint32_t)upper * 0x1p-64);
    const double end = (double)(lower >> 32) * 0x1p-96 + (double)(uint32_t)lower * 0x1p-128;
    rest = sum(rest.high, rest.low + end);
    struct double_double y = product(rest.high, HALF_PI);
    y.low += FMA(rest.low, HALF_PI, rest.high * HALF_PI_LOW);
    return y;
}

/* Returns sin(|x| + quadrant pi/2). */
static double wave(double x, unsigned quadrant)
{
    struct double_double y = {fabs(x), 0};
    if (!(y.high < INFINITY)) return x - x;
    if (y.high > HALF_PI / 2) y = reduce(y.high, &quadrant);
    const struct double_double square = product(y.high, y.high);
    const double z = square.high, half = .5 * z;
    double value;
    if (quadrant & 1) {
        const struct double_double one = sum(1, -half);
        const double low = one.low - FMA(y.high, y.low, .5 * square.low);
        value = one.high + FMA(z * z, TERMS(cos_terms, z), low);
    } else {
        const double low = FMA(-half, y.low, y.low);
        value = y.high + FMA(y.high * z, TERMS(sin_terms, z), low);
    }
    return quadrant & 2 ? -value : value;
}

double elementary_sin(double x)
{
    return wave(x, signbit(x) ? 2 : 0);
}

double elementary_cos(double x)
{
    return wave(x, 1);
}
