/* Tests core/text/bpe. Codes, vocabularies and segmentations equal those of subword-nmt 0.3.8 for
 * the same text. scripts/compare/bpe.sh compares the two programs on whole corpora. */
#include "tests/support/test.h"

#include "core/text/bpe.h"
#include "core/text/pair_table.h"

static const char text[] = "the lower house on the newest street\n"
                           "ein Übermut tut selten gut , über alle Maßen\n"
                           "  low lower lowest newest newer  \n"
                           "\n"
                           "aaaaaaa aaaa aa ------ --- 日本語 日本 本\n"
                           "unbelievable 😀😀 über-über @@ a@@ the the\r\n";

/* Output of subword-nmt learn-joint-bpe-and-vocab -i text text -s 30. */
static const char codes[] =
    "#version: 0.2\na a\nw e\nb e\n- -\nt h\nth e</w>\nl o\nü be\nwe s\nwes t</w>\n"
    "we r</w>\nu t</w>\nn e\nübe r</w>\nne west</w>\nlo wer</w>\nl e</w>\ne n</w>\n"
    "aa aa\na a</w>\n@ @</w>\n😀 😀</w>\n本 語</w>\n日 本語</w>\n日 本</w>\nübe r\nüber -\n"
    "über- über</w>\nß en</w>\nÜ be\n";
static const char vocabulary[] =
    "e@@ 5\nthe 4\na@@ 4\ns@@ 3\nt@@ 3\nut 3\nl@@ 3\n--@@ 3\nlower 2\no@@ 2\nu@@ 2\nn 2\n"
    "newest 2\nr@@ 2\ni@@ 2\nle 2\nlo@@ 2\naa@@ 2\naa 2\n- 2\n@@ 2\nh@@ 1\ne 1\nt 1\n"
    "Übe@@ 1\nm@@ 1\nen 1\ng@@ 1\n, 1\nüber 1\nM@@ 1\nßen 1\nw 1\nwest 1\nne@@ 1\nwer 1\n"
    "aaaa@@ 1\na 1\n-@@ 1\n日本語 1\n日本 1\n本 1\nn@@ 1\nbe@@ 1\nv@@ 1\nb@@ 1\n😀😀 1\n"
    "über-über 1\n";

static const char input[] = "\tlowest  houses über the street , 日本語\n"
                            " \n"
                            "  newest-aaaaa  @@ a x 😀😀 \r\n"
                            "end";
static const char output[] =
    "\t@@ lo@@ west h@@ o@@ u@@ s@@ e@@ s über the s@@ t@@ r@@ e@@ e@@ t , 日本語\n"
    " \n"
    "  ne@@ wes@@ t@@ -@@ aaaa@@ a @@ a x 😀😀 \r\n"
    "e@@ n@@ d";
static const char output_of_five_merges[] =
    "\t@@ l@@ o@@ we@@ s@@ t h@@ o@@ u@@ s@@ e@@ s ü@@ be@@ r th@@ e s@@ t@@ r@@ e@@ e@@ t , 日@@ "
    "本@@ 語\n"
    " \n"
    "  n@@ e@@ we@@ s@@ t@@ -@@ aa@@ aa@@ a @@@ @ a x 😀@@ 😀 \r\n"
    "e@@ n@@ d";
/* Output of apply-bpe with --vocabulary vocabulary --vocabulary-threshold 3. */
static const char output_of_frequent_pieces[] =
    "\t@@ l@@ o@@ w@@ e@@ s@@ t h@@ o@@ u@@ s@@ e@@ s ü@@ b@@ e@@ r the s@@ t@@ r@@ e@@ e@@ t , "
    "日@@ 本@@ 語\n"
    " \n"
    "  n@@ e@@ w@@ e@@ s@@ t@@ -@@ a@@ a@@ a@@ a@@ a @@@ @ a x 😀@@ 😀 \r\n"
    "e@@ n@@ d";

/* Codes of version 0.1, with a repeated merge, and with symbols that several pairs form. */
static const char old_codes[] =
    "l o\nlo w\ne </w>\nt h\nth e</w>\nw e\nlo w\ne r</w>\nr </w>\ne r\ner </w>\n";
static const char old_input[] = "the lower low the e lowe er\n";
static const char old_output[] = "the low@@ er low the e low@@ e er\n";
static const char old_output_of_three_merges[] =
    "t@@ h@@ e low@@ e@@ r low t@@ h@@ e e low@@ e e@@ r\n";
