/* Tests results/store/notes.h and results/query/find_stage.h: tags and notes of stages, and
 * arguments that select stages. */
#include "tests/support/test.h"

#include <fcntl.h>

#include "results/query/query.h"
#include "results/store/collector.h"
#include "results/store/notes.h"
#include "tests/support/runs.h"

static const char *tags_of(struct store *store, const char *id)
{
    sqlite3_stmt *ask = store_ask(store,
                                  "SELECT coalesce(group_concat(tag, ' '), '') FROM tagged JOIN "
                                  "stage ON number = stage WHERE id = ? ORDER BY tag",
                                  "s", id);
    assert_true(store_next(ask));
    const char *text = store_text(ask, 0, &arena);
    store_finish(ask);
    return text;
}

TEST(tags_and_notes_survive_a_rebuild)
{
    const char *runs = test_folder("notes_rebuild");
    struct run train = runs_fill(runs);
    notes_add(train.folder, "tag", "main");
    notes_add(train.folder, "tag", "bad");
    notes_add(train.folder, "note", "Größe: \"'; DROP TABLE stage; --\n\x1b[31m");
    notes_add(train.folder, "untag", "bad");
    struct store *store = store_open(runs);
    assert_int_equal(collect_runs(store).bad, 0);
    assert_string_equal(tags_of(store, train.id), "main");
    run_append(&train, "notes.jsonl", "{\"time\":1,\"tag\":\"to");
    notes_add(train.folder, "tag", "later"); /* after a line that was only partly written */
    assert_int_equal(collect_runs(store).bad, 1);
    assert_string_equal(tags_of(store, train.id), "later main");
    sqlite3_stmt *ask = store_ask(store, "SELECT text FROM note", "");
    assert_true(store_next(ask));
    assert_string_equal(store_text(ask, 0, &arena), "Größe: \"'; DROP TABLE stage; --\n\x1b[31m");
    assert_false(store_next(ask));
    store_finish(ask);
    const char *before = runs_digest(store);
    store_close(store);
    collect_rebuild(runs);
    store = store_open(runs);
    assert_string_equal(runs_digest(store), before);
    struct found_stage *stage;
    assert_int_equal(query_stages(store, "tag=main and note~DROP", &stage, &arena), 1);
    assert_string_equal(stage[0].id, train.id);
    assert_int_equal(query_stages(store, "tag=bad", &stage, &arena), 0);
    store_close(store);
}

TEST(several_may_write_at_once)
{
    const char *runs = test_folder("notes_many");
    struct run train = runs_fill(runs);
    enum { PROCESSES = 4, ROUNDS = 20 };
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork()) continue;
        for (int round = 0; round < ROUNDS; round++) {
            char tag[32];
            snprintf(tag, sizeof tag, "t%d-%d", i, round);
            notes_add(train.folder, "tag", tag);
        }
        _exit(0);
    }
    for (int i = 0, status; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct store *store = store_open(runs);
    assert_int_equal(collect_runs(store).bad, 0);
    assert_int_equal(runs_ask_int(store, "SELECT count(*) FROM tag"), PROCESSES * ROUNDS);
    store_close(store);
}

/* The second tag is a second line of a file, so it does not change the time of the folder. The tag
 * must be collected nevertheless. */
TEST(a_stage_that_is_long_done_is_tagged_twice)
{
    const struct timespec old[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    const char *runs = test_folder("notes_twice");
    struct run train = runs_fill(runs);
    notes_add(train.folder, "tag", "first");
    assert_int_equal(utimensat(AT_FDCWD, train.folder, old, 0), 0);
    struct store *store = runs_collect(runs);
    assert_string_equal(tags_of(store, train.id), "first");
    notes_add(train.folder, "tag", "second");
    collect_runs(store);
    assert_string_equal(tags_of(store, train.id), "first second");
    store_close(store);
}

TEST(wrong_tags_are_refused)
{
    static const char *const wrong[] = {"two words", "a,b", "\x1b[31m",    "-x",
                                        "\"q\"",     "a=b", "line\nbreak", "x\xe2\x80\xae"};
    for (volatile size_t i = 0; i < COUNT_OF(wrong); i++)
        EXPECT_DIE("expected one word", notes_check_tag(wrong[i]));
    EXPECT_DIE("1 to 64 bytes", notes_check_tag(""));
    EXPECT_DIE("expected UTF-8", notes_check_tag("\xff"));
    EXPECT_DIE("1 to 65536 bytes", notes_check_text(""));
    notes_check_tag("best-of/2024:v1.0_größer?");
}

TEST(grids_name_and_tag_their_stages)
{
    const char *runs = test_folder("notes_grid");
    struct run train = runs_fill(runs);
    char *text = arena_print(&arena,
                             "{\"grid\": \"other\", \"tags\": [\"paper\"], \"note\": \"why\", "
                             "\"rows\": [{\"name\": \"A / B\", \"seeds\": [{\"seed\": 7, "
                             "\"stages\": [{\"kind\": \"train\", \"id\": \"%s\"}]}]}]}",
                             train.id);
    file_make_folder(arena_print(&arena, "%s/grids/other", runs));
    put_text(arena_print(&arena, "%s/grids/other/x.json", runs), text);
    struct store *store = runs_collect(runs);
    assert_string_equal(tags_of(store, train.id), "paper");
    static const char *const words[] = {"other/A / B/7", "other/A / B/7/train",
                                        "demo/Transformer/1/train"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        assert_string_equal(find_stage(store, words[i], NULL, &arena).id, train.id);
    assert_string_equal(find_stage(store, "demo/Transformer/1", "train", &arena).path,
                        arena_print(&arena, "%s/stages/train-%.12s", runs, train.id));
    assert_string_equal(
        find_stage(store, arena_print(&arena, "%s/", train.folder), NULL, &arena).id, train.id);
    EXPECT_DIE("append a seed, a kind or a part to select one",
               find_stage(store, "demo/Transformer/1", NULL, &arena));
    EXPECT_DIE("is a train stage; expected a score stage",
               find_stage(store, "other/A / B/7", "score", &arena));
    struct found_stage *found;
    const char *const id[] = {"0123", train.id};
    assert_int_equal(find_stages(store, id, 2, &found, &arena), 1);
    assert_string_equal(found[0].id, train.id);

    file_remove_tree(arena_print(&arena, "%s/grids/other", runs));
    collect_runs(store);
    assert_string_equal(tags_of(store, train.id), "");
    EXPECT_DIE("no stage \"other/A / B/7\"", find_stage(store, "other/A / B/7", NULL, &arena));
    store_close(store);
}
