/* Tests copies of stages by experiments/cli/alone_model: if a signal interrupts a copy, no part of
 * the copy stays in RUNS. */
#include "tests/support/test.h"

/* Number of copied files, and the signal that the process gets after the second file (0: none). */
static int copied, number;
static void copy_and_signal(const char *from, const char *to)
{
    file_copy(from, to);
    if (++copied == 2) raise(number);
}

#define file_copy copy_and_signal
#pragma GCC diagnostic ignored "-Wshadow" /* parameters shadow the arena of the test */
#include "experiments/cli/alone_model.c"
#undef file_copy

#include "tests/support/runs.h"

TEST(a_signal_leaves_no_half_folder)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const char *elsewhere = test_folder("alone_copy_elsewhere");
    const char *runs = test_folder("alone_copy");
    const struct run train = runs_fill(elsewhere);
    const char *to = arena_print(&arena, "%s/stages/%s", runs, strrchr(train.folder, '/') + 1);
    struct stage stage = {.kind = stage_kind_find("train"),
                          .folder = arena_text(&arena, train.folder)};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        int entries = 0;
        const int status = STATUS_OF(number = numbers[i]; copy_stage(&arena, runs, &stage, to));
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), numbers[i]);
        assert_false(file_is_folder(to));
        DIR *folder = file_open_folder(runs);
        for (const char *name; (name = file_next(folder)); entries++)
            assert_string_equal(name, "stages");
        assert_int_equal(entries, 1);
    }
    copy_stage(&arena, runs, &stage, to); /* in this process `number` is 0: no signal */
    assert_true(file_exists(arena_print(&arena, "%s/done.json", to)));
}
