/* Statements of propositional logic in the notation of Bowman et al. 2015:
 *
 *     a        ( not X )        ( X ( and Y ) )        ( X ( or Y ) )
 *
 * Symbols are separated by one blank. There are up to six variables. A valuation makes each
 * variable true or false. A statement denotes the set of valuations that make it true. The set is a
 * uint64_t. Its bit v belongs to the valuation that gives variable i the value of bit i of v. So
 * the operators and, or, not are computed by &, |, ~. A statement is evaluated while it is read,
 * without a tree. An unused variable doubles all sets, so it does not change any relation. */
#pragma once

#include "core/config/word.h"

enum {
    FORMULA_VARIABLES = 6,
    FORMULA_NESTED = 256 /* maximum number of open brackets */
};

/* The symbols of a statement. Their numbers are the token ids of a model and must not change. */
enum formula_symbol {
    FORMULA_OPEN,
    FORMULA_CLOSE,
    FORMULA_NOT,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_VARIABLE, /* the first variable */
    FORMULA_SYMBOLS = FORMULA_VARIABLE + FORMULA_VARIABLES
};

/* The spelling of the symbols. */
struct formula_names {
    int symbols;                           /* FORMULA_VARIABLE + the number of declared variables */
    const char *name[FORMULA_SYMBOLS + 1]; /* terminated by NULL */
};
/* Makes the names from a NULL-terminated list of one to six variables. Dies at `location` if there
 * are too many or none, or if a name is empty, has white space, or is a symbol already. */
struct formula_names formula_names_read(struct location location, const char *const *variables);

struct formula {
    uint64_t set;
    int operators, tokens; /* number of not, and, or; number of all symbols */
};
/* The reason why a text is not a statement, and the byte offset of the fault, from 0. */
struct formula_fault {
    size_t at;
    char text[WORD_TEXT];
};
/* Reads a statement that must be the whole text. Returns false and fills *fault if the text is not
 * a statement. */
bool formula_read(struct formula *formula, const struct formula_names *names, const char *text,
                  size_t bytes, struct formula_fault *fault);

/* Writes the symbols of a text that formula_read accepts to `symbol` [formula.tokens]. */
void formula_symbols(const struct formula_names *names, const char *text, size_t bytes,
                     int32_t *symbol);

/* Returns the set of the statement that consists of variable 0 to 5. */
uint64_t formula_variable(int variable);
