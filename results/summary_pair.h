/* Which cells of a table are better than their baselines: scores paired sentence by sentence. */
#ifndef RESULTS_SUMMARY_PAIR_H
#define RESULTS_SUMMARY_PAIR_H

#include "results/evidence.h"
#include "results/sample.h"

struct pair {
    bool compared;
    const char *problem; /* why not, when both sides have scores; NULL: nothing to compare */
    int seeds;           /* of the cell and of its baseline: those that both have */
    struct significance result; /* b: this cell, a: its baseline */
    double p;                   /* of the test that sets the marks, after correction */
};

/* Everything of a table, [lines][factors]; `trials` 0: without randomization. */
struct pairing {
    struct store *store;
    struct sampler *sampler;
    const struct layout *layout;
    struct arena *arena;
    struct pair *pair;
    int comparisons;
};

struct pairing pair_all(struct sampler *sampler, bool randomize);
struct pair *pair_at(const struct pairing *pairing, int line, int factor);
/* The line that a line is compared with. */
int pair_baseline(const struct layout *layout, int line);

/* A line's file of hypotheses, scored against the references that the grid's rows of that factor
 * were scored with (or against its own, `ref:`): BLEU, or none and in why[0] the reason. */
struct sample pair_hypotheses(struct sampler *sampler, int line, int factor);

#endif
