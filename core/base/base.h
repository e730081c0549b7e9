/* Functions that every file may use: checks of invariants, errors, warnings, trace, heap memory and
 * clocks.
 *
 * There are two kinds of failure:
 *   CHECK(condition, ...)  For errors of the program. Prints file:line, the condition and the
 *                          message, then aborts. No user input may cause this failure.
 *   die(...)               For wrong input and failures of the machine. Prints one line with the
 *                          location, the error and the expectation, and exits with DIE_EXIT. Before
 *                          that, the hook gets the line. A worker's hook records the line as the
 *                          failure of its stage. */
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
    DIE_EXIT = 65,        /* exit status after die, or if stdout could not be written (program.h) */
    INTERRUPTED_EXIT = 75 /* exit status after a signal (EX_TEMPFAIL); the next run resumes */
};

#define CHECK(condition, ...)                                                                      \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))
/* C linkage for functions that CUDA files (core/cuda) call, because nvcc compiles these files as
 * C++. */
#ifdef __cplusplus
#define C_NAME extern "C"
#else
#define C_NAME
#endif
C_NAME NORETURN void check_failed(const char *file, int line, const char *condition,
                                  const char *format, ...) PRINTF(4, 5);

C_NAME NORETURN void die(const char *format, ...) PRINTF(1, 2);
/* Sets the hook, which die calls before it prints the message and exits. The hook gets the message
 * without "sanlab: " and newline. It may leave die by longjmp, as in die_caught. NULL removes the
 * hook. */
void die_set_hook(void (*hook)(const char *message, void *context), void *context);

/* Calls act(context), which may die. Returns true if `act` returned. Returns false if it died;
 * `message` [MESSAGE_BYTES] then has the message of die. Files that `act` opened stay open, and
 * memory in arenas stays allocated. The previous hook is restored. */
bool die_caught(void (*act)(void *context), void *context, char message[]);

/* Formats a message and masks it (mask.h). If the message is too long, its middle is omitted,
 * because its start has the location and its end has the reason. */
enum { MESSAGE_BYTES = 2048 };
void message_print(char message[MESSAGE_BYTES], const char *format, va_list list) PRINTF(2, 0);
/* Calls message_print in a variadic function whose last named parameter is `format`. */
#define MESSAGE_TAKE(message, format)                                                              \
    do {                                                                                           \
        va_list list_;                                                                             \
        va_start(list_, format);                                                                   \
        message_print(message, format, list_);                                                     \
        va_end(list_);                                                                             \
    } while (0)

/* Prints one line on stderr, "sanlab: warning: ...". */
void warn(const char *format, ...) PRINTF(1, 2);

/* Enables the trace messages of some words (option --trace WORDS). Commas separate the words; "all"
 * enables every word. trace("plan", ...) prints only if the word "plan" is enabled. */
void trace_enable(const char *words);
void trace(const char *word, const char *format, ...) PRINTF(2, 3);
bool trace_on(const char *word); /* true if enabled; avoids work for a costly message */

/* Heap memory. If memory runs out, these functions die, but heap_print aborts. */
void *heap_alloc(size_t bytes);             /* zeroed */
void *heap_resize(void *old, size_t bytes); /* like realloc; new bytes are not zeroed */
char *heap_print(const char *format, ...) PRINTF(1, 2);
/* SCOPED(heap_free) char *text = ..; declares a local variable. heap_free frees its memory when the
 * block is left, except if die or longjmp leaves the block. */
#define SCOPED(frees) __attribute__((cleanup(frees)))
void heap_free(void *variable);
/* Returns a stream that prints into memory. After fclose, *text is the text on the heap and *bytes
 * its length. */
FILE *heap_stream(char **text, size_t *bytes);
/* Arrays that grow by one item at a time. An array starts as NULL, and its count as 0.
 * HEAP_ADD(name, names, value) appends `value` to the array `name`, adds 1 to the count `names` and
 * returns the value. The expression `value` must not contain the count. HEAP_MORE(name, names) only
 * makes room for one more item. The capacity is a function of the count and is not stored. */
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

/* Comparison functions for qsort. compare_texts compares texts (char *) byte by byte. Doubles must
 * not be NaN. */
int compare_texts(const void *one, const void *other);
int compare_ints(const void *one, const void *other);
int compare_int64s(const void *one, const void *other);
int compare_doubles(const void *one, const void *other);

/* Returns the seconds of a monotonic clock. */
double clock_seconds(void);

/* Returns the seconds since 1970, by the system clock. */
double time_seconds(void);
/* Prints a time, in seconds since 1970, in strftime's format. `utc` selects UTC, otherwise local
 * time. Returns `text`. NaN and times outside of the years 0 to 9999, which a damaged file may
 * have, print "unknown". */
enum { TIME_TEXT = 64 };
const char *time_print(char text[TIME_TEXT], const char *format, double seconds, bool utc);
