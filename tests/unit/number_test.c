/* Tests core/base/number.h. A number is printed with the fewest digits that read back to the same
 * double. Only text that is a finite decimal number is read. */
#include "tests/support/test.h"

#include <float.h>
#include <locale.h>

#include "core/base/number.h"
#include "core/base/random.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"

static void prints(double value, const char *expected)
{
    char text[REAL_TEXT];
    double back;
    real_print(value, text);
    assert_string_equal(text, expected);
    assert_true(real_parse(text, &back) && back == value);
}

/* A locale with a decimal comma has no effect (if the machine has this locale). */
TEST(the_fewest_digits)
{
    char text[REAL_TEXT];
    setlocale(LC_ALL, "de_DE.UTF-8");
    real_print(INFINITY, text);
    assert_string_equal(text, "inf");
    assert_true(scalar_real(tree_parse(&arena, "f", "0.25"), "x", 0, 1) == .25);
    prints(1e-4, "0.0001");
    prints(1e-5, "1e-05");
    prints(5e-324, "5e-324");
    prints(0.1, "0.1");
    prints(0.1 + 0.2, "0.30000000000000004"); /* 17 digits */
    prints(1.0 / 3, "0.3333333333333333");    /* 16 digits */
    prints(-2.5e-7, "-2.5e-07");
    prints(-0.0, "0");
    prints(-12, "-12");
    prints(999999999999999, "999999999999999"); /* no exponent below 1e15 */
    prints(1e15, "1e+15");
    prints(-1e15, "-1e+15");
    prints(DBL_MAX, "1.7976931348623157e+308");
    prints(DBL_MIN, "2.2250738585072014e-308");
    setlocale(LC_ALL, "C");
    assert_int_equal(number_digits(0.5, 1), 1);
    assert_int_equal(number_digits(0.5, 15), 15);
    assert_int_equal(number_digits(0.1 + 0.2, 15), 17);
}

TEST(what_is_printed_reads_back)
{
    const struct random_key key = {5, random_stream("number_test")};
    for (uint64_t i = 0; i < 20000; i++) {
        char text[REAL_TEXT];
        double back;
        const double value = random_normal(key, i) * pow(10, (double)(i % 40) - 20);
        real_print(value, text);
        if (!real_parse(text, &back) || back != value)
            fail_msg("%s reads back to %.17g, not %.17g", text, back, value);
    }
}

TEST(what_is_no_number_is_refused)
{
    static const char *const wrong[] = {"",    "-",   ".",   "e5",  "1e999", "-1e999", "inf",
                                        "nan", "08",  "00",  "1_0", "1,5",   "1.5 ",   " 1",
                                        "1e",  "1e+", "0x1", "--1", "1e5x"};
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0},      {"-0.5", -.5}, {".5", .5},    {"1.", 1},     {"+3", 3},
                 {"1e3", 1000}, {"1E-2", .01}, {"0.08", .08}, {"1e-999", 0}, {"12e+1", 120.}};
    double value;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (real_parse(wrong[i], &value)) fail_msg("\"%s\" is a number", wrong[i]);
    for (size_t i = 0; i < COUNT_OF(right); i++)
        assert_true(real_parse(right[i].text, &value) && value == right[i].value);
    assert_int_equal(number_length("1e"), 1); /* the prefix "1" is the number */
    assert_int_equal(number_length("1.5e-3k"), 6);
    assert_int_equal(number_length("-.e1"), 0);
}
