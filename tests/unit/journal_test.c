/* Tests core/base/journal: the bytes that a stage writes, and files that are torn or cut. */
#include "tests/support/test.h"

#include <locale.h>
#include <sys/resource.h>

#include "core/base/journal_read.h"

static const char *content(const char *folder, const char *name)
{
    return file_read(&arena, arena_print(&arena, "%s/%s", folder, name), 0, NULL);
}

static void append(const char *folder, const char *name, const char *bytes)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

TEST(metrics_are_these_bytes)
{
    const char *folder = test_folder("journal_bytes");
    struct journal *journal = journal_open(folder);
    journal_value(journal, 100, "loss", 3.25);
    journal_value(journal, JOURNAL_NONE, "third", 1. / 3);
    journal_value(journal, 5, "tenth", 0.1);
    journal_value(journal, 6, "words", 250000);
    journal_value(journal, 6, "loss", NAN);
    journal_value(journal, 7, "loss", INFINITY);
    journal_metric(journal, &(struct metric){.name = "gate",
                                             .step = 9,
                                             .value = -1e-300,
                                             .layer = 1,
                                             .head = 2,
                                             .set = 3,
                                             .class = "NN\"\n\x1b",
                                             .n = 0});
    journal_close(journal);
    assert_string_equal(content(folder, "metrics.jsonl"),
                        "{\"name\":\"loss\",\"step\":100,\"value\":3.25}\n"
                        "{\"name\":\"third\",\"value\":0.3333333333333333}\n"
                        "{\"name\":\"tenth\",\"step\":5,\"value\":0.1}\n"
                        "{\"name\":\"words\",\"step\":6,\"value\":250000.0}\n"
                        "{\"name\":\"loss\",\"step\":6,\"value\":null}\n"
                        "{\"name\":\"loss\",\"step\":7,\"value\":null}\n"
                        "{\"name\":\"gate\",\"step\":9,\"value\":-1e-300,\"layer\":1,\"head\":2,"
                        "\"set\":3,\"class\":\"NN\\\"\\n\\u001B\",\"n\":0}\n");
}

TEST(numbers_do_not_follow_the_locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) test_skip("the locale de_DE.UTF-8 is not installed");
    const char *folder = test_folder("journal_locale");
    struct journal *journal = journal_open(folder);
    journal_value(journal, 1, "loss", 0.1);
    journal_close(journal);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(strstr(content(folder, "metrics.jsonl"), "\"value\":0.1}"));
}

TEST(half_a_line_does_not_spoil_the_next)
{
    const char *folder = test_folder("journal_half");
    struct rlimit before, small;
    struct journal *journal = journal_open(folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    const char *first = content(folder, "events.jsonl");
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){strlen(first) + 10, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_DIE("events.jsonl: cannot be written: File too large",
               journal_event(journal, "saved", 7, NULL));
    setrlimit(RLIMIT_FSIZE, &before);
    assert_string_equal(content(folder, "events.jsonl"), first);
    journal_close(journal);
}

TEST(a_cut_journal_continues_with_the_same_bytes)
{
    const char *whole = test_folder("journal_whole"), *cut = test_folder("journal_cut");
    struct journal *journal = journal_open(whole);
    for (int step = 1; step <= 9; step++) journal_value(journal, step, "loss", 1. / step);
    journal_close(journal);

    journal = journal_open(cut);
    int64_t length = 0;
    for (int step = 1; step <= 7; step++) {
        journal_value(journal, step, "loss", 1. / step);
        if (step == 4) length = journal_sync(journal);
    }
    journal_close(journal);
    append(cut, "metrics.jsonl", "{\"name\":\"loss\",\"st");
    journal = journal_open(cut);
    journal_cut(journal, length);
    for (int step = 5; step <= 9; step++) journal_value(journal, step, "loss", 1. / step);
    EXPECT_DIE("the checkpoint records 100000", journal_cut(journal, 100000));
    journal_close(journal);
    assert_string_equal(content(whole, "metrics.jsonl"), content(cut, "metrics.jsonl"));
}

TEST(a_torn_last_line_is_cut_off)
{
    const char *folder = test_folder("journal_torn");
    journal_close(journal_open(folder));
    char *torn = arena_alloc(&arena, 10001); /* longer than a block; follows a whole line */
    memset(torn, 'x', 10000);
    append(folder, "metrics.jsonl", "{\"name\":\"a\",\"value\":1.0}\n");
    append(folder, "metrics.jsonl", torn);
    append(folder, "events.jsonl", "torn, and the only line");
    journal_close(journal_open(folder));
    assert_string_equal(content(folder, "metrics.jsonl"), "{\"name\":\"a\",\"value\":1.0}\n");
    assert_string_equal(content(folder, "events.jsonl"), "");
}

/* Returns the steps of the records that a reader finds. */
static const char *steps_in(const char *folder, int64_t bytes)
{
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, bytes);
    const char *text = "";
    for (json_t *record; (record = journal_next(&reader));) {
        assert_string_equal(journal_text(record, "name"), "loss");
        assert_string_equal(journal_text(record, "class"), "");
        text = arena_print(&arena, "%s %d", text,
                           (int)json_integer_value(json_object_get(record, "step")));
    }
    assert_null(journal_next(&reader));
    return text;
}

