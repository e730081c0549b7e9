/* Reads pairs of statements with their relation, in the file format of Bowman et al. 2015. There is
 * one file for each split and bin (train0 to train12, test0, ..). A line is a pair:
 *
 *     relation<TAB>premise<TAB>hypothesis
 *
 * Each statement has a number of operators. The bin of a pair is the larger of its two numbers, but
 * at most 12. Each distinct statement is stored and evaluated once. The reader computes the
 * relation and the bin of every line and compares them with the file. A wrong line is reported to
 * `fault`; if `fault` returns, the line is left out. */
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
/* A range of bins, first and last included: "0-6", or "3". */
struct logic_bins {
    int first, last;
};
/* Parses bins. Dies at `location` if the text is invalid. */
struct logic_bins logic_bins_read(struct location location, const char *text);

struct logic_statement {
    const char *text; /* without a terminating NUL */
    size_t bytes;
    struct formula formula;
};
struct logic_pair {
    int32_t premise, hypothesis; /* indices of statements */
    enum logic_relation relation;
};
struct logic_file {
    const char *path;
    enum logic_split split;
    int bin;
    int first, count; /* range of logic_pairs.pair */
};

typedef void logic_fault(void *context, struct location location, const char *message);

struct logic_pairs {
    const struct formula_names *names;
    bool any_name;      /* files may have any name; their split is test and their bin 0 */
    logic_fault *fault; /* called for each wrong line; NULL: die at the first one */
    void *context;
    int statements, pairs, files;
    struct logic_statement *statement; /* [statements] in the order of reading */
    struct logic_pair *pair;           /* [pairs] in the order of reading */
    struct logic_file *file;           /* [files] in the order of reading */
    struct arena *arena;               /* memory of the lists and texts */
    struct hash_table *known;          /* maps the text of a statement to its index */
};

/* Reads a file. Before the first call, the caller sets `names` and `arena`. It may set any_name,
 * fault and context. All other fields must be 0. Dies in these cases:
 *   - the file cannot be read, is not UTF-8 text (utf8_require) or has only a byte order mark
 *   - its name does not consist of a split and a bin, or an earlier file had the same split and
 *     bin */
void logic_pairs_read(struct logic_pairs *pairs, const char *path);
/* Like logic_pairs_read, for a text in memory with the name `path`. The text must outlive
 * `pairs`. */
void logic_pairs_take(struct logic_pairs *pairs, const char *path, const char *text, size_t bytes);
