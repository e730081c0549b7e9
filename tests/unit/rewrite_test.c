/* Tests core/corpus/rewrite.h: the effect of rules on a line, refused files, and the rules in
 * experiments/rules. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "core/base/hash_table.h"
#include "core/corpus/rewrite.h"

static const struct rewrite_rules *rules_of(const char *text)
{
    return rewrite_read(&arena, here_put_bytes("a.tsv", text, strlen(text)));
}

/* Checks the rewritten line. `from` lists, for each of its tokens, the index of the source token,
 * for example "0 1 1". */
static void expect(const struct rewrite_rules *rules, const char *line, const char *text,
                   const char *from, int changed)
{
    const struct rewritten got = rewrite_line(&arena, rules, line, strlen(line));
    assert_string_equal(got.text, text);
    const char *list = "";
    for (int i = 0; i < got.words; i++)
        list = arena_print(&arena, "%s%s%d", list, i ? " " : "", got.from[i]);
    assert_string_equal(list, from);
    assert_int_equal(got.changed, changed);
}

TEST(tokens_become_others)
{
    const struct rewrite_rules *rules = rules_of("'\t&apos;\ndo n't\tdon 't\ngon na\tgonna\n"
                                                 "U.S.\tU . S .\na b c\tx y\num\t\n");
    expect(rules, "", "", "", 0);
    expect(rules, "none of it", "none of it", "0 1 2", 0);
    expect(rules, "I do n't '", "I don 't &apos;", "0 1 2 3", 3);
    expect(rules, "I 'm gon na go", "I 'm gonna go", "0 1 2 4", 2);
    expect(rules, "the U.S. is", "the U . S . is", "0 1 1 1 1 2", 1);
    expect(rules, "a b c d", "x y d", "0 0 3", 3);
    expect(rules, "a b d", "a b d", "0 1 2", 0);
    expect(rules, "um , um well um", ", well", "1 3", 3);
    expect(rules, "um", "", "", 1);
    /* Rules match whole tokens, in the same case. */
    expect(rules, "don't Do n't do", "don't Do n't do", "0 1 2 3", 0);
    expect(NULL, "do n't", "do n't", "0 1", 0);
}

TEST(the_longest_at_the_leftmost_applies_once)
{
    const struct rewrite_rules *rules = rules_of("a\tb\nb\ta\na a\tc\nc\tnever\nb a a\tlong\n");
    expect(rules, "a b", "b a", "0 1", 2);   /* replaced text is not rewritten again */
    expect(rules, "a a a", "c b", "0 2", 3); /* the leftmost pair */
    expect(rules, "b a a", "long", "0", 3);  /* longer than the match "b" */
    expect(rules, "a b a a", "b long", "0 1", 4);
    expect(rules, "a b a", "b a b", "0 1 2", 3);
}

TEST(a_rule_of_equal_sides_protects)
{
    const struct rewrite_rules *rules = rules_of("'\t\"\nthe boys '\tthe boys '\n");
    expect(rules, "' the boys '", "\" the boys '", "0 1 2 3", 1);
}

TEST(remarks_and_blanks)
{
    const struct rewrite_rules *rules = rules_of("\xEF\xBB\xBF# a remark\n\n#\n  \r\n#\tnumber\r\n"
                                                 "# 1\tfirst\n  x   y \t  z  \r\n\"\t''");
    expect(rules, "# 2 # 1 x y \"", "number 2 first z ''", "0 1 2 4 6", 6);
}

TEST(bad_files_are_refused)
{
    EXPECT_DIE("a.tsv:2: one field; expected the tokens of the text, a tab",
               rules_of("a\tb\na b\n"));
    EXPECT_DIE("a.tsv:1: one field", rules_of("#remark\n"));
    EXPECT_DIE("a.tsv:1: more than two fields; expected the tokens", rules_of("a\tb\tc\n"));
    EXPECT_DIE("a.tsv:1: more than two fields", rules_of("# a\tb\tc\n"));
    EXPECT_DIE("a.tsv:3: no tokens before the tab", rules_of("\n\n \tb\n"));
    EXPECT_DIE("a.tsv:4: a second rule for \"a b\", first in line 1",
               rules_of("a b\tc\nb\td\n\na  b\tc\n"));
    EXPECT_DIE("a.tsv:2: byte 3 ", rules_of("a\tb\nc\t\xff\n"));
    EXPECT_DIE("a.tsv:1: byte 4 is a NUL",
               rewrite_read(&arena, here_put_bytes("a.tsv", "a\tb\0c\n", 6)));
    EXPECT_DIE("none.tsv: cannot be read", rewrite_read(&arena, "none.tsv"));
}

