/* The two sides of a comparison: the scored seeds of rows, with what makes them comparable.
 *
 * Only seeds that both rows have are paired. Not comparable are scores whose signatures differ, and
 * those whose trainings or translations were computed with other numerics: device, instructions,
 * BLAS or its core. */
#ifndef RESULTS_SIDE_H
#define RESULTS_SIDE_H

#include "results/evidence.h"
#include "results/sample.h"
#include "results/significance.h"

struct side {
    int count;
    const struct evidence **evidence; /* [count] of some seeds */
};

struct side side_new(int room, struct arena *arena);
void side_add(struct side *side, const struct evidence *evidence);

/* The id of the score stage of a seed that is done; NULL: there is none. */
const char *side_score(struct sampler *sampler, int row, int seed);
/* In which of the numerics two seeds of rows differ ("other device: ..."), or NULL. */
const char *side_numerics(struct sampler *sampler, int row, int seed, int other_row,
                          int other_seed);
/* The seeds that both rows have scores of; the sides have room for them. Returns why they cannot be
 * paired, or NULL. */
const char *side_rows(struct sampler *sampler, int row, int other_row, struct side *ours,
                      struct side *theirs);
/* Why the evidence of a side cannot be used with that of `first`, or NULL. */
const char *side_check(const struct side *side, const struct evidence *first);
/* For significance.h; the side has a seed at least and was checked. */
struct significance_system side_system(const struct side *side, struct arena *arena);

#endif
