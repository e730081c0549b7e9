/* Basis of the unit tests: cmocka, a list of tests, and checks of die() messages.
 *
 *   TEST(words_are_found) { .. }
 * defines a test. main() in main.c runs the tests of a program in the order of their lines.
 *
 *   EXPECT_DIE("nearest is \"window\"", section_read(...));
 * passes if the statement ends in die() with a message that contains the text. */
#pragma once

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/base.h"
#include "core/base/file.h"

/* The arena of the tests. It is freed after each test, or at the end with BEFORE(all) or
 * ALL_TESTS. */
extern struct arena arena;

/* Returns the text that statements print to `out`, in the arena: PRINTED(fputs("a", out)). */
#define PRINTED(...)                                                                               \
    ({                                                                                             \
        struct arena_stream printed_;                                                              \
        arena_stream_open(&printed_);                                                              \
        FILE *out = printed_.out;                                                                  \
        __VA_ARGS__;                                                                               \
        arena_stream_close(&arena, &printed_);                                                     \
    })

#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_a_test(void)                                \
    {                                                                                              \
        test_add(__LINE__, name, NULL, #name);                                                     \
    }                                                                                              \
    static void name(void **state)
/* Defines a function that runs before or after each test, or before the first or after the last
 * test: BEFORE(each) { .. }, AFTER(all) { .. }. EACH_TEST and ALL_TESTS name an existing
 * function that runs before. */
#define BEFORE(when) TEST_HOOK(before_##when)
#define AFTER(when) TEST_HOOK(after_##when)
#define TEST_HOOK(name)                                                                            \
    static void name(void);                                                                        \
    TEST_HOOK_IS(name, name)                                                                       \
    static void name(void)
#define TEST_HOOK_IS(name, function)                                                               \
    __attribute__((constructor)) static void name##_is_a_hook(void)                                \
    {                                                                                              \
        test_hooks.name = function;                                                                \
    }
#define EACH_TEST(function)                                                                        \
    TEST_HOOK_IS(before_each, function)                                                            \
    struct test_needs_a_semicolon
#define ALL_TESTS(function)                                                                        \
    TEST_HOOK_IS(before_all, function)                                                             \
    struct test_needs_a_semicolon
/* Runs a statement before main. */
#define AT_START(...)                                                                              \
    __attribute__((constructor)) static void at_start(void)                                        \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    struct test_needs_a_semicolon
struct test_hooks {
    void (*before_each)(void), (*after_each)(void), (*before_all)(void), (*after_all)(void);
};
extern struct test_hooks test_hooks;
/* Adds a test with a state. A main with tables of cases adds them with line 0: before each TEST. */
void test_add(int line, CMUnitTestFunction function, const void *state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Runs the tests; returns the exit status. A program with its own preparations has its own main. */
int tests_run(void);

extern jmp_buf test_die_jump;
extern char test_die_message[2048];
void test_die_catch(const char *message, void *context);

/* Memory that die() leaves allocated is no leak, because the program would have ended. A test
 * leaves die() by a jump. So EXPECT_DIE suppresses AddressSanitizer's report, and valgrind checks
 * only for wrong accesses. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define TEST_LEAKS_COUNT(yes) ((yes) ? __lsan_enable() : __lsan_disable())
#else
#define TEST_LEAKS_COUNT(yes) ((void)(yes))
#endif

#define EXPECT_DIE(text, ...)                                                                      \
    do {                                                                                           \
        test_die_message[0] = 0;                                                                   \
        TEST_LEAKS_COUNT(false);                                                                   \
        if (setjmp(test_die_jump) == 0) {                                                          \
            die_set_hook(test_die_catch, NULL);                                                    \
            __VA_ARGS__;                                                                           \
            die_set_hook(NULL, NULL);                                                              \
            fail_msg("no die(); expected one that says: %s", text);                                \
        }                                                                                          \
        TEST_LEAKS_COUNT(true);                                                                    \
        if (!strstr(test_die_message, text))                                                       \
            fail_msg("die() said: %s\n  expected in it: %s", test_die_message, text);              \
    } while (0)

/* Passes if the statement ends in a failing CHECK whose message contains the text. The statement
 * runs in a child process. */
#define EXPECT_CHECK(text, ...)                                                                    \
    do {                                                                                           \
        if (test_child()) {                                                                        \
            __VA_ARGS__;                                                                           \
            test_child_end();                                                                      \
        }                                                                                          \
        test_child_aborts(text);                                                                   \
    } while (0)
/* Skips a test that cannot run on this machine. */
void test_skip(const char *reason, ...) __attribute__((format(printf, 1, 2)));
bool test_child(void); /* true in the child */
/* Skips a test when another program runs it (TEST_WITH, tests/run): for features that valgrind
 * uses itself or does not support. */
void test_alone(void);
void test_child_end(void);
void test_child_aborts(const char *text);

/* cmocka's macro rounds to floats, and NaN equals any number. */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) expect_close(a, b, epsilon, __FILE__, __LINE__)
void expect_close(double a, double b, double epsilon, const char *file, int line);

/* Fail unless a text contains a part, or does not contain it. A failure prints the text. */
void expect_part(const char *text, const char *part);
void expect_no_part(const char *text, const char *part);
#define EXPECT_PARTS(text, ...) expect_parts(text, (const char *const[]){__VA_ARGS__, NULL})
void expect_parts(const char *text, const char *const *part);

/* A row of a table of cases: a text, and the expected message. */
struct said {
    const char *text, *says;
};

/* Writes a file; returns its path. */
const char *put_text(const char *path, const char *text);

/* Returns the wait status (waitpid) of a child process that runs these statements. */
#define STATUS_OF(...)                                                                             \
    ({                                                                                             \
        fflush(NULL);                                                                              \
        const pid_t child_ = fork();                                                               \
        int status_;                                                                               \
        if (child_ == 0) {                                                                         \
            __VA_ARGS__;                                                                           \
            _exit(0);                                                                              \
        }                                                                                          \
        waitpid(child_, &status_, 0);                                                              \
        status_;                                                                                   \
    })

/* Returns the folder of real data next to the project; NULL if there is none (then skip with the
 * reason). */
const char *test_data_folder(void);
/* Returns how many times slower than a fast, quiet machine this machine is (tests/speed),
 * measured at the first call: 1 or more. Multiply time limits by it. */
int test_slow(void);
/* Makes an empty folder build/tmp/PROGRAM.NAME, which is removed when all tests have passed. No
 * two programs share a folder. */
const char *test_folder(const char *name);
