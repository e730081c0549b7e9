/* Tests logic/formula and logic/relation. The set of a statement is compared with an evaluation of
 * its tree at every valuation, and relations with their definition. If a text is invalid, the
 * message has the location of the error. */
#include "tests/support/statement.h"
#include "tests/support/test.h"

#include "core/base/random.h"
#include "logic/formula.h"
#include "logic/relation.h"

static const struct location location = {.file = "here"};
static struct formula_names names;

BEFORE(each)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", NULL};
    names = formula_names_read(location, letters);
}

static struct formula read_as(const struct formula_names *written, const char *text)
{
    struct formula formula;
    struct formula_fault fault;
    if (!formula_read(&formula, written, text, strlen(text), &fault))
        fail_msg("%s: byte %zu: %s", text, fault.at, fault.text);
    return formula;
}

static struct formula read_text(const char *text)
{
    return read_as(&names, text);
}

static const struct statement *grow(struct random_key key, uint64_t *draws, int depth)
{
    struct statement *statement = ARENA_NEW(&arena, struct statement);
    statement->kind = "~~&|"[random_below(key, (*draws)++, 0, 4)];
    if (!depth || !random_below(key, (*draws)++, 0, 6)) {
        statement->kind = "abcdef"[random_below(key, (*draws)++, 0, 6)];
        return statement;
    }
    statement->left = grow(key, draws, depth - 1);
    if (statement->kind != '~') statement->right = grow(key, draws, depth - 1);
    return statement;
}

TEST(statements_are_true_where_their_trees_are)
{
    const struct random_key key = {7, 0};
    uint64_t draws = 0;
    int most = 0;
    for (int i = 0; i < 3000; i++) {
        const struct statement *statement = grow(key, &draws, i % 8);
        const char *text = statement_text(statement);
        const struct formula formula = read_text(text);
        int tokens = 1;
        for (const char *at = text; (at = strchr(at, ' ')); at++) tokens++;
        assert_int_equal(formula.tokens, tokens);
        assert_int_equal(formula.operators, statement_operators(statement));
        if (formula.operators > most) most = formula.operators;
        for (int v = 0; v < 64; v++)
            if ((formula.set >> v & 1) != statement_is_true(statement, v))
                fail_msg("%s in valuation %d", text, v);
        arena_free(&arena);
    }
    assert_true(most > 50);
}

/* ---- relations ---- */

/* Tests all pairs of sets of valuations of two or three variables. The sets are repeated to the 64
 * valuations of six variables. */
TEST(relations_are_as_defined)
{
    for (int variables = 2; variables <= 3; variables++) {
        const int valuations = 1 << variables, sets = 1 << valuations;
        int seen[RELATIONS + 1] = {0};
        for (int one = 0; one < sets; one++)
            for (int other = 0; other < sets; other++) {
                bool a[8], b[8];
                uint64_t wide_a = 0, wide_b = 0;
                for (int v = 0; v < 64; v++) {
                    a[v % valuations] = one >> v % valuations & 1;
                    b[v % valuations] = other >> v % valuations & 1;
                    wide_a |= (uint64_t)a[v % valuations] << v;
                    wide_b |= (uint64_t)b[v % valuations] << v;
                }
                const enum logic_relation relation = relation_of(wide_a, wide_b);
                const char *symbol = relation_symbols[relation];
                assert_string_equal(symbol ? symbol : "", statement_relation(a, b, valuations));
                seen[relation]++;
            }
        for (int relation = 0; relation <= RELATIONS; relation++) assert_true(seen[relation]);
    }
}

/* ---- invalid statements ---- */

