/* Tests core/train/state.h. A written state can be read back. A state that no training can reach is
 * refused in one line with file, key, expected value and found value. */
#include "tests/support/test.h"

#include "core/train/state.h"

/* The fields of a valid state. Tests replace each field by other values. */
static const char *const field[][2] = {
    {"step", "12"},          {"epoch", "2"},
    {"batch", "3"},          {"journal", "800"},
    {"loss_sum", "41.5"},    {"loss_tokens", "70"},
    {"without_better", "1"}, {"best", "[[10, 1.5], [12, 2]]"},
    {"recent", "[10, 12]"},  {"numerics", "\"OpenBLAS 0.3\""},
};

/* Returns a state in which `key` has the value `value`. If `value` is NULL, the state lacks
 * `key`. */
static const char *state_with(const char *key, const char *value)
{
    const char *text = "";
    for (size_t i = 0; i < COUNT_OF(field); i++) {
        const bool own = !strcmp(field[i][0], key);
        if (own && !value) continue;
        text = arena_print(&arena, "%s%s\"%s\": %s", text, *text ? ", " : "{", field[i][0],
                           own ? value : field[i][1]);
    }
    return arena_print(&arena, "%s}", text);
}

static void refuse(const char *key, const char *value, const char *expected)
{
    struct train_state read;
    EXPECT_DIE(expected, state_read(&read, state_with(key, value), "ckpt/state.json"));
    const char *start = arena_print(&arena, "ckpt/state.json: %s: ", key);
    if (strncmp(test_die_message, start, strlen(start)) != 0)
        fail_msg("%s = %s: %s", key, value, test_die_message);
    assert_null(strchr(test_die_message, '\n'));
    assert_true(strlen(test_die_message) < 200);
}

TEST(a_state_comes_back)
{
    struct train_state first, again;
    state_read(&first, state_with("", NULL), "state.json");
    assert_true(first.step == 12 && first.epoch == 2 && first.batch == 3 && first.journal == 800);
    assert_true(first.loss_sum == 41.5 && first.loss_tokens == 70 && first.without_better == 1);
    assert_true(first.bests == 2 && first.best[1].step == 12 && first.best[1].value == 2);
    assert_true(first.recents == 2 && first.recent[0] == 10);
    assert_string_equal(first.numerics, "OpenBLAS 0.3");
    char *text = state_print(&first);
    state_read(&again, text, "state.json");
    free(text);
    assert_memory_equal(&first, &again, sizeof first);
}

