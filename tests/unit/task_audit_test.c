/* Tests probes/task_audit.h. Accuracies of simple guesses on small tasks are computed by hand.
 * Accuracies on the ten tasks of real text are compared with other programs. */
#include "tests/support/here.h"
#include "tests/support/test.h"

#include "probes/task_audit.h"
#include "probes/tasks.h"

static struct task_audit audit_of(const char *text)
{
    const struct task_data data = task_data_read(&arena, here_put("t.txt", text));
    return task_audit(&data);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9)) fail_msg("%.12g, expected %.12g", value, expected);
}

TEST(lines_and_classes_are_counted)
{
    const struct task_audit audit = audit_of("tr\tA\ta\ntr\tB\tb\ntr\tB\tc\ntr\tC\td\ntr\tC\te\n"
                                             "va\tA\tf\nva\tA\n"
                                             "te\tC\tg\nte\tB\th\nte\tC\ti\nte\tC\tj\n");
    static const int items[] = {5, 2, 4}, classes[] = {3, 1, 2};
    for (int split = 0; split < TASK_SPLITS; split++) {
        assert_int_equal(audit.items[split], items[split]);
        assert_int_equal(audit.classes[split], classes[split]);
    }
    /* B and C are equally frequent in tr, so the first of them, B, is guessed. It is right in 1 of
     * 4 lines of te. */
    near(audit.majority, 25);
    assert_int_equal(audit.bare, 1);
}

/* There are six items of A, with one token, and three of B, with two. Each of three folds has two
 * items of A and one of B. So each training set has twice as many items of A. The split te of the
 * file has only B. */
TEST(folds_guess_each_item_once)
{
    const struct task_data data = task_data_read(
        &arena, here_put("t.txt", "tr\tA\ta\ntr\tA\tb\ntr\tA\tc\ntr\tB\td d\nva\tA\te\n"
                                  "va\tA\tf\nva\tA\tg\nte\tB\th h\nte\tB\ti i\n"));
    const struct task_audit audit = task_audit_folds(&data, 3);
    near(task_audit_folds(&data, 0).majority, 0);
    near(audit.majority, 200. / 3);
    near(audit.length, 100);
    near(audit.words, 200. / 3); /* no word occurs twice: always A */
    assert_int_equal(audit.items[TASK_TE], 2);
}

/* Labels in tr by number of tokens. 1: A. 3: B in two of three lines. 5: B. 7: A and B. 11: B. The
 * most frequent label is B. */
#define LENGTHS                                                                                    \
    "tr\tA\tx\ntr\tB\tx x x\ntr\tA\tx x x\ntr\tB\tx x x\ntr\tB\tx x x x x\n"                       \
    "tr\tB\tx x x x x x x\ntr\tA\tx x x x x x x\ntr\tB\tx x x x x x x x x x x\nva\tA\tx\n"

TEST(length_guesses_by_the_nearest_number_of_tokens)
{
    static const struct {
        int tokens;
        char guess;
    } test[] = {{1, 'A'}, {2, 'A'}, {3, 'B'}, {4, 'B'},  {5, 'B'},
                {6, 'B'}, {7, 'A'}, {8, 'A'}, {10, 'B'}, {40, 'B'}};
    for (size_t i = 0; i < COUNT_OF(test); i++) {
        const char *text = "";
        for (int t = 0; t < test[i].tokens; t++) text = arena_print(&arena, "%s x", text);
        for (char label = 'A'; label <= 'B'; label++)
            near(audit_of(arena_print(&arena, LENGTHS "te\t%c\t%s\n", label, text)).length,
                 label == test[i].guess ? 100 : 0);
    }
}

/* Returns the class, A or B, that naive Bayes over words gives to a sentence. */
static char guess_of(const char *train, const char *sentence)
{
    const struct task_audit audit =
        audit_of(arena_print(&arena, "%sva\tA\tx\nte\tA\t%s\n", train, sentence));
    return audit.words > 50 ? 'A' : 'B';
}

/* Class A has n(A) = 3 words, class B has n(B) = 2, and V = 3 words are different. 1/2 is added
 * to each count.
 * For x, the likelihood of A over B is (2.5/4.5)/(0.5/3.5) = 3.889.
 * For y, it is (1.5/4.5)/(1.5/3.5) = 1/1.286. For z, it is (0.5/4.5)/(1.5/3.5) = 1/3.857.
 * If 1 were added, x would have 2.5, and y 1/1.2. If a word that tr does not have counted, it
 * would have 1/1.286. */
#define WORDS "tr\tA\tx x Y\ntr\tB\ty z\n"
#define SIX(word) word " " word " " word " " word " " word " " word

