#include "tests/support/statement.h"

#include "tests/support/test.h"

bool statement_is_true(const struct statement *s, int valuation)
{
    if (s->kind == '~') return !statement_is_true(s->left, valuation);
    if (s->kind == '&')
        return statement_is_true(s->left, valuation) && statement_is_true(s->right, valuation);
    if (s->kind == '|')
        return statement_is_true(s->left, valuation) || statement_is_true(s->right, valuation);
    return valuation >> (s->kind - 'a') & 1;
}

int statement_operators(const struct statement *s)
{
    return s ? (s->left != NULL) + statement_operators(s->left) + statement_operators(s->right) : 0;
}

const char *statement_text(const struct statement *s)
{
    if (!s->left) return arena_print(&arena, "%c", s->kind);
    const char *left = statement_text(s->left);
    if (!s->right) return arena_print(&arena, "( not %s )", left);
    return arena_print(&arena, "( %s ( %s %s ) )", left, s->kind == '&' ? "and" : "or",
                       statement_text(s->right));
}

const char *statement_relation(const bool *one, const bool *other, int valuations)
{
    int ones = 0, others = 0, both = 0, one_alone = 0, other_alone = 0, none = 0;
    for (int v = 0; v < valuations; v++) {
        ones += one[v];
        others += other[v];
        both += one[v] && other[v];
        one_alone += one[v] && !other[v];
        other_alone += !one[v] && other[v];
        none += !one[v] && !other[v];
    }
    if (!ones || !others || ones == valuations || others == valuations) return "";
    if (!one_alone && !other_alone) return "="; /* true in the same valuations */
    if (!one_alone) return "<";                 /* the first implies the second */
    if (!other_alone) return ">";
    if (!both) return none ? "|" : "^"; /* never true together; exhaustive or not */
    return none ? "#" : "v";
}
