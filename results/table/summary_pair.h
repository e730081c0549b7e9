/* Which cells of a table are better than their baselines: values paired item by item, over the
 * seeds that both have (party.h says which cannot be paired). All cells of the columns of the
 * family are compared, and p is corrected over all of them together. */
#ifndef RESULTS_TABLE_SUMMARY_PAIR_H
#define RESULTS_TABLE_SUMMARY_PAIR_H

#include "results/table/party.h"

struct pair {
    bool compared;
    const char *problem; /* why not, where both sides have values; NULL: nothing to compare */
    const char *items;   /* what was resampled: "sentences" */
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
    int tested;
    struct column *column; /* [tested] the family, a column for each class that the table shows */
    struct pair *pair;     /* [tested][lines][factors], by pair_all */
    int comparisons;
};

struct pairing pair_open(struct sampler *sampler);
/* A line's file of hypotheses, scored against the references of the grid's rows of that factor (or
 * its own, `ref:`); NULL: it has none. Where no row is scored yet, its problem says so. Dies when
 * the file is not there or does not go line by line with the references. */
const struct evidence *pair_hypotheses(struct pairing *pairing, int line, int factor);
/* Compares; with randomization only when asked for, which takes longer. */
void pair_all(struct pairing *pairing, bool randomize);
/* The same for one cell of any column that has evidence, without correction. */
struct pair pair_compare(struct pairing *pairing, const struct column *column, int line, int factor,
                         bool randomize);

/* Which of the tested columns has a column's values; -1: none. */
int pair_tested(const struct pairing *pairing, const struct column *column);
const struct pair *pair_at(const struct pairing *pairing, int tested, int line, int factor);
/* The line that a line is compared with. */
int pair_baseline(const struct layout *layout, int line);

#endif
