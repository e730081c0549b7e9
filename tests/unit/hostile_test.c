/* Tests hostile names and damaged journals in the database, ls, show and export. A hostile name
 * could be misread as something else, such as SQL or a command. */
#include "tests/support/test.h"

#include "experiments/stage/stage.h"
#include "results/query/query.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"

static char long_name[10 * 1024 + 1];

/* Names as users type them. The last name is long_name, which has 10 kB. */
static const char *const names[] = {
    "g/'; DROP TABLE stage; --/1",
    "g/\"; DELETE FROM metric; --/1",
    "g/../../../etc/passwd/1",
    "../g/x/1",
    "g/line\nbreak/1",
    "g/\x1b[31mred\x1b]0;title\a/1",
    "g/\xe2\x80\xae"
    "abc\xe2\x80\xac/1", /* right-to-left override */
    "g/`touch canary`$(touch canary)/1",
    "g/<script>alert(1)</script>&amp;/1",
    "g/\\input{/etc/passwd}%_#/1",
    "g/=cmd|' /C calc'!A0/1",
    "g/%s%n%1000000d/1",
    "g/Größe ♥ 漢字/1",
    "g/ * ? [a] ~/1",
    long_name,
};

struct world {
    struct store *store;
    struct run run[COUNT_OF(names)];
};

/* Makes a stage for each name. The name is also the name of a metric, a class, and the message of a
 * failure. */
static struct world world_new(const char *folder)
{
    struct world world = {0};
    const char *runs = test_folder(folder);
    memset(long_name, 'n', sizeof long_name - 1);
    memcpy(long_name, "g/", 2);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char text[32];
        snprintf(text, sizeof text, "stage %zu", i);
        struct run *run = &world.run[i];
        *run = run_new(runs, "train", text, "{}", NULL, names[i]);
        struct journal *journal = journal_open(run->folder);
        journal_event(journal, "started", JOURNAL_NONE, NULL);
        for (int step = 1; step <= 3; step++) journal_value(journal, step, names[i], step);
        journal_metric(journal, &(struct metric){"gate", 1, 0.5, 1, 1, JOURNAL_NONE, names[i], 1});
        journal_event(journal, "failed", JOURNAL_NONE, names[i]);
        journal_close(journal);
    }
    world.store = store_open(runs);
    assert_int_equal(collect_runs(world.store).bad, 0);
    return world;
}

/* Fails if the text has a control character except the line feed, or a mark of text direction. */
static void expect_tame(const char *text)
{
    for (const char *at = text; *at; at++)
        if (((unsigned char)*at < ' ' && *at != '\n') || *at == 127)
            fail_msg("character %d in: %.60s", *at, at > text + 30 ? at - 30 : text);
    assert_null(strstr(text, "\xe2\x80\xae"));
}

TEST(names_come_back_as_they_were)
{
    struct world world = world_new("hostile_names");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(find_stage(world.store, names[i], NULL, &arena).id, world.run[i].id);
        struct found_stage *stage;
        char *filter = arena_print(&arena, "id=%s", world.run[i].id);
        assert_int_equal(query_stages(world.store, filter, &stage, &arena), 1);
        if (strchr(names[i], '\'')) continue;
        filter = arena_print(&arena, "name='%s' and message='%s'", names[i], names[i]);
        assert_int_equal(query_stages(world.store, filter, &stage, &arena), 1);
    }
    store_close(world.store);
}

TEST(terminals_get_nothing_but_text)
{
    struct world world = world_new("hostile_terminal");
    struct found_stage *stage;
    const int count = query_stages(world.store, NULL, &stage, &arena);
    char *text = PRINTED(sheet_text(query_list(world.store, stage, count, NULL, &arena), out));
    expect_tame(text);
    assert_non_null(strstr(text, "g/'; DROP TABLE stage; --/1: g/'; DROP TABLE stage; --/1"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) < 1000);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        text = PRINTED(query_show(world.store, world.run[i].id, NULL, out));
        expect_tame(text);
    }
    store_close(world.store);
}

