/* Tests child processes, which are started without a shell: input, output, exit status, and the
 * file of the program. */
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/base/child.h"

TEST(what_it_prints)
{
    size_t bytes;
    const char *const cat[] = {"cat", NULL}, *const words[] = {"printf", "%s|", "a  b", "$HOME",
                                                               NULL};
    assert_string_equal(child_ask("x", cat, "one\ntwo\n", 8, &bytes, &arena), "one\ntwo\n");
    assert_int_equal(bytes, 8);
    assert_string_equal(child_ask("x", words, NULL, 0, &bytes, &arena), "a  b|$HOME|");
    /* more bytes than a pipe can hold, in both directions */
    const size_t many = 1 << 21;
    char *text = arena_alloc(&arena, many);
    memset(text, 'x', many);
    assert_memory_equal(child_ask("x", cat, text, many, &bytes, &arena), text, many);
    assert_int_equal(bytes, many);
}

TEST(how_it_ends)
{
    size_t bytes;
    const char *const fails[] = {"sh", "-c", "exit 3", NULL}, *const killed[] = {
                                                                  "sh", "-c", "kill -9 $$", NULL};
    EXPECT_DIE("what: sh: ended with status 3", child_ask("what", fails, NULL, 0, &bytes, &arena));
    EXPECT_DIE("what: sh: ended by signal 9", child_ask("what", killed, NULL, 0, &bytes, &arena));
}

TEST(what_came_of_it)
{
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
}

TEST(what_cannot_be_started)
{
    size_t bytes;
    const char *const none[] = {"no-such-program", NULL};
    test_alone(); /* valgrind starts even a missing program, which exits with status 127 */
    EXPECT_DIE("what: no-such-program: cannot be started",
               child_ask("what", none, NULL, 0, &bytes, &arena));
}

/* A worker ignores SIGPIPE. Its child process must still die when it writes to a closed pipe. */
TEST(a_broken_pipe_ends_it)
{
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
}

TEST(whose_file_it_is)
{
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
}

static void put(const char *path, int mode, const char *text)
{
    file_make_folder(arena_text_range(&arena, path, (size_t)(strrchr(path, '/') - path)));
    put_text(path, text);
    assert_int_equal(chmod(path, (mode_t)mode), 0);
}

/* child_file returns the file that is started, so that the recorded digest is correct. Empty parts
 * of $PATH are ignored. */
TEST(what_is_found_is_started)
{
    const char *const words[] = {"sanlab-which", NULL};
    const char *folder = realpath(test_folder("child_path"), NULL), *paths = getenv("PATH");
    size_t bytes;
    const char *own = arena_print(&arena, "%s/here/sanlab-which", folder);
    const char *other = arena_print(&arena, "%s/bin/sanlab-which", folder);
    put(own, 0755, "#!/bin/sh\necho here\n");
    put(other, 0755, "#!/bin/sh\necho bin\n");
    char *before = realpath(".", NULL);
    assert_int_equal(chdir(arena_print(&arena, "%s/here", folder)), 0);
    setenv("PATH", arena_print(&arena, ":%s/bin:%s", folder, paths), 1);
    assert_string_equal(child_file(words, 0, &arena), other);
    assert_string_equal(child_ask("x", words, NULL, 0, &bytes, &arena), "bin\n");
    setenv("PATH", arena_print(&arena, ":%s::", paths), 1);
    assert_null(child_file(words, 0, &arena));
    EXPECT_DIE("x: sanlab-which: cannot be started: No such file",
               child_ask("x", words, NULL, 0, &bytes, &arena));
    setenv("PATH", paths, 1);
    assert_int_equal(chdir(before), 0);
    free(before);
}

/* A Python package, here named sanlabtest.inner, is found in a venv and in the user's folder. It is
 * never found in the current folder, where importing or running a file would write CANARY. */
TEST(a_package_of_python)
{
    size_t bytes;
    const char *const facts[] = {"python3", "-c",
                                 "import os, sys\nprint(os.path.realpath(sys.executable))\n"
                                 "print('lib/python%d.%d/site-packages' % sys.version_info[:2])",
                                 NULL};
    if (!child_find("python3", true, &arena)) test_skip("python3 is not installed");
    char *save, *said = child_ask("x", facts, NULL, 0, &bytes, &arena);
    const char *python = strtok_r(said, "\n", &save), *site = strtok_r(NULL, "\n", &save);
    const char *bin = arena_text_range(&arena, python, (size_t)(strrchr(python, '/') - python));
    const char *folder = realpath(test_folder("child_python"), NULL);
    const char *here = arena_print(&arena, "%s/here", folder);
    const char *home = arena_print(&arena, "%s/home/.local/%s", folder, site);
    const char *venv = arena_print(&arena, "%s/.venv", here);
    const char *canary = "open('CANARY', 'w')\n";
    put(arena_print(&arena, "%s/sanlabtest/inner/__init__.py", here), 0644, canary);
    put(arena_print(&arena, "%s/sitecustomize.py", here), 0644, canary);
    put(arena_print(&arena, "%s/python3", here), 0755, "#!/bin/sh\n> CANARY; echo /x\n");
    put(arena_print(&arena, "%s/sanlabtest/inner/__init__.py", home), 0644, "");
    put(arena_print(&arena, "%s/%s/sanlabtest/inner/__init__.py", venv, site), 0644, "");
    put(arena_print(&arena, "%s/pyvenv.cfg", venv), 0644, arena_print(&arena, "home = %s\n", bin));
    file_make_folder(arena_print(&arena, "%s/bin", venv));
    assert_int_equal(symlink(python, arena_print(&arena, "%s/bin/python3", venv)), 0);

    char *before = realpath(".", NULL);
    const char *paths = getenv("PATH"), *user = getenv("HOME"), *name = "sanlabtest.inner";
    assert_int_equal(chdir(here), 0);
    unsetenv("PYTHONNOUSERSITE");
    unsetenv("PYTHONUSERBASE");
    setenv("PYTHONPATH", ":", 1);
    setenv("HOME", folder, 1);
    setenv("PATH", arena_print(&arena, ":.:%s:%s", bin, paths), 1);
    assert_null(child_python_package(name, &arena));
    setenv("HOME", arena_print(&arena, "%s/home", folder), 1);
    assert_string_equal(child_python_package(name, &arena),
                        arena_print(&arena, "%s/sanlabtest/inner", home));
    setenv("PATH", arena_print(&arena, "%s/bin:%s", venv, paths), 1);
    assert_string_equal(child_python_package(name, &arena),
                        arena_print(&arena, "%s/%s/sanlabtest/inner", venv, site));
    setenv("PATH", "", 1);
    assert_null(child_python_package(name, &arena));
    assert_false(file_exists("CANARY"));
    setenv("PATH", paths, 1);
    setenv("HOME", user ? user : "/", 1);
    unsetenv("PYTHONPATH");
    assert_int_equal(chdir(before), 0);
    free(before);
}