TEST(files_are_found_by_their_names)
{
    const struct location location = {"grid.yaml", 3, 9};
    const char *file = here_put("a.tsv", "a\tb\n");
    const char *from = arena_print(&arena, "%s/grid.yaml", here);
    assert_string_equal(shipped_file(&arena, &rewrite_shipped, "a.tsv", from, location, "rules"),
                        file);
    EXPECT_DIE("grid.yaml:3:9: rules: there is no file ",
               shipped_file(&arena, &rewrite_shipped, "b.tsv", from, location, "rules"));
    EXPECT_DIE("grid.yaml:3:9: rules: there is no file of rules \"a\"; expected one of: none",
               shipped_file(&arena, &rewrite_shipped, "a", from, location, "rules"));
    const char *const *name = shipped_names(&arena, "experiments/rules", ".tsv");
    static const char *const known[] = {"english-function", "formulas-controlled", "formulas-words",
                                        "moses", "tatoeba"};
    for (size_t i = 0; i < COUNT_OF(known); i++) assert_string_equal(name[i], known[i]);
    assert_null(name[COUNT_OF(known)]);
}

TEST(the_rules_that_come_along)
{
    const struct rewrite_rules *rules = rewrite_read(&arena, "experiments/rules/tatoeba.tsv");
    expect(rules, "I do n't think they ca n’t , it ’s `` so '' .",
           "I don 't think they can 't , it 's \" so \" .", "0 1 2 3 4 5 6 7 8 9 10 11 12 13", 7);
    expect(rules, "Mr. J. Smith of the U.S. wo n't ...",
           "Mr . J . Smith of the U . S . won 't . . .", "0 0 1 1 2 3 4 5 5 5 5 6 7 8 8 8", 6);
    expect(rules, "“ Iraq ’ s ”", "\" Iraq 's \"", "0 1 2 4", 4);
    rules = rewrite_read(&arena, "experiments/rules/moses.tsv");
    expect(rules, "he does n't say \" A & B [ 3 ] ' s '",
           "he doesn &apos;t say &quot; A &amp; B &#91; 3 &#93; &apos;s &apos;",
           "0 1 2 3 4 5 6 7 8 9 10 11 13", 9);
    expect(rules, "the dog 's < 1 | 2 >", "the dog &apos;s &lt; 1 &#124; 2 &gt;", "0 1 2 3 4 5 6 7",
           4);
}

/* ---- real text ---- */

static struct hash_table *words_of(const char *path)
{
    struct hash_table *words = hash_table_new(&arena, 0);
    size_t bytes;
    char *text = file_read(&arena, path, 0, &bytes);
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        hash_table_at(words, word, strlen(word), 1);
    return words;
}

static int count_unknown(const struct hash_table *known, const char *text)
{
    int unknown = 0;
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        unknown += hash_table_get(known, text, length) == HASH_TABLE_ABSENT;
    }
    return unknown;
}

/* In each of the ten probing files, fewer words are unknown after the rules than before. */
TEST(fewer_words_are_unknown)
{
    static const char *const task[] = {"bigram_shift", "coordination_inversion", "obj_number",
                                       "odd_man_out",  "past_present",           "sentence_length",
                                       "subj_number",  "top_constituents",       "tree_depth",
                                       "word_content"};
    const char *data = test_data_folder();
    if (!data || !file_is_folder(arena_print(&arena, "%s/probing", data)))
        test_skip("no real data: set SANLAB_DATA to its folder");
    const struct hash_table *known =
        words_of(arena_print(&arena, "%s/parallel/tatoeba/train.en", data));
    const struct rewrite_rules *rules = rewrite_read(&arena, "experiments/rules/tatoeba.tsv");
    for (size_t t = 0; t < COUNT_OF(task); t++) {
        struct arena scratch = {0};
        size_t bytes;
        int lines, words[2] = {0}, unknown[2] = {0}, changed = 0;
        char *text =
            file_read(&scratch, arena_print(&arena, "%s/probing/%s.txt", data, task[t]), 0, &bytes);
        const char **line = file_cut_lines(&scratch, text, bytes, &lines);
        for (int i = 0; i < lines; i++) {
            const char *sentence = strrchr(line[i], '\t') + 1;
            for (int k = 0; k < 2; k++) {
                const struct rewritten now =
                    rewrite_line(&scratch, k ? rules : NULL, sentence, strlen(sentence));
                words[k] += now.words;
                unknown[k] += count_unknown(known, now.text);
                changed += now.changed;
            }
        }
        print_message("%-24s %7d tokens, unknown %5.2f%%; %4d changed: unknown %5.2f%%\n", task[t],
                      words[0], 100.0 * unknown[0] / words[0], changed,
                      100.0 * unknown[1] / words[1]);
        assert_true((double)unknown[1] / words[1] < (double)unknown[0] / words[0]);
        assert_true(changed > 0);
        arena_free(&scratch);
    }
}

EACH_TEST(here_open);
