/* Tests the makers of tasks, probes/make_*. Each maker selects sentences of a small text and labels
 * them. The expected sentences and labels were found by hand. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "probes/task_makers.h"

/* Requested lines of the training split (tr). A label needs FEW / 2 = 10 candidates for tr, because
 * 10 is less than TASK_DRAFT_LEAST. Validation (va) and test (te) need a tenth of 10, 1 candidate
 * each. So a label needs 12 candidates. */
enum { FEW = 20 };

/* ---- helpers ---- */

static struct task_lines lines;
static struct task_material from;

/* Reads a text into `lines`. Also reads its treebank, unless `bank` is NULL. */
static void read_text(const char *text, const char *bank)
{
    lines = task_lines_read(&arena, here_put("t.txt", text), false);
    from = (struct task_material){.lines = &lines};
    if (bank) from.tree = task_trees_read(&arena, &lines, here_put("t.conllu", bank));
}

static struct task_draft made(task_maker *make, uint32_t seed)
{
    struct task_draft draft = task_draft_new(&arena, "Task", seed, FEW);
    make(&draft, &from);
    return draft;
}

/* Returns the label of the candidate with this text; NULL if there is none. */
static const char *label_of(const struct task_draft *draft, const char *text)
{
    for (int i = 0; i < draft->candidates; i++)
        if (!strcmp(draft->candidate[i].text, text)) return draft->label[draft->candidate[i].label];
    return NULL;
}

static void is_labeled(const struct task_draft *draft, const char *text, const char *label)
{
    const char *found = label_of(draft, text);
    if (!label && found) fail_msg("\"%s\" is %s, expected none", text, found);
    if (label && (!found || strcmp(found, label) != 0))
        fail_msg("\"%s\" is %s, expected %s", text, found ? found : "none", label);
}

/* Returns the treebank with one more line of CoNLL-U, for one word. A blank line precedes word 1,
 * except in the first sentence. */
static const char *word(const char *bank, int number, const char *form, const char *tag,
                        const char *features, int head, const char *relation)
{
    return arena_print(&arena, "%s%s%d\t%s\t_\t%s\t_\t%s\t%d\t%s\t_\t_\n", bank,
                       number == 1 && *bank ? "\n" : "", number, form, tag, features, head,
                       relation);
}

/* ---- text ---- */

TEST(sentences_are_lines_of_5_to_28_tokens)
{
    read_text("a b c d\n"
              "a b  c\td e\r\n"
              "a b c d e\n"
              "\n"
              "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28\n"
              "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29\n"
              "日本 語 の 文 。　ok",
              NULL);
    assert_int_equal(lines.lines, 7);
    assert_int_equal(lines.sentences, 3);
    assert_int_equal(lines.shorter, 2);
    assert_int_equal(lines.longer, 1);
    assert_int_equal(lines.twice, 1);
    assert_string_equal(lines.sentence[0].text, "a b c d e");
    assert_int_equal(lines.sentence[0].line, 1);
    assert_int_equal(lines.sentence[2].words, 6); /* U+3000, a wide blank, separates tokens */
    assert_string_equal(lines.word[lines.sentence[2].word[5]], "ok");
    assert_int_equal(lines.count[lines.sentence[0].word[0]], 1);
}

TEST(raw_text_is_tokenized)
{
    lines =
        task_lines_read(&arena, here_put("r.txt", "Don't (ever) say 3.5%!\n日本語です。\n"), true);
    assert_string_equal(lines.sentence[0].text, "Don ' t ( ever ) say 3.5 % !");
    assert_string_equal(lines.sentence[1].text, "日 本 語 で す 。");
}

/* ---- tasks of lines ---- */

TEST(lengths_have_the_six_bins)
{
    static const char bins[] = "000011112222333344444555"; /* bins of 5, 6, .., 28 words */
    const char *text = "";
    for (int words = 5; words <= 28; words++)
        for (int i = 0; i < 12; i++) {
            text = arena_print(&arena, "%sw%d", text, i);
            for (int w = 1; w < words; w++) text = arena_print(&arena, "%s x", text);
            text = arena_print(&arena, "%s\n", text);
        }
    read_text(text, NULL);
    const struct task_draft draft = made(make_length, 1);
    assert_int_equal(draft.candidates, 24 * 12);
    assert_int_equal(draft.labels, 6);
    for (int i = 0; i < lines.sentences; i++) {
        const char label[] = {bins[lines.sentence[i].words - 5], 0};
        is_labeled(&draft, lines.sentence[i].text, label);
    }
}

