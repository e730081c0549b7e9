/* Tests core/base/progress.h. Progress is one rewritten line on a terminal, a few plain lines
 * elsewhere, and nothing if quiet. A child process writes to a pseudo-terminal or a pipe, and the
 * parent checks the bytes. */
#include "tests/support/test.h"

#include <pty.h>

#include "core/base/progress.h"

enum { STEPS = 100000, COLUMNS = 64 };

struct shown {
    char text[1 << 16];
    size_t bytes;
};

static void work(void)
{
    struct progress *progress = progress_open("train", STEPS);
    for (int i = 1; i <= STEPS; i++) progress_step(progress, i);
    progress_close(progress);
}

/* Two letters of two bytes each: a line has two bytes more than columns. */
#define LABEL "a label with \xc3\xbc, \xc3\xbc and more than 30 columns"

static void long_line(void)
{
    struct progress *progress = progress_open(LABEL, 9);
    progress_step(progress, 7);
    progress_close(progress);
}

/* Continues at step 1000 of 3000. Half a second later it is at step 1500, so 1500 steps are
 * left. */
static void resumed(void)
{
    struct progress *progress = progress_open("train", 3000);
    progress_step(progress, 1000);
    usleep(500000);
    progress_step(progress, 1500);
    progress_close(progress);
}

/* Returns the text that `job` writes to stderr, which is a terminal or a pipe. */
static struct shown *look(void (*job)(void), bool terminal)
{
    int ends[2];
    struct winsize window = {.ws_row = 24, .ws_col = COLUMNS};
    if (terminal)
        assert_int_equal(openpty(&ends[0], &ends[1], NULL, NULL, &window), 0);
    else
        assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        job();
        _exit(0);
    }
    close(ends[1]);
    struct shown *shown = heap_alloc(sizeof *shown);
    for (ssize_t got; shown->bytes < sizeof shown->text - 1; shown->bytes += (size_t)got) {
        got = read(ends[0], shown->text + shown->bytes, sizeof shown->text - 1 - shown->bytes);
        if (got <= 0) break; /* without a writer, a terminal gives an error and a pipe ends */
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return shown;
}

static int count(const char *text, char what)
{
    int found = 0;
    for (; *text; text++) found += *text == what;
    return found;
}

TEST(a_terminal_gets_one_line_rewritten)
{
    struct shown *shown = look(work, true);
    assert_non_null(strstr(shown->text, "\rtrain  [....................]  1/100000  0%"));
    assert_non_null(strstr(shown->text, "\rtrain  100000/100000  100%  in "));
    assert_int_equal(count(shown->text, '\n'), 1);
    /* 100000 steps take well under ten seconds. The line is rewritten at most 5 times a second. */
    assert_in_range(count(shown->text, '\r'), 2, 60);
    free(shown);
}

TEST(lines_are_cut_at_the_terminals_width)
{
    struct shown *shown = look(long_line, true);
    const char *end = strchr(shown->text + 1, '\r');
    /* \r, then one character less than the columns */
    assert_int_equal(end - shown->text, COLUMNS + 2);
    assert_non_null(strstr(end, "\r" LABEL "  7/9  77%  in 0 s"));
    /* The last line is shorter. Blanks erase the rest of the longer line. */
    assert_int_equal(strcspn(end + 1, "\r\n"), COLUMNS - 1 + 2);
    free(shown);
}

TEST(rate_and_time_left_are_those_of_this_run)
{
    struct shown *shown = look(resumed, true);
    const char *line = strstr(shown->text, "\rtrain  [##########..........]  1500/3000  50%  ");
    assert_non_null(line);
    double rate;
    int left;
    line = strchr(line, '%') + 1;
    assert_int_equal(sscanf(line, "  %lf/s  %d s left", &rate, &left), 2);
    /* usleep takes at least half a second, on a busy machine longer. So the rate is at most
     * 1000. */
    assert_true(rate <= 1000 && rate > 50);
    assert_in_range(left, 1500 / rate - 1, 1500 / rate + 1);
    free(shown);
}

TEST(a_pipe_gets_few_plain_lines)
{
    struct shown *shown = look(work, false);
    assert_non_null(strstr(shown->text, "train  100000/100000  100%  in "));
    assert_int_equal(count(shown->text, '\n'), 1);
    assert_int_equal(count(shown->text, '\r'), 0);
    free(shown);
}

TEST(quiet_is_quiet)
{
    progress_quiet(true);
    struct shown *on_terminal = look(work, true), *on_pipe = look(work, false);
    progress_quiet(false);
    assert_int_equal(on_terminal->bytes, 0);
    assert_int_equal(on_pipe->bytes, 0);
    free(on_terminal);
    free(on_pipe);
    progress_close(NULL);
}
