/* Tests core/config/word.h: the nearest valid word. */
#include "tests/support/test.h"

#include "core/config/word.h"

TEST(nearest_word_is_the_one_that_was_meant)
{
    static const char *const words[] = {"window", "layers",         "branches", "fusion",
                                        "lr",     "length_penalty", NULL};
    static const char *const meant[][2] = {
        {"widnow", "window"},
        {"windows", "window"},
        {"wimdos", "window"},
        {"layer", "layers"},
        {"LAYERS", "layers"},
        {"fuison", "fusion"},
        {"lt", "lr"},
        {"length_penlaty", "length_penalty"},
        {"lenghtpenality", "length_penalty"},
        {"windowwidth", "window"},
    };
    for (size_t i = 0; i < COUNT_OF(meant); i++) {
        const char *nearest = word_nearest(meant[i][0], words);
        assert_non_null(nearest);
        assert_string_equal(nearest, meant[i][1]);
    }
    static const char *const none[] = {"", "gauss", "xy", "wxyz", "encoder", "lrate", "win"};
    for (size_t i = 0; i < COUNT_OF(none); i++) assert_null(word_nearest(none[i], words));
    static const char *const letters[] = {"a", "b", "or", NULL};
    assert_null(word_nearest("c", letters)); /* no letter of "c" would remain */
    assert_string_equal(word_nearest("o", letters), "or");
    char huge[6000] = {0};
    memset(huge, 'w', sizeof huge - 1);
    assert_null(word_nearest(huge, words));
}

TEST(words_that_would_be_right_are_told_apart)
{
    static const char *const rows[] = {"A", "gate, window 1", "gate, window 3", NULL};
    const struct location location = {"g.yaml", 3, 1};
    EXPECT_DIE("g.yaml:3:1: compare: there is no row \"B, 7\"; expected one of: A, "
               "\"gate, window 1\", \"gate, window 3\"",
               word_refuse(location, "compare", "there is no row", "B, 7", rows));
    const char *many[101] = {NULL};
    for (int i = 0; i < 100; i++) many[i] = "0123456789";
    EXPECT_DIE("0123456789, 0123456789 and 67 more",
               word_refuse(location, "compare", "there is no row", "B", many));
}
