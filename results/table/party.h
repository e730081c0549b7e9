/* The two parties of a comparison: the seeds of rows with what stands behind a column's values, and
 * what makes these comparable.
 *
 * Only seeds that both rows have are paired. Not comparable are values whose signatures or items
 * differ, and those that come from stages that were computed with other numerics: device or
 * products. */
#ifndef RESULTS_TABLE_PARTY_H
#define RESULTS_TABLE_PARTY_H

#include "results/stats/significance.h"
#include "results/table/evidence.h"
#include "results/table/sample.h"

struct party {
    int count;
    const struct evidence **evidence; /* [count] of some seeds */
};

struct party party_new(int room, struct arena *arena);
void party_add(struct party *party, const struct evidence *evidence);

/* What stands behind a column's value of a seed (column_evidence says that something does); NULL:
 * no stage with it is done. */
const struct evidence *party_evidence(struct sampler *sampler, const struct column *column, int row,
                                      int seed);
/* What decides the numbers of a stage besides its id, in its environment; NULL-terminated.
 * The table of instructions does not: both have the same bits. */
extern const char *const party_numeric[];
/* The seeds that both rows have the column's evidence of; the parties have room for them. Returns
 * why they cannot be paired, or NULL. */
const char *party_rows(struct sampler *sampler, const struct column *column, int row, int other_row,
                       struct party *ours, struct party *theirs);
/* Why the evidence of a party cannot be used with that of `first`, or NULL. */
const char *party_check(const struct party *party, const struct evidence *first,
                        struct arena *arena);
/* For significance.h; the party has a seed at least and was checked. */
struct significance_system party_system(const struct party *party, struct arena *arena);

#endif
