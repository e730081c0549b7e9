/* Tests corpora: the files that are written and read, damaged files, statistics and presets. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/corpus/corpus_statistics.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/prepare.h"
#include "core/decode/bleu.h"
#include "tests/support/made_corpus.h"

static char *real_data; /* original $SANLAB_DATA, which tests change */

/* ---- text that is written and read ---- */

TEST(sentences_come_back_as_they_were)
{
    struct corpus *corpus = made_prepare();
    for (int split = 0; split < SPLITS; split++) {
        assert_int_equal(corpus->split[split].sentences, 3);
        assert_string_equal(made_text_of(corpus, split, SIDE_SOURCE, 1), "the houses are small");
        assert_string_equal(made_text_of(corpus, split, SIDE_TARGET, 1), "die Häuser sind klein");
    }
    int count;
    const char **reference = corpus_reference(&arena, corpus, SPLIT_TEST, 0, &count);
    assert_int_equal(count, 3);
    assert_string_equal(reference[1], "die Häuser sind klein");
    assert_string_equal(corpus_bleu_tokenizer(corpus), "none");
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].token[0], made_id(corpus, "the"));
}

TEST(a_line_is_encoded_as_the_corpus_was)
{
    for (made_options.threshold = 0; made_options.threshold <= 2; made_options.threshold += 2) {
        struct corpus *corpus = made_prepare();
        const struct side *side = &corpus->split[SPLIT_DEV].side[SIDE_TARGET];
        int count;
        int32_t *id =
            corpus_encode(&arena, corpus, SIDE_TARGET, "  die\tHäuser sind  klein \r", &count);
        assert_int_equal(count, side->start[2] - side->start[1]);
        assert_memory_equal(id, side->token + side->start[1], (size_t)count * sizeof *id);
        id = corpus_encode(&arena, corpus, SIDE_TARGET, "", &count);
        assert_int_equal(count, 1);
        assert_int_equal(id[0], VOCABULARY_EOS);
    }
}

/* Lines of the corpus are encoded as in its split. A line above the maximum length is cut. */
TEST(lines_are_a_split)
{
    struct corpus *corpus = made_prepare();
    const struct side *dev = &corpus->split[SPLIT_DEV].side[SIDE_SOURCE];
    struct buffer full = {0}, over = {0}; /* 511 and 512 pieces, without <eos> */
    for (int i = 0; i < CORPUS_LINE_PIECES; i++) {
        if (i + 1 < CORPUS_LINE_PIECES) buffer_add(&full, "the ", 4);
        buffer_add(&over, "the ", 4);
    }
    buffer_add_byte(&full, 0);
    buffer_add_byte(&over, 0);
    const char *const line[] = {"the house is small", full.text, "the houses are small", over.text,
                                "the mouse is small", over.text};
    const int32_t the = made_id(corpus, "the");
    struct split split = {.sentences = 6};
    int first = -1;
    assert_int_equal(corpus_encode_lines(&split, corpus, SIDE_SOURCE, line, &first, &arena), 2);
    assert_int_equal(first, 3);
    assert_int_equal(split.longest[SIDE_SOURCE], CORPUS_LINE_PIECES);
    const struct side *side = &split.side[SIDE_SOURCE];
    for (int i = 0; i < 6; i++) {
        const int64_t length = side->start[i + 1] - side->start[i];
        const int32_t *token = side->token + side->start[i];
        if (i % 2) {
            assert_int_equal(length, CORPUS_LINE_PIECES);
            for (int t = 0; t + 1 < length; t++) assert_int_equal(token[t], the);
            assert_int_equal(token[length - 1], VOCABULARY_EOS);
            continue;
        }
        assert_int_equal(length, dev->start[i / 2 + 1] - dev->start[i / 2]);
        assert_memory_equal(token, dev->token + dev->start[i / 2], (size_t)length * sizeof *token);
    }
    buffer_free(&full);
    buffer_free(&over);
}

TEST(unknown_characters_become_unk)
{
    made_put("dev.xx", "the €\nthe\nthe\n");
    struct corpus *corpus = made_prepare();
    const struct side *side = &corpus->split[SPLIT_DEV].side[SIDE_SOURCE];
    assert_int_equal(side->start[1], 3);
    assert_int_equal(side->token[1], VOCABULARY_UNK);
    assert_int_equal(side->token[2], VOCABULARY_EOS);
    assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 0), "the <unk>");
}

