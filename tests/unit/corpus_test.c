/* Corpora: what is kept and what is dropped, what is written, what is refused, and the way back. */
#include "tests/support/test.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/text/check.h"
#include "core/text/corpus.h"
#include "core/text/prepare.h"

/* Languages "xx" and "yy": text_folder has SPLIT.xx and SPLIT.yy. */
static struct arena arena;
static const char *text_folder, *corpus_folder;
static char *real_data; /* $SANLAB_DATA as it was: tests point it at their own text */

static int begin(void **state)
{
    (void)state;
    text_folder = arena_text(&arena, test_folder("corpus_text"));
    corpus_folder = arena_text(&arena, test_folder("corpus_made"));
    setenv("SANLAB_DATA", text_folder, 1);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void put_bytes(const char *name, const char *text, size_t bytes)
{
    file_write(arena_print(&arena, "%s/%s", text_folder, name), text, bytes);
}

static void put_text(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static void put_all(const char *source, const char *target)
{
    static const char *const split[] = {"train", "dev", "test"};
    for (size_t i = 0; i < COUNT_OF(split); i++) {
        put_text(arena_print(&arena, "%s.xx", split[i]), source);
        put_text(arena_print(&arena, "%s.yy", split[i]), target);
    }
}

static struct corpus_options plain_options(void)
{
    return (struct corpus_options){.source = "xx",
                                   .target = "yy",
                                   .prefix = {"train", "dev", "test"},
                                   .codes = "",
                                   .merges = 50,
                                   .joint = true,
                                   .max_length = 256};
}

static struct corpus *prepare(const struct corpus_options *options)
{
    corpus_prepare(options, corpus_folder, NULL, NULL);
    return corpus_open(&arena, corpus_folder);
}

static const char *text_of(const struct corpus *corpus, enum split_name split, enum side_name side,
                           int sentence)
{
    const struct side *from = &corpus->split[split].side[side];
    int64_t at = from->start[sentence];
    return corpus_text(&arena, corpus, side, from->token + at,
                       (int)(from->start[sentence + 1] - at));
}

/* The number at a path of corpus.json, such as "splits.train.dropped.empty". */
static int described(const char *path)
{
    json_t *root = json_load_file(arena_print(&arena, "%s/corpus.json", corpus_folder), 0, NULL);
    assert_non_null(root);
    const json_t *at = root;
    char *copy = arena_text(&arena, path), *rest = copy;
    for (char *key; (key = strsep(&rest, "."));) at = json_object_get(at, key);
    assert_true(json_is_integer(at));
    int value = (int)json_integer_value(at);
    json_decref(root);
    return value;
}

static const char *const source_text =
    "the house is small\nthe houses are small\nthe mouse is small\n";
static const char *const target_text =
    "das Haus ist klein\ndie Häuser sind klein\ndie Maus ist klein\n";

/* ---- the way there and back ---- */

static void sentences_come_back_as_they_were(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    for (int split = 0; split < SPLITS; split++) {
        assert_int_equal(corpus->split[split].sentences, 3);
        assert_string_equal(text_of(corpus, split, SIDE_SOURCE, 1), "the houses are small");
        assert_string_equal(text_of(corpus, split, SIDE_TARGET, 1), "die Häuser sind klein");
    }
    int count;
    const char **reference = corpus_references(&arena, corpus, SPLIT_TEST, &count);
    assert_int_equal(count, 3);
    assert_string_equal(reference[1], "die Häuser sind klein");
    assert_string_equal(corpus_bleu_tokenizer(corpus), "none");
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].token[0],
                     vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "the"));
    corpus_close(corpus);
}

static void a_line_is_encoded_as_the_corpus_was(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    for (options.threshold = 0; options.threshold <= 2; options.threshold += 2) {
        struct corpus *corpus = prepare(&options);
        const struct side *side = &corpus->split[SPLIT_DEV].side[SIDE_TARGET];
        int count;
        int32_t *id =
            corpus_encode(&arena, corpus, SIDE_TARGET, "  die\tHäuser sind  klein \r", &count);
        assert_int_equal(count, side->start[2] - side->start[1]);
        assert_memory_equal(id, side->token + side->start[1], (size_t)count * sizeof *id);
        id = corpus_encode(&arena, corpus, SIDE_TARGET, "", &count);
        assert_int_equal(count, 1);
        assert_int_equal(id[0], VOCABULARY_EOS);
        corpus_close(corpus);
    }
}

