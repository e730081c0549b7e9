/* Tests results/store/collector, which copies run folders into the database and counts every fault
 * in their files. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "tests/support/lease_take.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"

static const char *ask_str(struct store *store, const char *sql)
{
    sqlite3_stmt *ask = store_ask(store, sql, "");
    const char *text = store_next(ask) ? store_text(ask, 0, &arena) : "(no row)";
    store_finish(ask);
    return text ? text : "(null)";
}

TEST(everything_arrives)
{
    const char *runs = test_folder("collect_all");
    runs_fill(runs);
    struct store *store = store_open(runs);
    struct collect_report report = collect_runs(store);
    assert_int_equal(report.stages, 2);
    assert_int_equal(report.metrics, 502);
    assert_int_equal(report.events, 5);
    assert_int_equal(report.bad, 0);
    assert_int_equal(report.torn, 0);
    assert_int_equal(
        runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES " AND value IS NULL"),
        1);
    assert_string_equal(ask_str(store,
                                "SELECT step || name || layer || head || \"set\" || class || n "
                                "|| value FROM value WHERE " STORE_LINES " AND layer IS NOT NULL"),
                        "500gate123NN770.25");
    assert_string_equal(ask_str(store, "SELECT group_concat(key || '=' || value) FROM "
                                       "option JOIN stage ON stage = number WHERE kind = "
                                       "'train'"),
                        "seed=1,train.epochs=12,train.rate=0.1");
    assert_string_equal(ask_str(store, "SELECT group_concat(key || '=' || value) FROM "
                                       "environment"),
                        "cpu.isa=v3,host=h,products=1,threads=2");
    assert_int_equal(runs_ask_int(store, "SELECT value FROM value WHERE " STORE_WHOLE
                                         " AND name = 'parameters'"),
                     3681280);
    assert_string_equal(ask_str(store, "SELECT status FROM stage WHERE kind = 'train'"), "done");
    assert_string_equal(ask_str(store, "SELECT status || ': ' || message FROM stage WHERE "
                                       "kind = 'score'"),
                        "failed: no such split");
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM member JOIN stage ON stage.id = "
                                         "member.stage JOIN input ON input.stage = stage.number"),
                     1);
    store_close(store);
}

/* In the second format of done.json, values are only in metrics.jsonl. */
TEST(values_of_the_whole_are_lines)
{
    const char *runs = test_folder("collect_whole");
    const char *summary = "SELECT group_concat(name || '=' || value, ' ') FROM (SELECT name, value "
                          "FROM value WHERE " STORE_WHOLE " ORDER BY name)";
    enum { NONE = JOURNAL_NONE };
    const struct run run = run_new(runs, "train", "whole", "{}", NULL, "whole");
    struct journal *journal = journal_open(run.folder);
    journal_value(journal, 5, "dev_loss", 3);
    journal_value(journal, 9, "dev_loss", 2);
    journal_value(journal, 9, "loss", 4);
    journal_metric(journal, &(struct metric){"dev_loss", 9, 7, NONE, NONE, 1, NULL, NONE});
    journal_value(journal, NONE, "steps", 9);
    journal_close(journal);
    struct store *store = runs_collect(runs);
    assert_string_equal(ask_str(store, summary), "(null)"); /* the stage has not ended */
    run_write(&run, "done.json",
              "{\"format\": 2, \"status\": \"done\", \"texts\": {\"t\": \"x\"}}");
    assert_int_equal(collect_runs(store).bad, 0);
    assert_string_equal(ask_str(store, summary), "dev_loss=2.0 steps=9.0");
    assert_string_equal(ask_str(store, "SELECT text FROM word WHERE name = 't'"), "x");
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES), 5);
    run_append(&run, "metrics.jsonl", "{\"name\":\"steps\",\"value\":10}\n");
    collect_runs(store);
    assert_string_equal(ask_str(store, summary), "dev_loss=2.0 steps=10.0");
    const char *digest = runs_digest(store);
    store_close(store);
    runs_rebuild(runs, digest);
    /* If done.json has the first format, values come from its summary and not from these lines. */
    store = runs_collect(runs);
    run_write(&run, "done.json",
              "{\"status\": \"done\", \"summary\": {\"steps\": 8, \"t\": \"y\"}}");
    collect_runs(store);
    assert_string_equal(ask_str(store, summary), "steps=8.0");
    run_write(&run, "done.json", "{\"format\": 3, \"status\": \"done\", \"texts\": {}}");
    assert_int_equal(collect_runs(store).bad, 1);
    assert_string_equal(ask_str(store, summary), "(null)");
    store_close(store);
}

