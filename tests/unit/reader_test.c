/* Tests core/corpus/reader.h: text formats of evaluation campaigns. Also tests the presets for the
 * data of the papers, with small files that this test writes. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/corpus/corpus_pairs.h"
#include "tests/support/made_corpus.h"

/* ---- one side ---- */

/* Reads a file that contains `text`. Returns "LINE[ID]:TEXT" for each sentence, separated by '|'.
 * *markup is set to the number of lines that are only markup. */
static const char *read_as(const char *text, struct reader_layout layout, int *markup)
{
    made_put("f", text);
    struct reader reader;
    struct sentence sentence;
    reader_open(&reader, arena_print(&arena, "%s/f", made_text), layout);
    const char *all = "";
    while (reader_next(&reader, &sentence))
        all = arena_print(&arena, "%s%s%d%s%s%s:%.*s", all, *all ? "|" : "", sentence.line,
                          sentence.id ? "[" : "", sentence.id ? sentence.id : "",
                          sentence.id ? "]" : "", (int)sentence.bytes, sentence.text);
    if (markup) *markup = reader.markup;
    reader_close(&reader);
    return all;
}

TEST(lines_are_read)
{
    const struct reader_layout lines = {.format = READER_LINES};
    assert_string_equal(read_as("", lines, NULL), "");
    assert_string_equal(read_as("\n", lines, NULL), "1:");
    assert_string_equal(read_as("\xEF\xBB\xBF"
                                "a b\n\nc",
                                lines, NULL),
                        "1:a b|2:|3:c");
}

TEST(tagged_lines_are_read)
{
    const struct reader_layout tagged = {.format = READER_TAGGED};
    int markup;
    assert_string_equal(
        read_as("<url>http://x.y/z</url>\n"
                "<keywords>talks, more</keywords>\n"
                "<speaker>A. B.</speaker>\n<talkid>1</talkid>\n"
                "<title>A. B.: A talk</title>\n"
                "<description>  What it says. </description>\r\n"
                " First sentence. \n\n"
                "<reviewer href=\"x\">C</reviewer>\n"
                "<applause> is text\n"
                "x < y\n",
                tagged, &markup),
        "5:A. B.: A talk|6:What it says.|7:First sentence.|8:|10:<applause> is text|"
        "11:x < y");
    assert_int_equal(markup, 5);
    EXPECT_DIE("/f:2: <title> does not end in </title>: expected both in one line",
               read_as("a\n<title>b\n", tagged, NULL));
}

TEST(segments_are_read)
{
    const struct reader_layout segments = {.format = READER_SEGMENTS};
    assert_string_equal(
        read_as("<srcset setid=\"s\" srclang=\"any\">\n"
                "<DOC sysid='ref' docid=\"news-1\" genre=\"news\">\n<hl>\n"
                "<seg id=\"1\">Head &amp; line</seg>\n</hl>\n<p>\n"
                "<SEG id=\"2\"> AT&T &lt;b&gt; &quot;&#8364;&#x20ac;&apos; &nbsp; &#0; </SEG>\n"
                "</p>\n</DOC>\n"
                "<doc docid=two><seg id=1>over\nlines</seg><seg id='2'></seg></doc>\n</srcset>\n",
                segments, NULL),
        "4[news-1 1]:Head & line|7[news-1 2]: AT&T <b> \"€€' &nbsp; &#0; |"
        "10[two 1]:over lines|11[two 2]:");
    assert_string_equal(read_as("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mteval>\n"
                                "<refset setid=\"s\"><doc docid=\"69\" genre=\"lectures\">\n"
                                "<title>not text</title>\n<seg id=\"1\"> One. </seg>\n"
                                "</doc></refset></mteval>",
                                segments, NULL),
                        "5[69 1]: One. ");
    EXPECT_DIE("/f: no <seg> found: expected a test set in SGML or XML",
               read_as("plain text\n", segments, NULL));
    EXPECT_DIE("/f:2: this <seg> has no </seg>",
               read_as("<doc docid=a>\n<seg id=1>a\n<seg id=2>b</seg>", segments, NULL));
    EXPECT_DIE("/f:1: this <seg> has no </seg>", read_as("<seg id=1>a", segments, NULL));
    EXPECT_DIE("/f:1: this <seg> has no id: expected <seg id=\"...\">",
               read_as("<seg>a</seg>", segments, NULL));
    EXPECT_DIE("/f:2: a tag does not end in '>'", read_as("\n<doc docid=", segments, NULL));
}

