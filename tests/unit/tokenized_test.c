/* Tests core/corpus: the word of each piece, the words of train, and model input from sentences
 * that other programs tokenized. */
#include "tests/support/test.h"

#include "core/base/random.h"
#include "core/corpus/tokenized.h"
#include "tests/support/made_corpus.h"

static const struct tokenized_reading plainly;

static void expect_numbers(const int32_t *got, const char *expected, int count)
{
    const char *list = "";
    for (int i = 0; i < count; i++)
        list = arena_print(&arena, "%s%s%d", list, i ? " " : "", got[i]);
    assert_string_equal(list, expected);
}

/* Checks the word of each piece of a line, and how many of the words are absent from train. */
static void expect_words(const struct corpus *corpus, const char *line, const char *words,
                         int unknown)
{
    int count, again;
    int32_t *word;
    const int32_t *id = corpus_encode_words(&arena, corpus, SIDE_SOURCE, line, &count, &word);
    expect_numbers(word, words, count);
    assert_int_equal(corpus_unknown_words(corpus, SIDE_SOURCE, id, word, count), unknown);
    const int32_t *same = corpus_encode(&arena, corpus, SIDE_SOURCE, line, &again);
    assert_int_equal(count, again);
    assert_memory_equal(id, same, (size_t)count * sizeof *id);
}

TEST(pieces_know_their_word)
{
    made_put_all("ab ab abc\nab cd\n", "x\ny\n");
    made_options.merges = 1; /* the merge "a b</w>" */
    struct corpus *corpus = made_prepare();
    expect_words(corpus, "", "-1", 0);
    expect_words(corpus, "ab abc  cd\tab\r", "0 1 1 1 2 2 3 -1", 0);
    /* All pieces of abcd are known, but abcd is not a word of train. */
    expect_words(corpus, "abcd ab abc", "0 0 0 0 1 2 2 2 -1", 1);
    expect_words(corpus, "c d cd €", "0 1 2 2 3 -1", 3); /* "c@@" is known, but not "c" */
    expect_words(corpus, "a€b", "0 0 0 -1", 1);
    expect_words(corpus, "x y", "0 1 -1", 2); /* target words in a joint vocabulary */
}

/* A word that becomes <unk> is unknown, even if train has the text "<unk>". */
TEST(unknown_pieces_make_unknown_words)
{
    made_put_all("<unk> a\n", "x\n");
    struct corpus *corpus = made_prepare();
    expect_words(corpus, "€", "0 -1", 1);
}

TEST(words_of_raw_text_are_our_tokens)
{
    made_put_all("Don't go.\n", "x\n");
    made_options.text = CORPUS_RAW;
    made_options.merges = 0; /* pieces: letters and joiners */
    struct corpus *corpus = made_prepare();
    expect_words(corpus, "Don't go.", "0 0 0 1 1 1 2 3 3 4 4 -1", 0); /* Don ￭'￭ t go ￭. */
    expect_words(corpus, "go .", "0 0 1 -1", 1);                      /* "." differs from "￭." */
}

static const struct rewrite_rules *put_rules(const char *text)
{
    made_put("rules", text);
    return rewrite_read(&arena, arena_print(&arena, "%s/rules", made_text));
}

/* Checks that `got` has the ids of this line. */
static void expect_line(const struct corpus *corpus, const struct tokenized *got, const char *line)
{
    int count;
    const int32_t *id = corpus_encode(&arena, corpus, SIDE_SOURCE, line, &count);
    assert_int_equal(got->pieces, count);
    assert_memory_equal(got->id, id, (size_t)count * sizeof *id);
}

static struct tokenized read_as(const struct corpus *corpus,
                                const struct tokenized_reading *reading, const char *sentence)
{
    return tokenized_encode(&arena, corpus, SIDE_SOURCE, reading, sentence, "task.txt", 7);
}

/* Each sentence has the same pieces as if it were read alone. Counts are sums over the
 * sentences. */
TEST(sentences_become_a_side)
{
    static const char *const sentence[] = {"the house is small", "the xyz", "is", "is is"};
    made_put_all("the house is small\n", "x\n");
    struct corpus *corpus = made_prepare();
    struct split split = {.sentences = COUNT_OF(sentence)};
    const struct tokenized all =
        tokenized_side(&split, corpus, SIDE_SOURCE, &plainly, sentence, "task.txt", NULL, &arena);
    const int64_t *start = split.side[SIDE_SOURCE].start;
    for (int i = 0; i < split.sentences; i++) {
        const struct tokenized one = read_as(corpus, &plainly, sentence[i]);
        const size_t bytes = (size_t)one.pieces * sizeof *one.id;
        assert_int_equal(start[i + 1] - start[i], one.pieces);
        assert_memory_equal(all.id + start[i], one.id, bytes);
        assert_memory_equal(all.token + start[i], one.token, bytes);
    }
    assert_int_equal(all.pieces, start[split.sentences]);
    assert_int_equal(all.tokens, 9);
    assert_int_equal(all.words, 9);
    assert_int_equal(all.unknown_words, 1);
    assert_int_equal(all.changed, 0);
}

