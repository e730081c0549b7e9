/* Tests the file RUNS/digests of experiments/stage. Later processes read digests from it instead of
 * computing them again. */
#include "experiments/stage/stage_digest.h"

#include <fcntl.h>

#include "core/base/path.h"
#include "tests/support/test.h"

enum { FILES = 200 };

static const char *here, *runs, *kept, *special_text;

static void set_time(const char *path, long long seconds)
{
    const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static const char *text_path(int i)
{
    return arena_print(&arena, "%s/text-%d", here, i);
}

/* Writes files, and waits until they are old enough for RUNS/digests. */
BEFORE(all)
{
    here = arena_text(&arena, test_folder("stage_digest"));
    runs = arena_print(&arena, "%s/runs", here);
    kept = arena_print(&arena, "%s/digests", runs);
    path_guard(runs);
    for (int i = 0; i < FILES; i++) {
        put_text(text_path(i), arena_print(&arena, "a b c %d\n", i));
        set_time(text_path(i), 1000000000);
    }
    special_text = arena_print(&arena, "%s/special", here);
    put_text(special_text, "\u0130stanbul\n"); /* a dotted capital I */
    set_time(special_text, 1000000000);
    sleep(5);
}

static void fresh_runs(void)
{
    file_remove_tree(runs);
    file_make_folder(runs);
}

/* Runs a process that loads the list twice. A verb for one model does this, once for the grid and
 * once for the verb. Returns this process's digest of the file. */
static const char *digest_elsewhere(const char *path)
{
    int ends[2];
    char text[DIGEST_TEXT] = "";
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        stage_digests_load(runs);
        stage_digests_load(runs);
        stage_digest(path, text);
        _exit(write(ends[1], text, sizeof text) == (ssize_t)sizeof text ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], text, sizeof text), sizeof text);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return arena_text(&arena, text);
}

static const char *true_digest(const char *path)
{
    char text[DIGEST_TEXT];
    digest_file(path, text);
    return arena_text(&arena, text);
}

static int kept_lines(void)
{
    size_t bytes;
    const char *text = file_read(&arena, kept, 0, &bytes);
    return (int)file_count_lines(text, bytes);
}

TEST(digests_are_kept_until_a_file_changes)
{
    const char *path = arena_print(&arena, "%s/text", here), *first = text_path(0);
    fresh_runs();
    put_text(path, "a b c\n");
    set_time(path, 1000000000);
    const char *true_one = true_digest(path);
    assert_string_equal(digest_elsewhere(path), true_one);
    assert_false(file_exists(kept)); /* the file is too new */

    assert_string_equal(digest_elsewhere(first), true_digest(first));
    char *lines = file_read(&arena, kept, 0, NULL), *at = strstr(lines, true_digest(first));
    assert_non_null(at);
    /* The list gets a wrong digest. If it is returned, the process did not read the text. */
    char other[DIGEST_TEXT];
    memset(other, 'f', sizeof other - 1);
    memcpy(at, other, sizeof other - 1);
    other[sizeof other - 1] = 0;
    put_text(kept, lines);
    assert_string_equal(digest_elsewhere(first), other);
    /* An incomplete line is ignored, and does not spoil the line that follows it. */
    put_text(kept, arena_text_range(&arena, lines, 100));
    assert_string_equal(digest_elsewhere(first), true_digest(first));
    const char *mended = file_read(&arena, kept, 0, NULL);
    expect_part(mended, arena_print(&arena, "\n%s ", true_digest(first)));
    digest_elsewhere(first);
    assert_string_equal(file_read(&arena, kept, 0, NULL), mended);
    /* Another text has the same size and modification time. */
    put_text(kept, lines);
    put_text(first, "c b a 0\n");
    set_time(first, 1000000000);
    assert_string_equal(digest_elsewhere(first), true_digest(first));
}

TEST(each_file_has_one_line)
{
    fresh_runs();
    for (int i = 1; i < FILES; i++) { /* the test above has changed the first file */
        assert_string_equal(digest_elsewhere(text_path(i)), true_digest(text_path(i)));
        assert_int_equal(kept_lines(), i);
    }
    struct stat before, after;
    assert_int_equal(stat(kept, &before), 0);
    digest_elsewhere(text_path(7)); /* its line exists already: nothing is written */
    assert_int_equal(stat(kept, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
}

/* Of several lines of a file the last one counts. Lines that are none are ignored. */
TEST(the_last_line_of_a_file_counts)
{
    fresh_runs();
    const char *path = text_path(1);
    digest_elsewhere(path);
    char *line = file_read(&arena, kept, 0, NULL), *other = arena_text(&arena, line);
    memset(other, 'f', DIGEST_TEXT - 1);
    const char *both = arena_print(&arena, "%sno line\n%s%.100s\n", line, other, line);
    put_text(kept, both);
    assert_string_equal(digest_elsewhere(path), arena_text_range(&arena, other, DIGEST_TEXT - 1));
    assert_string_equal(file_read(&arena, kept, 0, NULL), both);
}

/* Runs a process that plans a lower-cased corpus. Returns this process's
 * stage_digest_special(path). */
static bool special_elsewhere(const char *path)
{
    const int status = STATUS_OF(stage_digests_load(runs); _exit(stage_digest_special(path)));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status);
}

/* The line of a digest also has the result of stage_digest_special. If a wrong result is returned,
 * the process did not read the text. A line of an older program has no result, and gets one. */
TEST(special_capitals_are_looked_for_once)
{
    fresh_runs();
    const char *plain = text_path(5), *special = special_text;
    digest_elsewhere(plain);
    digest_elsewhere(special);
    const char *old = file_read(&arena, kept, 0, NULL);
    assert_null(strstr(old, "special"));
    assert_false(special_elsewhere(plain));
    assert_true(special_elsewhere(special));
    char *lines = file_read(&arena, kept, 0, NULL);
    assert_int_equal(kept_lines(), 4);
    *(strstr(lines, "special=0") + strlen("special=")) = '1';
    put_text(kept, lines);
    assert_true(special_elsewhere(plain));
    assert_string_equal(digest_elsewhere(plain), true_digest(plain));
    assert_string_equal(file_read(&arena, kept, 0, NULL), lines);
}

/* Both processes have read the list before one of them writes it. */
TEST(two_processes_lose_no_line)
{
    fresh_runs();
    digest_elsewhere(text_path(1));
    char text[DIGEST_TEXT];
    STATUS_OF(stage_digests_load(runs); digest_elsewhere(text_path(2));
              stage_digest(text_path(3), text));
    const char *lines = file_read(&arena, kept, 0, NULL);
    for (int i = 1; i <= 3; i++) expect_part(lines, true_digest(text_path(i)));
    assert_int_equal(kept_lines(), 3);
}

/* If the list cannot be read or written, there is only a warning. */
TEST(a_list_that_cannot_be_used_is_reported)
{
    char text[DIGEST_TEXT];
    fresh_runs();
    assert_int_equal(mkdir(kept, 0777), 0);
    const int log = open(arena_print(&arena, "%s/log", here), O_RDWR | O_CREAT | O_TRUNC, 0666),
              own = dup(2);
    fflush(stderr);
    dup2(log, 2);
    stage_digests_load(runs);
    stage_digest(text_path(4), text);
    fflush(stderr);
    dup2(own, 2);
    close(own);
    close(log);
    assert_string_equal(text, true_digest(text_path(4)));
    expect_part(file_read(&arena, arena_print(&arena, "%s/log", here), 0, NULL),
                "runs/digests: cannot be read: ");
}
