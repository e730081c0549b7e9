/* Tests how core/corpus reads treebanks and lines of tags, maps tags to classes, and finds the word
 * and the class of each piece. */
#include "tests/support/test.h"

#include "core/corpus/tagged.h"
#include "tests/support/made_corpus.h"

static const struct location here = {"tags.txt", 3, 1};

static const char *class_of(struct tag_reading reading, const char *tag)
{
    struct tags tags = tags_new(reading, &arena);
    const int class = tags_class(&tags, tag, here);
    return tags.name[class];
}

/* Xu et al. 2019, figure 4, have these twelve classes. SYM has the place of "." in Petrov's
 * tags. */
TEST(tags_become_the_twelve)
{
    static const char *const expected[][2] = {
        {"NOUN", "NOUN"}, {"PROPN", "NOUN"}, {"VERB", "VERB"}, {"AUX", "VERB"},  {"ADJ", "ADJ"},
        {"ADV", "ADV"},   {"CCONJ", "CONJ"}, {"CONJ", "CONJ"}, {"SCONJ", "ADP"}, {"PRON", "PRON"},
        {"DET", "DET"},   {"PART", "PRT"},   {"PRT", "PRT"},   {"ADP", "ADP"},   {"NUM", "NUM"},
        {"PUNCT", "SYM"}, {".", "SYM"},      {"SYM", "SYM"},   {"INTJ", "X"},    {"X", "X"}};
    const struct tag_reading plain = {0};
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_string_equal(class_of(plain, expected[i][0]), expected[i][1]);
    assert_int_equal(tags_new(plain, &arena).count, 12);
    assert_string_equal(class_of((struct tag_reading){.sconj = 1}, "SCONJ"), "CONJ");
    assert_string_equal(class_of((struct tag_reading){.own = 1}, "SCONJ"), "SCONJ");
    assert_string_equal(class_of((struct tag_reading){.own = 1}, "NN"), "NN");
    EXPECT_DIE("tags.txt:3:1: tag: unknown part of speech \"NOUM\"; nearest is \"NOUN\"",
               class_of(plain, "NOUM"));
    EXPECT_DIE("unknown part of speech \"_\"", class_of(plain, "_"));
    EXPECT_DIE("expected a word", class_of((struct tag_reading){.own = 1}, ""));
}

TEST(other_tags_are_numbered_as_they_come)
{
    struct tags tags = tags_new((struct tag_reading){.own = 1}, &arena);
    assert_int_equal(tags_class(&tags, "NN", here), 0);
    assert_int_equal(tags_class(&tags, "VB", here), 1);
    assert_int_equal(tags_class(&tags, "NN", here), 0);
    assert_int_equal(tags.count, 2);
    for (int i = 2; i < TAGS_MOST; i++) tags_class(&tags, arena_print(&arena, "t%d", i), here);
    EXPECT_DIE("tags.txt:3:1: tag: \"one\": more than 200", tags_class(&tags, "one", here));
}

static const char *put(const char *name, const char *text)
{
    made_put(name, text);
    return arena_print(&arena, "%s/%s", made_text, name);
}

#define REST "\t_\t_\t_\t_\t_\t_\n"
#define WORD(id, form, tag) id "\t" form "\t_\t" tag REST

static struct treebank read_text(const char *text)
{
    return treebank_read(&arena, put("a.conllu", text), false);
}

TEST(syntactic_words_count)
{
    const struct treebank bank = read_text(
        "# sent_id = 1\n# text = I don't go\n" WORD("1", "I", "PRON") WORD("2-3", "don't", "_")
            WORD("2", "do", "AUX") WORD("3", "n't", "PART") WORD("3.1", "not", "X")
                WORD("4", "10 000", "NUM") "\n\n# empty\n\n" WORD("1", "#", "SYM"));
    assert_int_equal(bank.sentences, 2);
    assert_int_equal(bank.ranges, 1);
    assert_int_equal(bank.empty, 1);
    const struct treebank_sentence *one = &bank.sentence[0];
    assert_string_equal(one->text, "I do n't 10 000");
    assert_int_equal(one->words, 4);
    assert_int_equal(one->tokens, 5);
    const int32_t word[] = {0, 1, 2, 3, 3};
    assert_memory_equal(one->word, word, sizeof word);
    assert_string_equal(one->tag[1], "AUX");
    assert_string_equal(one->tag[3], "NUM");
    assert_int_equal(treebank_place(&bank, 0, 3).line, 8);
    assert_string_equal(bank.sentence[1].text, "#");
    assert_int_equal(treebank_place(&bank, 1, 0).line, 13);
    const struct treebank windows = read_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\r\n\r\n");
    assert_int_equal(windows.sentences, 1);
}

