/* Statements of propositional logic, as Bowman et al. 2015 write them:
 *
 *     a        ( not X )        ( X ( and Y ) )        ( X ( or Y ) )
 *
 * with one blank between two symbols and up to six variables. A statement means the set of
 * valuations that make it true, and a set of the 64 valuations of six variables is a word of 64
 * bits: bit v is of the valuation where variable i is bit i of v. So and, or, not are &, |, ~, a
 * statement is evaluated while it is read, and no tree is made. A variable that no statement has
 * doubles every set alike: with fewer than six nothing that is said here changes. */
#pragma once

#include "core/config/word.h"

enum {
    FORMULA_VARIABLES = 6,
    FORMULA_NESTED = 256 /* brackets that may be open at once */
};

/* The symbols of a statement. Their numbers are the tokens of a model: they stay. */
enum formula_symbol {
    FORMULA_OPEN,
    FORMULA_CLOSE,
    FORMULA_NOT,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_VARIABLE, /* the first of them */
    FORMULA_SYMBOLS = FORMULA_VARIABLE + FORMULA_VARIABLES
};

/* How symbols are written. */
struct formula_names {
    int symbols; /* FORMULA_VARIABLE and one for each variable that is declared */
    const char *name[FORMULA_SYMBOLS + 1]; /* and a NULL */
};
/* Of variables with these names, a NULL-terminated list of one to six. Dies at `place` of what no
 * file could hold: too many, an empty word, a blank, a tab, two that are equal. */
struct formula_names formula_names_read(struct place place, const char *const *variables);

struct formula {
    uint64_t set;
    int operators, tokens; /* not, and, or; all symbols */
};
/* What is wrong with a text, and at which of its bytes, from 0. */
struct formula_fault {
    size_t at;
    char text[WORD_TEXT];
};
/* The statement that is the whole text; false with *fault when it is none. */
bool formula_read(struct formula *formula, const struct formula_names *names, const char *text,
                  size_t bytes, struct formula_fault *fault);

/* The symbols of a text that formula_read takes, as many as its tokens. */
void formula_symbols(const struct formula_names *names, const char *text, size_t bytes,
                     int32_t *symbol);

uint64_t formula_variable(int variable); /* the set of variable 0 to 5 */
