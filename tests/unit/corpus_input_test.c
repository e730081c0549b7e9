/* Tests the text of a corpus, with lines that are empty, overlong, damaged or missing, or that
 * differ in number. */
#include "tests/support/test.h"

#include "core/corpus/corpus_sources.h"
#include "tests/support/made_corpus.h"

/* ---- lines that are left out ---- */

TEST(empty_lines_leave_train_alone)
{
    made_put_all("a\n\nc\n \t\r\ne\n", "a\nb\n\n \r\ne\n");
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(made_described("splits.train.dropped.empty"), 3);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 5);
    assert_int_equal(made_described("splits.test.dropped.empty"), 0);
    const struct side *side = &corpus->split[SPLIT_TEST].side[SIDE_SOURCE];
    assert_int_equal(side->start[2] - side->start[1], 1);
    assert_int_equal(side->token[side->start[1]], VOCABULARY_EOS);
    int count;
    const char **reference = corpus_reference(&arena, corpus, SPLIT_TEST, 0, &count);
    assert_int_equal(count, 5);
    assert_string_equal(reference[2], "");
    assert_string_equal(reference[4], "e");
}

TEST(many_words_leave_every_split)
{
    made_put_all("a b\na b c\na\n", "a\na\na b c\n");
    made_options.max_words = 2;
    struct corpus *corpus = made_prepare();
    for (int split = 0; split < SPLITS; split++) {
        assert_int_equal(corpus->split[split].sentences, 1);
        assert_int_equal(
            made_described(arena_print(&arena, "splits.%s.dropped.words", split_names[split])), 2);
    }
}

/* In the tokens, a blank between ideographs is a special mark. It does not count as a word. */
TEST(marks_are_no_words)
{
    made_put_all("日本 語。\n日 本 語 。\n日本語。日\n", "a\na b\na\n");
    made_options.text = CORPUS_RAW;
    made_options.max_words = 4;
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(made_described("splits.train.dropped.words"), 1);
}

TEST(overlong_sentences_leave_train_and_are_cut_elsewhere)
{
    made_put_all("a b\na b c d e f\nb\n", "a\nb\nc\n");
    made_options.max_length = 4;
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(made_described("splits.train.dropped.overlong"), 1);
    assert_int_equal(made_id(corpus, "f"), VOCABULARY_UNK);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 3);
    assert_int_equal(made_described("splits.dev.cut"), 1);
    assert_int_equal(corpus->split[SPLIT_DEV].longest[SIDE_SOURCE], 4);
    assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 1), "a b c");
    assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 2), "b");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 1), "c");
    int count;
    assert_string_equal(corpus_reference(&arena, corpus, SPLIT_TRAIN, 0, &count)[1], "c");
    assert_string_equal(corpus_reference(&arena, corpus, SPLIT_DEV, 0, &count)[1], "b");
    assert_string_equal(corpus_reference(&arena, corpus, SPLIT_DEV, 0, &count)[2], "c");
}

/* A pair of pieces that occurs once is not merged. */
TEST(merges_come_twice)
{
    made_put_all("ab ab\ncd\n", "x\ny\n");
    struct corpus *corpus = made_prepare();
    assert_int_equal(made_described("merges"), 1);
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].start[1], 3);
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].start[2], 6);
}

TEST(limits_take_the_first_pairs)
{
    made_put_all("a\n\nb\nc\nd\n", "a\nx\nb\nc\nd\n");
    made_options.limit[SPLIT_TRAIN] = 2;
    made_options.limit[SPLIT_TEST] = 3;
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "b");
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 5);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 3);
}

TEST(bad_utf8_is_named_or_dropped)
{
    static const struct {
        const char *bytes;
        int at;
    } bad[] = {{"ab\xff", 3},
               {"\xc0\xaf", 1},
               {"x\xed\xa0\x80", 2},
               {"\xf4\x90\x80\x80", 1},
               {"a\xc3", 2}};
    for (volatile size_t i = 0; i < COUNT_OF(bad); i++) {
        made_put_all("a\nb\nc\n", "a\nb\nc\n");
        made_put("dev.yy", arena_print(&arena, "a\n%s\nc\n", bad[i].bytes));
        const char *message = arena_print(&arena, "dev.yy:2: byte %d (0x", bad[i].at);
        made_options.bad_utf8 = BAD_UTF8_ERROR;
        EXPECT_DIE(message, made_prepare());
        made_options.bad_utf8 = BAD_UTF8_DROP_PAIR;
        struct corpus *corpus = made_prepare();
        assert_int_equal(corpus->split[SPLIT_DEV].sentences, 2);
        assert_int_equal(made_described("splits.dev.dropped.invalid"), 1);
        assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 1), "c");
    }
    made_options.bad_utf8 = BAD_UTF8_ERROR;
    made_put_bytes("train.xx", "a\0b\n", 4);
    EXPECT_DIE("train.xx:1: byte 2 (0x00)", made_prepare());
}

