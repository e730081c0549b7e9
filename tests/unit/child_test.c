/* Programs started without a shell: what goes in and comes out, how they end, and who they are. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"

static void what_it_prints(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t bytes;
    const char *const cat[] = {"cat", NULL}, *const words[] = {"printf", "%s|", "a  b", "$HOME",
                                                               NULL};
    assert_string_equal(child_ask("x", cat, "one\ntwo\n", 8, &bytes, &arena), "one\ntwo\n");
    assert_int_equal(bytes, 8);
    assert_string_equal(child_ask("x", words, NULL, 0, &bytes, &arena), "a  b|$HOME|");
    /* more than a pipe holds, both ways */
    const size_t many = 1 << 21;
    char *text = arena_alloc(&arena, many);
    memset(text, 'x', many);
    assert_memory_equal(child_ask("x", cat, text, many, &bytes, &arena), text, many);
    assert_int_equal(bytes, many);
    arena_free(&arena);
}

static void how_it_ends(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t bytes;
    const char *const fails[] = {"sh", "-c", "exit 3", NULL}, *const killed[] = {
                                                                  "sh", "-c", "kill -9 $$", NULL};
    EXPECT_DIE("what: sh: ended with status 3", child_ask("what", fails, NULL, 0, &bytes, &arena));
    EXPECT_DIE("what: sh: ended by signal 9", child_ask("what", killed, NULL, 0, &bytes, &arena));
    arena_free(&arena);
}

static void what_came_of_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *const both[] = {"sh", "-c", "echo one; echo two >&2; cat; exit 3", NULL},
                      *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
    struct child_said said = child_try("what", both, CHILD_OUTPUT, &arena);
    assert_string_equal(said.text, "one\ntwo\n");
    assert_int_equal(said.bytes, 8);
    assert_string_equal(said.end, "ended with status 3");
    assert_int_equal(said.status, 3);
    const char *const right[] = {"sh", "-c", "exit 0", NULL};
    said = child_try("what", right, 0, &arena);
    assert_null(said.end);
    assert_true(!said.status && !said.bytes && !*said.text);
    assert_int_equal(child_try("what", killed, 0, &arena).status, -1);
    arena_free(&arena);
}

static void what_cannot_be_started(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t bytes;
    const char *const none[] = {"no-such-program", NULL};
    test_alone(); /* valgrind starts what is not there, which ends with status 127 */
    EXPECT_DIE("what: no-such-program: cannot be started",
               child_ask("what", none, NULL, 0, &bytes, &arena));
    arena_free(&arena);
}

/* A worker ignores SIGPIPE; a child that writes where nobody reads must end of it all the same. */
static void a_broken_pipe_ends_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *const yes[] = {"yes", NULL};
    int ends[2];
    pid_t process;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    const struct child child = {.word = yes, .input = STDIN_FILENO, .output = ends[1]};
    assert_int_equal(child_start(&child, &process), 0);
    close(ends[1]);
    assert_non_null(strstr(child_wait(process, &arena), "ended by signal 13"));
    signal(SIGPIPE, before);
    arena_free(&arena);
}

static void whose_file_it_is(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *folder = test_folder("child");
    const char *file = arena_print(&arena, "%s/model", folder);
    file_write(file, "x", 1);
    const char *const words[] = {"sh", file, "--fast", NULL}, *const none[] = {"no-such-program",
                                                                               NULL};
    assert_non_null(strstr(child_file(words, 0, &arena), "/sh"));
    assert_string_equal(child_file(words, 1, &arena), file);
    assert_null(child_file(words, 2, &arena));
    assert_null(child_file(none, 0, &arena));
    const char *const plain[] = {file, NULL};
    assert_null(child_file(plain, 0, &arena));
    assert_int_equal(chmod(file, 0700), 0);
    assert_string_equal(child_file(plain, 0, &arena), file);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints),        cmocka_unit_test(how_it_ends),
        cmocka_unit_test(what_came_of_it),       cmocka_unit_test(what_cannot_be_started),
        cmocka_unit_test(a_broken_pipe_ends_it), cmocka_unit_test(whose_file_it_is)};
    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