TEST(a_bin_with_few_sentences_is_left_out)
{
    const char *text = "";
    for (int i = 0; i < 12; i++)
        text = arena_print(&arena, "%sa b c d e%d\na b c d e f g h i%d\n%s", text, i, i,
                           i ? arena_print(&arena, "a b c d e f g h i k l m n%d\n", i) : "");
    read_text(text, NULL);
    const struct task_draft draft = made(make_length, 1);
    assert_int_equal(draft.labels, 2);
    assert_string_equal(draft.left, "; left out: 11 of class 2, which needs 12");
}

/* Returns 120 sentences. Twenty words (fa, fb, ..) are in 18 sentences each, and ten words (ta, tb,
 * ..) in 12 sentences each. The task excludes the full stop and the numbers. */
static const char *content_text(void)
{
    const char *text = "";
    for (int i = 0; i < 120; i++)
        text = arena_print(&arena, "%sf%c f%c f%c t%c %d .\n", text, 'a' + 3 * i % 20,
                           'a' + (3 * i + 1) % 20, 'a' + (3 * i + 2) % 20, 'a' + i % 10, i);
    return text;
}

TEST(content_words_need_sentences)
{
    /* Without the first sentence, "ta" is in 11 sentences. The added sentence also has "ta", but it
     * is not counted, because it has a second target word, "tb". */
    const char *text = strchr(content_text(), '\n') + 1;
    read_text(arena_print(&arena, "%sfa ta tb 777 .\n", text), NULL);
    assert_string_equal(
        made(make_content, 1).problem,
        "among the 10 words of rank 21 to 30, \"ta\" is the only one in 11 sentences; needed 12");
    read_text("a b c d e\n", NULL);
    assert_string_equal(made(make_content, 1).problem, "5 different words; needed 30");
}

/* The text has all 24 orders of four words. So a swap of two neighboring words always gives another
 * sentence of the text. */
TEST(a_swap_that_makes_another_sentence_is_left_out)
{
    const char *text = "";
    for (char a = 'a'; a <= 'd'; a++)
        for (char b = 'a'; b <= 'd'; b++)
            for (char c = 'a'; c <= 'd'; c++)
                if (a != b && a != c && b != c)
                    text = arena_print(&arena, "%s%c %c %c %c .\n", text, a, b, c,
                                       4 * 'a' + 6 - a - b - c);
    read_text(text, NULL);
    assert_int_equal(lines.sentences, 24);
    const struct task_draft draft = made(make_shift, 1);
    assert_int_equal(draft.labels, 1);
    assert_string_equal(draft.label[0], "O");
    assert_non_null(
        strstr(draft.left, "that equal another sentence of the text with two words swapped"));
}

/* ---- tasks of trees ---- */

