/* Tests core/text/tokenize.h: the expected tokens, and that only white space is lost. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "core/text/bpe.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

typedef void rewrite(const char *line, size_t bytes, struct buffer *out);

static void expect_rewrite(rewrite *function, const char *in, const char *expected)
{
    struct buffer out = {0};
    function(in, strlen(in), &out);
    buffer_add_byte(&out, 0);
    assert_string_equal(out.text, expected);
    buffer_free(&out);
}

static void tokenize(const char *line, size_t bytes, struct buffer *out)
{
    tokenize_line(line, bytes, false, out);
}

static void expect_tokens(const char *text, const char *tokens)
{
    expect_rewrite(tokenize, text, tokens);
    expect_rewrite(detokenize_line, tokens, text);
}

TEST(tokens_of_alphabets)
{
    expect_tokens("", "");
    expect_tokens("plain words stay", "plain words stay");
    expect_tokens("(don't!)", "(￭ don ￭'￭ t ￭! ￭)");
    expect_tokens("He said: \"Yes, we do.\"", "He said ￭: \"￭ Yes ￭, we do ￭. ￭\"");
    expect_tokens("Übermaß-Größen naïve", "Übermaß ￭-￭ Größen naïve");
    expect_tokens("wait... what?! a--b", "wait ￭... what ￭? ￭! a ￭--￭ b");
    expect_tokens("x=A4*1,000.5; v7.4.7.", "x ￭=￭ A4 ￭*￭ 1,000.5 ￭; v7.4.7 ￭.");
    expect_tokens("3.Next 1,a ,5 5, .5", "3 ￭.￭ Next 1 ￭,￭ a ,￭ 5 5 ￭, .￭ 5");
    expect_tokens("a@@ b@c", "a ￭@ ￭@ b ￭@￭ c");
}

TEST(tokens_of_chinese_and_japanese)
{
    expect_tokens("日本語です。", "日 本 語 で す ￭。");
    expect_tokens("日本 7.4 版", "日 本 7.4 版");
    expect_tokens("日本7.4版A", "日 本 ￭7.4￭ 版 ￭A");
    expect_tokens("日本 版本", "日 本 ￭ 版 本");
    expect_tokens("ファイル(F)を開く", "フ ァ イ ル ￭(￭ F ￭)￭ を 開 く");
    expect_tokens("か\u3099く", "か\u3099 く"); /* a combining voicing mark */
    expect_tokens("한국어 문장.", "한국어 문장 ￭.");
}

/* In text whose words are separated by blanks, blanks next to Han, Kana and their punctuation are
 * removed. */