TEST(vocabularies_are_joint_or_apart)
{
    made_put_all("a a b\n", "a c\n");
    struct corpus *corpus = made_prepare();
    static const char *const joint[] = {"<pad>", "<eos>", "<unk>", "a", "b", "c"};
    for (int side = 0; side < SIDES; side++) {
        assert_int_equal(corpus->vocabulary[side].size, 6);
        for (int i = 0; i < 6; i++)
            assert_string_equal(corpus->vocabulary[side].token[i], joint[i]);
        assert_int_equal(corpus->vocabulary[side].count[3], 3);
    }
    made_options.joint = false;
    corpus = made_prepare();
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].size, 5);
    assert_int_equal(corpus->vocabulary[SIDE_TARGET].size, 5);
    assert_string_equal(corpus->vocabulary[SIDE_SOURCE].token[4], "b");
    assert_string_equal(corpus->vocabulary[SIDE_TARGET].token[4], "c");
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].count[3], 2);
    assert_int_equal(corpus->vocabulary[SIDE_TARGET].count[3], 1);
}

TEST(rare_pieces_are_split_again)
{
    made_put_all("abab abab ab\nab ab\n", "ab cd\nab\n");
    struct corpus *corpus = made_prepare();
    assert_int_not_equal(made_id(corpus, "abab"), VOCABULARY_UNK);
    made_options.threshold = 3; /* "abab" occurs twice, "ab" three times, "ab@@" never */
    corpus = made_prepare();
    assert_int_equal(made_id(corpus, "abab"), VOCABULARY_UNK);
    assert_int_not_equal(made_id(corpus, "ab"), VOCABULARY_UNK);
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].start[1], 3 + 3 + 1 + 1);
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "abab abab ab");
}

/* After lower-casing, two of the four sources of dev are in train, and three of its targets. One
 * source and one target of test are in train. Only the second pair of train has BPE pieces ("do@@
 * g"). */
TEST(overlap_and_pieces_are_counted)
{
    static const char *const all[SPLITS][SIDES] = {
        {"A man\nThe do@@ g\nÄrger ΑΣ\na cat\n", "Ein Mann\nDer Hu@@ nd\nx @@ y\nein@@\n"},
        {"a MAN\nthe dog\nÄRGER ας\n\n", "ein mann\nEIN MANN\nX @@ Y\nein\n"},
        {"a  cat\nb\n", "der hund\nder hu@@ nd\n"}};
    for (int split = 0; split < SPLITS; split++)
        for (int side = 0; side < SIDES; side++)
            made_put(arena_print(&arena, "%s.%s", split_names[split], side ? "yy" : "xx"),
                     all[split][side]);
    for (int lowercase = 0; lowercase < 2; lowercase++) {
        made_options.lowercase = lowercase;
        made_prepare();
        assert_int_equal(made_described("splits.dev.source_in_train"), 2);
        assert_int_equal(made_described("splits.dev.target_in_train"), 3);
        assert_int_equal(made_described("splits.test.source_in_train"), 1);
        assert_int_equal(made_described("splits.test.target_in_train"), 1);
        assert_int_equal(made_described("splits.train.source_in_pieces"), 1);
        assert_int_equal(made_described("splits.train.target_in_pieces"), 1); /* "@@ " in a word */
        assert_int_equal(made_described("splits.train.read"), 4);
    }
}

TEST(everything_can_be_lowercased)
{
    made_put_all("The ÄÖÜ İi\n", "Das ΣΑΣ\n");
    made_options.lowercase = true;
    struct corpus *corpus = made_prepare();
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "the äöü i\u0307i");
    int count;
    assert_string_equal(corpus_reference(&arena, corpus, SPLIT_DEV, 0, &count)[0], "das σας");
}

TEST(raw_text_is_tokenized_and_comes_back)
{
    static const char *const source[] = {"Don't (ever) pay 1,000.50 €!", "見出し 7.4 と日本語。",
                                         ""};
    static const char *const target[] = {"Zahle  nie\u00a0„1.000,50 €“ …", "Kopf@@zeile @@ a@b",
                                         "x"};
    made_put_all(arena_print(&arena, "%s\n%s\r\n%s\n", source[0], source[1], source[2]),
                 arena_print(&arena, "%s\n%s\n%s\n", target[0], target[1], target[2]));
    made_options.text = CORPUS_RAW;
    struct corpus *corpus = made_prepare();
    assert_string_equal(corpus_bleu_tokenizer(corpus), "13a");
    corpus->language[SIDE_TARGET] = "zh-CN";
    assert_string_equal(corpus_bleu_tokenizer(corpus), "zh");
    assert_int_equal(bleu_options_named("zh").tokenizer, BLEU_ZH);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    int references;
    const char **reference = corpus_reference(&arena, corpus, SPLIT_TEST, 0, &references);
    assert_int_equal(references, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(made_text_of(corpus, SPLIT_TEST, SIDE_SOURCE, i), source[i]);
        assert_string_equal(reference[i], target[i]); /* as in the file */
    }
    assert_string_equal(made_text_of(corpus, SPLIT_TEST, SIDE_TARGET, 0),
                        "Zahle nie „1.000,50 €“ …");
    assert_string_equal(made_text_of(corpus, SPLIT_TEST, SIDE_TARGET, 1), target[1]);

    const struct side *side = &corpus->split[SPLIT_TEST].side[SIDE_SOURCE];
    int count;
    int32_t *id = corpus_encode(&arena, corpus, SIDE_SOURCE, source[1], &count);
    assert_int_equal(count, side->start[2] - side->start[1]);
    assert_memory_equal(id, side->token + side->start[1], (size_t)count * sizeof *id);
    EXPECT_DIE("byte 2 of the line is not valid UTF-8",
               corpus_encode(&arena, corpus, SIDE_SOURCE, "a\xff", &count));
}