TEST(collecting_in_pieces_equals_collecting_at_once)
{
    const char *runs = test_folder("collect_pieces");
    struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    const char *before = runs_digest(store);
    struct collect_report again = collect_runs(store);
    assert_int_equal(again.metrics + again.events, 0);
    assert_string_equal(runs_digest(store), before);

    for (int i = 0; i < 5; i++) {
        run_append(&train, "metrics.jsonl", "{\"name\":\"late\",\"step\":1,\"value\":1.0}\n");
        run_append(&train, "metrics.jsonl", "{\"name\":\"torn\",\"st");
        struct collect_report report = collect_runs(store);
        assert_int_equal(report.metrics, i + 1 == 1 ? 1 : 2);
        assert_int_equal(report.torn, 1);
        run_append(&train, "metrics.jsonl", "ep\":2,\"value\":2.0}\n");
    }
    collect_runs(store);
    assert_int_equal(
        runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES " AND name = 'torn'"),
        5);
    const char *pieces = runs_digest(store);
    store_close(store);

    struct collect_report whole = collect_rebuild(runs);
    assert_int_equal(whole.metrics, 512);
    store = store_open(runs);
    assert_string_equal(runs_digest(store), pieces);
    assert_int_equal(collect_runs(store).metrics, 0);
    store_close(store);
}

TEST(a_cut_journal_is_read_anew)
{
    const char *runs = test_folder("collect_cut");
    struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    /* The file is shorter than at the last collection. */
    struct journal *journal = journal_open(train.folder);
    journal_cut(journal, 400);
    int64_t length = journal_sync(journal);
    collect_runs(store);
    int64_t few = runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES);
    assert_in_range(few, 5, 15);
    /* Between two collections, the file is cut and then written beyond its old end. */
    for (int step = 1; step < 400; step++) journal_value(journal, step, "other", 1. / step);
    collect_runs(store);
    journal_cut(journal, length);
    for (int step = 1; step < 600; step++) journal_value(journal, step, "third", 1. / step);
    journal_close(journal);
    collect_runs(store);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES),
                     few + 599);
    assert_int_equal(
        runs_ask_int(store, "SELECT count(*) FROM value WHERE " STORE_LINES " AND name = 'other'"),
        0);
    store_close(store);
}

TEST(garbage_is_counted_and_named)
{
    const char *runs = test_folder("collect_garbage");
    struct run train = runs_fill(runs);
    static const char *const bad[] = {"no json at all",
                                      "{}",
                                      "[1,2]",
                                      "{\"name\":\"loss\"}",
                                      "\xff\xfe",
                                      "{\"name\":\"a\",\"name\":\"b\",\"value\":1}",
                                      "{\"name\":1,\"value\":1}",
                                      "",
                                      "{\"name\":\"loss\",\"value\":\"1\"}",
                                      "{\"name\":\"loss\",\"value\":1,\"step\":\"x\"}",
                                      "{\"name\":\"loss\",\"value\":1,\"sptep\":3}"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        run_append(&train, "metrics.jsonl", arena_print(&arena, "%s\n", bad[i]));
    run_append(&train, "metrics.jsonl", "{\"name\":\"good\",\"step\":7,\"value\":1.0}\n");
    run_append(&train, "events.jsonl", "{\"event\":\"timing\",\"time\":1.0,\"attempt\":1}\n");
    file_write(arena_print(&arena, "%s/stages/stray", runs), "x", 1);
    file_make_folder(arena_print(&arena, "%s/stages/train-000000000000", runs)); /* new: no fault */
    struct run wrong = run_new(runs, "train", "wrong", "{}", NULL, "w");
    run_write(&wrong, "stage.json", "{\"id\": 5}");
    struct run broken = run_new(runs, "train", "broken", "{}", NULL, "b");
    run_write(&broken, "done.json", "{\"status\": \"fine\"}");
    run_write(&broken, "environment.json", "{\"host\": ");
    struct run hollow = run_new(runs, "train", "hollow", "{}", NULL, "h");
    run_write(&hollow, "done.json", "");
    file_write(arena_print(&arena, "%s/grids/demo/bad.json", runs), "{\"grid\": \"g\"}", 13);

    struct store *store = store_open(runs);
    int64_t expected = (int64_t)COUNT_OF(bad) + 1 /* event */ + 1 /* stray */ + 1 /* wrong */ +
                       2 /* broken */ + 1 /* hollow */ + 1 /* grid */;
    assert_int_equal(collect_runs(store).bad, expected);
    assert_int_equal(collect_runs(store).bad, expected); /* known faults are not counted again */
    assert_int_equal(
        runs_ask_int(store, "SELECT value FROM value WHERE " STORE_LINES " AND name = 'good'"), 1);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM stage"), 4);
    assert_string_equal(ask_str(store, "SELECT status FROM stage WHERE canonical = "
                                       "'broken'"),
                        "new");
    store_close(store);
    assert_int_equal(collect_rebuild(runs).bad, expected);
}

TEST(what_has_vanished_vanishes)
{
    const char *runs = test_folder("collect_vanish");
    struct run train = runs_fill(runs);
    struct store *store = runs_collect(runs);
    file_remove_tree(train.folder);
    file_remove_tree(arena_print(&arena, "%s/grids/demo/demo.json", runs));
    collect_runs(store);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM stage"), 1);
    assert_int_equal(runs_ask_int(store,
                                  "SELECT (SELECT count(*) FROM value WHERE " STORE_LINES
                                  ") + (SELECT count(*) FROM "
                                  "member) + (SELECT count(*) FROM option WHERE key = 'seed')"),
                     0);
    store_close(store);
}

static const char *status_of(struct store *store)
{
    collect_runs(store);
    return ask_str(store, "SELECT status || ' ' || attempts FROM stage");
}

TEST(status_follows_the_folder)
{
    const char *runs = test_folder("collect_status");
    struct run run = run_new(runs, "train", "t", "{}", NULL, "n");
    struct store *store = store_open(runs);
    assert_string_equal(status_of(store), "new 0");
    struct lease *lease = lease_take(run.folder);
    struct journal *journal = journal_open(run.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    assert_string_equal(status_of(store), "running 1");
    journal_close(journal);
    lease_release(lease);
    assert_string_equal(status_of(store), "stopped 1");
    journal = journal_open(run.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, "interrupted", 5, NULL);
    journal_close(journal);
    assert_string_equal(status_of(store), "stopped 2");
    journal = journal_open(run.folder);
    journal_event(journal, "failed", JOURNAL_NONE, "disk full");
    journal_close(journal);
    assert_string_equal(status_of(store), "failed 3"); /* the attempt failed before "started" */
    run_done(&run, "diverged", "{}");
    assert_string_equal(status_of(store), "diverged 3");
    run_done(&run, "done", "{\"dev_loss\": 20}");
    assert_string_equal(status_of(store), "done 3");
    run_done(&run, "done", "{\"dev_loss\": 20.01}"); /* written by a version without limits */
    assert_string_equal(status_of(store), "diverged 3");
    store_close(store);
}

/* Names that would be SQL, or formats, if they were inserted into a statement. */
TEST(names_are_only_names)
{
    static const char *const names[] = {"'; DROP TABLE stage; --",
                                        "\"; DELETE FROM metric; --",
                                        "' OR '1'='1",
                                        "?1",
                                        "\\",
                                        "%s%n",
                                        "\t\x1b[31m",
                                        "Größe ♥",
                                        "x\"',:@$name"};
    const char *runs = test_folder("collect_names");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct run run = run_new(runs, "train", names[i], "{}", NULL, names[i]);
        struct journal *journal = journal_open(run.folder);
        journal_event(journal, "failed", JOURNAL_NONE, names[i]);
        journal_metric(journal,
                       &(struct metric){names[i], 1, (double)i, 1, 1, JOURNAL_NONE, names[i], 1});
        journal_close(journal);
    }
    struct store *store = store_open(runs);
    assert_int_equal(collect_runs(store).bad, 0);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        sqlite3_stmt *ask =
            store_ask(store,
                      "SELECT stage.canonical, name.name, stage.message, value.name, value.class, "
                      "value.value FROM stage JOIN name ON name.stage = number JOIN value ON "
                      "value.stage = number WHERE canonical = ?",
                      "s", names[i]);
        assert_true(store_next(ask));
        for (int column = 0; column < 5; column++)
            assert_string_equal(store_text(ask, column, &arena), names[i]);
        assert_int_equal(store_real(ask, 5), i);
        assert_false(store_next(ask));
        store_finish(ask);
    }
    store_close(store);
}