static void unknown_characters_become_unk(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    put_text("dev.xx", "the €\nthe\nthe\n");
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    const struct side *side = &corpus->split[SPLIT_DEV].side[SIDE_SOURCE];
    assert_int_equal(side->start[1], 3);
    assert_int_equal(side->token[1], VOCABULARY_UNK);
    assert_int_equal(side->token[2], VOCABULARY_EOS);
    assert_string_equal(text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 0), "the <unk>");
    corpus_close(corpus);
}

static void vocabularies_are_joint_or_apart(void **state)
{
    (void)state;
    put_all("a a b\n", "a c\n");
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    static const char *const joint[] = {"<pad>", "<eos>", "<unk>", "a", "b", "c"};
    for (int side = 0; side < SIDES; side++) {
        assert_int_equal(corpus->vocabulary[side].size, 6);
        for (int i = 0; i < 6; i++)
            assert_string_equal(corpus->vocabulary[side].token[i], joint[i]);
        assert_int_equal(corpus->vocabulary[side].count[3], 3);
    }
    options.joint = false;
    corpus = prepare(&options);
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].size, 5);
    assert_int_equal(corpus->vocabulary[SIDE_TARGET].size, 5);
    assert_string_equal(corpus->vocabulary[SIDE_SOURCE].token[4], "b");
    assert_string_equal(corpus->vocabulary[SIDE_TARGET].token[4], "c");
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].count[3], 2);
    assert_int_equal(corpus->vocabulary[SIDE_TARGET].count[3], 1);
}

static void rare_pieces_are_split_again(void **state)
{
    (void)state;
    put_all("abab abab ab\nab ab\n", "ab cd\nab\n");
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    assert_int_not_equal(vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "abab"), VOCABULARY_UNK);
    options.threshold = 3; /* "abab" occurs twice, "ab" three times, "ab@@" never */
    corpus = prepare(&options);
    assert_int_equal(vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "abab"), VOCABULARY_UNK);
    assert_int_not_equal(vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "ab"), VOCABULARY_UNK);
    assert_int_equal(corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE].start[1], 3 + 3 + 1 + 1);
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "abab abab ab");
    corpus_close(corpus);
}

static void everything_can_be_lowercased(void **state)
{
    (void)state;
    put_all("The ÄÖÜ\n", "Das ΣΑΣ\n");
    struct corpus_options options = plain_options();
    options.lowercase = true;
    struct corpus *corpus = prepare(&options);
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "the äöü");
    int count;
    assert_string_equal(corpus_references(&arena, corpus, SPLIT_DEV, &count)[0], "das σασ");
    corpus_close(corpus);
}

static void raw_text_is_tokenized_and_comes_back(void **state)
{
    (void)state;
    static const char *const source[] = {"Don't (ever) pay 1,000.50 €!", "見出し 7.4 と日本語。", ""};
    static const char *const target[] = {"Zahle  nie\u00a0„1.000,50 €“ …", "Kopf@@zeile @@ a@b", "x"};
    put_all(arena_print(&arena, "%s\n%s\r\n%s\n", source[0], source[1], source[2]),
            arena_print(&arena, "%s\n%s\n%s\n", target[0], target[1], target[2]));
    struct corpus_options options = plain_options();
    options.text = CORPUS_RAW;
    struct corpus *corpus = prepare(&options);
    assert_string_equal(corpus_bleu_tokenizer(corpus), "13a");
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    int references;
    const char **reference = corpus_references(&arena, corpus, SPLIT_TEST, &references);
    assert_int_equal(references, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(text_of(corpus, SPLIT_TEST, SIDE_SOURCE, i), source[i]);
        assert_string_equal(reference[i], target[i]); /* as it came */
    }
    assert_string_equal(text_of(corpus, SPLIT_TEST, SIDE_TARGET, 0), "Zahle nie „1.000,50 €“ …");
    assert_string_equal(text_of(corpus, SPLIT_TEST, SIDE_TARGET, 1), target[1]);

    const struct side *side = &corpus->split[SPLIT_TEST].side[SIDE_SOURCE];
    int count;
    int32_t *id = corpus_encode(&arena, corpus, SIDE_SOURCE, source[1], &count);
    assert_int_equal(count, side->start[2] - side->start[1]);
    assert_memory_equal(id, side->token + side->start[1], (size_t)count * sizeof *id);
    EXPECT_DIE("byte 2 of the line is not valid UTF-8",
               corpus_encode(&arena, corpus, SIDE_SOURCE, "a\xff", &count));
    corpus_close(corpus);
}

