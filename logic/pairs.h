/* Pairs of statements with their relation, in files as Bowman et al. 2015 published them: one for
 * each split and bin (train0 to train12, test0, ..), a line for each pair:
 *
 *     relation<TAB>premise<TAB>hypothesis
 *
 * A pair's bin is the number of operators of the statement that has more, or 12 where these are
 * more. Statements recur: each is kept once, and evaluated once. Whatever a line says is computed
 * again; one that is wrong is left out, after `fault` has heard where and what, if that returns. */
#pragma once

#include "core/base/arena.h"
#include "logic/formula.h"
#include "logic/relation.h"

enum logic_split { LOGIC_TRAIN, LOGIC_VALID, LOGIC_TEST, LOGIC_SPLITS };
extern const char *const logic_split_names[LOGIC_SPLITS + 1]; /* train, valid, test, NULL */

enum { LOGIC_BINS = 13 };
static inline int logic_bin(int operators, int other_operators)
{
    const int more = operators > other_operators ? operators : other_operators;
    return more < LOGIC_BINS ? more : LOGIC_BINS - 1;
}
/* 0-6, or 3. */
struct logic_bins {
    int first, last;
};
/* Dies at `place` of what are no bins. */
struct logic_bins logic_bins_read(struct place place, const char *text);

struct logic_statement {
    const char *text; /* without a NUL behind it */
    size_t bytes;
    struct formula formula;
};
struct logic_pair {
    int32_t premise, hypothesis; /* of the statements */
    enum logic_relation relation;
};
struct logic_file {
    const char *path;
    enum logic_split split;
    int bin;
    int first, count; /* of the pairs */
};

typedef void logic_fault(void *context, struct place place, const char *message);

struct logic_pairs {
    const struct formula_names *names;
    bool any_name;      /* files may have any name; their split and bin are test and 0 */
    logic_fault *fault; /* NULL: the first one dies */
    void *context;
    int statements, pairs, files;
    struct logic_statement *statement; /* [statements] as they come */
    struct logic_pair *pair;           /* [pairs] as they come */
    struct logic_file *file;           /* [files] as they were read */
    struct arena arena;                /* texts */
    struct table *known;               /* texts of statements to their numbers */
};

/* Begin with names (and fault, context) alone. Dies when the file cannot be read, is not text
 * (utf8_require) or has only a byte order mark, when its name says no split and bin, or those of a
 * file before. */
void logic_pairs_read(struct logic_pairs *pairs, const char *path);
/* The same of the text of a file that is called so, which lives as long. */
void logic_pairs_take(struct logic_pairs *pairs, const char *path, const char *text, size_t bytes);
void logic_pairs_free(struct logic_pairs *pairs);