TEST(inflection_is_that_of_the_main_clause)
{
    static const char past[] = "Mood=Ind|Tense=Past|VerbForm=Fin",
                      present[] = "Tense=Pres|VerbForm=Fin", part[] = "Tense=Past|VerbForm=Part";
    const char *b = "";
    b = word(b, 1, "The", "DET", "_", 2, "det");
    b = word(b, 2, "dogs", "NOUN", "Number=Plur", 4, "nsubj");
    b = word(b, 3, "were", "AUX", past, 4, "aux");
    b = word(b, 4, "eating", "VERB", "Tense=Pres|VerbForm=Part", 0, "root");
    b = word(b, 5, "bread", "NOUN", "Number=Sing", 4, "obj");

    b = word(b, 1, "She", "PRON", "Number=Sing", 2, "nsubj");
    b = word(b, 2, "says", "VERB", present, 0, "root");
    b = word(b, 3, "cats", "NOUN", "Number=Plur", 4, "nsubj");
    b = word(b, 4, "slept", "VERB", past, 2, "ccomp");
    b = word(b, 5, ".", "PUNCT", "_", 2, "punct");

    b = word(b, 1, "Cakes", "NOUN", "Case=Nom|Number=Plur", 3, "nsubj:pass");
    b = word(b, 2, "Were", "AUX", past, 3, "aux:pass");
    b = word(b, 3, "eaten", "VERB", part, 0, "root");
    b = word(b, 4, "by", "ADP", "_", 5, "case");
    b = word(b, 5, "mice", "NOUN", "Number=Plur", 3, "obl");

    b = word(b, 1, "A", "DET", "_", 2, "det");
    b = word(b, 2, "man", "NOUN", "Number=Sing", 5, "nsubj");
    b = word(b, 3, "is", "AUX", present, 5, "cop");
    b = word(b, 4, "no", "DET", "_", 5, "det");
    b = word(b, 5, "islands", "NOUN", "Number=Plur", 0, "root");

    b = word(b, 1, "Give", "VERB", "Mood=Imp|VerbForm=Fin", 0, "root");
    b = word(b, 2, "men", "NOUN", "Number=Plur", 1, "iobj");
    b = word(b, 3, "fish", "NOUN", "_", 1, "obj");
    b = word(b, 4, "and", "CCONJ", "_", 5, "cc");
    b = word(b, 5, "go", "VERB", "Mood=Imp|VerbForm=Fin", 1, "conj");
    read_text("The dogs were eating bread\nShe says cats slept .\nCakes Were eaten by mice\n"
              "A man is no islands\nGive men fish and go\n",
              b);

    const struct task_draft tense = made(make_tense, 1);
    is_labeled(&tense, "The dogs were eating bread", "PAST");
    is_labeled(&tense, "She says cats slept .", "PRES");
    is_labeled(&tense, "Cakes Were eaten by mice", "PAST");
    is_labeled(&tense, "A man is no islands", "PRES");
    is_labeled(&tense, "Give men fish and go", NULL);
    assert_string_equal(tense.left, "; left out: 1 without Tense=Pres or Past");
    /* The labeled verbs are "were", "says", "Were" and "is". Candidates have the same group if
     * their verbs are equal after conversion to lower case. */
    assert_true(tense.candidate[0].group == tense.candidate[2].group);
    assert_true(tense.candidate[0].group != tense.candidate[1].group);
    assert_true(tense.candidate[1].group != tense.candidate[3].group);

    const struct task_draft subject = made(make_subject, 1);
    is_labeled(&subject, "The dogs were eating bread", "NNS");
    is_labeled(&subject, "She says cats slept .", NULL);
    is_labeled(&subject, "Cakes Were eaten by mice", "NNS");
    is_labeled(&subject, "A man is no islands", "NN");
    assert_string_equal(subject.left, "; left out: 2 without exactly one noun as nsubj");

    const struct task_draft object = made(make_object, 1);
    is_labeled(&object, "The dogs were eating bread", "NN");
    is_labeled(&object, "Give men fish and go", NULL); /* "fish" has no feature Number */
    assert_int_equal(object.candidates, 1);
}

/* Adds `count` sentences of `words` words. Words 1 to `depth` form a chain: each depends on the
 * word before it. All other words depend on word 1, the root. */
static void add_chains(const char **text, const char **bank, int words, int depth, int count)
{
    for (int i = 0; i < count; i++) {
        for (int w = 1; w <= words; w++) {
            const char *form = arena_print(&arena, "d%dx%d", depth, i);
            *bank = word(*bank, w, form, "X", "_", w <= depth ? w - 1 : 1, "dep");
            *text = arena_print(&arena, "%s%s%c", *text, form, w < words ? ' ' : '\n');
        }
    }
}

TEST(depths_are_of_equal_lengths)
{
    const char *text = "", *bank = "";
    for (int depth = 3; depth <= 5; depth++) add_chains(&text, &bank, 6, depth, 11 + depth / 4);
    add_chains(&text, &bank, 7, 3, 5);
    add_chains(&text, &bank, 7, 4, 3);
    read_text(text, bank);
    assert_int_equal(from.tree[0].depth, 3);
    assert_int_equal(from.tree[lines.lines - 1].depth, 4);
    assert_string_equal(made(make_depth, 1).problem,
                        "each of the depths 3 to 5 has 11 sentences with the lengths of the other "
                        "depths; needed 12");

    add_chains(&text, &bank, 7, 5, 1);
    read_text(text, bank);
    const struct task_draft draft = made(make_depth, 1);
    assert_null(draft.problem);
    assert_int_equal(draft.candidates, 3 * 12);
    for (int i = 0; i < draft.candidates; i++) {
        int members = 0;
        for (int k = 0; k < draft.candidates; k++)
            members += draft.candidate[i].group == draft.candidate[k].group;
        assert_int_equal(members, 3);
    }
    int long_ones[6] = {0};
    for (int i = 0; i < draft.candidates; i++) {
        const char *label = draft.label[draft.candidate[i].label], *one = draft.candidate[i].text;
        assert_int_equal(one[1], *label);
        int blanks = 0;
        for (const char *at = one; *at; at++) blanks += *at == ' ';
        long_ones[*label - '0'] += blanks == 6;
    }
    for (int depth = 3; depth <= 5; depth++) assert_int_equal(long_ones[depth], 1);
}