TEST(blanks_of_segments_go)
{
    static const char *const cases[][2] = {{"日本 語 、 東京", "日本語、東京"},
                                           {"語 abc 語", "語abc語"},
                                           {"a （ b ） c d", "a（b）c d"},
                                           {"a 、 b", "a、b"},
                                           {"a b , c", "a b , c"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buffer one = {0}, other = {0};
        tokenize_line(cases[i][0], strlen(cases[i][0]), true, &one);
        tokenize_line(cases[i][1], strlen(cases[i][1]), false, &other);
        buffer_add_byte(&one, 0);
        buffer_add_byte(&other, 0);
        assert_string_equal(one.text, other.text);
        buffer_free(&one);
        buffer_free(&other);
    }
}

/* Bytes after the end of a line are not read. tokenize_count counts all tokens, or all except
 * punctuation. */
TEST(a_line_has_an_end)
{
    struct buffer out = {0};
    tokenize("1.5", 2, &out);
    buffer_add_byte(&out, 0);
    assert_string_equal(out.text, "1 ￭.");
    buffer_free(&out);
    assert_int_equal(tokenize_count("Yes, we do.", 11, true), 5);
    assert_int_equal(tokenize_count("Yes, we do.", 11, false), 3);
}

TEST(marks_stay_with_their_letter)
{
    expect_tokens("u\u0308ber", "u\u0308ber");
    expect_tokens("soft\u00ADhyphen", "soft\u00ADhyphen");
    expect_tokens("\u0301a", "\u0301a");
    expect_tokens("👩\u200D🚒!", "👩\u200D ￭🚒 ￭!");
}

TEST(literal_joiners_are_escaped)
{
    expect_tokens("a ￭ b", "a ￮j b");
    expect_tokens("￭￭￮", "￮j￮j ￭￮e");
    expect_tokens("￮j", "￮e￭ j");
}

TEST(takes_any_tokens)
{
    expect_rewrite(detokenize_line, "￭ a ￭ ￭ b ￭", "a b");
    expect_rewrite(detokenize_line, "￭, a￭ ￭b c￭", ", ab c");
    expect_rewrite(detokenize_line, "￮ ￮x a￮", "￮ ￮x a￮");
    expect_rewrite(detokenize_line, "￭￭ a", "a");
    expect_rewrite(detokenize_line, "  a   b  ", "a b");
}

TEST(squeezes_every_white_space)
{
    expect_rewrite(tokenize_squeeze, "\t a \u00A0\u3000b\r\n", "a b");
    expect_rewrite(tokenize_squeeze,
                   "a\u2028b\xC2\x85"
                   "c\vd",
                   "a b c d");
    expect_rewrite(tokenize_squeeze, " \t ", "");
    expect_rewrite(tokenize_squeeze, "zero\u200Bwidth", "zero\u200Bwidth");
}

/* ---- properties ---- */

struct check {
    struct buffer squeezed, tokens, back;
};

static void check_round_trip(struct check *check, const char *line, size_t bytes)
{
    buffer_clear(&check->squeezed);
    buffer_clear(&check->tokens);
    buffer_clear(&check->back);
    tokenize_squeeze(line, bytes, &check->squeezed);
    tokenize_line(line, bytes, false, &check->tokens);
    detokenize_line(check->tokens.text, check->tokens.bytes, &check->back);
    if (check->back.bytes != check->squeezed.bytes ||
        (check->back.bytes &&
         memcmp(check->back.text, check->squeezed.text, check->back.bytes) != 0))
        fail_msg("text   %.*s\ntokens %.*s\nback   %.*s", (int)check->squeezed.bytes,
                 check->squeezed.text, (int)check->tokens.bytes, check->tokens.text,
                 (int)check->back.bytes, check->back.text);
    assert_int_equal(utf8_check(check->tokens.text, check->tokens.bytes), -1);
    for (size_t i = 0; i < check->tokens.bytes; i++) /* one blank between tokens, none outside */
        if (check->tokens.text[i] == ' ')
            assert_true(i > 0 && i + 1 < check->tokens.bytes && check->tokens.text[i + 1] != ' ');
}

static void check_free(struct check *check)
{
    buffer_free(&check->squeezed);
    buffer_free(&check->tokens);
    buffer_free(&check->back);
}

/* Returns a random character. All kinds of characters are frequent, so that all pairs of kinds
 * occur. */
static uint32_t random_character(struct random_key key, uint32_t line, uint64_t i)
{
    static const uint32_t common[] = {
        ' ',    ' ',    '\t',   0xA0,   0x3000, 'a',    'B',    0xFC,   '1',     '2',
        '.',    ',',    '!',    '(',    '"',    '@',    '@',    '-',    0xFFED,  0xFFED,
        0xFFEE, 'j',    'e',    0x65E5, 0x672C, 0x3042, 0x30A2, 0x30FC, 0x3002,  0x0301,
        0x3099, 0x200D, 0x00AD, 0x0663, 0xBD,   0xD55C, 0x0E01, 0,      0x1F600, 0x20000};
    if (random_below(key, 2 * i, line, 10))
        return common[random_below(key, 2 * i + 1, line, COUNT_OF(common))];
    uint32_t code = random_below(key, 2 * i + 1, line, 0x110000 - 0x800);
    return code < 0xD800 ? code : code + 0x800;
}

TEST(random_text_comes_back)
{
    struct random_key key = {1, random_stream("tokenize")};
    struct check check = {0};
    for (uint32_t line = 0; line < 50000; line++) {
        char text[40 * UTF8_MOST];
        size_t bytes = 0;
        uint32_t length = random_below(key, 1000, line, 40);
        for (uint32_t i = 0; i < length; i++)
            bytes += (size_t)utf8_put(random_character(key, line, i), text + bytes);
        check_round_trip(&check, text, bytes);
    }
    check_free(&check);
}

/* Tokens also survive a division into BPE pieces. So no token may end like a piece with a mark
 * (@@). */
TEST(random_tokens_survive_pieces)
{
    const char *codes = "build/tmp/tokenize.codes";
    file_make_folder("build/tmp");
    const char merges[] = "#version: 0.2\na B\n@ @\n￭ @\n￭ @</w>\n";
    file_write(codes, merges, sizeof merges - 1);
    struct bpe *bpe = bpe_read(codes, BPE_ALL_MERGES);
    struct random_key key = {2, random_stream("tokenize")};
    struct buffer tokens = {0}, pieces = {0}, back = {0};
    for (uint32_t line = 0; line < 5000; line++) {
        char text[30 * UTF8_MOST];
        size_t bytes = 0;
        for (uint32_t i = 0; i < 30; i++)
            bytes += (size_t)utf8_put(random_character(key, line, i), text + bytes);
        buffer_clear(&tokens);
        buffer_clear(&pieces);
        buffer_clear(&back);
        tokenize_line(text, bytes, false, &tokens);
        bpe_apply_line(bpe, tokens.text, tokens.bytes, &pieces);
        bpe_undo_line(pieces.text, pieces.bytes, &back);
        assert_int_equal(back.bytes, tokens.bytes);
        assert_memory_equal(back.text, tokens.text, back.bytes);
    }
    buffer_free(&tokens);
    buffer_free(&pieces);
    buffer_free(&back);
    bpe_free(bpe);
}

TEST(real_text_comes_back)
{
    static const char *const name[] = {"parallel/tatoeba/train.en", "parallel/tatoeba/train.de"};
    if (!test_data_folder()) test_skip("no folder of real data (SANLAB_DATA or ../shared/data)");
    struct check check = {0};
    int lines = 0;
    for (size_t i = 0; i < COUNT_OF(name); i++) {
        size_t bytes;
        const char *path = arena_print(&arena, "%s/%s", test_data_folder(), name[i]);
        const char *line = file_read(&arena, path, 0, &bytes), *end = line + bytes;
        for (const char *next; line < end; line = next, lines++) {
            const char *newline = memchr(line, '\n', (size_t)(end - line));
            next = newline ? newline + 1 : end;
            check_round_trip(&check, line, (size_t)(next - line));
        }
    }
    assert_true(lines > 300000);
    check_free(&check);
}
