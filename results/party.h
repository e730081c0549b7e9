/* The two parties of a comparison: the scored seeds of rows, with what makes them comparable.
 *
 * Only seeds that both rows have are paired. Not comparable are scores whose signatures differ, and
 * those whose trainings or translations were computed with other numerics: device or products. */
#ifndef RESULTS_PARTY_H
#define RESULTS_PARTY_H

#include "results/evidence.h"
#include "results/sample.h"
#include "results/significance.h"

struct party {
    int count;
    const struct evidence **evidence; /* [count] of some seeds */
};

struct party party_new(int room, struct arena *arena);
void party_add(struct party *party, const struct evidence *evidence);

/* The id of the score stage of a seed that is done; NULL: there is none. */
const char *party_score(struct sampler *sampler, int row, int seed);
/* What decides the numbers of a stage besides its id, in its environment; NULL-terminated.
 * The table of instructions does not: both have the same bits. */
extern const char *const party_numeric[];
/* The seeds that both rows have scores of; the parties have room for them. Returns why they cannot
 * be paired, or NULL. */
const char *party_rows(struct sampler *sampler, int row, int other_row, struct party *ours,
                       struct party *theirs);
/* Why the evidence of a party cannot be used with that of `first`, or NULL. */
const char *party_check(const struct party *party, const struct evidence *first);
/* For significance.h; the party has a seed at least and was checked. */
struct significance_system party_system(const struct party *party, struct arena *arena);

#endif