TEST(rules_come_before_the_corpus)
{
    made_put_all("i don 't go\nhe goes 's\n", "x\ny\n");
    made_options.merges = 0; /* pieces are letters */
    made_options.lowercase = true;
    struct corpus *corpus = made_prepare();
    const struct tokenized_reading reading = {.rules =
                                                  put_rules("Do n't\tDon 't\ngone\tgo es\n\"\t\n")};
    const struct tokenized got = read_as(corpus, &reading, " \" I  Do n't\tgone €");
    expect_line(corpus, &got, "i don 't go es €");
    expect_numbers(got.token, "1 2 2 2 3 3 4 4 4 4 5 -1", got.pieces);
    assert_int_equal(got.tokens, 6);
    assert_int_equal(got.changed, 4);
    assert_int_equal(got.words, 6);
    assert_int_equal(got.unknown_words, 2); /* the words es and € */
    assert_int_equal(got.unknown_pieces, 1);
    const struct tokenized none = read_as(corpus, &reading, "\"");
    assert_int_equal(none.pieces, 1);
    assert_int_equal(none.words, 0);
    assert_int_equal(none.tokens, 1);
    assert_int_equal(none.changed, 1);
}

TEST(text_that_came_lower_cased)
{
    made_put_all("a dog\n", "x\n");
    struct corpus *corpus = made_prepare();
    assert_int_equal(read_as(corpus, &plainly, "A Dog").unknown_words, 2);
    const struct tokenized_reading lowercase = {.lowercase = true};
    const struct tokenized got = read_as(corpus, &lowercase, "A Dog");
    expect_line(corpus, &got, "a dog");
    assert_int_equal(got.unknown_words, 0);
}

TEST(raw_corpora_read_running_text)
{
    made_put_all("\"Don't (ever) go.\"\n", "x\n");
    made_options.text = CORPUS_RAW;
    made_options.merges = 0; /* pieces: letters and joiners */
    made_options.lowercase = true;
    struct corpus *corpus = made_prepare();
    const struct tokenized got = read_as(corpus, &plainly, "`` Do n't ( ever ) go . ''");
    expect_line(corpus, &got, "\"don't (ever) go.\"");
    assert_int_equal(got.unknown_words, 0);
    /* The words are "￭ don ￭'￭ t (￭ ever ￭) go ￭. ￭". Each word belongs to the source token of its
     * first letter. */
    expect_numbers(got.token, "0 0 1 1 1 2 2 2 2 3 3 4 4 4 4 5 5 6 6 7 7 8 8 -1", got.pieces);
    assert_int_equal(got.words, 10);
    assert_int_equal(got.tokens, 9);
    const struct tokenized other = read_as(corpus, &plainly, "İ\u00a0€ ￭ don");
    expect_line(corpus, &other, "İ\u00a0€ ￭ don");
    expect_numbers(other.token, "0 0 0 1 1 2 2 2 -1", other.pieces); /* İ becomes i and a dot */
    const struct tokenized_reading reading = {.rules = put_rules("go go\tevery\n")};
    const struct tokenized last = read_as(corpus, &reading, "go go \" don \"");
    expect_line(corpus, &last, "every \"don\"");
    expect_numbers(last.token, "0 0 0 0 0 2 2 3 3 3 4 4 -1", last.pieces);
}

/* Random texts have signs, joiners, escapes, other white space, ideographs and marks. In every
 * text, the source tokens of the pieces are in order, from the first token to the last. */
TEST(no_letter_is_lost)
{
    static const char *const part[] = {
        "a",      "S",  "İ",  "1",  "5,5", "n't", "'",     "’",        "\"",     "``",
        "''",     ".",  "?!", "(",  "$",   "@@",  "￭",     "￮j",       "\u00a0", "\u0301",
        "\u200d", "日", "本", "、", "👩",   "-",   "<unk>", "\xC2\x85", "s",      "‘"};
    made_put_all("a\n", "x\n");
    made_options.text = CORPUS_RAW;
    made_options.lowercase = true;
    for (int segmented = 0; segmented < 2; segmented++) {
        made_options.segmented = segmented;
        struct corpus *corpus = made_prepare();
        for (uint64_t block = 0; block < 2000; block++) {
            struct arena scratch = {0};
            const char *line = "x";
            for (int b = 0; b < 4; b++) {
                uint32_t word[4];
                random_block((struct random_key){1, 17}, 4 * block + (uint64_t)b, 0, 0, word);
                for (int k = 0; k < 4; k++)
                    line = arena_print(&scratch, "%s%s%s", line, word[k] >> 30 ? " " : "",
                                       part[word[k] % COUNT_OF(part)]);
            }
            line = arena_print(&scratch, "%s x", line);
            const struct tokenized got =
                tokenized_encode(&scratch, corpus, SIDE_SOURCE, &plainly, line, "random", 1);
            assert_int_equal(got.token[0], 0);
            assert_int_equal(got.token[got.pieces - 1], CORPUS_NO_WORD);
            assert_int_equal(got.token[got.pieces - 2], got.tokens - 1);
            for (int i = 1; i + 1 < got.pieces; i++)
                assert_true(got.token[i] >= got.token[i - 1] && got.token[i] < got.tokens);
            arena_free(&scratch);
        }
    }
}

TEST(what_cannot_be_read_is_refused)
{
    struct corpus *corpus = made_prepare();
    struct buffer line = {0};
    for (int i = 0; i < CORPUS_LINE_PIECES - 1; i++) buffer_add(&line, "the ", 4);
    buffer_add_byte(&line, 0);
    assert_int_equal(read_as(corpus, &plainly, line.text).pieces, CORPUS_LINE_PIECES);
    line.bytes--;
    buffer_add(&line, "the", 4);
    EXPECT_DIE("task.txt:7: a sentence of 513 pieces, <eos> included; expected at most 512",
               read_as(corpus, &plainly, line.text));
    EXPECT_DIE("task.txt:7: byte 5 ", read_as(corpus, &plainly, "the \xff"));
    buffer_free(&line);
}

EACH_TEST(made_begin);
