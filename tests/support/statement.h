/* Statements of logic as their definition has them: trees that are looked at valuation by
 * valuation. A valuation is a number whose bit i is the truth of variable i. */
#pragma once

#include "core/base/arena.h"

struct statement {
    char kind; /* a variable, from 'a', or one of ~ & | */
    const struct statement *left, *right;
};

bool statement_is_true(const struct statement *statement, int valuation);
int statement_operators(const struct statement *statement);
const char *statement_text(const struct statement *statement);
/* One of = < > ^ | v #, of the truth of two statements in all valuations; "" when one of them is
 * true always or never. */
const char *statement_relation(const bool *one, const bool *other, int valuations);
