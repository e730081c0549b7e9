/* Tests core/base/fold: line breaks for terminals, and lists of names (results/table/name_list). */
#include "tests/support/test.h"

#include <limits.h>

#include "core/base/fold.h"
#include "results/table/name_list.h"

static void folds_to(const char *text, int columns, int indent, const char *expected)
{
    char *got = PRINTED(fold_line(out, columns, indent, text));
    assert_string_equal(got, expected);
}

TEST(a_line_ends_between_words)
{
    folds_to("one two three", INT_MAX, 2, "one two three\n");
    folds_to("one two three", 13, 2, "one two three\n");
    folds_to("one two three", 12, 2, "one two\n  three\n");
    folds_to("one two three", 7, 2, "one two\n  three\n");
    folds_to("one two three", 6, 0, "one\ntwo\nthree\n");
    folds_to("", 10, 2, "\n");
}

TEST(what_it_begins_with_is_no_place_to_end)
{
    folds_to("  key   what it means", 14, 8, "  key   what\n        it\n        means\n");
    folds_to("    incomprehensible", 8, 2, "    incomprehensible\n");
    folds_to("ab    cd", 4, 0, "ab\ncd\n");
    folds_to("abcd  ", 4, 2, "abcd\n");
}

TEST(a_terminal_gives_columns_by_character)
{
    folds_to("\xe2\x86\x92\xe2\x86\x92 \xc3\xbc\xc3\xbc", 5, 0, "→→ üü\n");
    folds_to("\xe4\xb8\xad\xe4\xb8\xad \xe4\xb8\xad", 6, 0, "中中\n中\n");
    folds_to("a\x1b[31m b", 80, 0, "a?[31m b\n");
}

/* Regression test: a comma preceded the first name that contains a comma, and semicolons followed
 * it. */
TEST(names_have_one_sign_between_them)
{
    struct name_list list = {.arena = &arena};
    assert_null(name_list_text(&list));
    name_list_add(&list, "A");
    name_list_add(&list, "B");
    assert_string_equal(name_list_text(&list), "A, B");
    name_list_add(&list, "C, window 3");
    assert_string_equal(name_list_text(&list), "A; B; C, window 3");
    for (int i = 0; i < 11; i++) name_list_add(&list, "D");
    assert_string_equal(name_list_text(&list),
                        "A; B; C, window 3; D; D; D; D; D; D; D; D; D and 2 more");
}
