/* Pairs of statements at random, as Bowman et al. 2015 made theirs (Tran et al. 2018: with a valid
 * split). A pair draws four variables, or all if there are fewer, and two statements of them:
 *
 *     statement(M) = ( not X ) with probability 1/3, else X
 *     X = ( statement(M/2) ( and statement(M/2) ) )  with probability 2/9 when M is 2 or more
 *         ( statement(M/2) ( or statement(M/2) ) )   as often
 *         one of the variables, all alike            otherwise
 *
 * with M = 12 at first. A pair with a side that is always or never true is rejected, both sides of
 * it. Accepted pairs are counted, then a pair that was there before is dropped. What is left of a
 * bin is split in the order in which it was made: bowman 85% train and 15% test, tran 80% train,
 * 10% valid and 10% test, shares rounded down but for the last.
 *
 * With `disjoint` a pair and its mirror (hypothesis and premise) are on one side: behind the first
 * of two comes the other one in the order that is split, and no split cuts between them.
 *
 * Random numbers (core/base/random.h): pair t of all that are drawn takes words 0, 1, 2, .. of key
 * (seed, stream "logic") and step t, four of a block; a number below n is word * n >> 32. In this
 * order: for i = 0, 1, .. below V - i, which exchanges variable i of the list with the one so far
 * behind it; for a statement below 3, which negates if 0; where M is 2 or more below 9, which is
 * `and` for 0 and 1, `or` for 2 and 3; for a variable below 4. */
#pragma once

#include "logic/pairs.h"

enum {
    LOGIC_DRAWN = 4, /* variables of a pair */
    LOGIC_DEPTH = 12,
    LOGIC_MOST_DEPTH = 64,
    LOGIC_MOST_PAIRS = 10000000
};
enum logic_protocol { LOGIC_BOWMAN, LOGIC_TRAN };
extern const char *const logic_protocol_names[]; /* bowman, tran, NULL */

/* The split of the rank-th of so many pairs of a bin, from 0. */
enum logic_split logic_split_of(enum logic_protocol protocol, int rank, int count);

struct logic_options {
    const struct formula_names *names; /* variables */
    int pairs;                         /* accepted, from 1 */
    int depth;                         /* M, from 1 */
    enum logic_protocol protocol;
    bool disjoint;
    uint32_t seed;
};
/* A pair; its text is premise TAB hypothesis, without a NUL behind it. */
struct logic_row {
    const char *text;
    uint32_t bytes, premise; /* of both; of the premise */
    enum logic_relation relation;
    enum logic_split split;
};
struct logic_rows {
    struct logic_row *row; /* [count] in the order in which they were made */
    int count;
};
struct logic_made {
    enum logic_protocol protocol;
    int64_t drawn; /* pairs, rejected ones too */
    struct logic_rows bin[LOGIC_BINS];
    struct arena arena; /* texts */
};
/* The same options always make the same pairs. */
struct logic_made logic_make(const struct logic_options *options);
void logic_made_free(struct logic_made *made);

/* A folder to write to: dies when something is in it, makes it when it is not there. */
void logic_make_folder(const char *folder);
/* Adds them to pairs, as if they were read from such files. */
void logic_made_pairs(const struct logic_made *made, struct logic_pairs *pairs);
/* Writes SPLIT0 to SPLIT12 for each split of the protocol; a bin without pairs is an empty file. */
void logic_made_write(const struct logic_made *made, const char *folder);
