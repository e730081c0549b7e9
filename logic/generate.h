/* Generates random pairs of statements as in Bowman et al. 2015, or with a valid split as in Tran
 * et al. 2018. For each pair, four variables are drawn (all variables if there are fewer). Then two
 * random statements with these variables are drawn:
 *
 *     statement(M) = ( not X ) with probability 1/3, else X
 *     X = ( statement(M/2) ( and statement(M/2) ) )  with probability 2/9 when M is 2 or more
 *         ( statement(M/2) ( or statement(M/2) ) )   likewise
 *         one of the variables, with equal chances   otherwise
 *
 * The initial M is the option `depth`. A pair with a side that is always or never true is rejected.
 * Pairs are drawn until the requested number is accepted. This number includes duplicates, which
 * are then dropped. The remaining pairs of a bin are split in the order of generation. bowman: 85%
 * train and 15% test. tran: 80% train, 10% valid and 10% test. Shares are rounded down, except the
 * last one.
 *
 * With `disjoint`, a pair and its mirror (sides exchanged) are in the same split. The mirror is
 * counted as if it came directly after its pair, and it always gets the split of its pair.
 *
 * Random numbers (core/base/random.h): drawn pair t (from 0) uses the random words 0, 1, 2, .. of
 * key (seed, stream "logic") and step t. A block has four words. A number below n is word * n >>
 * 32. The numbers are drawn in this order:
 * - choice among V variables, for i = 0, 1, ..: r below V - i; variables i and i + r are swapped;
 * - for each statement: a number below 3; 0 negates the statement;
 * - then, if M is 2 or more: a number below 9; 0 and 1 give `and`, 2 and 3 give `or`;
 * - for each variable: a number below 4, or below V if V is smaller. */
#pragma once

#include "logic/pairs.h"

enum {
    LOGIC_DRAWN = 4, /* number of variables of a pair */
    LOGIC_DEPTH = 12,
    LOGIC_MOST_DEPTH = 64,
    LOGIC_MOST_PAIRS = 10000000
};
enum logic_protocol { LOGIC_BOWMAN, LOGIC_TRAN };
extern const char *const logic_protocol_names[]; /* bowman, tran, NULL */

/* Returns the split of pair `rank` (from 0) of a bin that has `count` pairs. */
enum logic_split logic_split_of(enum logic_protocol protocol, int rank, int count);

struct logic_options {
    const struct formula_names *names; /* names of the variables */
    int pairs;                         /* number of accepted pairs, 1 or more */
    int depth;                         /* initial M, 1 or more */
    enum logic_protocol protocol;
    bool disjoint;
    uint32_t seed;
};
/* A pair. The text is premise TAB hypothesis, without a terminating NUL. */
struct logic_row {
    const char *text;
    uint32_t bytes, premise; /* length of the text; length of the premise */
    enum logic_relation relation;
    enum logic_split split;
};
struct logic_rows {
    struct logic_row *row; /* [count] in the order of generation */
    int count;
};
struct logic_made {
    enum logic_protocol protocol;
    int64_t drawn; /* drawn pairs, including rejected ones */
    struct logic_rows bin[LOGIC_BINS];
};
/* Makes pairs, in the arena. Equal options give equal pairs. */
struct logic_made logic_make(const struct logic_options *options, struct arena *arena);

/* Creates an output folder if it is missing. Dies if the path is a file, or a folder that is not
 * empty. */
void logic_make_folder(const char *folder);
/* Adds the made pairs to `pairs`, as if they had been read from the files of logic_made_write. */
void logic_made_pairs(const struct logic_made *made, struct logic_pairs *pairs);
/* Writes the files SPLIT0 to SPLIT12 for each split of the protocol. The file of a bin without
 * pairs is empty. */
void logic_made_write(const struct logic_made *made, const char *folder);