TEST(a_tag_of_an_older_file_is_a_set)
{
    static const char *const wrong[] = {
        "\"tag\":\"0\"",   "\"tag\":\"\"",   "\"tag\":\"NN\"",         "\"tag\":\"-1\"",
        "\"tag\":\"1.5\"", "\"tag\":\" 2\"", "\"tag\":\"5000000000\"", "\"tag\":2",
        "\"set\":0",       "\"set\":\"2\"",  "\"set\":2,\"tag\":\"2\""};
    const char *runs = test_folder("collect_sets");
    struct run run = run_new(runs, "score", "s", "{}", NULL, "a");
    run_append(&run, "metrics.jsonl",
               "{\"name\":\"bleu\",\"value\":30.5,\"tag\":\"1\",\"n\":20}\n"
               "{\"name\":\"bleu\",\"value\":31.5,\"tag\":\"12\",\"n\":20}\n"
               "{\"name\":\"bleu\",\"value\":32.5,\"set\":3,\"class\":\"NN\"}\n"
               "{\"name\":\"right\",\"value\":0.5,\"class\":\"all\"}\n");
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        run_append(&run, "metrics.jsonl",
                   arena_print(&arena, "{\"name\":\"bleu\",\"value\":1,%s}\n", wrong[i]));
    struct store *store = store_open(runs);
    const struct collect_report report = collect_runs(store);
    assert_int_equal(report.metrics, 4);
    assert_int_equal(report.bad, COUNT_OF(wrong));
    assert_string_equal(ask_str(store,
                                "SELECT group_concat(value || '/' || coalesce(\"set\", '') || '/' "
                                "|| coalesce(class, ''), ' ') FROM value WHERE " STORE_LINES),
                        "30.5/1/ 31.5/12/ 32.5/3/NN 0.5//all");
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM (" STORE_LATEST ")"), 0);
    store_close(store);
}
