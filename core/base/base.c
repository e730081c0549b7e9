/* Checks, errors, trace, memory and clocks. CHECK, die and warn first flush stdout, then print one
 * masked line on stderr. */
#include "core/base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/mask.h"

static void (*die_hook)(const char *message, void *context);
static void *die_context;
static char trace_words[256];

void check_failed(const char *file, int line, const char *condition, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    fflush(stdout);
    fprintf(stderr, "%s:%d: CHECK(%s) failed: %s\n", file, line, condition, message);
    abort();
}

void die_set_hook(void (*hook)(const char *message, void *context), void *context)
{
    die_hook = hook;
    die_context = context;
}

/* State of die_caught. */
struct attempt {
    jmp_buf back;
    char *message;
};

static void leave(const char *message, void *context)
{
    struct attempt *attempt = context;
    snprintf(attempt->message, MESSAGE_BYTES, "%s", message);
    longjmp(attempt->back, 1);
}

bool die_caught(void (*act)(void *context), void *context, char message[])
{
    void (*const hook)(const char *, void *) = die_hook;
    void *const hook_context = die_context;
    struct attempt attempt = {.message = message};
    volatile bool ended = false;
    die_set_hook(leave, &attempt);
    if (setjmp(attempt.back) == 0) {
        act(context);
        ended = true;
    }
    die_set_hook(hook, hook_context);
    return ended;
}

void die(const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    void (*hook)(const char *, void *) = die_hook;
    die_hook = NULL; /* a hook that dies must not be called again */
    if (hook) hook(message, die_context);
    fflush(stdout);
    fprintf(stderr, "sanlab: %s\n", message);
    exit(DIE_EXIT);
}

static bool is_inside(char byte) /* a byte of UTF-8 that begins no character */
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

void message_print(char message[MESSAGE_BYTES], const char *format, va_list list)
{
    static const char gap[] = " [...] ";
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(message, MESSAGE_BYTES, format, list);
    char *whole = length >= MESSAGE_BYTES ? malloc((size_t)length + 1) : NULL;
    if (whole) { /* if memory runs out, print only the start */
        int head = (MESSAGE_BYTES - (int)sizeof gap) / 2, tail = length - head;
        vsnprintf(whole, (size_t)length + 1, format, again);
        while (head > 0 && is_inside(whole[head])) head--;
        while (is_inside(whole[tail])) tail++;
        snprintf(message, MESSAGE_BYTES, "%.*s%s%s", head, whole, gap, whole + tail);
        free(whole);
    }
    va_end(again);
    mask_text(message);
}

void warn(const char *format, ...)
{
    char message[MESSAGE_BYTES];
    MESSAGE_TAKE(message, format);
    fflush(stdout);
    fprintf(stderr, "sanlab: warning: %s\n", message);
}

void trace_enable(const char *words)
{
    snprintf(trace_words, sizeof trace_words, ",%s,", words ? words : "");
}

bool trace_on(const char *word)
{
    if (!trace_words[0]) return false;
    char needle[64];
    snprintf(needle, sizeof needle, ",%s,", word);
    return strstr(trace_words, needle) || strstr(trace_words, ",all,");
}

void trace(const char *word, const char *format, ...)
{
    if (!trace_on(word)) return;
    char *text, *save = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) text = NULL;
    va_end(list);
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        mask_text(line);
        fprintf(stderr, "[%s] %s\n", word, line);
    }
    free(text);
}

void *heap_alloc(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    return memory;
}

FILE *heap_stream(char **text, size_t *bytes)
{
    FILE *stream = open_memstream(text, bytes);
    if (!stream) die("out of memory: cannot format a text");
    return stream;
}

void *heap_resize(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory) die("out of memory: cannot allocate %zu bytes", bytes);
    return memory;
}

void heap_free(void *variable)
{
    void *memory;
    memcpy(&memory, variable, sizeof memory);
    free(memory);
}

char *heap_print(const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    CHECK(vasprintf(&text, format, list) >= 0, "bad format %s", format);
    va_end(list);
    return text;
}

int compare_texts(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

#define COMPARE_NUMBERS(name, type)                                                                \
    int name(const void *one, const void *other)                                                   \
    {                                                                                              \
        const type a = *(const type *)one, b = *(const type *)other;                               \
        return (a > b) - (a < b);                                                                  \
    }
COMPARE_NUMBERS(compare_ints, int)
COMPARE_NUMBERS(compare_int64s, int64_t)
COMPARE_NUMBERS(compare_doubles, double)

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double time_seconds(void)
{
    return seconds_of(CLOCK_REALTIME);
}

const char *time_print(char text[TIME_TEXT], const char *format, double seconds, bool utc)
{
    static const double year_0 = -62167219200, year_10000 = 253402300800, day = 86400;
    struct tm parts;
    snprintf(text, TIME_TEXT, "unknown");
    if (!(seconds >= year_0 + day && seconds < year_10000 - day)) return text; /* or NaN */
    const time_t whole = (time_t)floor(seconds);
    if (utc ? gmtime_r(&whole, &parts) : localtime_r(&whole, &parts))
        strftime(text, TIME_TEXT, format, &parts);
    return text;
}
