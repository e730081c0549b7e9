/* What every file may use: invariants, refusals, warnings, trace, memory and clocks.
 *
 * There are two kinds of failure:
 *   CHECK(condition, ...)  The program is wrong. Prints file:line, the condition and the message,
 *                          then aborts. Nothing that a user types may lead here.
 *   die(...)               The input is wrong, or the machine refuses. Prints one line that says
 *                          where, what, and what was expected, and exits with DIE_EXIT. The hook
 *                          gets the line first: a worker records it as its stage's failure. */
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
    DIE_EXIT = 65,        /* what die says; or stdout could not be written (program.h) */
    INTERRUPTED_EXIT = 75 /* stopped by a signal after saving; start again to go on (EX_TEMPFAIL) */
};

#define CHECK(condition, ...)                                                                      \
    ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))
/* Before what kernels need that nvcc compiles (core/cuda). */
#ifdef __cplusplus
#define C_NAME extern "C"
#else
#define C_NAME
#endif
C_NAME NORETURN void check_failed(const char *file, int line, const char *condition,
                                  const char *format, ...) PRINTF(4, 5);

C_NAME NORETURN void die(const char *format, ...) PRINTF(1, 2);
/* Called with the message (without "sanlab: " and newline) before die prints and exits; the hook
 * may leave by longjmp (tests do). NULL removes it. */
void die_set_hook(void (*hook)(const char *message, void *context), void *context);

/* Does something that may refuse, and says whether it came to its end; else `message` has what die
 * would have printed. What it had opened stays open; memory of arenas stays theirs. A hook that is
 * set comes back behind it. */
bool die_caught(void (*act)(void *context), void *context, char message[]);

/* The one line of a message: formatted and masked. Of a line that is longer the middle is left out,
 * because its begin says where and its end says why. */
enum { MESSAGE_BYTES = 2048 };
void message_print(char message[MESSAGE_BYTES], const char *format, va_list list) PRINTF(2, 0);

/* One line on stderr, "sanlab: warning: ...". */
void warn(const char *format, ...) PRINTF(1, 2);

/* --trace WORDS (comma separated; "all"): trace("plan", ...) prints when its word was asked for. */
void trace_enable(const char *words);
void trace(const char *word, const char *format, ...) PRINTF(2, 3);
bool trace_on(const char *word); /* whether it was: for what costs something to find out */

/* Memory from the heap that is there or ends the program. */
void *heap_alloc(size_t bytes);             /* zeroed */
void *heap_resize(void *old, size_t bytes); /* as realloc; new bytes are not zeroed */
char *heap_print(const char *format, ...) PRINTF(1, 2);
/* SCOPED(heap_free) char *text = ..; that function frees what the local variable has, wherever its
 * block is left, but by die and longjmp. */
#define SCOPED(frees) __attribute__((cleanup(frees)))
void heap_free(void *variable);
/* A stream that prints into memory: behind fclose it is *text, `bytes` long, from the heap. */
FILE *heap_stream(char **text, size_t *bytes);
/* Room for one more in an array that begins as NULL and grows one by one: HEAP_MORE(name, names),
 * then name[names++] = .. Its room is a function of the count, so nobody stores it. */
#define HEAP_MORE(array, count) ((array) = heap_more((array), (size_t)(count), sizeof *(array)))
static inline bool array_is_full(size_t count)
{
    return !count || (count >= 8 && !(count & (count - 1)));
}
static inline void *heap_more(void *array, size_t count, size_t bytes)
{
    return array_is_full(count) ? heap_resize(array, (count ? 2 * count : 8) * bytes) : array;
}

/* For qsort: texts (char *) by their bytes; numbers that are no NaN. */
int compare_texts(const void *one, const void *other);
int compare_ints(const void *one, const void *other);
int compare_int64s(const void *one, const void *other);
int compare_doubles(const void *one, const void *other);

/* Seconds of a clock that never goes back. */
double clock_seconds(void);

/* Seconds since 1970, by the clock of the machine. */
double time_seconds(void);
/* Seconds since 1970 in words, as strftime's format says: local time, or UTC. They come from files,
 * too: whatever lies outside of the years 0 to 9999, or is not a number, is "unknown". */
enum { TIME_TEXT = 64 };
const char *time_print(char text[TIME_TEXT], const char *format, double seconds, bool utc);