TEST(heads_relations_and_documents)
{
    const struct treebank bank =
        read_text("# newdoc id = a\n"
                  "1\tI\t_\tX\t_\t_\t2\tnsubj\t_\t_\n"
                  "2\tgo\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
                  "# newdocs = 2\n" WORD("1", "b", "X") "\n# newdoc\n" WORD("1", "c", "X"));
    assert_string_equal(bank.sentence[0].head[0], "2");
    assert_string_equal(bank.sentence[0].relation[1], "root");
    assert_string_equal(bank.sentence[1].head[0], "_");
    for (int i = 0; i < 3; i++) assert_int_equal(bank.sentence[i].document, 1 + i / 2);
}

/* If written words are read, a range is one word, and the syntactic words of the range are
 * skipped. */
TEST(written_words)
{
    const char *text = WORD("1-2", "Im", "_") WORD("1", "In", "ADP") WORD("2", "dem", "DET")
        WORD("3", "Haus", "NOUN") WORD("4-5", "zum", "_") WORD("4", "zu", "ADP")
            WORD("5", "der", "DET") "\n" WORD("1", "Ja", "INTJ");
    const struct treebank bank = treebank_read(&arena, put("w.conllu", text), true);
    assert_int_equal(bank.sentences, 2);
    assert_string_equal(bank.sentence[0].text, "Im Haus zum");
    assert_int_equal(bank.sentence[0].words, 3);
    assert_string_equal(bank.sentence[1].text, "Ja");
    EXPECT_DIE("w.conllu:2: word 2; expected word 1",
               treebank_read(
                   &arena, put("w.conllu", WORD("1-2", "Im", "_") WORD("2", "dem", "DET")), true));
}

