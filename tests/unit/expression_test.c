/* Tests core/config/expression.h: the values of conditions, and refused conditions with their
 * locations. */
#include "tests/support/test.h"

#include <locale.h>

#include "core/config/expression.h"
#include "core/config/tree_read.h"

static bool answer(void *context, const struct expression_term *term)
{
    return expression_term_holds_in(term, context);
}

static bool holds(const char *text, const char *yaml)
{
    struct location location = {.file = "where"};
    return expression_holds(expression_parse(&arena, location, text), answer,
                            tree_parse(&arena, "options", yaml));
}

static const char options[] =
    "encoder:\n"
    "  layers: 6\n"
    "  attention:\n"
    "    - {layers: 1-2, branches: [global, {window: 1}], fusion: gate}\n"
    "    - {layers: 3, branches: [{window: 5}], terms: [{gauss: {window: {fixed: 10}}}]}\n"
    "decoder: {layers: 2, note: 'a b', empty: \"\"}\n"
    "train: {rate: 1e-3, select: bleu}\n";

TEST(conditions_mean_what_they_say)
{
    static const struct {
        const char *text;
        bool holds;
    } cases[] = {
        {"encoder.layers = 6", true},
        {"encoder.layers == 6.0", true}, /* compared as numbers */
        {"encoder.layers != 6", false},  /* does not mean encoder.attention.layers */
        {"encoder.attention.layers = 3", true},
        {"layers = 2 and layers = 3 and layers = 6", true},
        {"decoder.layers != 2", false},
        {"train.rate=0.001", true},
        {"rate < 1e-2 and rate > 1e-4", true},
        {"rate<=0.001&&rate>=.001", true},
        {"rate < 0.001 || rate > 0.001", false},
        {"select ~ ble", true},
        {"select~xx", false},
        {"select < 3", false}, /* words have no order */
        {"decoder.note = 'a b'", true},
        {"note = \"a b\"", true},
        {"empty = ''", true},
        {"empty ~ ''", true},
        /* A condition on a list is true if it is true for any element. */
        {"encoder.attention.window == 1", true},
        {"window=1 and window=5", true},
        {"window != 1", true}, /* the other window, 5, is not 1 */
        {"not window = 1", false},
        {"!(window = 2)", true},
        {"! window=1 or layers=2", true},
        {"encoder.attention.branches = global", true},
        {"attention.fusion = gate", true},
        /* The words of a key must have the same order as in the path. The last word must be the
         * last of the path. */
        {"attention.encoder.window = 1", false},
        {"encoder.attention = gate", false},
        {"window.fixed = 10", true},
        {"encoder.gauss.fixed = 10", true},
        {"decoder.window = 1", false},
        /* A condition on an absent key is false. */
        {"nothing = 1", false},
        {"nothing != 1", false},
        {"not nothing = 1", true},
        /* `and` binds more tightly than `or`, and `not` binds more tightly than both. */
        {"select=bleu or select=loss and select=loss", true},
        {"(select=bleu or select=loss) and select=loss", false},
        {"not select=loss and select=bleu", true},
        {"not (select=loss and select=bleu) and not select=x", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (holds(cases[i].text, options) != cases[i].holds)
            fail_msg("%s: %s", cases[i].text, cases[i].holds ? "does not hold" : "holds");
}

TEST(terms_are_listed_in_order)
{
    struct location location = {.file = "where"};
    const struct expression *expression =
        expression_parse(&arena, location, "a=1 and not (b='x y' or c~3) or d != e");
    static const char *const expected[][3] = {
        {"a", "=", "1"}, {"b", "=", "x y"}, {"c", "~", "3"}, {"d", "!=", "e"}};
    assert_int_equal(expression->terms, (int)COUNT_OF(expected));
    for (int i = 0; i < expression->terms; i++) {
        assert_string_equal(expression->term[i]->key, expected[i][0]);
        assert_string_equal(expression->term[i]->sign, expected[i][1]);
        assert_string_equal(expression->term[i]->value, expected[i][2]);
    }
}

static void refused(const char *text, const char *expected)
{
    EXPECT_DIE(expected, holds(text, "a: 1"));
}

TEST(mistakes_have_a_place)
{
    static const struct said cases[] = {
        {"", "where: at character 1 (\"\"): expected a key"},
        {"  ", "\"  \" ends too early: expected a key"},
        {"a", "\"a\" ends too early: expected = != < <= > >= or ~"},
        {"a = ", "\"a = \" ends too early: expected a value"},
        {"a < abc", "where: at character 5 (\"abc\"): expected a number after <"},
        {"a=1 or b >= '1,5'", "at character 13 (\"'1,5'\"): expected a number after >="},
        {"a = 'x", "at character 5 (\"'x\"): expected a closing quote"},
        {"a=1 b=2", "at character 5 (\"b=2\"): expected and, or, or the end"},
        {"a=1 and", "\"a=1 and\" ends too early: expected a key"},
        {"(a=1", "expected \")\", and, or"},
        {"a=1)", "at character 4 (\")\"): expected and, or, or the end"},
        {"a === 1", "at character 5 (\"= 1\"): expected a value"},
        {"a=1 & b=2", "at character 5"},
        {"'a'=1", "at character 1 (\"'a'=1\"): expected a key"},
        {"a=1 andb=2", "at character 5 (\"andb=2\")"},
        {"!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!a=1",
         "expected fewer parentheses"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) refused(cases[i].text, cases[i].says);
}

/* < and >= fit only numbers. = and != with a number also fit words, because a name may be a number.
 * = and != with a word fit only words. */
TEST(numbers_and_words_do_not_mix)
{
    static const struct {
        const char *text;
        bool number, word;
    } cases[] = {{"a < 1", true, false}, {"a >= 1", true, false}, {"a = 1", true, true},
                 {"a != 1", true, true}, {"a = x", false, true},  {"a != x", false, true},
                 {"a ~ x", true, true},  {"a ~ 1", true, true}};
    struct location location = {.file = "where"};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct expression_term *term =
            expression_parse(&arena, location, cases[i].text)->term[0];
        if (expression_term_fits(term, "-2.5e3") != cases[i].number ||
            expression_term_fits(term, "done") != cases[i].word)
            fail_msg("%s", cases[i].text);
    }
}

TEST(the_locale_says_nothing)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) test_skip("no locale de_DE.UTF-8");
    assert_true(holds("a > 1.5", "a: 2.5"));
    refused("a > '1,5'", "expected a number");
    setlocale(LC_NUMERIC, "C");
}