static const char old_vocabulary[] = "lo@@ 5\nw 5\nw@@ 1\nth@@ 3\nl@@ 9\ne 2\n";
/* Output with --vocabulary-threshold 2. If "</w>" was a separate symbol, it leaves an empty
 * piece. */
static const char old_output_of_frequent_pieces[] =
    "th@@ e lo@@ w@@ e@@ r@@  low th@@ e e lo@@ w@@ e e@@ r@@ \n";

static char folder[512];

/* Writes `content` to a file of the test's folder. Returns its path, which is valid until the
 * fourth following call. */
static const char *file_with(const char *name, const char *content)
{
    static char path[4][600];
    static int turn;
    char *here = path[turn++ % 4];
    snprintf(here, sizeof path[0], "%s/%s", folder, name);
    if (content) put_text(here, content);
    return here;
}

static void expect_file(const char *path, const char *expected)
{
    assert_string_equal(file_read(&arena, path, 0, NULL), expected);
}

TEST(learns_what_subword_nmt_learns)
{
    const char *in = file_with("text", text), *inputs[] = {in, in};
    const char *vocabularies[] = {file_with("v1", NULL), file_with("v2", NULL)};
    const char *out = file_with("codes", NULL);
    struct bpe_learning options = {.merges = 30, .min_frequency = 2};
    assert_int_equal(bpe_learn_files(inputs, 2, &options, out, vocabularies), 30);
    expect_file(out, codes);
    expect_file(vocabularies[0], vocabulary);
    expect_file(vocabularies[1], vocabulary);
}

TEST(stops_at_the_minimum_frequency)
{
    const char *in = file_with("text", "abc abc ab\nxyz\n"), *out = file_with("codes", NULL);
    struct bpe_learning options = {.merges = 100, .min_frequency = 2};
    assert_int_equal(bpe_learn_files(&in, 1, &options, out, NULL), 2);
    expect_file(out, "#version: 0.2\nb c</w>\na bc</w>\n");
    options.min_frequency = 3;
    assert_int_equal(bpe_learn_files(&in, 1, &options, out, NULL), 0);
    expect_file(out, "#version: 0.2\n");
    options = (struct bpe_learning){.merges = 8, .min_frequency = 1, .total_symbols = true};
    /* 8 symbols are 4 characters within words (a b x y), 3 final characters (c b z) and 1 merge */
    assert_int_equal(bpe_learn_files(&in, 1, &options, out, NULL), 1);
}

/* When a table grows, it keeps its entries, and also the entry that causes the growth. */
TEST(a_pair_table_grows)
{
    enum { PAIRS = 5000 };
    struct pair_table table = {0};
    pair_table_clear(&table, 0);
    for (int32_t i = 0; i < PAIRS; i++) assert_int_equal(*pair_table_at(&table, i % 70, i, i), i);
    for (int32_t i = 0; i < PAIRS; i++) assert_int_equal(pair_table_get(&table, i % 70, i), i);
    assert_int_equal(*pair_table_at(&table, 5, 5, 1), 5);
    assert_int_equal(pair_table_get(&table, 6, 5), PAIR_ABSENT);
    pair_table_close(&table);
}

/* Ties of frequency are broken in favor of the larger pair. A string is larger than its prefix, for
 * example "b</w>" than "b". */
TEST(ties_are_broken_by_text)
{
    const char *in = file_with("text", "abc abd ab ab\n"), *out = file_with("codes", NULL);
    const struct bpe_learning options = {.merges = 9, .min_frequency = 2};
    assert_int_equal(bpe_learn_files(&in, 1, &options, out, NULL), 2);
    expect_file(out, "#version: 0.2\na b</w>\na b\n");
}

/* The symbol "c</w>" is the end of "bc", or the merge of "c" and "</w>" within a word. The pair "b
 * c</w>" is merged first. After the merge of "c </w>", the pair occurs again in the 3 words
 * "bc</w>x". It is not merged again, because 3 is below the minimum frequency of 4. */