TEST(a_file_that_is_no_treebank_is_refused)
{
    EXPECT_DIE("a.conllu:2: 8 columns between tabs; expected ten",
               read_text("# x\n1\ta\t_\tX\t_\t_\t_\t_\n"));
    EXPECT_DIE("a.conllu:1: 1 column between tabs", read_text("The cat sat.\n"));
    EXPECT_DIE("a.conllu:1: 11 columns", read_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\t_\n"));
    EXPECT_DIE("a.conllu:2: word 3; expected word 2",
               read_text(WORD("1", "a", "X") WORD("3", "b", "X")));
    EXPECT_DIE("a.conllu:1: \"one\" is not the number of a word", read_text(WORD("one", "a", "X")));
    EXPECT_DIE("a.conllu:1: \"1-\" is not the number of a word", read_text(WORD("1-", "a", "X")));
    EXPECT_DIE("a.conllu:1: the word has no form", read_text(WORD("1", " ", "X")));
    EXPECT_DIE("a.conllu: has no sentence", read_text("# nothing\n\n"));
    EXPECT_DIE("byte 1", read_text("\xff\n"));
}

static struct treebank read_lines(const char *tags)
{
    static const char *const sentence[] = {"a b", "c d e", ""};
    return treebank_of_lines(&arena, sentence, 3, "dev", arena_text(&arena, tags), strlen(tags),
                             "dev.tags");
}

TEST(a_line_of_tags_for_each_sentence)
{
    const struct treebank bank = read_lines("X  NUM\nDET\tADJ NOUN \n\n");
    assert_int_equal(bank.sentences, 3);
    assert_string_equal(bank.sentence[0].tag[1], "NUM");
    assert_string_equal(bank.sentence[1].tag[2], "NOUN");
    assert_int_equal(bank.sentence[2].words, 0);
    assert_int_equal(treebank_place(&bank, 1, 2).line, 2);
    EXPECT_DIE("dev.tags:2: 2 tags, but sentence 2 of dev has 3 tokens: c d e",
               read_lines("X X\nX X\n\n"));
    EXPECT_DIE("dev.tags:1: 1 tag, but sentence 1 of dev has 2 tokens: a b", read_lines("X\nX\n"));
    EXPECT_DIE("dev.tags: 2 lines of tags; expected a line for each of the 3 sentences of dev",
               read_lines("X X\nX X X\n"));
    EXPECT_DIE("dev.tags: 4 lines of tags", read_lines("X X\nX X X\n\nX\n"));
}

static void expect_numbers(const int32_t *got, const char *expected, int64_t count)
{
    const char *list = "";
    for (int64_t i = 0; i < count; i++)
        list = arena_print(&arena, "%s%s%d", list, i ? " " : "", got[i]);
    assert_string_equal(list, expected);
}

/* "abc" has three pieces, a@@ b@@ c. One of the three pieces of "a€b" is unknown. A rule replaces
 * "xy" by two words. Another rule removes `"`. */
TEST(pieces_know_their_word_and_class)
{
    made_put_all("abc b b\na abc abc\n", "x\ny\n");
    made_options.merges = 0; /* pieces are letters */
    struct corpus *corpus = made_prepare();
    const struct tokenized_reading reading = {
        .rules = rewrite_read(&arena, put("rules", "xy\ta b\n\"\t\n"))};
    const struct treebank bank = read_text(WORD("1", "abc", "NOUN") WORD("2", "a€b", "ADJ") WORD(
        "3", "\"", "PUNCT") "\n" WORD("1", "xy", "AUX") WORD("2", "b", "X"));
    const struct tagged_text *text =
        tagged_read(&arena, corpus, &reading, &bank, (struct tag_reading){0});
    assert_int_equal(text->split.sentences, 2);
    const int64_t *start = text->split.side[SIDE_SOURCE].start;
    assert_int_equal(start[1], 7);
    assert_int_equal(start[2], 11);
    assert_int_equal(text->split.longest[SIDE_SOURCE], 7);
    expect_numbers(text->word, "0 0 0 1 1 1 -1 3 3 4 -1", 11);
    expect_numbers(text->first, "0 3 5", 3);
    expect_numbers(text->pieces, "3 3 0 2 1", 5);
    const char *const class[] = {"NOUN", "ADJ", "SYM", "VERB", "X"};
    for (int w = 0; w < text->words; w++) assert_string_equal(text->name[text->class[w]], class[w]);
    /* In train, abc occurs three times and b twice. a€b, xy (a b) and the quote do not occur. */
    const int64_t frequency[] = {3, 0, 0, 0, 2};
    assert_memory_equal(text->frequency, frequency, sizeof frequency);
    assert_int_equal(text->lost, 1);
    assert_int_equal(text->read, 5); /* abc a€b a b b */
    assert_int_equal(text->unknown_words, 1);
    assert_int_equal(text->unknown_pieces, 1);
    assert_int_equal(text->all_pieces, 9);
}

static struct tagged_text *read_split(const struct corpus *corpus,
                                      const struct corpus_options *options, const char *tags)
{
    const struct split_text text = split_text_read(&arena, options, SPLIT_DEV);
    const struct treebank bank =
        treebank_of_lines(&arena, text.plain, text.sentences, "dev", arena_text(&arena, tags),
                          strlen(tags), "dev.tags");
    return tagged_split(&arena, corpus, SPLIT_DEV, &text, &bank, (struct tag_reading){0});
}

TEST(a_split_keeps_its_cut_sentences)
{
    made_put_all("ab c\na b\n", "x\ny\n");
    made_put("dev.xx", "abc  ab c\n\na€b\n");
    made_put("dev.yy", "x\ny\nz\n");
    made_options.merges = 0;
    made_options.max_length = 5; /* kept: a@@ b@@ c a@@ <eos> */
    struct corpus *corpus = made_prepare();
    const char *tags = "NOUN VERB ADJ\n\nX\n";
    const struct tagged_text *text = read_split(corpus, &made_options, tags);
    assert_int_equal(text->split.sentences, 3);
    expect_numbers(text->word, "0 0 0 1 -1 -1 3 3 3 -1", 10);
    expect_numbers(text->pieces, "3 1 0 3", 4);
    assert_int_equal(text->lost, 1);
    assert_int_equal(text->unknown_pieces, 2); /* train has no b@@, and no € */
    /* The text differs from the text that was prepared. */
    made_put("dev.xx", "abc  ab c\n\na€c\n");
    EXPECT_DIE("corpus.dev: its text differs from the text that the corpus was prepared from",
               read_split(corpus, &made_options, tags));
}

/* Tags of raw text belong to the tokens of sanlab's tokenizer, without joiners. */
TEST(tokens_of_raw_text_are_ours)
{
    made_put_all("Don't go.\ngo, go\n", "x\ny\n");
    made_options.text = CORPUS_RAW;
    made_options.merges = 0;
    made_options.dev_every = 2;
    made_options.part[SPLIT_DEV] = made_part("");
    struct corpus *corpus = made_prepare();
    const struct split_text text = split_text_read(&arena, &made_options, SPLIT_DEV);
    assert_int_equal(text.sentences, 1);
    assert_string_equal(text.plain[0], "go , go");
    const struct tagged_text *tagged = read_split(corpus, &made_options, "VERB PUNCT VERB\n");
    const int64_t pieces = tagged->split.side[SIDE_SOURCE].start[1];
    assert_int_equal(tagged->word[0], 0);
    assert_int_equal(tagged->word[pieces - 2], 2);
    assert_int_equal(tagged->word[pieces - 1], CORPUS_NO_WORD);
    assert_string_equal(tagged->name[tagged->class[1]], "SYM");
}

TEST(a_sentence_of_too_many_pieces_is_refused)
{
    made_put_all("a b\n", "x\n");
    made_options.merges = 0;
    struct corpus *corpus = made_prepare();
    const char *text = "";
    for (int i = 1; i <= 512; i++) text = arena_print(&arena, "%s%d\ta\t_\tX" REST, text, i);
    const struct treebank bank = read_text(text);
    const struct tokenized_reading plain = {0};
    EXPECT_DIE("a.conllu:1: a sentence of 513 pieces, <eos> included; expected at most 512",
               tagged_read(&arena, corpus, &plain, &bank, (struct tag_reading){0}));
}

EACH_TEST(made_begin);