TEST(spreadsheets_get_no_formulas)
{
    struct world world = world_new("hostile_files");
    struct found_stage *stage;
    int count = query_stages(world.store, NULL, &stage, &arena);
    char *text = PRINTED(query_print(world.store, stage, count, QUERY_LONG, EXPORT_CSV, out));
    assert_null(strstr(text, ",="));
    assert_null(strchr(text, '\x1b'));
    store_close(world.store);
}

/* If a step is repeated, its last value counts. Time never decreases. */
TEST(journals_may_repeat_themselves)
{
    const char *runs = test_folder("hostile_journal");
    struct run run = run_new(runs, "train", "t", "{}", NULL, "n");
    run_write(&run, "metrics.jsonl",
              "{\"name\":\"loss\",\"step\":1,\"value\":5.0}\n"
              "{\"name\":\"loss\",\"step\":2,\"value\":4.0}\n"
              "{\"name\":\"loss\",\"step\":2,\"value\":3.0}\n"
              "{\"name\":\"loss\",\"step\":2,\"value\":3.0}\n"
              "{\"name\":\"loss\",\"st");
    run_write(&run, "events.jsonl",
              "{\"event\":\"started\",\"time\":5000.0,\"clock\":0.0,\"attempt\":1}\n"
              "{\"event\":\"saved\",\"time\":1000.0,\"clock\":10.0,\"attempt\":1,\"step\":1}\n"
              "{\"event\":\"saved\",\"time\":1000.0,\"clock\":10.0,\"attempt\":1,\"step\":1}\n"
              "{\"event\":\"started\",\"time\":500.0,\"clock\":0.0,\"attempt\":2}\n"
              "{\"event\":\"interrupted\",\"time\":400.0,\"clock\":7.0,\"attempt\":2}\n");
    struct store *store = store_open(runs);
    struct collect_report report = collect_runs(store);
    assert_int_equal(report.torn, 1);
    assert_int_equal(report.bad, 0);
    const char *before = runs_digest(store);
    struct found_stage *stage;
    assert_int_equal(
        query_stages(store, "status=stopped and attempts=2 and wall=17", &stage, &arena), 1);
    char *text = PRINTED(query_show(store, run.id, NULL, out));
    assert_non_null(strstr(text, "\n  loss  3 at step 2\n"));
    store_close(store);
    runs_rebuild(runs, before);
}

static void expect_no_end(const char *name)
{
    const char *runs = arena_text(&arena, test_folder("hostile_line"));
    struct run run = run_new(runs, "train", "t", "{}", NULL, "n");
    const char *path = arena_print(&arena, "%s/%s", run.folder, name);
    const char *says =
        arena_print(&arena, "%s: a line has more than 16 MB; expected a shorter line", name);
    file_write(path, "", 0);
    assert_int_equal(truncate(path, (off_t)17 << 20), 0);
    EXPECT_DIE(says, collect_rebuild(runs));
}

/* The file may be sparse and have a terabyte. It is not read into memory. */
TEST(a_line_without_end_is_no_record)
{
    expect_no_end("metrics.jsonl");
    expect_no_end("events.jsonl");
    expect_no_end("notes.jsonl");
}

TEST(a_record_without_end_is_not_read)
{
    struct stage stage = {.folder = arena_text(&arena, test_folder("hostile_record"))};
    const char *path = arena_print(&arena, "%s/done.json", stage.folder);
    file_write(path, "", 0);
    assert_int_equal(truncate(path, (off_t)65 << 20), 0);
    EXPECT_DIE("done.json: 68157440 bytes; expected at most 67108864", stage_done(&stage));
}

/* show prints a time outside of the calendar as "unknown". */
TEST(any_time_can_be_shown)
{
    static const char *const time[] = {"1e17", "-1e17", "1e300", "-9223372036854775808"};
    for (size_t i = 0; i < COUNT_OF(time); i++) {
        const char *runs = test_folder("hostile_times");
        struct run run = run_new(runs, "train", "t", "{}", NULL, "n");
        char *line =
            heap_print("{\"event\":\"started\",\"time\":%s,\"clock\":0,\"attempt\":1}\n", time[i]);
        run_write(&run, "events.jsonl", line);
        free(line);
        struct store *store = runs_collect(runs);
        char *text = PRINTED(query_show(store, run.id, NULL, out));
        assert_non_null(strstr(text, "\n  started  unknown, "));
        store_close(store);
    }
}