TEST(faults_say_where)
{
    static const struct {
        const char *text;
        size_t at;
        const char *message;
    } wrong[] = {
        {"", 0, "the statement ends; expected \"(\" or a variable"},
        {"( not a", 7, "the statement ends; expected \")\""},
        {"( a ( and", 9, "the statement ends; expected \"(\" or a variable"},
        {"not a", 0, "\"not\"; expected \"(\" or a variable"},
        {")", 0, "\")\"; expected \"(\" or a variable"},
        {"( )", 2, "\")\"; expected \"(\" or a variable"},
        {"( a and b )", 4, "\"and\"; expected \"(\""},
        {"( a ( not b ) )", 6, "\"not\"; expected \"and\" or \"or\""},
        {"( a ( b ) )", 6, "\"b\"; expected \"and\" or \"or\""},
        {"( a ( or b c ) )", 11, "\"c\"; expected \")\""},
        {"( a ( or b ) c )", 13, "\"c\"; expected \")\""},
        {"a b", 2, "\"b\"; expected the end of the statement"},
        {"( not a ) )", 10, "\")\"; expected the end of the statement"},
        {"( nto a )", 2,
         "symbol: unknown word \"nto\"; nearest is \"not\"; expected one of: (, ), "
         "not, and, or, a, b, c, d, e, f"},
        {"( a ( xor b ) )", 6, "symbol: unknown word \"xor\"; nearest is \"or\""},
        {"g", 0, "symbol: unknown word \"g\"; expected one of: (, "},
        {"(not a)", 0, "symbol: unknown word \"(not\""},
        {" a", 0, "a blank too many"},
        {"( not  a )", 6, "a blank too many"},
        {"a ", 2, "a blank too many"},
        {"( not a\t)", 6, "symbol: unknown word \"a\t)\""},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct formula formula;
        struct formula_fault fault;
        const char *text = wrong[i].text;
        if (formula_read(&formula, &names, text, strlen(text), &fault))
            fail_msg("\"%s\" is no statement", text);
        if (fault.at != wrong[i].at) fail_msg("\"%s\": byte %zu: %s", text, fault.at, fault.text);
        expect_part(fault.text, wrong[i].message);
    }
    struct formula formula;
    struct formula_fault fault;
    assert_false(formula_read(&formula, &names, "a\0 )", 4, &fault)); /* a NUL ends no text */
    assert_int_equal(fault.at, 0);
}

TEST(brackets_may_be_nested_so_deep)
{
    const char *text = "a";
    struct formula formula;
    struct formula_fault fault;
    for (int i = 0; i < FORMULA_NESTED; i++) text = arena_print(&arena, "( not %s )", text);
    assert_true(read_text(text).set == read_text("a").set);
    text = arena_print(&arena, "( not %s )", text);
    assert_false(formula_read(&formula, &names, text, strlen(text), &fault));
    assert_int_equal(fault.at, strlen("( not ") * FORMULA_NESTED);
    assert_string_equal(fault.text, "\"(\"; expected at most 256 open brackets");
}

TEST(variables_have_names)
{
    static const char *const people[] = {"abby", "ollie", NULL};
    const struct formula_names written = formula_names_read(location, people);
    assert_int_equal(written.symbols, FORMULA_VARIABLE + 2);
    assert_true(read_as(&written, "( abby ( and ( not ollie ) ) )").set ==
                read_text("( a ( and ( not b ) ) )").set);
    struct formula formula;
    struct formula_fault fault;
    assert_false(formula_read(&formula, &written, "( abby ( or c ) )", 17, &fault));
    assert_int_equal(fault.at, 12); /* there is no third variable */
    expect_part(fault.text, "unknown word \"c\"; expected one of: (, ), not, and, or, abby, ollie");

#define REFUSED(message, ...)                                                                      \
    EXPECT_DIE(message, formula_names_read(location, (const char *const[]){__VA_ARGS__, NULL}))
    REFUSED("here: more than 6 variables; expected 1 to 6", "a", "b", "c", "d", "e", "f", "g");
    REFUSED("here: no variable; expected 1 to 6", NULL);
    REFUSED("here: variable \"a\": is already a symbol", "a", "b", "a");
    REFUSED("here: variable \"or\": is already a symbol", "a", "or");
    REFUSED("here: variable \"\": expected a word without blanks", "a", "");
    REFUSED("here: variable \"a b\": expected a word without blanks", "a b");
}
