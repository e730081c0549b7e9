/* Which cells of a table are better than their baselines: scores paired sentence by sentence, over
 * the seeds that both have. Not paired are cells whose signatures differ, and those whose trainings
 * or translations were computed with other numerics: device or products. */
#ifndef RESULTS_SUMMARY_PAIR_H
#define RESULTS_SUMMARY_PAIR_H

#include "results/party.h"

struct pair {
    bool compared;
    const char *problem; /* why not, where both sides have scores; NULL: nothing to compare */
    int seeds;           /* that both have; 1 with a file of hypotheses */
    struct significance result; /* b: this cell, a: its baseline */
    double p;                   /* of the test that sets the marks, after correction */
};

/* All cells of a table. */
struct pairing {
    struct sampler *sampler;
    const struct layout *layout;
    struct arena *arena;
    const struct evidence **hyp; /* [lines][factors] NULL: not asked for yet */
    struct pair *pair;           /* [lines][factors], by pair_all */
    int comparisons;
};

struct pairing pair_open(struct sampler *sampler);
/* A line's file of hypotheses, scored against the references of the grid's rows of that factor (or
 * its own, `ref:`); NULL: it has none. Where no row is scored yet, its problem says so. Dies when
 * the file is not there or does not go line by line with the references. */
const struct evidence *pair_hypotheses(struct pairing *pairing, int line, int factor);
/* Compares; with randomization only when asked for, which takes longer. */
void pair_all(struct pairing *pairing, bool randomize);
/* The same for one cell, without correction. */
struct pair pair_compare(struct pairing *pairing, int line, int factor, bool randomize);

const struct pair *pair_at(const struct pairing *pairing, int line, int factor);
/* The line that a line is compared with. */
int pair_baseline(const struct layout *layout, int line);

#endif