static void ready_merges_are_used(void **state)
{
    (void)state;
    put_all("abc\n", "abc\n");
    put_text("codes", "#version: 0.2\na b\n");
    struct corpus_options options = plain_options();
    options.codes = "codes";
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->vocabulary[SIDE_SOURCE].size, VOCABULARY_FIRST + 2);
    assert_int_not_equal(vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "ab@@"), VOCABULARY_UNK);
    assert_int_equal(described("merges"), 1);
}

/* ---- what is left out ---- */

static void empty_lines_leave_train_alone(void **state)
{
    (void)state;
    put_all("a\n\nc\n \t\r\ne\n", "a\nb\n\n \r\ne\n");
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(described("splits.train.dropped.empty"), 3);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 5);
    assert_int_equal(described("splits.test.dropped.empty"), 0);
    const struct side *side = &corpus->split[SPLIT_TEST].side[SIDE_SOURCE];
    assert_int_equal(side->start[2] - side->start[1], 1);
    assert_int_equal(side->token[side->start[1]], VOCABULARY_EOS);
    int count;
    const char **reference = corpus_references(&arena, corpus, SPLIT_TEST, &count);
    assert_int_equal(count, 5);
    assert_string_equal(reference[2], "");
    assert_string_equal(reference[4], "e");
}

static void many_words_leave_every_split(void **state)
{
    (void)state;
    put_all("a b\na b c\na\n", "a\na\na b c\n");
    struct corpus_options options = plain_options();
    options.max_words = 2;
    struct corpus *corpus = prepare(&options);
    for (int split = 0; split < SPLITS; split++) {
        assert_int_equal(corpus->split[split].sentences, 1);
        assert_int_equal(
            described(arena_print(&arena, "splits.%s.dropped.words", split_names[split])), 2);
    }
}

static void overlong_sentences_leave_train_and_are_cut_elsewhere(void **state)
{
    (void)state;
    put_all("a b\na b c d e f\nb\n", "a\nb\nc\n");
    struct corpus_options options = plain_options();
    options.max_length = 4;
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(described("splits.train.dropped.overlong"), 1);
    assert_int_equal(vocabulary_id(&corpus->vocabulary[SIDE_SOURCE], "f"), VOCABULARY_UNK);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 3);
    assert_int_equal(described("splits.dev.cut"), 1);
    assert_int_equal(corpus->split[SPLIT_DEV].longest[SIDE_SOURCE], 4);
    assert_string_equal(text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 1), "a b c");
    assert_string_equal(text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 2), "b");
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 1), "c");
}

static void limits_take_the_first_pairs(void **state)
{
    (void)state;
    put_all("a\n\nb\nc\nd\n", "a\nx\nb\nc\nd\n");
    struct corpus_options options = plain_options();
    options.limit[SPLIT_TRAIN] = 2;
    options.limit[SPLIT_TEST] = 3;
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "b");
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 5);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 3);
}

static void bad_utf8_is_named_or_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int at;
    } bad[] = {{"ab\xff", 3},
               {"\xc0\xaf", 1},
               {"x\xed\xa0\x80", 2},
               {"\xf4\x90\x80\x80", 1},
               {"a\xc3", 2}};
    for (volatile size_t i = 0; i < COUNT_OF(bad); i++) {
        put_all("a\nb\nc\n", "a\nb\nc\n");
        put_text("dev.yy", arena_print(&arena, "a\n%s\nc\n", bad[i].bytes));
        struct corpus_options options = plain_options();
        const char *message = arena_print(&arena, "dev.yy:2: byte %d (0x", bad[i].at);
        EXPECT_DIE(message, prepare(&options));
        options.bad_utf8 = BAD_UTF8_DROP_PAIR;
        struct corpus *corpus = prepare(&options);
        assert_int_equal(corpus->split[SPLIT_DEV].sentences, 2);
        assert_int_equal(described("splits.dev.dropped.invalid"), 1);
        assert_string_equal(text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 1), "c");
    }
    put_all("a\n", "a\n");
    put_bytes("train.xx", "a\0b\n", 4);
    struct corpus_options options = plain_options();
    EXPECT_DIE("train.xx:1: byte 2 (0x00)", prepare(&options));
}