TEST(every_field_is_held_to_its_range)
{
    static const char whole[] = "expected a whole number from 0 to";
    static const struct {
        const char *key, *value, *expected;
    } bad[] = {
        {"step", "-1", "expected a whole number from 0 to 9007199254740992, found -1"},
        {"step", "1e300", whole},
        {"step", "9223372036854775807", whole},
        {"step", "\"12\"", whole},
        {"step", "null", "found null"},
        {"step", "12.0", whole},
        {"epoch", "-1", "expected a whole number from 0 to 12, found -1"},
        {"epoch", "1e9", whole},
        {"epoch", "13", "found 13"},
        {"epoch", "4294967296", whole},
        {"epoch", "true", "found true"},
        {"epoch", "[1]", "found [1]"},
        {"batch", "1e9", whole},
        {"batch", "1000000000", "expected a whole number from 0 to 12, found 1000000000"},
        {"batch", "-1", whole},
        {"batch", "2147483648", whole},
        {"batch", "{}", "found {}"},
        {"journal", "-1", whole},
        {"journal", "1e300", whole},
        {"journal", "\"\"", whole},
        {"loss_sum", "\"1\"", "expected a number, found \"1\""},
        {"loss_sum", "null", "expected a number"},
        {"loss_tokens", "-5", whole},
        {"loss_tokens", "1.5", whole},
        {"without_better", "-1", whole},
        {"without_better", "13", whole},
        {"best", "{}", "expected a list of at most 1000 checkpoints, found {}"},
        {"best", "3", "expected a list"},
        {"best", "[3]", "expected pairs of a step and its value, found 3"},
        {"best", "[[10]]", "expected pairs"},
        {"best", "[[10, \"a\"]]", "expected pairs"},
        {"best", "[[10, 1, 2]]", "expected pairs"},
        {"best", "[[-1, 1]]", whole},
        {"best", "[[13, 1]]", "expected a whole number from 0 to 12, found 13"},
        {"best", "[[1e300, 1]]", whole},
        {"recent", "null", "expected a list"},
        {"recent", "[\"a\"]", whole},
        {"recent", "[-1]", whole},
        {"recent", "[13]", whole},
        {"numerics", "7", "expected the name of the products, found 7"},
        {"numerics", "[]", "expected the name of the products"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) refuse(bad[i].key, bad[i].value, bad[i].expected);
    for (size_t i = 0; i < COUNT_OF(field); i++) refuse(field[i][0], NULL, "found nothing");
}

TEST(lists_and_names_have_an_end)
{
    static const char *const key[] = {"best", "recent", "numerics"};
    static const char *const part[] = {"[1,2],", "1,", "xxxx"};
    for (size_t i = 0; i < COUNT_OF(key); i++) {
        const size_t length = strlen(part[i]);
        char *value = arena_alloc(&arena, 1001 * length + 8);
        value[0] = i == 2 ? '"' : '[';
        for (size_t k = 0; k < 1001; k++) memcpy(value + 1 + k * length, part[i], length);
        value[1001 * length + (i == 2)] = i == 2 ? '"' : ']';
        refuse(key[i], value, i == 2 ? "the name of the products" : "a list of at most 1000");
    }
}

TEST(what_is_no_object_is_refused)
{
    struct train_state read;
    EXPECT_DIE("s:1:0: ", state_read(&read, "", "s"));
    EXPECT_DIE("s: expected a training state (a JSON object)", state_read(&read, "[]", "s"));
    EXPECT_DIE("s:1:", state_read(&read, "{\"step\": 1, \"step\": 2}", "s"));
    EXPECT_DIE("s:1:", state_read(&read, "{\"step\": 1e999}", "s"));
}

/* The state is from the end of a training, whose last loss row a longer training would not log. The
 * longer training also keeps fewer checkpoints. */
TEST(a_longer_training_has_another_state)
{
    struct train_state read, again;
    const char *text = state_with("loss_tokens", "0, \"unlogged\": [41.5, 70]");
    state_read(&read, text, "s");
    assert_true(read.unlogged && read.unlogged_sum == 41.5 && read.unlogged_tokens == 70);
    char *printed = state_print(&read);
    state_read(&again, printed, "s");
    free(printed);
    assert_memory_equal(&read, &again, sizeof read);
    assert_true(state_is_validated(&read));
    assert_true(state_is_due(&read, 4) && !state_is_due(&read, 5) && !state_is_due(&read, 0));
    again.batch = 0; /* the epoch is complete */
    assert_true(state_is_due(&again, 0) && !state_is_due(&again, 5));
    state_lengthen(&read, 1, 1);
    assert_true(!read.unlogged && read.loss_sum == 41.5 && read.loss_tokens == 70);
    assert_true(read.bests == 1 && read.best[0].step == 10);
    assert_true(read.recents == 1 && read.recent[0] == 12);
    state_read(&read, state_with("recent", "[10, 11]"), "s");
    assert_false(state_is_validated(&read));
    state_lengthen(&read, 5, 5);
    assert_true(read.bests == 2 && read.recents == 2 && read.loss_tokens == 70);
    static const char *const bad[] = {"3", "[1]", "[1, -1]", "[\"a\", 1]", "[1, 1.5]"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        EXPECT_DIE("s: unlogged: expected ",
                   state_read(&read,
                              state_with("loss_tokens",
                                         arena_print(&arena, "0, \"unlogged\": %s", bad[i])),
                              "s"));
}

/* An interrupted training continues with a smaller train.keep_best and train.keep_average. So fewer
 * checkpoints are kept. */
TEST(fewer_are_kept_than_before)
{
    struct train_state kept = {.recents = 5,
                               .recent = {10, 20, 30, 40, 50},
                               .bests = 4,
                               .best = {{40, 1}, {50, 2}, {30, 3}, {20, 4}}};
    state_remember(&kept, 60, 2);
    assert_int_equal(kept.recents, 2);
    assert_true(kept.recent[0] == 50 && kept.recent[1] == 60);
    state_remember(&kept, 70, 1);
    assert_true(kept.recents == 1 && kept.recent[0] == 70);
    assert_false(state_rank(&kept, 60, 1.5, 2));
    assert_int_equal(kept.bests, 2);
    assert_true(kept.best[0].step == 40 && kept.best[1].step == 60);
    assert_false(state_rank(&kept, 70, 1.7, 1));
    assert_true(kept.bests == 1 && kept.best[0].step == 40);
}

/* A second rank has one best checkpoint, the first of equally good ones. A continued training
 * restores it. */
TEST(the_best_by_the_second_rank_comes_back)
{
    struct train_state first, again;
    state_read(&first, state_with("", NULL), "s");
    assert_false(first.others);
    state_rank_other(&first, 10, 2);
    state_rank_other(&first, 11, 1.5);
    state_rank_other(&first, 12, 1.5);
    char *text = state_print(&first);
    state_read(&again, text, "s");
    free(text);
    assert_true(again.others && again.other.step == 11 && again.other.value == 1.5);
    assert_memory_equal(&first, &again, sizeof first);
}