TEST(fields_are_read)
{
    static const char five[] =
        "0.9 ||| ID-1 ||| 1 ||| は |い ||| yes\n0.8 ||| ID-2 ||| 3 |||  ||| no";
    struct reader_layout fields = {.format = READER_FIELDS, .separator = "|||", .field = -2};
    assert_string_equal(read_as(five, fields, NULL), "1:は |い|2:");
    fields.field = -1;
    assert_string_equal(read_as(five, fields, NULL), "1:yes|2:no");
    fields.field = 2;
    assert_string_equal(read_as(five, fields, NULL), "1:ID-1|2:ID-2");
    fields.separator = "\t";
    assert_string_equal(read_as("a\tb c\n\t\n", fields, NULL), "1:b c|2:");
    EXPECT_DIE("/f:2: 3 fields, expected 2 as in the lines before",
               read_as("a\tb\na\tb\tc\n", fields, NULL));
    EXPECT_DIE("/f:1: 1 fields, expected at least 2: field 2 is a sentence",
               read_as("a\n", fields, NULL));
    fields.field = -3;
    EXPECT_DIE("/f:1: 2 fields, expected at least 3: field -3 is a sentence",
               read_as("a\tb\n", fields, NULL));
}

/* ---- both sides ---- */

static struct texts parts(const char *a, const char *b)
{
    struct texts two = {2, ARENA_ARRAY(&arena, const char *, 2),
                        ARENA_ARRAY(&arena, struct location, 2)};
    two.text[0] = a;
    two.text[1] = b;
    return two;
}

TEST(parts_follow_each_other)
{
    made_put_all("a\n", "b\n");
    made_put("one.xx", "first\nsecond\n");
    made_put("one.yy", "erster\nzweiter\n");
    made_put("two-src.xx.txt", "third");
    made_put("two-ref.yy.txt", "dritter");
    made_options.part[SPLIT_TRAIN] = parts("one", "two-{src.xx|ref.yy}.txt");
    const struct corpus_sources sources = corpus_sources(&made_options, &arena, NULL);
    assert_int_equal(sources.inputs, 8);
    assert_string_equal(sources.input[0].name, "train.source");
    assert_string_equal(sources.input[2].name, "train.source.2");
    assert_string_equal(sources.input[3].name, "train.target.2");
    assert_string_equal(sources.input[3].path, "two-ref.yy.txt");
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 3);
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 2), "third");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 2), "dritter");
    assert_int_equal(made_described("splits.train.lines"), 3);

    static const char *const bad[] = {"a{b", "a{b}", "a{b|c|d}", "a}{b|c"};
    for (volatile size_t i = 0; i < COUNT_OF(bad); i++) {
        made_options.part[SPLIT_TRAIN] = made_part(bad[i]);
        if (i == 3) made_options.part[SPLIT_TRAIN] = parts("one", "x{|");
        EXPECT_DIE("expected {SOURCE|TARGET} in the path, or no brace", made_prepare());
    }
}

TEST(every_nth_pair_is_held_out)
{
    made_put_all("a\na b\n\na b b\na\nb\nb a\nb\n", "a\nb\nx\na a\nb\na\nb b\na\n");
    made_options.part[SPLIT_DEV] = made_part("");
    made_options.dev_every = 3; /* every third pair that is not dropped */
    struct corpus *corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 5);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 2);
    assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_SOURCE, 0), "a b b");
    assert_string_equal(made_text_of(corpus, SPLIT_DEV, SIDE_TARGET, 1), "b b");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "a b");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 2), "a");
    assert_int_equal(made_described("splits.train.held_out"), 2);
    assert_int_equal(made_described("splits.train.dropped.empty"), 1);
    assert_true(corpus_has_split(&made_options, SPLIT_DEV));

    made_options.limit[SPLIT_DEV] = 1; /* a held-out pair that dev does not need is in no split */
    corpus = made_prepare();
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 5);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 1);
    made_options.limit[SPLIT_DEV] = 0;

    made_options.dev_every = 8;
    EXPECT_DIE("corpus.dev_every: 8 leaves no pair for validation, because train keeps 7 pairs",
               made_prepare());
    made_options.dev_every = 1;
    EXPECT_DIE("corpus.dev_every: 1 leaves nothing for train", made_prepare());
    made_options.part[SPLIT_DEV] = made_part("dev");
    EXPECT_DIE("corpus.dev and corpus.dev_every are both given", made_prepare());
}

TEST(long_and_uneven_pairs_leave_train_alone)
{
    made_put_all("a b c d\na b c\na b\na\n", "a b c\na b c\na b c\na b\n");
    made_options.train_max_words = 3;
    made_options.train_max_ratio = 1.5;
    struct corpus *corpus = made_prepare();
    /* Two pairs are kept, with 3:3 and 2:3 words. */
    assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, 2);
    assert_int_equal(made_described("splits.train.dropped.words"), 1);
    assert_int_equal(made_described("splits.train.dropped.ratio"), 1);
    assert_int_equal(corpus->split[SPLIT_DEV].sentences, 4);
    assert_int_equal(made_described("splits.dev.dropped.words"), 0);
    made_options.train_max_ratio = .5;
    EXPECT_DIE("corpus.train_max_ratio: expected 0 or at least 1", made_prepare());
}

