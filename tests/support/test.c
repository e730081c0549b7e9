#include "tests/support/test.h"

#include <errno.h>

/* TEST_ONLY=pattern (with * and ?) runs only the tests whose names match. */
__attribute__((constructor)) static void choose_tests(void)
{
    const char *pattern = getenv("TEST_ONLY");
    if (pattern) cmocka_set_test_filter(pattern);
}

struct arena arena;

/* The tests of the program, sorted by line. Constructors add them in any order. */
enum { TESTS = 1024 };
static struct {
    int count, line[TESTS];
    struct CMUnitTest test[TESTS];
} tests;
struct test_hooks test_hooks;

void test_add(int line, CMUnitTestFunction function, const void *state, const char *format, ...)
{
    va_list words;
    char *name = NULL;
    va_start(words, format);
    CHECK(vasprintf(&name, format, words) >= 0, "no memory");
    va_end(words);
    CHECK(tests.count < TESTS, "more than %d tests", TESTS);
    int i = tests.count++;
    for (; i && tests.line[i - 1] > line; i--) {
        tests.line[i] = tests.line[i - 1];
        tests.test[i] = tests.test[i - 1];
    }
    tests.line[i] = line;
    tests.test[i] = (struct CMUnitTest){name, function, NULL, NULL, (void *)(uintptr_t)state};
}

static int begin_test(void **state)
{
    if (test_hooks.before_each) test_hooks.before_each();
    return 0;
}

static int end_test(void **state)
{
    if (test_hooks.after_each) test_hooks.after_each();
    if (!test_hooks.before_all) arena_free(&arena);
    return 0;
}

static int begin_all(void **state)
{
    if (test_hooks.before_all) test_hooks.before_all();
    return 0;
}

static int end_all(void **state)
{
    if (test_hooks.after_all) test_hooks.after_all();
    return 0;
}

int tests_run(void)
{
    for (int i = 0; i < tests.count; i++) {
        tests.test[i].setup_func = begin_test;
        tests.test[i].teardown_func = end_test;
    }
    struct arena made = arena; /* the arena of main, shared by all tests */
    arena = (struct arena){0};
    const int failed = _cmocka_run_group_tests(program_invocation_short_name, tests.test,
                                               (size_t)tests.count, begin_all, end_all);
    arena_free(&arena);
    arena_free(&made);
    return failed;
}

jmp_buf test_die_jump;
char test_die_message[2048];

void test_die_catch(const char *message, void *context)
{
    snprintf(test_die_message, sizeof test_die_message, "%s", message);
    longjmp(test_die_jump, 1);
}

void expect_close(double a, double b, double epsilon, const char *file, int line)
{
    if (a == b || fabs(a - b) <= epsilon) return;
    print_error("%.17g, expected %.17g within %g\n", a, b, epsilon);
    _fail(file, line);
}

void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no \"%s\" in:\n%s", part, text);
}

void expect_no_part(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("\"%s\" in:\n%s", part, text);
}

void expect_parts(const char *text, const char *const *part)
{
    for (; *part; part++) expect_part(text, *part);
}

const char *put_text(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
    return path;
}

const char *test_data_folder(void)
{
    const char *folder = getenv("SANLAB_DATA");
    if (folder && file_is_folder(folder)) return folder;
    return file_is_folder("../shared/data") ? "../shared/data" : NULL;
}

/* Folders of the program, removed when all tests pass: they would fill a small disk. */
static char folder_made[64][512];
static int folders;
static pid_t maker;

static void remove_folders(int status, void *unused)
{
    if (status || getpid() != maker) return;
    for (int i = 0; i < folders; i++) file_remove_tree(folder_made[i]);
}

const char *test_folder(const char *name)
{
    static char path[4][512];
    static int turn;
    if (!folders) on_exit(remove_folders, NULL), maker = getpid();
    char *here = path[turn++ % 4];
    snprintf(here, sizeof path[0], "build/tmp/%s.%s", program_invocation_short_name, name);
    if (folders < 64) snprintf(folder_made[folders++], sizeof folder_made[0], "%s", here);
    file_remove_tree(here);
    file_make_folder(here);
    return here;
}

int test_slow(void)
{
    static int slow;
    const char *given = getenv("TEST_SLOW");
    if (!slow && given) slow = atoi(given);
    if (!slow) {
        FILE *said = popen("tests/speed", "r");
        assert_true(said && fscanf(said, "%d", &slow) == 1 && pclose(said) == 0);
    }
    assert_true(slow >= 1);
    return slow;
}

static int child_says;
static pid_t child;

void test_skip(const char *reason, ...)
{
    va_list words;
    va_start(words, reason);
    print_message("skipped: ");
    vprint_message(reason, words);
    print_message("\n");
    va_end(words);
    skip();
}

void test_alone(void)
{
    const char *with = getenv("TEST_WITH");
    if (with && *with) test_skip("it runs with %s", with);
}

bool test_child(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    close(ends[child > 0]);
    child_says = ends[0];
    if (child) return false;
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    return true;
}

void test_child_end(void)
{
    _exit(0);
}

void test_child_aborts(const char *text)
{
    char said[2048] = "";
    size_t count = 0;
    ssize_t more;
    while (count < sizeof said - 1 &&
           (more = read(child_says, said + count, sizeof said - 1 - count)) > 0)
        count += (size_t)more;
    int status;
    close(child_says);
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        fail_msg("nothing aborted; expected a CHECK that says: %s", text);
    if (!strstr(said, text)) fail_msg("it said: %s\n  expected in it: %s", said, text);
}