TEST(ready_merges_are_used)
{
    made_put_all("abc\n", "abc\n");
    made_put("codes", "#version: 0.2\na b\n");
    made_options.codes = "codes";
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].size, VOCABULARY_FIRST + 2);
    assert_int_not_equal(made_id(corpus, "ab@@"), VOCABULARY_UNK);
    assert_int_equal(made_described("merges"), 1);
}

/* In version 0.1, a merge can end a word with a separate symbol. If this symbol is split off again,
 * it must not become an empty piece. */
TEST(old_merges_make_no_empty_pieces)
{
    made_put_all("the xe\nthe\n", "the xe\nthe\n");
    made_put("codes", "t h\nth e\nthe </w>\ne </w>\n");
    made_options.codes = "codes";
    made_options.threshold = 2;
    struct corpus *corpus = made_prepare();
    for (int split = 0; split < SPLITS; split++)
        assert_string_equal(made_text_of(corpus, split, SIDE_SOURCE, 0), "the xe");
    int count;
    const int32_t *id = corpus_encode(&arena, corpus, SIDE_SOURCE, "the xe", &count);
    assert_int_equal(count, 4);
    assert_memory_equal(id, corpus->split[SPLIT_DEV].side[SIDE_SOURCE].token, 4 * sizeof *id);
}

TEST(a_piece_keeps_its_byte_order_mark)
{
    static const char text[] = "\uFEFF\uFEFFthe\n\uFEFFthe\nthe\n";
    made_put_all(text, text);
    made_options.threshold = 2;
    struct corpus *corpus = made_prepare();
    assert_int_not_equal(made_id(corpus, "\uFEFFthe"), VOCABULARY_UNK);
    assert_int_equal(made_id(corpus, "the"), VOCABULARY_UNK); /* it is rare without the mark */
}

/* ---- integrity ---- */

TEST(the_same_text_makes_the_same_bytes)
{
    const char *first = made_prepare()->digest;
    made_corpus = arena_text(&arena, test_folder("corpus_made_again"));
    assert_string_equal(made_prepare()->digest, first);
}

TEST(a_preparation_that_fails_leaves_no_corpus)
{
    made_prepare();
    made_put("codes", "no merge\nat all, this\n");
    made_options.codes = "codes";
    EXPECT_DIE("corpus_text/codes:2: expected a merge: two symbols", made_prepare());
    EXPECT_DIE("corpus.json: cannot be read", corpus_open(&arena, made_corpus));
}

TEST(a_changed_file_is_refused)
{
    static const char *const name[] = {"train.shard", "dev.reference", "codes.bpe",
                                       "vocabulary.target", "pieces.source"};
    made_options.threshold = 1;
    for (volatile size_t i = 0; i < COUNT_OF(name); i++) {
        made_prepare();
        const char *path = arena_print(&arena, "%s/%s", made_corpus, name[i]);
        size_t bytes;
        char *content = file_read(&arena, path, 0, &bytes);
        content[bytes / 2] ^= 1;
        file_write(path, content, bytes);
        EXPECT_DIE(arena_print(&arena, "%s: changed since the corpus was prepared", name[i]),
                   corpus_open(&arena, made_corpus));
        unlink(path);
        EXPECT_DIE(arena_print(&arena, "%s: cannot be read", name[i]),
                   corpus_open(&arena, made_corpus));
    }
    made_put("corpus.json", "{\"format\": 1}");
    EXPECT_DIE("corpus.json: not a description of a corpus", corpus_open(&arena, made_text));
    made_put("corpus.json", "{");
    EXPECT_DIE("corpus.json:1: not JSON", corpus_open(&arena, made_text));
}