TEST(what_was_merged_is_counted_anew)
{
    static const struct {
        const char *word;
        int times;
    } words[] = {{"w>p", 30},   {"w>q", 31},    {"/w>r", 25},   {"/w>s", 26}, {"</w>t", 20},
                 {"</w>u", 21}, {"c</w>v", 15}, {"c</w>k", 16}, {"bc", 300},  {"bc</w>x", 3}};
    const char *all = "";
    for (size_t w = 0; w < COUNT_OF(words); w++)
        for (int i = 0; i < words[w].times; i++)
            all = arena_print(&arena, "%s%s\n", all, words[w].word);
    const char *in = file_with("text", all), *out = file_with("codes", NULL);
    const struct bpe_learning options = {.merges = 100, .min_frequency = 4};
    assert_int_equal(bpe_learn_files(&in, 1, &options, out, NULL), 13);
    expect_file(
        out, "#version: 0.2\nb c</w>\nw >\n/ w>\n< /w>\nc </w>\nw> q</w>\n"
             "w> p</w>\n/w> s</w>\n/w> r</w>\n</w> u</w>\n</w> t</w>\nc</w> k</w>\nc</w> v</w>\n");
}

/* Applies the codes with the streaming function, which uses bpe_apply_line. */
static void expect_output(struct bpe *bpe, const char *in, const char *expected)
{
    FILE *from = fmemopen((void *)(uintptr_t)in, strlen(in), "r");
    assert_string_equal(PRINTED(bpe_apply_stream(bpe, from, "input", out)), expected);
    fclose(from);
}

TEST(applies_as_subword_nmt_applies)
{
    struct bpe *bpe = bpe_read(file_with("codes", codes), BPE_ALL_MERGES);
    expect_output(bpe, input, output);
    bpe_read_vocabulary(bpe, file_with("vocabulary", vocabulary), 3);
    expect_output(bpe, input, output_of_frequent_pieces);
    bpe_read_vocabulary(bpe, file_with("vocabulary", vocabulary),
                        1000); /* no piece is so frequent: the vocabulary is ignored */
    expect_output(bpe, input, output);
    bpe_free(bpe);
    bpe = bpe_read(file_with("codes", codes), 5);
    expect_output(bpe, input, output_of_five_merges);
    bpe_free(bpe);
    bpe = bpe_read(file_with("codes", codes), 0);
    expect_output(bpe, "ab c", "a@@ b c");
    bpe_free(bpe);
}

TEST(reads_version_0_1)
{
    struct bpe *bpe = bpe_read(file_with("codes", old_codes), BPE_ALL_MERGES);
    expect_output(bpe, old_input, old_output);
    bpe_read_vocabulary(bpe, file_with("vocabulary", old_vocabulary), 2);
    expect_output(bpe, old_input, old_output_of_frequent_pieces);
    const struct bpe_piece *piece; /* pieces of version 0.1 also have positions */
    assert_int_equal(bpe_split(bpe, "er", 2, &piece), 2);
    assert_int_equal(piece[1].begin, 1);
    assert_int_equal(piece[1].end, 2);
    bpe_free(bpe);
    bpe = bpe_read(file_with("codes", old_codes), 3);
    expect_output(bpe, old_input, old_output_of_three_merges);
    bpe_free(bpe);
}

/* Two pairs form "abc</w>": "ab c</w>", and later "a bc</w>". The first pair is repeated at the
 * end, and therefore subword-nmt undoes the merge of the second pair. A word of one character has
 * no merge that could be undone. */
TEST(undoes_the_merge_that_subword_nmt_undoes)
{
    static const char twice[] = "#version: 0.2\nab c</w>\na b\nb c</w>\na bc</w>\nab c</w>\n";
    struct bpe *bpe = bpe_read(file_with("codes", twice), BPE_ALL_MERGES);
    expect_output(bpe, "abc", "abc");
    bpe_read_vocabulary(bpe, file_with("vocabulary", "a@@ 1\nab@@ 1\nbc 1\nc 1\n"), 1);
    expect_output(bpe, "abc", "a@@ bc");
    bpe_free(bpe);
    bpe = bpe_read(file_with("codes", "#version: 0.1\na </w>\n"), BPE_ALL_MERGES);
    bpe_read_vocabulary(bpe, file_with("vocabulary", "b 1\n"), 1);
    expect_output(bpe, "a ba", "a b@@ a@@ ");
    bpe_free(bpe);
}

/* The final symbol "e</w>" has the same text as the merge of "e<" and "/w>". If the vocabulary
 * lacks "e</w>", this merge is not undone, because it did not form the symbol. */
TEST(a_final_piece_is_not_its_spelling)
{
    static const char spelled[] = "#version: 0.2\ne< /w>\nx e</w>\n";
    struct bpe *bpe = bpe_read(file_with("codes", spelled), BPE_ALL_MERGES);
    bpe_read_vocabulary(bpe, file_with("vocabulary", "q 1\n"), 1);
    expect_output(bpe, "ae xe be", "a@@ e x@@ e b@@ e");
    bpe_free(bpe);
}