static void only_newlines_end_lines(void **state)
{
    (void)state;
    /* A byte order mark, CRLF, a lone CR, U+2028, U+0085, and no newline at the end. */
    put_all("\xEF\xBB\xBF"
            "a\r\nb\rc\nd\xE2\x80\xA8"
            "d\ne\xC2\x85"
            "e\nlast",
            "1\n2\n3\n4\n5");
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 5);
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "a");
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "b c");
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 2), "d\xE2\x80\xA8"
                                                                      "d");
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 4), "last");
    assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 4), "5");
}

static void a_line_of_a_megabyte_is_overlong_and_nothing_else(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    char *line = arena_alloc(&arena, BYTES + 8);
    for (int i = 0; i < BYTES; i++) line[i] = "abcdefgh ijkl"[i % 13];
    memcpy(line + BYTES, "\nx\n", 4);
    put_all(line, "a\nb\n");
    for (int i = 0; i < BYTES; i++) line[i] = "abc"[i % 3]; /* one word */
    put_text("test.xx", line);
    struct corpus_options options = plain_options();
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 1);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 2);
    assert_int_equal(corpus->split[SPLIT_DEV].longest[SIDE_SOURCE], 256);
    assert_int_equal(corpus->split[SPLIT_TEST].longest[SIDE_SOURCE], 256);
}

/* ---- what is refused ---- */

static void unequal_line_counts_are_refused(void **state)
{
    (void)state;
    put_all("a\nb\nc\n", "a\nb\nc\n");
    put_text("dev.yy", "a\nb\n");
    struct corpus_options options = plain_options();
    EXPECT_DIE("dev.xx has 3 lines, but ", prepare(&options));
    EXPECT_DIE("dev.yy has 2: line i of one must be the translation of line i of the other",
               prepare(&options));
}

static void missing_files_are_named(void **state)
{
    (void)state;
    put_all("a\n", "a\n");
    struct corpus_options options = plain_options();
    options.prefix[SPLIT_TEST] = "absent/test";
    struct corpus_input input[CORPUS_INPUTS];
    assert_int_equal(corpus_inputs(&options, &arena, input), 6);
    assert_string_equal(input[3].name, "dev.target");
    assert_string_equal(input[3].path, "dev.yy");
    assert_int_equal(strlen(input[3].digest), 64);
    assert_string_equal(input[4].path, "absent/test.xx");
    assert_null(input[4].file);
    assert_string_equal(input[4].digest, "");
    EXPECT_DIE("absent/test.xx is missing (test.source); relative paths are looked for under "
               "$SANLAB_DATA (now build/tmp/corpus_text) and under data/",
               prepare(&options));
    unsetenv("SANLAB_DATA");
    EXPECT_DIE("under $SANLAB_DATA (not set) and under data/", prepare(&options));
}

static void nothing_left_is_refused(void **state)
{
    (void)state;
    put_all("\n\n", "a\n\n");
    struct corpus_options options = plain_options();
    EXPECT_DIE("corpus.train: no pair is left of the 2 of", prepare(&options));
    put_all("a b c d\n", "a\n");
    options.max_length = 3;
    EXPECT_DIE("corpus.train: all 1 pairs have more than 3 pieces on a side", prepare(&options));
    options.target = "xx";
    EXPECT_DIE("corpus.source and corpus.target are both \"xx\"", prepare(&options));
}

static void splits_other_than_train_may_be_absent(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    options.prefix[SPLIT_DEV] = options.prefix[SPLIT_TEST] = "";
    struct corpus *corpus = prepare(&options);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 3);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 0);
    int count;
    corpus_references(&arena, corpus, SPLIT_TEST, &count);
    assert_int_equal(count, 0);
}