TEST(words_are_counted)
{
    static const struct {
        const char *sentence;
        char guess;
    } test[] = {
        {"x", 'A'},
        {"y", 'B'},
        {"z", 'B'},
        {"x z", 'A'},                                  /* 3.889 / 3.857 */
        {"X Z", 'A'},                                  /* case does not matter */
        {"x z y", 'B'},                                /* 1.008 / 1.286 */
        {"x y y y y y", 'A'},                          /* 3.889 / 3.513 */
        {"x " SIX("y"), 'B'},                          /* 3.889 / 4.517: each y counts */
        {"x " SIX("u"), 'A'},                          /* words absent from tr do not count */
        {"x x x " SIX("y") SIX(" y") " y y y y", 'A'}, /* 58.8 / 55.7; with 1 added 15.6 / 18.5 */
        {"u", 'A'},                                    /* equal priors: the first class */
    };
    for (size_t i = 0; i < COUNT_OF(test); i++)
        if (guess_of(WORDS, test[i].sentence) != test[i].guess)
            fail_msg("\"%s\" is no %c", test[i].sentence, test[i].guess);
    /* As in Python, a dotted capital I becomes i and a dot, and a sigma at the end of a word is
     * final. */
    assert_int_equal(guess_of("tr\tA\tx\ntr\tB\tİ\n", "i\u0307"), 'B');
    assert_int_equal(guess_of("tr\tA\tx\ntr\tB\tΑΣ\n", "ας"), 'B');
    /* P(A) = 1/4, n(A) = n(B) = 3, V = 2. The likelihood of A over B is 3.5/0.5 = 7 for x and 1/7
     * for y. */
    static const char prior[] = "tr\tA\tx x x\ntr\tB\ty\ntr\tB\ty\ntr\tB\ty\n";
    assert_int_equal(guess_of(prior, "u"), 'B');
    assert_int_equal(guess_of(prior, "x"), 'A');   /* 7 / 3 */
    assert_int_equal(guess_of(prior, "x y"), 'B'); /* 1 / 3 */
}

TEST(sentences_of_two_splits_are_counted)
{
    assert_int_equal(audit_of("tr\tA\ta b\ntr\tB\tc\ntr\tB\tc\nva\tA\tA b\nte\tB\td\n").shared, 0);
    assert_int_equal(audit_of("tr\tA\ta b\ntr\tB\tc\ntr\tA\ta b\nva\tB\tz\ta  b\nva\tA\ta b\n"
                              "va\tA\te\nte\tB\ta b\nte\tA\te\nte\tA\te\n")
                         .shared,
                     2); /* "a b" in all three, "e" in two */
}

/* Expected values are from other programs. They are test accuracies of naive Bayes and of the most
 * frequent label of tr, and numbers of sentences that occur in several splits. */
TEST(real_tasks_have_the_numbers_of_other_programs)
{
    static const struct {
        const char *name;
        double words, majority; /* 0: not compared */
        int shared;
    } expected[] = {
        {"Tense", 82.3, 0, 18},
        {"SubjNumber", 68.8, 0, 14},
        {"ObjNumber", 62.1, 0, 12},
        {"BigramShift", 51.8, 55.30, 8},
        {"TopConstituents", 36.1, 17.71, 0},
        {"TreeDepth", 34.9, 20.26, 0},
        {"Length", 22.3, 0, 32},
        {"CoordinationInversion", 0, 0, 28},
        {"OddManOut", 0, 0, 0},
        {"WordContent", 0, 0, 23},
    };
    const char *folder = test_data_folder();
    if (!folder || !file_is_folder(arena_print(&arena, "%s/probing", folder)))
        test_skip("no folder probing among real data (SANLAB_DATA)");
    const struct location location = {.file = "command line"};
    const struct tasks tasks =
        tasks_read(&arena, tree_new_text(&arena, location, "experiments/tasks/senteval.yaml"), "");
    for (int i = 0; i < tasks.count; i++) {
        const char *name = tasks.task[i].name;
        const struct task_data data =
            task_data_read(&arena, arena_print(&arena, "%s/%s", folder, tasks.task[i].file));
        const struct task_audit audit = task_audit(&data);
        for (size_t k = 0; k < COUNT_OF(expected); k++) {
            if (strcmp(expected[k].name, name) != 0) continue;
            assert_int_equal(audit.shared, expected[k].shared);
            if (expected[k].words && fabs(audit.words - expected[k].words) > .051)
                fail_msg("%s: words %.3f", name, audit.words);
            if (expected[k].majority && fabs(audit.majority - expected[k].majority) > .0051)
                fail_msg("%s: majority %.3f", name, audit.majority);
        }
        assert_int_equal(audit.bare, 0);
    }
}

EACH_TEST(here_open);
