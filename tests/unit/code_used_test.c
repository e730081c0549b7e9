/* Tests code_used: the digests of the code that computed a training, read from its events. */
#include "tests/support/test.h"

#include "experiments/stage/code_used.h"
#include "experiments/stage/environment.h"

static struct stage stage;

BEFORE(all)
{
    stage = (struct stage){.kind = stage_kind_find("train"), .folder = test_folder("code_used")};
}

#define STARTED(code) "{\"event\":\"started\",\"text\":\"" code "\"}\n"
#define SAYS(event) "{\"event\":\"" event "\"}\n"

static const char *before(const char *events)
{
    const char *path = arena_print(&arena, "%s/events.jsonl", stage.folder);
    put_text(path, events);
    return code_used_before(&stage, &arena);
}

TEST(what_was_saved_counts)
{
    static const char *const cases[][2] = {
        {"", ""},
        {STARTED("train a") SAYS("begun"), "train a"},
        {STARTED("train a") SAYS("begun") STARTED("train b") SAYS("begun"), "train b"},
        {STARTED("train a") SAYS("begun") STARTED("train b") SAYS("resumed"), "train a, train b"},
        {STARTED("train a, backend.cpu c") SAYS("begun") STARTED("train a, backend.cpu d")
             SAYS("resumed") STARTED("train a, backend.cpu c") SAYS("resumed"),
         "train a, backend.cpu c, backend.cpu d"},
        {SAYS("started") SAYS("begun") STARTED("train b") SAYS("resumed"),
         "train unknown, train b"},
        {STARTED("train b") SAYS("continued") SAYS("resumed"), "train b"},
        {STARTED("train b")
             SAYS("continued") "{\"event\":\"mixed_code\",\"text\":\"train a\"}\n" SAYS("resumed"),
         "train a, train b"},
        {STARTED("train a") SAYS("begun") "no JSON\n" STARTED("train b"), "train a"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(before(cases[i][0]), cases[i][1]);
}

TEST(an_end_has_the_code_of_all)
{
    struct stage_end end = {.code = "train b", .backend = "cpu", .backend_code = "d"};
    before(STARTED("train b, backend.cpu d") SAYS("begun"));
    code_used_join(&stage, &end, &arena);
    assert_string_equal(end.code, "train b");
    assert_string_equal(end.backend_code, "d");
    before(STARTED("train a, backend.cpu c, backend.cuda e") SAYS("begun"));
    code_used_join(&stage, &end, &arena);
    assert_string_equal(end.code, "train a, train b");
    assert_string_equal(end.backend_code, "c+d");
}

TEST(texts_of_older_programs)
{
    const struct stage_end none = {0}, bare = {.code = "4427"},
                           own = {.code = "train 4427, term.gauss 01",
                                  .backend = "cpu",
                                  .backend_code = "70a8"};
    assert_string_equal(code_used_text(&stage, &none, &arena), "train unknown");
    assert_string_equal(code_used_text(&stage, &bare, &arena), "train 4427");
    assert_string_equal(code_used_text(&stage, &own, &arena),
                        "train 4427, term.gauss 01, backend.cpu 70a8");
}

/* The program does not know the code of another backend (tpu), so this code is not older. */
TEST(other_parts_are_older)
{
    const char *cpu = environment_backend("cpu");
    const struct stage corpus = {.kind = stage_kind_find("corpus")};
    assert_false(code_used_is_older(&corpus, ""));
    assert_true(code_used_is_older(&corpus, "corpus 0000000000000000"));
    assert_true(code_used_is_older(&corpus, "backend.cpu 0000"));
    assert_false(code_used_is_older(&corpus, arena_print(&arena, "backend.cpu %s", cpu)));
    assert_false(code_used_is_older(&corpus, "backend.tpu 0000"));
}