/* ---- integrity ---- */

static void the_same_text_makes_the_same_bytes(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    const char *first = prepare(&options)->digest;
    corpus_folder = arena_text(&arena, test_folder("corpus_made_again"));
    assert_string_equal(prepare(&options)->digest, first);
}

static void a_preparation_that_fails_leaves_no_corpus(void **state)
{
    (void)state;
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    prepare(&options);
    put_text("codes", "no merge\nat all, this\n");
    options.codes = "codes";
    EXPECT_DIE("corpus_text/codes:2: a merge is two symbols", prepare(&options));
    EXPECT_DIE("corpus.json: cannot be read", corpus_open(&arena, corpus_folder));
}

static void a_changed_file_is_refused(void **state)
{
    (void)state;
    static const char *const name[] = {"train.shard", "dev.reference", "codes.bpe",
                                       "vocabulary.target", "pieces.source"};
    put_all(source_text, target_text);
    struct corpus_options options = plain_options();
    options.threshold = 1;
    for (volatile size_t i = 0; i < COUNT_OF(name); i++) {
        prepare(&options);
        const char *path = arena_print(&arena, "%s/%s", corpus_folder, name[i]);
        size_t bytes;
        char *content = file_read(&arena, path, 0, &bytes);
        content[bytes / 2] ^= 1;
        file_write(path, content, bytes);
        EXPECT_DIE(arena_print(&arena, "%s: was changed after the corpus was prepared", name[i]),
                   corpus_open(&arena, corpus_folder));
        unlink(path);
        EXPECT_DIE(arena_print(&arena, "%s: cannot be read", name[i]),
                   corpus_open(&arena, corpus_folder));
    }
    put_text("corpus.json", "{\"format\": 1}");
    EXPECT_DIE("corpus.json: not a description of a corpus", corpus_open(&arena, text_folder));
    put_text("corpus.json", "{");
    EXPECT_DIE("corpus.json:1: not JSON", corpus_open(&arena, text_folder));
}

/* ---- check ---- */

static void check_counts(void **state)
{
    (void)state;
    put_all("a a b\na a b\nc\n", "x\nx\ny\n");
    put_text("dev.xx", "c\na € b\nb\n");
    put_text("dev.yy", "z\nz z\nx\n");
    put_text("test.xx", "b\n\na b\n");
    put_text("test.yy", "y\n\nx x\n");
    struct corpus_options options = plain_options();
    options.merges = 0;
    struct corpus *corpus = prepare(&options);
    struct check_split check[SPLITS];
    corpus_measure(corpus, check);
    assert_int_equal(check[SPLIT_TRAIN].duplicates, 1);
    assert_int_equal(check[SPLIT_DEV].duplicates, 0);
    const struct check_side *train = &check[SPLIT_TRAIN].side[SIDE_SOURCE];
    assert_int_equal(train->tokens, 10);
    assert_int_equal(train->words, 7);
    assert_int_equal(train->median, 4);
    assert_int_equal(train->longest, 4);
    assert_float_equal(train->mean, 10 / 3.0, 1e-12);
    assert_float_equal(train->pieces_per_word, 1, 0);
    const struct check_side *dev = check[SPLIT_DEV].side;
    assert_int_equal(dev[SIDE_SOURCE].unknown, 1);
    assert_int_equal(dev[SIDE_SOURCE].new_words, 1);
    assert_int_equal(dev[SIDE_SOURCE].in_train, 1);
    assert_int_equal(dev[SIDE_TARGET].unknown, 3);
    assert_int_equal(dev[SIDE_TARGET].in_train, 1);
    const struct check_side *test = check[SPLIT_TEST].side;
    assert_int_equal(test[SIDE_SOURCE].in_dev, 1);
    assert_int_equal(test[SIDE_SOURCE].in_train, 0);
    assert_int_equal(test[SIDE_TARGET].in_train, 1);
}

