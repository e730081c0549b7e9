/* Tests core/base/elementary.h against series in 113 bits (tests/support/quad.h), C's Annex F and
 * exact results. Digests of the results must be equal on all compilers and machines. */
#include "tests/support/test.h"

#include <float.h>

#include "core/base/digest.h"
#include "core/base/elementary.h"
#include "core/base/random.h"
#include "tests/support/quad.h"

enum { DRAWS = 250000 };

static uint64_t draw(const char *name, uint64_t index)
{
    uint32_t word[4];
    random_block((struct random_key){1, random_stream(name)}, index, 0, 0, word);
    return (uint64_t)word[1] << 32 | word[0];
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Returns a number from low to high, uniformly distributed. */
static double between(double low, double high, uint64_t random)
{
    return low + (high - low) * ((double)(random >> 11) * 0x1p-53);
}

/* Returns a number near center. The maximum distance is 1, 1/2, 1/4, .., or 2^-63. */
static double around(double center, uint64_t random)
{
    return center + between(-1, 1, random << 6) * of_bits((1023 - (random >> 58)) << 52);
}

/* These functions return arguments for every code path: all doubles, arguments without overflow,
 * and arguments near 1 or 0. Others are arguments of random_normal and of the sinusoids. For sin
 * and cos, there are also the doubles nearest to multiples of pi/2, of all sizes. */
#define ARGUMENT(name, value)                                                                      \
    static double name(uint64_t random)                                                            \
    {                                                                                              \
        return value;                                                                              \
    }
ARGUMENT(any, of_bits(random))
ARGUMENT(positive, of_bits(random >> 1))
ARGUMENT(small, around(0, random))
ARGUMENT(near_1, around(1, random))
ARGUMENT(half_to_2, between(.5, 2, random))
ARGUMENT(uniform, ((double)(uint32_t)random + 1) * 0x1p-32)
ARGUMENT(angle, 6.283185307179586 * (double)(uint32_t)random * 0x1p-32)
ARGUMENT(position, between(-1e6, 1e6, random))
ARGUMENT(quarters, quad_quarters((double)(random >> 11 >> random % 53)))
ARGUMENT(far_quarters, quarters(random) * of_bits((1023 + random % 900) << 52))
ARGUMENT(natural, between(-745.2, 709.8, random))
ARGUMENT(binary, between(-1075, 1024, random))

static quad exp_of(double x)
{
    return quad_exp(x);
}
static quad sin_of(double x)
{
    return quad_wave(x).sin;
}
static quad cos_of(double x)
{
    return quad_wave(x).cos;
}

static const struct {
    const char *name;
    double (*is)(double x);
    quad (*wanted)(double x);
    double low, high, limit; /* finite results between low and high; maximum error in ulp */
    double (*argument[6])(uint64_t random);
    const char *digest; /* SHA-256 of 20,000 results */
} functions[] = {
    {.name = "log",
     .is = elementary_log,
     .wanted = quad_log,
     .low = 0,
     .high = INFINITY,
     .limit = .51,
     .argument = {positive, near_1, half_to_2, uniform},
     .digest = "d482e1bca27188f2d186e94ebfb71c6b586e1c8413625dff5f42a3be5ebb1f79"},
    {.name = "exp",
     .is = elementary_exp,
     .wanted = exp_of,
     .low = -746,
     .high = 710,
     .limit = .76,
     .argument = {natural, small, any},
     .digest = "37546292d4bc5895982d2f0ed6ef28c41cf2654147dfdc0aa65f7cec832feab8"},
    {.name = "exp2",
     .is = elementary_exp2,
     .wanted = quad_exp2,
     .low = -1076,
     .high = 1024,
     .limit = .76,
     .argument = {binary, small, any},
     .digest = "503bbb644ed500fb857f45be40be2b0b5c04304d2ec46fb1c7447500417d6706"},
    {.name = "sin",
     .is = elementary_sin,
     .wanted = sin_of,
     .low = -INFINITY,
     .high = INFINITY,
     .limit = .75,
     .argument = {any, small, angle, position, quarters, far_quarters},
     .digest = "a07dbce9aea943f27afeaf6945f20594faf47d5c08a1c74d42f2021992c40a7b"},
    {.name = "cos",
     .is = elementary_cos,
     .wanted = cos_of,
     .low = -INFINITY,
     .high = INFINITY,
     .limit = .75,
     .argument = {any, small, angle, position, quarters, far_quarters},
     .digest = "bd03941e0cfe0143f46fe8c7cca43af48ad64d715b12c44157a868dc191e9388"},
    {.name = "pow",
     .low = 0,
     .high = INFINITY,
     .limit = .76,
     .argument = {positive, near_1, half_to_2, uniform},
     .digest = "1063ad410707a8b210f19d403701c5dccee38dfd996b0cfd1f51fb5ad507bdf1"},
};

/* Returns the i-th argument of the f-th function; NaN if the result would not be finite. */
static double argument_of(size_t f, uint64_t i)
{
    size_t count = 0;
    while (count < COUNT_OF(functions[f].argument) && functions[f].argument[count]) count++;
    const double x = functions[f].argument[i % count](draw(functions[f].name, i / count));
    return x > functions[f].low && x < functions[f].high ? x : NAN;
}

struct result {
    double x, y, is;
    quad wanted;
};

/* Computes the i-th result of the f-th function. Returns true if it is finite. y of pow is chosen
 * so that x^y is finite. */
static bool result_of(size_t f, uint64_t i, struct result *r)
{
    *r = (struct result){.x = argument_of(f, i)};
    if (isnan(r->x)) return false;
    if (functions[f].is) {
        r->is = functions[f].is(r->x);
        r->wanted = functions[f].wanted(r->x);
        return true;
    }
    r->y = (double)(between(-745, 709, draw("power", i)) / quad_log(r->x));
    if (!(fabs(r->y) < INFINITY)) return false;
    r->is = elementary_pow(r->x, r->y);
    r->wanted = quad_pow(r->x, r->y);
    return true;
}

/* The expected digits are published. The argument of `hard` is the double nearest to a multiple of
 * pi/2 (Muller et al., Handbook of Floating-Point Arithmetic, on range reduction). */
TEST(the_witness_is_right)
{
    const quad off[] = {
        quad_log(2) / 0.693147180559945309417232121458176568076Q - 1,
        quad_log(10) / 2.302585092994045684017991454684364207601Q - 1,
        quad_exp(1) / 2.718281828459045235360287471352662497757Q - 1,
        quad_exp2(.5) / 1.414213562373095048801688724209698078570Q - 1,
        quad_pow(2, 1.5) / 2.828427124746190097603377448419396157139Q - 1,
        quad_wave(M_PI).sin / 1.224646799147353177226065932274997997083Q * 1e16 - 1,
        quad_wave(1).cos / 0.540302305868139717400936607442976603733Q - 1,
        quad_wave(4).sin / -0.756802495307928251372639094511829094136Q - 1,
        quad_wave(-22).sin / 0.008851309290403875921690256815772332465Q - 1,
    };
    const quad hard = quad_wave(6381956970095103. * 0x1p797).cos;
    for (size_t i = 0; i < COUNT_OF(off); i++)
        if (!(fabs((double)off[i]) < 1e-30)) fail_msg("number %zu: %g", i, (double)off[i]);
    assert_true(fabs((double)hard / -4.68716592425462761112e-19 - 1) < 1e-15);
    assert_true(quad_ulps(1, (quad)1 + 0x1p-53) == .5 && quad_ulps(-1, 1) == 0x1p53);
    assert_true(quad_ulps(0, 0x1p-1074) == 1 && quad_ulps(INFINITY, (quad)DBL_MAX) == 1);
}

TEST(every_result_is_within_one_place)
{
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        struct result worst = {0};
        double most = 0;
#pragma omp parallel for
        for (uint64_t i = 0; i < DRAWS; i++) {
            struct result r;
            if (!result_of(f, i, &r)) continue;
            const double ulps = quad_ulps(r.is, r.wanted);
#pragma omp critical
            if (!(ulps <= most)) most = ulps, worst = r; /* a NaN counts as the worst result */
        }
        print_message("%-4s off by %.4f ulp at most, at %a, %a\n", functions[f].name, most, worst.x,
                      worst.y);
        assert_true(most < functions[f].limit);
    }
}

