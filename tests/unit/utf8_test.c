/* Tests core/text/utf8.h: refused bytes, and all code points encoded and decoded again. */
#include "tests/support/test.h"

#include "core/text/utf8.h"

TEST(knows_bad_sequences)
{
    static const struct {
        const char *text;
        size_t bytes;
        int64_t bad;
    } row[] = {
        {"", 0, -1},
        {"plain text, longer than eight bytes", 35, -1},
        {"plain text, \x80 in the middle", 28, 12},
        {"\xC3\xBC", 2, -1},
        {"a\xC3", 2, 1},                   /* cut off */
        {"\xC0\xAF", 2, 0},                /* overlong slash */
        {"\xC1\xBF", 2, 0},                /* overlong DEL */
        {"\xE0\x9F\xBF", 3, 0},            /* overlong U+07FF */
        {"\xE0\xA0\x80", 3, -1},           /* U+0800 */
        {"\xED\x9F\xBF", 3, -1},           /* U+D7FF */
        {"\xED\xA0\x80", 3, 0},            /* surrogate U+D800 */
        {"\xEE\x80\x80", 3, -1},           /* U+E000 */
        {"\xF0\x8F\xBF\xBF", 4, 0},        /* overlong U+FFFF */
        {"\xF0\x90\x80\x80", 4, -1},       /* U+10000 */
        {"\xF4\x8F\xBF\xBF", 4, -1},       /* U+10FFFF */
        {"\xF4\x90\x80\x80", 4, 0},        /* U+110000 */
        {"\xF5\x80\x80\x80", 4, 0},        /* not a lead byte */
        {"ok \xF0\x9F\x98\x80\x80", 8, 7}, /* one continuation too many */
        {"ok \xF0\x9F\x98!", 7, 3},        /* one too few */
        {"\xE6\x97\xA5\xE6\x9C\xAC", 6, -1},
    };
    for (size_t i = 0; i < COUNT_OF(row); i++)
        assert_int_equal(utf8_check(row[i].text, row[i].bytes), row[i].bad);
}

TEST(every_code_point_survives)
{
    for (uint32_t code = 0; code < 0x110000; code++) {
        char text[UTF8_MOST];
        uint32_t back;
        int bytes = utf8_put(code, text);
        bool surrogate = code >= 0xD800 && code < 0xE000;
        assert_int_equal(utf8_check(text, (size_t)bytes), surrogate ? 0 : -1);
        assert_int_equal(utf8_decode(text, &back), bytes);
        assert_int_equal(back, code);
    }
}

/* The result of Python's "".join(chr(c) for c in range(0x110000) if chr(c).isspace()). */
TEST(white_space_is_that_of_python)
{
    static const uint32_t space[] = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,
                                     0x1F,   0x20,   0x85,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002,
                                     0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                     0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
    size_t found = 0;
    for (uint32_t code = 0; code < 0x110000; code++) {
        char text[UTF8_MOST];
        const size_t bytes = (size_t)utf8_put(code, text), white = utf8_space(text, bytes);
        if (!white) continue;
        assert_int_equal(white, bytes);
        assert_true(found < COUNT_OF(space));
        assert_int_equal(code, space[found++]);
        for (size_t left = 0; left < bytes; left++) assert_int_equal(utf8_space(text, left), 0);
    }
    assert_int_equal(found, COUNT_OF(space));
}

TEST(says_where)
{
    const char text[] = "one\ntwo\nthr\xE9\x65\n";
    utf8_require("good.txt", 1, text, 8);
    EXPECT_DIE("bad.txt:3: byte 4 (0xe9) is not valid UTF-8",
               utf8_require("bad.txt", 1, text, sizeof text - 1));
    EXPECT_DIE("bad.txt:12: byte 4", utf8_require("bad.txt", 10, text, sizeof text - 1));
    EXPECT_DIE("nul.txt:8: byte 2 is a NUL; expected text",
               utf8_require("nul.txt", 7, "a\nb\0", 4));
    utf8_require("empty.txt", 1, NULL, 0);
}

TEST(a_text_begins_after_its_mark)
{
    char marked[] = "\xEF\xBB\xBFone\n", cut[] = "\xEF\xBB", nul[] = "one\nt\0o\n";
    size_t bytes = sizeof marked - 1;
    assert_string_equal(utf8_text("marked.txt", marked, &bytes), "one\n");
    assert_int_equal(bytes, 4);
    bytes = sizeof nul - 1;
    EXPECT_DIE("nul.txt:2: byte 2 is a NUL; expected text", utf8_text("nul.txt", nul, &bytes));
    bytes = sizeof cut - 1;
    EXPECT_DIE("cut.txt:1: byte 1 (0xef)", utf8_text("cut.txt", cut, &bytes));
}

/* Spaces of Unicode, also the no-break space, end words. Leading and trailing spaces are
 * dropped. */
TEST(words_between_spaces)
{
    static const char text[] = "  a\tb\xc2\xa0"
                               "\xc3\xa9z\xe3\x80\x80";
    static const char *const expected[] = {"a", "b", "\xc3\xa9z"};
    const char *at = text, *const end = text + strlen(text);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const size_t bytes = utf8_word(&at, end);
        assert_int_equal(bytes, strlen(expected[i]));
        assert_memory_equal(at, expected[i], bytes);
        at += bytes;
    }
    assert_int_equal(utf8_word(&at, end), 0);
    assert_int_equal(utf8_word(&at, at), 0);
}