static void check_counts_pieces_of_words(void **state)
{
    (void)state;
    put_all("ab abc\n", "abcd\n");
    struct corpus_options options = plain_options();
    options.merges = 0; /* characters */
    struct corpus *corpus = prepare(&options);
    struct check_split check[SPLITS];
    corpus_measure(corpus, check);
    assert_int_equal(check[SPLIT_TRAIN].side[SIDE_SOURCE].words, 2);
    assert_float_equal(check[SPLIT_TRAIN].side[SIDE_SOURCE].pieces_per_word, 2.5, 0);
    assert_float_equal(check[SPLIT_TRAIN].side[SIDE_TARGET].pieces_per_word, 4, 0);
    assert_int_equal(check[SPLIT_DEV].side[SIDE_SOURCE].new_words, 0);
}

/* ---- real text ---- */

/* The section `corpus` of a preset. */
static struct corpus_options preset(const char *path)
{
    struct corpus_options options = {0};
    section_read(&corpus_section, tree_find(tree_read(&arena, path), "corpus"), &options, &arena);
    return options;
}

static void presets_are_valid(void **state)
{
    (void)state;
    static const char *const path[] = {"experiments/corpora/multi30k-en-de.yaml",
                                       "experiments/corpora/tatoeba-en-de.yaml",
                                       "experiments/corpora/libreoffice-en-de.yaml"};
    for (size_t i = 0; i < COUNT_OF(path); i++) {
        struct corpus_options options = preset(path[i]);
        struct corpus_input input[CORPUS_INPUTS];
        assert_int_equal(corpus_inputs(&options, &arena, input), 6);
        assert_true(options.joint);
        assert_int_equal(options.merges, 8000);
        assert_int_equal(options.max_length, 256);
        assert_int_equal(options.text, i == 2 ? CORPUS_RAW : CORPUS_TOKENS);
    }
}

static void multi30k_is_prepared_in_seconds(void **state)
{
    (void)state;
    if (!real_data) {
        print_message("no real data: set SANLAB_DATA to its folder\n");
        skip();
    }
    setenv("SANLAB_DATA", real_data, 1);
    struct corpus_options options = preset("experiments/corpora/multi30k-en-de.yaml");
    double begin_time = clock_seconds();
    corpus_prepare(&options, corpus_folder, NULL, NULL);
    double seconds = clock_seconds() - begin_time;
    struct corpus *corpus = corpus_open(&arena, corpus_folder);
    print_message("prepared in %.2f s, opened in %.2f s\n", seconds,
                  clock_seconds() - begin_time - seconds);
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 29000);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 1014);
    assert_int_equal(corpus->split[SPLIT_TEST].sentences, 1000);
    int count;
    const char **reference = corpus_references(&arena, corpus, SPLIT_TRAIN, &count);
    for (int i = 0; i < count; i += 17)
        assert_string_equal(text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, i), reference[i]);
    corpus_check(corpus, stdout);
    corpus_close(corpus);
}

int main(void)
{
    const char *data = test_data_folder();
    if (data) real_data = heap_print("%s", data);
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(sentences_come_back_as_they_were),
        TEST(a_line_is_encoded_as_the_corpus_was),
        TEST(unknown_characters_become_unk),
        TEST(vocabularies_are_joint_or_apart),
        TEST(rare_pieces_are_split_again),
        TEST(everything_can_be_lowercased),
        TEST(raw_text_is_tokenized_and_comes_back),
        TEST(ready_merges_are_used),
        TEST(empty_lines_leave_train_alone),
        TEST(many_words_leave_every_split),
        TEST(overlong_sentences_leave_train_and_are_cut_elsewhere),
        TEST(limits_take_the_first_pairs),
        TEST(bad_utf8_is_named_or_dropped),
        TEST(only_newlines_end_lines),
        TEST(a_line_of_a_megabyte_is_overlong_and_nothing_else),
        TEST(unequal_line_counts_are_refused),
        TEST(missing_files_are_named),
        TEST(nothing_left_is_refused),
        TEST(splits_other_than_train_may_be_absent),
        TEST(the_same_text_makes_the_same_bytes),
        TEST(a_preparation_that_fails_leaves_no_corpus),
        TEST(a_changed_file_is_refused),
        TEST(check_counts),
        TEST(check_counts_pieces_of_words),
        TEST(presets_are_valid),
        TEST(multi30k_is_prepared_in_seconds),
    };
    int failed = cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
    free(real_data);
    return failed;
}