/* ---- statistics ---- */

TEST(check_counts)
{
    made_put_all("a a b\na a b\nc\n", "x\nx\ny\n");
    made_put("dev.xx", "c\na € b\nb\n");
    made_put("dev.yy", "z\nz z\nx\n");
    made_put("test.xx", "b\n\na b\n");
    made_put("test.yy", "y\n\nx x\n");
    made_options.merges = 0;
    struct corpus *corpus = made_prepare();
    struct split_statistics check[SPLITS];
    corpus_statistics(corpus, check);
    assert_int_equal(check[SPLIT_TRAIN].duplicates, 1);
    assert_int_equal(check[SPLIT_DEV].duplicates, 0);
    const struct side_statistics *train = &check[SPLIT_TRAIN].side[SIDE_SOURCE];
    assert_int_equal(train->tokens, 10);
    assert_int_equal(train->words, 7);
    assert_int_equal(train->median, 4);
    assert_int_equal(train->longest, 4);
    assert_float_equal(train->mean, 10 / 3.0, 1e-12);
    assert_float_equal(train->pieces_per_word, 1, 0);
    const struct side_statistics *dev = check[SPLIT_DEV].side;
    assert_int_equal(dev[SIDE_SOURCE].unknown, 1);
    assert_int_equal(dev[SIDE_SOURCE].new_words, 1);
    assert_int_equal(dev[SIDE_SOURCE].in_train, 1);
    assert_int_equal(dev[SIDE_TARGET].unknown, 3);
    assert_int_equal(dev[SIDE_TARGET].in_train, 1);
    const struct side_statistics *test = check[SPLIT_TEST].side;
    assert_int_equal(test[SIDE_SOURCE].in_dev, 1);
    assert_int_equal(test[SIDE_SOURCE].in_train, 0);
    assert_int_equal(test[SIDE_TARGET].in_train, 1);
}

TEST(check_counts_pieces_of_words)
{
    made_put_all("ab abc\n", "abcd\n");
    made_options.merges = 0; /* pieces are characters */
    struct corpus *corpus = made_prepare();
    struct split_statistics check[SPLITS];
    corpus_statistics(corpus, check);
    assert_int_equal(check[SPLIT_TRAIN].side[SIDE_SOURCE].words, 2);
    assert_float_equal(check[SPLIT_TRAIN].side[SIDE_SOURCE].pieces_per_word, 2.5, 0);
    assert_float_equal(check[SPLIT_TRAIN].side[SIDE_TARGET].pieces_per_word, 4, 0);
    assert_int_equal(check[SPLIT_DEV].side[SIDE_SOURCE].new_words, 0);
}

/* ---- real text ---- */

/* Returns the section `corpus` of a preset. */
static struct corpus_options preset(const char *path)
{
    struct corpus_options options = {0};
    section_read(&corpus_section, tree_find(tree_read(&arena, path), "corpus"), &options, &arena);
    return options;
}

TEST(presets_are_valid)
{
    static const char *const path[] = {
        "experiments/corpora/multi30k-en-de.yaml",    "experiments/corpora/tatoeba-en-de.yaml",
        "experiments/corpora/libreoffice-en-de.yaml", "experiments/corpora/libreoffice-de-en.yaml",
        "experiments/corpora/libreoffice-ja-en.yaml", "experiments/corpora/libreoffice-zh-en.yaml"};
    for (size_t i = 0; i < COUNT_OF(path); i++) {
        struct corpus_options options = preset(path[i]);
        assert_int_equal(corpus_sources(&options, &arena, NULL).inputs, 6);
        assert_true(options.joint);
        assert_int_equal(options.merges, 8000);
        assert_int_equal(options.max_length, 256);
        assert_int_equal(options.text, i >= 2 ? CORPUS_RAW : CORPUS_TOKENS);
    }
}

TEST(multi30k_is_prepared)
{
    if (!real_data) test_skip("no real data: set SANLAB_DATA to its folder");
    setenv("SANLAB_DATA", real_data, 1);
    made_options = preset("experiments/corpora/multi30k-en-de.yaml");
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 29000);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 1014);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 1000);
    int count;
    const char **reference = corpus_reference(&arena, corpus, SPLIT_TRAIN, 0, &count);
    for (int i = 0; i < count; i += 17)
        assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, i), reference[i]);
    corpus_statistics_print(corpus, stdout);
}

EACH_TEST(made_begin);

int main(void)
{
    const char *data = test_data_folder();
    if (data) real_data = heap_print("%s", data);
    int failed = tests_run();
    free(real_data);
    return failed;
}
