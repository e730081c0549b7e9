/* Formats numbers. printf's formats give all digits. This file adds commas, signs and units. */
#include "results/sheet/number_format.h"

#include <math.h>
#include <string.h>

const char *number_fixed(struct arena *arena, double value, int decimals)
{
    const char *text = arena_print(arena, "%.*f", decimals, value);
    return text[0] == '-' && !strpbrk(text, "123456789in") ? text + 1 : text; /* no -0.00 */
}

const char *number_signed(struct arena *arena, double value, int decimals)
{
    const char *text = number_fixed(arena, value, decimals);
    bool positive = text[0] != '-' && strpbrk(text, "123456789");
    return positive ? arena_print(arena, "+%s", text) : text;
}

const char *number_count(struct arena *arena, double value)
{
    const char *plain = number_fixed(arena, value, 0);
    size_t length = strlen(plain), sign = plain[0] == '-';
    if (!strpbrk(plain, "0123456789")) return plain; /* nan, inf */
    char *text = arena_alloc(arena, length + length / 3 + 1), *at = text;
    for (size_t i = 0; i < length; i++) {
        if (i > sign && (length - i) % 3 == 0) *at++ = ',';
        *at++ = plain[i];
    }
    return text;
}

const char *number_scaled(struct arena *arena, double value)
{
    static const struct {
        double size;
        const char *name;
    } unit[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "K"}};
    for (size_t i = 0; i < COUNT_OF(unit); i++) {
        double scaled = value / unit[i].size, size = fabs(scaled);
        if (size < 0.9995) continue; /* 999,500 is 1.00M, not 1000K */
        int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
        return arena_print(arena, "%s%s", number_fixed(arena, scaled, decimals), unit[i].name);
    }
    return number_short(arena, value);
}

const char *number_short(struct arena *arena, double value)
{
    if (value == rint(value) && fabs(value) < 1e6) return number_count(arena, value);
    return arena_print(arena, "%.5g", value);
}

int number_mean_decimals(double mean, double deviation)
{
    const double size = fabs(mean);
    if (!(deviation > 0) || size < 1e-3 || size >= 1e4) return -1;
    const int most = 4 - (int)floor(log10(size)), wanted = 1 - (int)floor(log10(deviation));
    return wanted < 0 ? 0 : wanted < most ? wanted : most;
}

const char *number_seconds(struct arena *arena, double value)
{
    if (value < 99.95) return arena_print(arena, "%s s", number_fixed(arena, value, 1));
    long seconds = lrint(value);
    if (seconds < 3600) return arena_print(arena, "%ld min %02ld s", seconds / 60, seconds % 60);
    return arena_print(arena, "%ld h %02ld min", seconds / 3600, seconds / 60 % 60);
}

const char *number_bytes(struct arena *arena, double bytes)
{
    if (bytes >= 999.5e6) return arena_print(arena, "%s GB", number_fixed(arena, bytes / 1e9, 1));
    const double some = bytes > 0 ? fmax(1, bytes / 1e6) : 0;
    return arena_print(arena, "%s MB", number_fixed(arena, some, 0));
}

const char *number_age(struct arena *arena, double seconds)
{
    static const struct {
        double length;
        const char *name;
    } unit[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    if (!(seconds > 0)) return "0 s"; /* the clock was set back */
    size_t i = 0;
    while (i + 1 < COUNT_OF(unit) && seconds < 2 * unit[i].length) i++;
    return arena_print(arena, "%.0f %s", floor(seconds / unit[i].length), unit[i].name);
}