/* A byte order mark belongs to no merge or piece. */
TEST(skips_a_byte_order_mark)
{
    struct bpe *bpe = bpe_read(file_with("codes", "\xEF\xBB\xBF#version: 0.2\na b</w>"), -1);
    assert_int_equal(bpe_merges(bpe), 1);
    expect_output(bpe, "ab ac", "ab a@@ c");
    bpe_read_vocabulary(bpe, file_with("vocabulary", "\xEF\xBB\xBFx 9\n"), 1);
    expect_output(bpe, "ab x", "a@@ b x");
    bpe_free(bpe);
    bpe = bpe_read(file_with("codes", "#version: 0.2\na b</w>\n\n\n"), BPE_ALL_MERGES);
    assert_int_equal(bpe_merges(bpe), 1);
    bpe_free(bpe);
}

TEST(pieces_cover_the_word)
{
    struct bpe *bpe = bpe_read(file_with("codes", codes), BPE_ALL_MERGES);
    const struct bpe_piece *piece;
    assert_int_equal(bpe_split(bpe, "lowest", 6, &piece), 2);
    assert_int_equal(piece[0].begin, 0);
    assert_int_equal(piece[0].end, 2);
    assert_int_equal(piece[1].begin, 2);
    assert_int_equal(piece[1].end, 6);
    /* Segmentation takes n log n steps. With n^2 steps, a word of a million characters would not
     * finish. */
    enum { LONG = 1000001 };
    char *word = heap_alloc(LONG);
    memset(word, 'a', LONG);
    assert_int_equal(bpe_split(bpe, word, LONG, &piece), LONG / 4 + 1);
    for (int i = 0; i <= LONG / 4; i++) assert_int_equal(piece[i].begin, 4 * i);
    free(word);
    bpe_free(bpe);
}

TEST(undoes_what_was_applied)
{
    struct bpe *bpe = bpe_read(file_with("codes", codes), BPE_ALL_MERGES);
    const char line[] = "the newest house , über alle Maßen 日本語";
    struct buffer pieces = {0}, back = {0};
    bpe_apply_line(bpe, line, strlen(line), &pieces);
    assert_true(pieces.bytes > strlen(line));
    bpe_undo_line(pieces.text, pieces.bytes, &back);
    assert_int_equal(back.bytes, strlen(line));
    assert_memory_equal(back.text, line, back.bytes);
    buffer_clear(&back);
    bpe_undo_line("ab@@ c@@d e@@", 13, &back);
    assert_int_equal(back.bytes, 8);
    assert_memory_equal(back.text, "abc@@d e", 8);
    buffer_free(&pieces);
    buffer_free(&back);
    bpe_free(bpe);
}

TEST(refuses_bad_files)
{
    struct bpe_learning options = {.merges = 5, .min_frequency = 2};
    const char *bad = file_with("bad", "good line\nb\xC3ses\n");
    EXPECT_DIE("/bad:2: byte 2 (0xc3) is not valid UTF-8",
               bpe_learn_files(&bad, 1, &options, file_with("codes", NULL), NULL));
    EXPECT_DIE("/c:3: expected a merge: two symbols",
               bpe_read(file_with("c", "#version: 0.2\na b\na b c\n"), BPE_ALL_MERGES));
    EXPECT_DIE("/c:1: expected a merge: two symbols",
               bpe_read(file_with("c", "a\n"), BPE_ALL_MERGES));
    EXPECT_DIE("/c:1: \"#version: 0.3\"; expected \"#version: 0.2\" or \"#version: 0.1\"",
               bpe_read(file_with("c", "#version: 0.3\n"), BPE_ALL_MERGES));
    EXPECT_DIE("/c:1: \"#version 0.2\"; expected \"#version: 0.2\"",
               bpe_read(file_with("c", "#version 0.2\na b</w>\n"), BPE_ALL_MERGES));
    struct bpe *bpe = bpe_read(file_with("codes", codes), BPE_ALL_MERGES);
    EXPECT_DIE("/v:2: expected a piece, a blank and its count",
               bpe_read_vocabulary(bpe, file_with("v", "a 1\nb 2x\n"), 1));
    EXPECT_DIE("input:2: byte 1 (0xff)", expect_output(bpe, "a\n\xFF\n", ""));
    bpe_free(bpe);
}

AT_START(snprintf(folder, sizeof folder, "%s", test_folder("bpe")));
