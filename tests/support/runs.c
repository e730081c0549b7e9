#include "tests/support/runs.h"

#include "tests/support/test.h"

#include <jansson.h>

#include "core/base/digest.h"
#include "core/base/journal.h"
#include "results/store/collector.h"

void run_write(const struct run *run, const char *name, const char *text)
{
    char *path = heap_print("%s/%s", run->folder, name);
    file_write(path, text, strlen(text));
    free(path);
}

void run_append(const struct run *run, const char *name, const char *text)
{
    char *path = heap_print("%s/%s", run->folder, name);
    FILE *file = fopen(path, "ab");
    CHECK(file, "%s", path);
    fputs(text, file);
    fclose(file);
    free(path);
}

struct run run_new(const char *runs, const char *kind, const char *text, const char *options,
                   const char *input, const char *name)
{
    struct run run;
    digest_bytes(text, strlen(text), run.id);
    snprintf(run.folder, sizeof run.folder, "%s/stages/%s-%.12s", runs, kind, run.id);
    file_make_folder(run.folder);
    json_t *stage =
        json_pack("{s:s, s:s, s:s, s:o, s:[s*], s:[s]}", "id", run.id, "kind", kind, "canonical",
                  text, "options", json_loads(options, 0, NULL), "inputs", input, "names", name);
    CHECK(stage, "stage.json of %s", text);
    char *json = json_dumps(stage, 0);
    run_write(&run, "stage.json", json);
    free(json);
    json_decref(stage);
    return run;
}

void run_done(const struct run *run, const char *status, const char *summary)
{
    char *text = heap_print("{\"status\": \"%s\", \"summary\": %s}", status, summary);
    run_write(run, "done.json", text);
    free(text);
}

struct run runs_fill(const char *runs)
{
    struct run train = run_new(runs, "train", "train.seed=1",
                               "{\"train\": {\"epochs\": 12, \"rate\": 0.1}, \"seed\": 1}", NULL,
                               "demo/Transformer/1");
    struct journal *journal = journal_open(train.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    for (int step = 1; step <= 500; step++) journal_value(journal, step, "loss", 5. / step);
    journal_value(journal, 501, "loss", NAN);
    journal_metric(journal, &(struct metric){"gate", 500, 0.25, 1, 2, 3, "NN", 77});
    journal_timing(journal, 500, "train", 12.5);
    journal_event(journal, "done", 501, NULL);
    journal_close(journal);
    run_write(&train, "environment.json",
              "{\"host\": \"h\", \"threads\": 2, \"cpu\": {\"isa\": "
              "\"v3\"}, \"products\": \"1\"}");
    run_done(&train, "done", "{\"parameters\": 3681280, \"dev_loss\": 1.5}");

    struct run score =
        run_new(runs, "score", "score.of=1", "{\"beam\": 4}", train.id, "demo/Transformer/1");
    journal = journal_open(score.folder);
    journal_event(journal, "started", JOURNAL_NONE, NULL);
    journal_event(journal, "failed", JOURNAL_NONE, "no such split");
    journal_close(journal);

    char *folder = heap_print("%s/grids/demo", runs), *path = heap_print("%s/demo.json", folder);
    char *text =
        heap_print("{\"grid\": \"demo\", \"rows\": [{\"name\": \"Transformer\", \"seeds\": "
                   "[{\"seed\": 1, \"stages\": [{\"kind\": \"train\", \"id\": \"%s\"}, "
                   "{\"kind\": \"score\", \"id\": \"%s\"}]}]}]}",
                   train.id, score.id);
    file_make_folder(folder);
    file_write(path, text, strlen(text));
    free(folder), free(path), free(text);
    return train;
}

const char *runs_digest(struct store *store)
{
    static const char *const questions[] = {
        "SELECT id, kind, folder, canonical, status, message, attempts, started, finished, wall "
        "FROM stage ORDER BY id",
        "SELECT id, key, value FROM option JOIN stage ON stage = number ORDER BY id, key",
        "SELECT id, input FROM input JOIN stage ON stage = number ORDER BY id, position",
        "SELECT id, name FROM name JOIN stage ON stage = number ORDER BY id, position",
        "SELECT id, key, value FROM environment JOIN stage ON stage = number ORDER BY id, key",
        "SELECT id, name, value, text FROM (" STORE_SUMMARY ") JOIN stage ON stage = number "
        "ORDER BY id, name",
        "SELECT id, name, value.step, layer, head, \"set\", class, n, value FROM value JOIN stage "
        "ON stage = number WHERE " STORE_LINES " ORDER BY id, value.rowid",
        "SELECT id, attempt, event.step, event, time, clock, text FROM event JOIN stage ON stage = "
        "number ORDER BY id, event.rowid",
        "SELECT id, attempt, timing.step, name, time, clock, value FROM timing JOIN stage ON stage "
        "= "
        "number ORDER BY id, timing.rowid",
        "SELECT id, tag FROM tagged JOIN stage ON stage = number ORDER BY id, tag",
        "SELECT id, text, time FROM note JOIN stage ON stage = number ORDER BY id, note.rowid",
        "SELECT id, name FROM called JOIN stage ON stage = number ORDER BY id, name",
        "SELECT id, name, latest.step, value FROM (" STORE_LATEST ") AS latest JOIN stage ON stage "
        "= number ORDER BY id, name",
        "SELECT path, grid.grid, title, position, row, seed, place, kind, stage FROM grid JOIN "
        "member ON member.grid = number ORDER BY path, position, seed, place"};
    struct digest digest;
    digest_open(&digest);
    int rows = 0;
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        sqlite3_stmt *ask = store_ask(store, questions[i], "");
        for (; store_next(ask); rows++)
            for (int column = 0; column < sqlite3_column_count(ask); column++) {
                const char *text = store_text(ask, column, &arena);
                digest_add(&digest, text ? text : "NULL", text ? strlen(text) + 1 : 5);
            }
        store_finish(ask);
    }
    char *text = arena_alloc(&arena, DIGEST_TEXT + 32);
    digest_close(&digest, text);
    sprintf(text + strlen(text), " of %d rows", rows);
    return text;
}

int64_t runs_ask_int(struct store *store, const char *sql)
{
    sqlite3_stmt *ask = store_ask(store, sql, "");
    CHECK(store_next(ask), "no row: %s", sql);
    const int64_t value = sqlite3_column_int64(ask, 0);
    store_finish(ask);
    return value;
}

struct store *runs_collect(const char *runs)
{
    struct store *store = store_open(runs);
    collect_runs(store);
    return store;
}

struct store *runs_store;

void runs_rebuild(const char *runs, const char *digest)
{
    collect_rebuild(runs);
    struct store *store = store_open(runs);
    assert_string_equal(runs_digest(store), digest);
    store_close(store);
}