/* ---- drafts ---- */

/* Adds `count` sentences with a label. Each group has `each` sentences; 0: no sentence has a
 * group. */
static void add(struct task_draft *draft, const char *label, int count, int each)
{
    for (int i = 0; i < count; i++)
        assert_true(task_draft_add(draft, label,
                                   each ? arena_print(&arena, "%s%d", label, i / each) : NULL,
                                   arena_print(&arena, "%s%d of %d", label, i, each)));
}

TEST(too_few_candidates_are_a_problem)
{
    struct task_draft draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 119, 0);
    add(&draft, "B", 120, 0);
    task_draft_leave(&draft, 7, "of no use");
    task_draft_split(&draft);
    assert_string_equal(draft.problem,
                        "class A has 119 sentences; needed 120; left out: 7 of no use");
    draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 120, 0);
    task_draft_split(&draft);
    assert_string_equal(draft.problem, "1 class of at least 120 sentences; needed two");
    /* All candidates of a group are in one split. va and te each take at most a twelfth of the 120
     * candidates of a label. So both groups of 60 are in tr. */
    draft = task_draft_new(&arena, "Task", 1, 1000);
    add(&draft, "A", 120, 60);
    add(&draft, "B", 120, 0);
    task_draft_split(&draft);
    assert_string_equal(draft.problem, "class A has 0 sentences for va; needed 10");
}

/* ---- treebanks ---- */

#define IM                                                                                         \
    "1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n1\tIn\t_\tADP\t_\t_\t3\tcase\t_\t_\n"                        \
    "2\tdem\t_\tDET\t_\t_\t3\tdet\t_\t_\n3\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"                  \
    "4\t10 000\t_\tNUM\t_\t_\t3\tnummod\t_\t_\n5\tja\t_\tINTJ\t_\t_\t3\tdiscourse\t_\t_\n"

TEST(words_know_their_tokens)
{
    static const int written[] = {-1, -1, 1, -1, 4}, words[] = {0, 1, 2, -1, 5};
    read_text("Im Haus 10 000 ja\n", IM);
    for (int w = 0; w < 5; w++) assert_int_equal(from.tree[0].node[w].token, written[w]);
    read_text("In dem Haus 10 000 ja\n", IM);
    for (int w = 0; w < 5; w++) assert_int_equal(from.tree[0].node[w].token, words[w]);
    assert_int_equal(from.tree[0].root, 2);
    assert_int_equal(from.tree[0].depth, 2);
}

TEST(other_treebanks_are_refused)
{
    EXPECT_DIE("t.conllu:2: sentence 1 differs from line 1 of ",
               read_text("Im Haus 10 000 so\n", IM));
    EXPECT_DIE("t.txt: token 6 is \"ja\", in the line \"so\"; expected a treebank of this text",
               read_text("In dem Haus 10 000 so\n", IM));
    EXPECT_DIE("t.conllu: 1 sentences; expected one for each of the 2 lines of",
               read_text("Im Haus 10 000 ja\nund so\n", IM));
    const char *bank = word("", 1, "a", "X", "_", 2, "dep");
    EXPECT_DIE("t.conllu:1: the head of the word is \"2\"; expected 0 to 1", read_text("a", bank));
    EXPECT_DIE("t.conllu:1: the path from this word to the root has a cycle",
               read_text("a b", word(bank, 2, "b", "X", "_", 1, "dep")));
    bank = word("", 1, "a", "X", "_", 0, "root");
    EXPECT_DIE("t.conllu:2: the sentence has a second root",
               read_text("a b", word(bank, 2, "b", "X", "_", 0, "x")));
    EXPECT_DIE("the head of the word is \"_\"; expected 0 to 1 in the seventh column",
               read_text("a", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n"));
}

EACH_TEST(here_open);