TEST(records_are_read_one_after_another)
{
    const char *folder = test_folder("journal_read");
    assert_string_equal(steps_in(folder, 0), "");
    struct journal *journal = journal_open(folder);
    for (int step = 1; step <= 4; step++) journal_value(journal, step, "loss", 0.5);
    journal_close(journal);
    append(folder, "metrics.jsonl", "{\"name\":\"loss\",\"st"); /* another process is writing */
    assert_string_equal(steps_in(folder, 0), " 1 2 3 4");
    assert_string_equal(steps_in(folder, 80), " 4"); /* the 80 bytes also have half of step 3 */
    assert_string_equal(steps_in(folder, 1000), " 1 2 3 4");
}

TEST(attempts_are_counted_by_started)
{
    const char *folder = test_folder("journal_attempt");
    for (int attempt = 1; attempt <= 2; attempt++) {
        struct journal *journal = journal_open(folder);
        journal_event(journal, "started", JOURNAL_NONE, NULL);
        journal_timing(journal, 40, "train", 2.5);
        journal_close(journal);
    }
    append(folder, "events.jsonl", "not a record\n");
    struct journal *journal = journal_open(folder);
    journal_event(journal, "failed", 41, "bad byte \xff here");
    journal_close(journal);
    const char *text = content(folder, "events.jsonl");
    assert_non_null(strstr(text, "\"attempt\":1,\"step\":40,\"name\":\"train\",\"value\":2.5}\n"));
    assert_non_null(strstr(text, "\"attempt\":2,\"step\":41,\"text\":\"bad byte ? here\"}\n"));
    assert_null(strstr(text, "\"attempt\":3"));
}

static void fence(void *context)
{
    longjmp(*(jmp_buf *)context, 1);
}

/* After its stage belongs to another worker, a worker must not make these writes. The fence
 * prevents them. */
TEST(nothing_passes_a_fence)
{
    const char *folder = test_folder("journal_fence");
    const char *file = arena_print(&arena, "%s/file", folder);
    struct journal *journal = journal_open(folder);
    journal_value(journal, 1, "loss", 1);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    const char *metrics = content(folder, "metrics.jsonl");
    const char *events = content(folder, "events.jsonl");
    TEST_LEAKS_COUNT(false); /* at a fence, a process exits without freeing memory */
    struct file_writer writer = file_create(file);
    for (int what = 0; what < 5; what++) {
        jmp_buf back;
        if (setjmp(back)) continue;
        file_set_fence(fence, &back);
        if (what == 0) journal_value(journal, 2, "loss", 1);
        if (what == 1) journal_event(journal, "done", JOURNAL_NONE, NULL);
        if (what == 2) journal_cut(journal, 0);
        if (what == 3) file_commit(&writer);
        if (what == 4) file_remove_tree(folder);
        fail_msg("%d passed", what);
    }
    file_set_fence(NULL, NULL);
    TEST_LEAKS_COUNT(true);
    assert_string_equal(content(folder, "metrics.jsonl"), metrics);
    assert_string_equal(content(folder, "events.jsonl"), events);
    assert_false(file_exists(file));
    journal_close(journal);
}

/* If the preceding attempt has ended in any way, a failure before the event "started" is a new
 * attempt. */
TEST(a_failed_start_is_an_attempt)
{
    static const char *const ends[] = {"done", "failed", "interrupted", "diverged"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        const char *folder = test_folder("journal_failed");
        for (int again = 0; again < 2; again++) {
            struct journal *journal = journal_open(folder);
            if (!again) journal_event(journal, "started", JOURNAL_NONE, NULL);
            journal_event(journal, again ? "failed" : ends[i], JOURNAL_NONE, NULL);
            journal_close(journal);
        }
        const char *last = strstr(content(folder, "events.jsonl"), ends[i]);
        assert_non_null(strstr(last, "\"attempt\":1}\n"));
        assert_non_null(strstr(last, "\"attempt\":2}\n"));
        arena_free(&arena);
    }
}