TEST(only_newlines_end_lines)
{
    /* The text has a byte order mark, CRLF, a lone CR, U+2028, U+0085, and no newline at its
     * end. */
    made_put_all("\xEF\xBB\xBF"
                 "a\r\nb\rc\nd\xE2\x80\xA8"
                 "d\ne\xC2\x85"
                 "e\nlast",
                 "1\n2\n3\n4\n5");
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 5);
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "a");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "b c");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 2), "d\xE2\x80\xA8"
                                                                           "d");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 4), "last");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 4), "5");
}

TEST(a_line_of_a_megabyte_is_overlong_and_nothing_else)
{
    enum { BYTES = 1 << 20 };
    char *line = arena_alloc(&arena, BYTES + 8);
    for (int i = 0; i < BYTES; i++) line[i] = "abcdefgh ijkl"[i % 13];
    memcpy(line + BYTES, "\nx\n", 4);
    made_put_all(line, "a\nb\n");
    for (int i = 0; i < BYTES; i++) line[i] = "abc"[i % 3]; /* one word */
    made_put("test.xx", line);
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 1);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 2);
    assert_int_equal(corpus->split[SPLIT_DEV].longest[SIDE_SOURCE], 256);
    assert_int_equal(corpus->split[SPLIT_TEST].longest[SIDE_SOURCE], 256);
}

/* ---- texts that are refused ---- */

TEST(unequal_line_counts_are_refused)
{
    made_put_all("a\nb\nc\n", "a\nb\nc\n");
    made_put("dev.yy", "a\nb\n");
    EXPECT_DIE("dev.xx has 3 lines, but ", made_prepare());
    EXPECT_DIE("dev.yy has 2: number i of one must be the translation of number i of the other",
               made_prepare());
}

TEST(missing_files_are_named)
{
    made_put_all("a\n", "a\n");
    made_options.part[SPLIT_TEST] = made_part("absent/test");
    made_options.origin = "the absent archive";
    const struct corpus_sources sources = corpus_sources(&made_options, &arena, digest_file);
    const struct corpus_input *input = sources.input;
    assert_int_equal(sources.inputs, 6);
    assert_string_equal(input[3].name, "dev.target");
    assert_string_equal(input[3].path, "dev.yy");
    assert_int_equal(strlen(input[3].digest), 64);
    assert_string_equal(input[4].path, "absent/test.xx");
    assert_null(input[4].file);
    assert_string_equal(input[4].digest, "");
    EXPECT_DIE("missing 2 of 6 files, looked for under $SANLAB_DATA (now "
               "build/tmp/corpus_input_test.corpus_text) and data/; the absent archive: "
               "absent/test.{xx,yy}",
               made_prepare());
    unlink(arena_print(&arena, "%s/dev.yy", made_text));
    EXPECT_DIE("missing 3 of 6 files, looked for under $SANLAB_DATA (now "
               "build/tmp/corpus_input_test.corpus_text) and data/; the absent archive: dev.yy, "
               "absent/test.{xx,yy}",
               made_prepare());
    unsetenv("SANLAB_DATA");
    made_options.origin = "";
    EXPECT_DIE("missing 6 of 6 files, looked for under $SANLAB_DATA (not set) and data/: "
               "train.{xx,yy}, dev.{xx,yy}, absent/test.{xx,yy}",
               made_prepare());
}

TEST(nothing_left_is_refused)
{
    made_put_all("\n\n", "a\n\n");
    EXPECT_DIE("corpus.train: all 2 pairs of", made_prepare());
    made_put_all("a b c d\n", "a\n");
    made_options.max_length = 3;
    EXPECT_DIE("corpus.train: all 1 pairs have more than 3 pieces on a side", made_prepare());
    made_options.target = "xx";
    EXPECT_DIE("corpus.source and corpus.target are both \"xx\"", made_prepare());
}

TEST(splits_other_than_train_may_be_absent)
{
    made_options.part[SPLIT_DEV] = made_options.part[SPLIT_TEST] = made_part("");
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 3);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 0);
    int count;
    corpus_reference(&arena, corpus, SPLIT_TEST, 0, &count);
    assert_int_equal(count, 0);
}

EACH_TEST(made_begin);
