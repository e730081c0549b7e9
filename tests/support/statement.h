/* Statements of logic by definition: trees that are evaluated in every valuation. A valuation is
 * a number whose bit i is the truth of variable i. */
#pragma once

#include "core/base/arena.h"

struct statement {
    char kind; /* a variable, from 'a', or an operator ~ & | */
    const struct statement *left, *right;
};

bool statement_is_true(const struct statement *statement, int valuation);
int statement_operators(const struct statement *statement);
const char *statement_text(const struct statement *statement);
/* Returns the relation = < > ^ | v # of two statements from their truth in all valuations; "" if
 * a statement is always or never true. */
const char *statement_relation(const bool *one, const bool *other, int valuations);
