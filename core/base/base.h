/* Base of every file: invariants, errors, warnings, trace, memory and clocks.
 *
 * There are two kinds of failure:
 *   CHECK(condition, ...)  The program is wrong. Prints file:line, the condition and the message,
 *                          then aborts. No user input may cause it.
 *   die(...)               The input is wrong, or the machine fails. Prints one line with the
 *                          location, the error and the expectation, and exits with DIE_EXIT. The
 *                          hook gets the line first: a worker records it as its stage's failure. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define NORETURN __attribute__((noreturn))
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum {
    DIE_EXIT = 65,        /* after die; or stdout could not be written (program.h) */
    INTERRUPTED_EXIT = 75 /* stopped by a signal after saving; the next run resumes (EX_TEMPFAIL) */
};

#define CHECK(condition, ...)                                                                      \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))
/* Linkage of functions that kernels call: nvcc compiles these functions too (core/cuda). */
#ifdef __cplusplus
#define C_NAME extern "C"
#else
#define C_NAME
#endif
C_NAME NORETURN void check_failed(const char *file, int line, const char *condition,
                                  const char *format, ...) PRINTF(4, 5);

C_NAME NORETURN void die(const char *format, ...) PRINTF(1, 2);
/* Sets the function that die calls with the message (without "sanlab: " and newline) before it
 * prints and exits. The hook may leave by longjmp (tests do). NULL removes it. */
void die_set_hook(void (*hook)(const char *message, void *context), void *context);

/* Calls a function that may die. Returns true if it returned; else `message` has the text that die
 * would have printed. Files that it opened stay open; memory in arenas stays allocated. The
 * previous hook is restored. */
bool die_caught(void (*act)(void *context), void *context, char message[]);

/* Formats and masks the line of a message. The middle of a longer line is omitted: its start has
 * the location and its end the reason. */
enum { MESSAGE_BYTES = 2048 };
void message_print(char message[MESSAGE_BYTES], const char *format, va_list list) PRINTF(2, 0);
/* message_print in a variadic function whose last named parameter is `format`. */
#define MESSAGE_TAKE(message, format)                                                              \
    do {                                                                                           \
        va_list list_;                                                                             \
        va_start(list_, format);                                                                   \
        message_print(message, format, list_);                                                     \
        va_end(list_);                                                                             \
    } while (0)

/* Prints one line on stderr, "sanlab: warning: ...". */
void warn(const char *format, ...) PRINTF(1, 2);

/* Enables trace words, --trace WORDS (comma separated; "all"). trace("plan", ...) prints if its
 * word is enabled. */
void trace_enable(const char *words);
void trace(const char *word, const char *format, ...) PRINTF(2, 3);
bool trace_on(const char *word); /* true if enabled: for costly messages */

/* Heap memory. These functions die if memory runs out. */
void *heap_alloc(size_t bytes);             /* zeroed */
void *heap_resize(void *old, size_t bytes); /* as realloc; new bytes are not zeroed */
char *heap_print(const char *format, ...) PRINTF(1, 2);
/* SCOPED(heap_free) char *text = ..; heap_free frees the memory of the local variable when its
 * block is left, except by die and longjmp. */
#define SCOPED(frees) __attribute__((cleanup(frees)))
void heap_free(void *variable);
/* Returns a stream that prints into memory. After fclose, *text has the text of `bytes` bytes, from
 * the heap. */
FILE *heap_stream(char **text, size_t *bytes);
/* Arrays that start as NULL and grow one by one. HEAP_ADD(name, names, value) appends a value and
 * returns it; the value must not read the count. HEAP_MORE(name, names) only makes room for one
 * more item. The capacity is a function of the count and is not stored. */
#define HEAP_MORE(array, count) ((array) = heap_more((array), (size_t)(count), sizeof *(array)))
#define HEAP_ADD(array, count, ...) (HEAP_MORE(array, count), (array)[(count)++] = __VA_ARGS__)
static inline bool array_is_full(size_t count)
{
    return !count || (count >= 8 && !(count & (count - 1)));
}
static inline void *heap_more(void *array, size_t count, size_t bytes)
{
    return array_is_full(count) ? heap_resize(array, (count ? 2 * count : 8) * bytes) : array;
}

/* For qsort: texts (char *) by bytes; numbers, which must not be NaN. */
int compare_texts(const void *one, const void *other);
int compare_ints(const void *one, const void *other);
int compare_int64s(const void *one, const void *other);
int compare_doubles(const void *one, const void *other);

/* Returns the seconds of a monotonic clock. */
double clock_seconds(void);

/* Returns the seconds since 1970, by the system clock. */
double time_seconds(void);
/* Prints seconds since 1970 in strftime's format: local time, or UTC. The seconds may come from a
 * file: values outside of the years 0 to 9999 and NaN print "unknown". */
enum { TIME_TEXT = 64 };
const char *time_print(char text[TIME_TEXT], const char *format, double seconds, bool utc);