static void same(const char *what, double x, double y, double is, double wanted)
{
    if (isnan(wanted) ? isnan(is) : bits_of(is) == bits_of(wanted)) return;
    fail_msg("%s(%a, %a) is %a, not %a", what, x, y, is, wanted);
}

/* The expected values are those of C11, F.10. */
TEST(special_values)
{
    static const double inf = INFINITY, tiny = 0x1p-1074;
    static const struct {
        double x, log, exp, exp2, sin, cos;
    } one[] = {
        {0, -INFINITY, 1, 1, 0, 1},
        {-0., -INFINITY, 1, 1, -0., 1},
        {INFINITY, INFINITY, INFINITY, INFINITY, NAN, NAN},
        {-INFINITY, NAN, 0, 0, NAN, NAN},
        {NAN, NAN, NAN, NAN, NAN, NAN},
        {0x1p-1074, -0x1.74385446d71c3p+9, 1, 1, 0x1p-1074, 1},
        {-0x1p-1074, NAN, 1, 1, -0x1p-1074, 1},
        {-0x1p-1022, NAN, 1, 1, -0x1p-1022, 1},
    };
    static const struct {
        double x, y, pow;
    } two[] = {
        {-0., -3, -INFINITY},
        {0, -3, INFINITY},
        {-0., -4, INFINITY},
        {-0., -.5, INFINITY},
        {-0., -INFINITY, INFINITY},
        {-0., 3, -0.},
        {-0., 4, 0},
        {-0., .5, 0},
        {-1, INFINITY, 1},
        {-1, -INFINITY, 1},
        {1, NAN, 1},
        {NAN, 0, 1},
        {NAN, -0., 1},
        {INFINITY, 0, 1},
        {NAN, 1, NAN},
        {2, NAN, NAN},
        {-2, .5, NAN},
        {-0x1p-1074, 1e-9, NAN},
        {.5, -INFINITY, INFINITY},
        {-2, -INFINITY, 0},
        {-.5, INFINITY, 0},
        {2, INFINITY, INFINITY},
        {-INFINITY, -3, -0.},
        {-INFINITY, -4, 0},
        {-INFINITY, 3, -INFINITY},
        {-INFINITY, .5, INFINITY},
        {INFINITY, -1e-9, 0},
        {INFINITY, 1e-9, INFINITY},
        {-2, 3, -8},
        {-2, -2, .25},
        {-3, 0x1p53, INFINITY},
        {-1, 0x1.fffffffffffffp52, -1},
        {-1, 1e300, 1},
        {2, 1e300, INFINITY},
        {.5, 1e300, 0},
        {-2, -1075, -0.},
        {-2, -1074, 0x1p-1074},
        {2, -1e300, 0},
        {-2, 1025, -INFINITY},
        {1e-320, 1e-300, 1},
    };
    for (size_t i = 0; i < COUNT_OF(one); i++) {
        const double x = one[i].x;
        same("log", x, 0, elementary_log(x), one[i].log);
        same("exp", x, 0, elementary_exp(x), one[i].exp);
        same("exp2", x, 0, elementary_exp2(x), one[i].exp2);
        same("sin", x, 0, elementary_sin(x), one[i].sin);
        same("cos", x, 0, elementary_cos(x), one[i].cos);
    }
    for (size_t i = 0; i < COUNT_OF(two); i++)
        same("pow", two[i].x, two[i].y, elementary_pow(two[i].x, two[i].y), two[i].pow);
    /* exp overflows above log(2^1024 (1 - 2^-54)), and it is 0 below log(2^-1075). */
    same("exp", 0, 0, elementary_exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
    same("exp", 0, 0, elementary_exp(0x1.62e42fefa39f0p+9), inf);
    same("exp", 0, 0, elementary_exp(-0x1.74910d52d3051p+9), tiny);
    same("exp", 0, 0, elementary_exp(-0x1.74910d52d3052p+9), 0);
    same("exp2", 0, 0, elementary_exp2(-0x1.0cbffffffffffp+10), tiny);
    same("exp2", 0, 0, elementary_exp2(-1075), 0);
    same("exp", 0, 0, elementary_exp(-DBL_MAX), 0);
    same("exp", 0, 0, elementary_exp(DBL_MAX), inf);
}

TEST(what_can_be_exact_is)
{
    same("log", 1, 0, elementary_log(1), 0);
    for (int n = -1074; n < 1024; n++) same("exp2", n, 0, elementary_exp2(n), ldexp(1, n));
    for (int n = -100; n <= 100; n++) {
        int64_t power = 1;
        for (int k = 0; llabs(power) < 1ll << 46; k++, power *= n) {
            same("pow", n, k, elementary_pow(n, k), (double)power);
            if (k > 60) break;
        }
        same("pow", n * n, .5, elementary_pow(n * n, .5), abs(n));
    }
    for (uint64_t i = 0; i < 10000; i++) {
        const double x = positive(draw("exact", i)), y = (double)(draw("exact", i) >> 38);
        if (isfinite(x)) same("pow", x, 1, elementary_pow(x, 1), x);
        same("pow", y, 2, elementary_pow(y, 2), y * y);
    }
}

/* Checks that f is monotonic from 100 doubles below x to 100 doubles above x. */
static void rises(const char *name, double (*f)(double x), double x)
{
    for (uint64_t i = bits_of(x) - 100; i < bits_of(x) + 100; i++) {
        const double a = f(of_bits(i)), b = f(of_bits(i + 1));
        if (x > 0 ? a > b : a < b) fail_msg("%s turns at %a", name, of_bits(i));
    }
}

/* The arguments include the borders of the intervals into which the functions divide their
 * range. */
TEST(larger_arguments_give_no_smaller_results)
{
    for (int n = -64; n <= 64; n++) {
        const double half = n + .5;
        rises("log", elementary_log, of_bits(bits_of(1) + ((uint64_t)(int64_t)n << 46)));
        rises("exp", elementary_exp, (double)(half * quad_log(2)));
        rises("exp2", elementary_exp2, half);
    }
    rises("sin", elementary_sin, (double)(quad_quarters(1) / 2));
    for (uint64_t i = 0; i < 3000; i++)
        for (size_t f = 0; f < 3; f++) {
            const double x = argument_of(f, i);
            if (isfinite(x)) rises(functions[f].name, functions[f].is, x);
        }
}

TEST(the_bits_are_the_same_everywhere)
{
    static double is[20000];
    bool equal = true;
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        char text[DIGEST_TEXT];
        struct result r;
        for (uint64_t i = 0; i < COUNT_OF(is); i++) is[i] = result_of(f, i, &r) ? r.is : 0;
        digest_bytes(is, sizeof is, text);
        if (!strcmp(text, functions[f].digest)) continue;
        print_error("%s: %s\n", functions[f].name, text);
        equal = false;
    }
    assert_true(equal);
}

AT_START(quad_open());