TEST(segments_must_correspond)
{
    made_put_all("a\n", "a\n");
    made_put("test.xx", "<doc docid=d><seg id=1>a</seg>\n<seg id=2>b</seg></doc>\n");
    made_put("test.yy", "<doc docid=d><seg id=1>c</seg>\n<seg id=2>d</seg></doc>\n");
    made_options.format[SPLIT_TEST] = READER_SEGMENTS;
    struct corpus *corpus = made_prepare();
    assert_string_equal(made_text_of(corpus, SPLIT_TEST, SIDE_SOURCE, 1), "<unk>");
    made_put("test.yy", "<doc docid=d><seg id=1>c</seg>\n<seg id=3>d</seg></doc>\n");
    EXPECT_DIE("test.yy:2: segment \"d 3\", but build/tmp/reader_test.corpus_text/test.xx:2 has "
               "\"d 2\": expected the same document and id",
               made_prepare());
    made_put("test.yy", "<doc docid=e><seg id=1>c</seg>\n<seg id=2>d</seg></doc>\n");
    EXPECT_DIE("test.yy:1: segment \"e 1\"", made_prepare());
    made_put("test.yy", "<doc docid=d><seg id=1>c</seg></doc>\n");
    EXPECT_DIE("corpus.test: build/tmp/reader_test.corpus_text/test.xx has 2 segments, but "
               "build/tmp/reader_test.corpus_text/test.yy has 1:",
               made_prepare());
    made_options.format[SPLIT_TEST] = READER_TAGGED;
    made_put("test.xx", "<title>a</title>\nb\nc\n");
    made_put("test.yy", "<url>u</url>\n<title>a</title>\nb\n");
    EXPECT_DIE("test.xx has 3 lines of text, but build/tmp/reader_test.corpus_text/test.yy has 2",
               made_prepare());
}

TEST(fields_must_be_two)
{
    made_put_all("a\n", "a\n");
    made_put("both", "1\ta\tb\n2\tc\td\n");
    made_options.part[SPLIT_TRAIN] = made_part("both");
    made_options.format[SPLIT_TRAIN] = READER_FIELDS;
    made_options.separator = "\t";
    const struct corpus_sources sources = corpus_sources(&made_options, &arena, NULL);
    assert_int_equal(sources.inputs, 5);
    assert_string_equal(sources.input[0].name, "train.both");
    struct corpus *corpus = made_prepare();
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 1), "c");
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 1), "d");
    made_options.field[SIDE_SOURCE] = -1;
    EXPECT_DIE("corpus.source_field -1, target_field -1: expected two fields", made_prepare());
    made_options.field[SIDE_SOURCE] = -2;
    made_options.separator = "";
    EXPECT_DIE("corpus.separator is empty", made_prepare());
}

TEST(segmented_text_is_joined)
{
    made_put_all("我 爱 北京 ， 2017 年 。\n我爱北京，2017年。\n", "I love it .\nI love it.\n");
    made_options.text = CORPUS_RAW;
    made_options.segmented = true;
    struct corpus *corpus = made_prepare();
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_SOURCE, 0), "我爱北京，2017年。");
    const struct side *side = &corpus->split[SPLIT_TRAIN].side[SIDE_SOURCE];
    assert_int_equal(side->start[1], side->start[2] - side->start[1]);
    assert_memory_equal(side->token, side->token + side->start[1],
                        (size_t)side->start[1] * sizeof *side->token);
    assert_string_equal(made_text_of(corpus, SPLIT_TRAIN, SIDE_TARGET, 0), "I love it .");
    int count;
    int32_t *id = corpus_encode(&arena, corpus, SIDE_SOURCE, "我爱 北京， 2017年。", &count);
    assert_int_equal(count, side->start[1]);
    assert_memory_equal(id, side->token, (size_t)count * sizeof *id);
    made_options.text = CORPUS_TOKENS;
    EXPECT_DIE("corpus.segmented: true needs corpus.text: raw", made_prepare());
}

/* ---- presets of the papers' data ---- */

enum { WRITTEN = 30 }; /* number of sentences in each file that is written here */

/* Returns sentence i of a file, in the script of the language. No two files have the same
 * sentences. */
static const char *sentence_text(const char *language, int file, int i)
{
    static const char *const han[] = {"我", "你", "们", "好", "的", "是"};
    const char *a = han[i % 6], *b = han[(i + file) % 6];
    bool ideographs = !strcmp(language, "zh") || !strcmp(language, "ja");
    return ideographs ? arena_print(&arena, "%s%s、%d-%d。", a, b, file, i)
                      : arena_print(&arena, "The word %d of %d.", i, file);
}

