/* What a paper claims, checked against a grid's results: the key `claims` of a grid.
 *
 *   claims:
 *     - text: The hybrid beats local attention alone
 *       compare: [+ Hybrid (gate), + Local pattern]     two rows, by their names
 *       metric: bleu        any column with numbers (column.h); bleu when absent. As in a table,
 *                           {column: gates.gate, layer: 3} names dimensions
 *       expect: greater     the first one against the second one: greater | less | equal
 *       smallest: 0.3       the smallest difference of interest; 0 when absent. `equal` needs it
 *       alpha: 0.05
 *
 * With d = mean of the first row - mean of the second and m = smallest, a claim says d > m, d < -m
 * or |d| < m. It is
 *   supported       when its contrary is refused: p < alpha
 *   contradicted    when it is refused itself at the same level
 *   inconclusive    when neither is, or nothing can be tested; the note says why
 *   not run         when a row has no value yet
 * p is one-sided; of `equal` it is the larger one of two (Schuirmann 1987). So a claim is supported
 * exactly where the interval of level 1 - 2 alpha lies where the claim wants d to be.
 *
 * What has observations (observations.h) is resampled over these, BLEU over sentences, and, with
 * n > 1, seeds (significance.h); other metrics take Welch's t over seeds, n > 1. Sizes that are the
 * same for all seeds are compared as they are. Rows are paired by the seeds that both have
 * (replicates.h). */
#ifndef RESULTS_REPORT_CLAIMS_H
#define RESULTS_REPORT_CLAIMS_H

#include "results/table/replicates.h"

enum claim_expect { CLAIM_GREATER, CLAIM_LESS, CLAIM_EQUAL };
enum claim_verdict { CLAIM_SUPPORTED, CLAIM_CONTRADICTED, CLAIM_INCONCLUSIVE, CLAIM_NOT_RUN };
enum claim_test { CLAIM_EXACT, CLAIM_BOOTSTRAP, CLAIM_WELCH };
extern const char *const claim_verdicts[]; /* in words, by enum claim_verdict */

/* The resampling of observations. */
extern const struct significance_options claim_bootstrap;

struct claim {
    const char *text;
    int row[2]; /* indices of the grid's rows */
    struct column column;
    enum claim_expect expect;
    double smallest, alpha;
};

struct claims {
    int count;
    const struct claim *claim; /* [count] */
};

/* From the value of the key (NULL: no claims); the grid's rows and layout are there. Dies at the
 * place of whatever is wrong. */
struct claims claims_read(const struct tree *list, const struct summary_grid *grid,
                          struct arena *arena);

struct claim_result {
    enum claim_verdict verdict;
    const char *signature; /* how the values were computed; NULL: nothing to say */
    int seeds;             /* that both rows have values of */
    bool tested;           /* the next five are known */
    enum claim_test test;
    double difference, low, high; /* the interval of level 1 - 2 alpha */
    double p;
    const char *items; /* what was resampled; NULL: nothing */
    const char *note;  /* why it was not tested, or what the test does not cover; or NULL */
    int stages;
    const char **stage; /* [stages] "score-0123456789ab": whose values were compared */
};
/* The sampler's grid is that of claims_read. */
struct claim_result claim_judge(struct sampler *sampler, const struct claim *claim);

/* All of them, a line each, with captions that say how they were tested and on which stages. */
struct sheet *claims_sheet(struct store *store, const struct summary_grid *grid,
                           const struct claims *claims, struct arena *arena);

#endif
