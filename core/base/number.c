/* Reads and prints numbers in the C locale, whatever locale the user has, because a file must mean
 * the same everywhere. */
#include "core/base/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

static locale_t plain;

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CHECK(plain, "no C locale");
}

static locale_t plain_locale(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return plain;
}

int number_digits(double value, int least)
{
    char text[REAL_TEXT];
    int digits = least;
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return digits;
}

void real_print(double value, char text[REAL_TEXT])
{
    CHECK(!isnan(value), "a number that is none");
    if (value == rint(value) && fabs(value) < 1e15) {
        snprintf(text, REAL_TEXT, "%lld", (long long)value);
        return;
    }
    locale_t users = uselocale(plain_locale());
    snprintf(text, REAL_TEXT, "%.*g", number_digits(value, 1), value);
    uselocale(users);
}

size_t number_length(const char *text)
{
    size_t at = strspn(text, "+-") == 1;
    size_t whole = strspn(text + at, DIGITS);
    at += whole;
    if (text[at] == '.') {
        size_t fraction = strspn(text + at + 1, DIGITS);
        if (whole + fraction == 0) return 0;
        at += 1 + fraction;
    } else if (!whole) {
        return 0;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        size_t sign = text[at + 1] == '+' || text[at + 1] == '-';
        size_t exponent = strspn(text + at + 1 + sign, DIGITS);
        if (exponent) at += 1 + sign + exponent;
    }
    return at;
}

bool number_valid(const char *text)
{
    const char *digits = text + strspn(text, "+-");
    bool leading_zero = digits[0] == '0' && strspn(digits + 1, DIGITS) > 0;
    size_t length = number_length(text);
    return length && !text[length] && !leading_zero;
}

double number_read(const char *text)
{
    return strtod_l(text, NULL, plain_locale());
}

bool real_parse(const char *text, double *value)
{
    if (!number_valid(text)) return false;
    *value = number_read(text);
    return isfinite(*value);
}

int number_compare(const void *text, const void *other)
{
    const double a = number_read(*(const char *const *)text),
                 b = number_read(*(const char *const *)other);
    return (a > b) - (a < b);
}
