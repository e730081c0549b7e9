/* core/decode/contrast: pairs from a file, and the preferred target of a pair. */
#include "tests/support/test.h"

#include "core/decode/contrast.h"

/* The wrong target has more probability per piece, the right one in total. */
TEST(preferences)
{
    const struct contrast shorter = {{-4, -6}, {2, 4}}, equal = {{-4, -4}, {2, 2}};
    assert_true(contrast_prefers(&shorter, false));
    assert_false(contrast_prefers(&shorter, true));
    assert_false(contrast_prefers(&equal, false) || contrast_prefers(&equal, true));
    assert_float_equal(contrast_share(&shorter), 1 / (1 + exp(-2)), 1e-12);
    assert_float_equal(contrast_share(&equal), 0.5, 0);
}

static const char *path_with(const char *text)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/pairs.tsv", test_folder("contrast"));
    put_text(path, text);
    return path;
}

TEST(pairs_of_a_file)
{
    struct contrast_pairs pairs =
        contrast_read(&arena, path_with("\xEF\xBB\xBFsource\tright\twrong\tkind\n"
                                        "a b\tc d\tc e\tnoun\r\nf\tg\th\t\n"));
    assert_int_equal(pairs.count, 2);
    assert_int_equal(pairs.tags, 1);
    assert_string_equal(pairs.tag_name[0], "kind");
    assert_true(pairs.line[0] == 2 && pairs.line[1] == 3);
    assert_string_equal(pairs.source[0], "a b");
    assert_string_equal(pairs.target[CONTRAST_RIGHT][0], "c d");
    assert_string_equal(pairs.target[CONTRAST_WRONG][1], "h");
    assert_string_equal(pairs.tag[0][0], "noun");
    pairs = contrast_read(&arena, path_with("\xEF\xBB\xBF"
                                            "a\tb\tc\n"));
    assert_true(pairs.count == 1 && pairs.line[0] == 1 && pairs.tags == 0);
    assert_string_equal(pairs.source[0], "a");
    EXPECT_DIE("pairs.tsv:2: the right and the wrong target are the same",
               contrast_read(&arena, path_with("a\tb\tc\nd\te\te\n")));
    EXPECT_DIE("pairs.tsv:2: 4 columns, the first line has 3",
               contrast_read(&arena, path_with("a\tb\tc\nd\te\tf\tg\n")));
    EXPECT_DIE("there is no pair behind its first line",
               contrast_read(&arena, path_with("source\tright\twrong\n")));
}