/* Returns the text of one file in the format of its campaign. */
static const char *file_text(const struct corpus_options *options, enum reader_format format,
                             enum split_name split, enum side_name side, int file)
{
    const char *language[SIDES] = {options->source, options->target}, *all = "";
    if (format == READER_TAGGED) all = "<url>u</url>\n<keywords>k</keywords>\n<talkid>1</talkid>\n";
    if (format == READER_SEGMENTS)
        all = side == SIDE_SOURCE ? "<srcset setid=\"t\" srclang=\"any\">\n<doc docid=\"d\">\n<p>\n"
                                  : "<refset setid=\"t\" trglang=\"en\">\n<doc docid=\"d\">\n<p>\n";
    for (int i = 0; i < WRITTEN; i++) {
        const char *text = sentence_text(language[side], file, i);
        if (format == READER_SEGMENTS)
            text = arena_print(&arena, "<seg id=\"%d\">%s</seg>", i + 1, text);
        if (format == READER_FIELDS)
            text = arena_print(&arena, "%sD-%d ||| %d ||| %s ||| %s",
                               split == SPLIT_TRAIN ? "0.5 ||| " : "", i, i, text,
                               sentence_text(language[SIDE_TARGET], file, i));
        if (format == READER_TAGGED && i < 2)
            text = arena_print(&arena, i ? "<description>%s</description>" : "<title>%s</title>",
                               text);
        all = arena_print(&arena, "%s%s\n", all, text);
    }
    return format == READER_SEGMENTS ? arena_print(&arena, "%s</p>\n</doc>\n", all) : all;
}

static void put_path(const char *path, const char *text)
{
    char *folder = arena_print(&arena, "%s/%s", made_text, path);
    *strrchr(folder, '/') = 0;
    file_make_folder(folder);
    made_put(path, text);
}

TEST(presets_read_what_campaigns_hand_out)
{
    static const struct {
        const char *name, *file; /* a file that must be among the inputs */
        int inputs, train, dev, test, markup;
    } preset[] = {
        {"iwslt14-de-en", "iwslt14/de-en/IWSLT14.TED.tst2012.de-en.en.xml", 10, 29, 1, 120, 6},
        {"wmt14-en-de", "wmt14/test-full/newstest2014-deen-ref.de.sgm", 10, 90, 30, 30, 0},
        {"wmt17-zh-en", "wmt17/cwmt/datum2017/Book20_cn.txt", 56, 780, 30, 30, 0},
        {"wat17-ja-en", "wat17/ASPEC/ASPEC-JE/train/train-2.txt", 4, 60, 30, 30, 0},
    };
    for (size_t p = 0; p < COUNT_OF(preset); p++) {
        made_options = (struct corpus_options){0};
        const char *path = arena_print(&arena, "experiments/corpora/%s.yaml", preset[p].name);
        section_read(&corpus_section, tree_find(tree_read(&arena, path), "corpus"), &made_options,
                     &arena);
        struct corpus_sources sources = corpus_sources(&made_options, &arena, NULL);
        assert_int_equal(sources.inputs, preset[p].inputs);
        const char *missing = corpus_missing(&made_options, &sources, &arena);
        assert_non_null(missing);
        assert_non_null(strstr(missing, made_options.origin));
        assert_null(strchr(missing, '\n'));

        bool there = false;
        for (int i = 0; i < sources.parts; i++)
            for (int side = 0; side < SIDES; side++) {
                const struct corpus_part *part = &sources.part[i];
                there |= !strcmp(part->side[side]->path, preset[p].file);
                if (side && part->side[1] == part->side[0]) continue;
                put_path(part->side[side]->path,
                         file_text(&made_options, made_options.format[part->split], part->split,
                                   side, i));
            }
        assert_true(there);
        struct corpus *corpus = made_prepare();
        assert_int_equal(corpus->split[SPLIT_TRAIN].sentences, preset[p].train);
        assert_int_equal(corpus->split[SPLIT_DEV].sentences, preset[p].dev);
        assert_int_equal(corpus->split[SPLIT_TEST].sentences, preset[p].test);
        assert_int_equal(made_described("splits.train.markup"), preset[p].markup);
        assert_string_equal(corpus_bleu_tokenizer(corpus), "13a");
        int file = sources.parts - 1, count;
        const char **reference = corpus_reference(&arena, corpus, SPLIT_TEST, 0, &count);
        const char *expected = sentence_text(made_options.target, file, WRITTEN - 1);
        if (made_options.lowercase) expected = arena_print(&arena, "the%s", expected + 3);
        assert_string_equal(reference[count - 1], expected);
        assert_string_equal(made_text_of(corpus, SPLIT_TEST, SIDE_SOURCE, count - 1),
                            made_options.lowercase
                                ? expected
                                : sentence_text(made_options.source, file, WRITTEN - 1));
    }
}

EACH_TEST(made_begin);
