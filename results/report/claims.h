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
 *       undertrained: allow     below, Training; an item {undertrained: allow} without more
 *                               allows it of all claims of the list
 *     - text: Seeds alone make no difference
 *       compare: [Transformer, Transformer]
 *       seeds: [1-6, 7-12]  the trainings of each side; the row may then be the same
 *       expect: greater
 *     - text: Training taught it tense
 *       compare: [Transformer]        one row: the value against that of its control, by seed
 *       metric: margin(probe.Tense)   which must then be a margin (column.h)
 *       expect: greater
 *     - text: Content words need neighbors more than function words do
 *       row: + Gate           one row: two groups of classes of its own values, by encoder
 *       metric: {column: gates.gate, layer: 1}
 *       compare: [{class: [NOUN, VERB]}, {class: [CONJ, PRON]}]
 *       expect: greater
 *     - {text: Upper layers look further, row: + Gate, metric: gates.gate, along: layer,
 *        expect: less}    the slope by layer of least squares, against 0
 *     - {text: .., row: + Gate, metric: {column: gates.gate, layer: 1}, against: 0.5, expect: less}
 *     - text: A narrow window is better
 *       compare: {window: [1, 3]}     a main effect: two values of an axis of a sweep
 *       expect: greater
 *
 * With d = mean of the first row - mean of the second and m = smallest, a claim says d > m, d < -m
 * or |d| < m. It is
 *   supported       when its contrary is refused: p < alpha
 *   contradicted    when it is refused itself at the same level
 *   inconclusive    when neither is, or nothing can be tested; the note says why
 *   inconclusive (one seed)     when a side has one training only, whatever p is
 *   inconclusive (undertrained) when more training could still turn it (below), whatever p is
 *   not run         when a row has no value yet
 * p is one-sided; of `equal` it is the larger one of two (Schuirmann 1987).
 *
 * p is Student's (results/stats/difference.h): of seeds, and of what has observations
 * (observations.h: BLEU, over sentences) of these, too. The variance between the seeds of two rows
 * is pooled over the rows of the grid, as in its table (family.h). With one seed p is of
 * observations alone, which say nothing of another training. Sizes that are the same for all seeds
 * are compared as they are. Of rows the seeds count that both have (comparison.h), or those that
 * the claim names for each side. Named seeds are different trainings, so they are never paired.
 *
 * All claims of a grid whose p could decide something are one family: verdicts are by p after Holm
 * (1979), each of its two sides by itself, over N claims. A claim of a row that a sweep made
 * several of is one for each of these. What is not run, has one seed or is compared as it is, is no
 * member.
 *
 * A main effect pools the pairs of rows that stand at the two values and agree in every other axis,
 * and in their name without the axes. The seeds are those that all of these rows have. A side's
 * value at a seed is the mean over its rows, and the two sides are then compared as two rows are.
 * So rows may vary differently over seeds, and rows of one seed may depend on each other (they
 * share the order of the batches, say): neither is assumed away. The price is that n seeds give
 * n - 1 degrees of freedom a side, however many pairs there are. Pairs have equal weights: the
 * effect is that in these points, not in any others.
 *
 * Training. Behind a claim are the trainings that its values are computed from: of BLEU those that
 * are scored, of probes, gates and analyses those whose encoders are read. With the curves of
 * training.h, f the dev metric at the start of the last third, e at the end, and D = e of the first
 * side - e of the second, a claim is undertrained when
 *   - a training behind it ended in its warm-up; or
 *   - the difference moves toward 0 (or past it) in the last third by more than a third of what it
 *     was at the start of it; or
 *   - a row improves from f to e by more than half of |D|. So a large difference is decided early.
 * Units are those of the dev metric (nats, or percent right), never those of the claim's metric.
 * Each row's curve is the mean over its seeds, and a main effect's side the mean over its rows.
 *
 * Where there is no D, each row is compared with itself: it is undertrained when it improves from f
 * to e by more than half of what it has improved by since its first validation. That is so within a
 * row, against a control, of two sides of the same trainings, and where one side has no training (a
 * file of hypotheses, vectors). It is so of `equal`, too, unless it is contradicted: D is near 0
 * there by what is claimed. But where the claim's metric has the unit of the dev metric (dev_loss,
 * test_loss), `smallest` stands in the place of |D| if it is larger.
 *
 * With fewer than five validations of a training the verdict stays, and "training not known" stands
 * behind it. Sizes and times do not depend on it. A claim with `undertrained: allow` keeps its
 * verdict, and the note says why it could turn.
 *
 * What is claimed within a row has one value an encoder, so its t is over these. Where a stage left
 * clusters (results/store/items.h: the sums of each sentence) they are resampled, all layers and
 * classes of a sentence at once, and their variance is added; values of classes are known from them
 * alone. A sample without a word of a side is drawn again. The mean of several classes is over all
 * their words. */
#pragma once

#include "core/config/scalar.h"
#include "core/config/int_range.h"
#include "results/query/query.h"
#include "results/table/comparison.h"

enum claim_expect { CLAIM_GREATER, CLAIM_LESS, CLAIM_EQUAL };
enum claim_verdict {
    CLAIM_SUPPORTED,
    CLAIM_CONTRADICTED,
    CLAIM_INCONCLUSIVE,
    CLAIM_ONE_SEED,
    CLAIM_UNDERTRAINED,
    CLAIM_NOT_RUN,
    CLAIM_UNTESTED /* there are values that cannot be compared; the note says why */
};
enum claim_test { CLAIM_EXACT, CLAIM_BOOTSTRAP, CLAIM_STUDENT };
extern const char *const claim_verdicts[]; /* in words, by enum claim_verdict */

/* What is compared within a row; of CLAIM_ROWS rows are. */
enum claim_form { CLAIM_ROWS, CLAIM_CLASSES, CLAIM_SLOPE, CLAIM_LEVEL };

/* The seeds of one side of a claim. */
struct claim_seeds {
    int ranges; /* 0: not named */
    const struct int_range *range;
    const char *text; /* "1-6" */
};

struct claim {
    const char *text;
    enum claim_form form;
    struct texts class[2]; /* of CLAIM_CLASSES */
    double level;          /* of CLAIM_LEVEL: what the row's value is compared with */
    int pairs;             /* 1, or those of a main effect */
    const int (*pair)[2];  /* [pairs] indices of the grid's rows */
    const char *effect[2]; /* "window 1" and "window 3"; NULL: of rows */
    bool alone;            /* of one row, both times in its pair: against its control */
    struct column column;
    enum claim_expect expect;
    double smallest, alpha;
    struct claim_seeds seeds[2]; /* not named: those that both rows have */
    bool undertrained;           /* it is allowed */
};

struct claims {
    int count;
    const struct claim *claim; /* [count] */
};

/* claims_read.c: from the value of the key (NULL: no claims); the grid's rows and layout are there.
 * Dies at the place of whatever is wrong. */
struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena);

void claims_help(FILE *out); /* the keys of a claim, for --help */

/* A stage whose values were compared. */
struct claim_stage {
    const char *id, *name; /* 64 digits; "score-0123456789ab" */
    unsigned sides;        /* bits: 1 of the first side, 2 of the second one */
};

struct claim_result {
    enum claim_verdict verdict;
    bool training_unknown;   /* too few validations to tell whether it is undertrained */
    const char *signature;   /* how the values were computed; NULL: nothing to say */
    int pairs;               /* whose values were compared */
    int named[2];            /* seeds with a value on each side, if the claim names them */
    struct paired_test pair; /* its seeds, what was resampled, and whether it is paired or pooled */
    bool tested;             /* the next seven are known; else NaN, and false */
    enum claim_test test;
    double difference, low, high; /* the interval of level 1 - 2 alpha */
    double p, against;            /* of the claim's contrary, and of the claim */
    bool member;                  /* of the family, and so */
    double holm;                  /* p after Holm */
    const char *note; /* why it was not tested, or what the test does not cover; or NULL */
    int stages;
    struct claim_stage *stage; /* [stages] once each */
};
#define CLAIM_ONE_SEED_ALONE "one seed: without sentences to resample, two seeds are needed"
/* Adds a remark to the result's note. */
void claim_note(struct claim_result *result, struct arena *arena, const char *format, ...)
    PRINTF(3, 4);
/* Adds a stage to a side (of bits, as above), unless it is there. */
void claim_add_stage(struct claim_result *result, const char *name, const char *id, unsigned sides,
                     struct arena *arena);

/* claims_within.c: what is known of the difference that a claim within a row is about; fills seeds,
 * pairs, items, signature, stages and note of the result. False: nothing, and verdict and note say
 * why. Dies at the place of a class that no stage of the row has. */
bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct difference_known *known);

/* claims_hypotheses.c: true if a claim compares two rows and one of them is a file of hypotheses;
 * then its sides, which live in the sampler's arena. False: the result's note says why not. */
bool claim_has_hypotheses(const struct grid *grid, const struct claim *claim);
bool claim_hypotheses(struct sampler *sampler, const struct claim *claim,
                      struct claim_result *result, struct compared_side side[2]);

/* claims_training.c: what the trainings behind a claim do to a verdict that is otherwise final. */
void claim_training(struct sampler *sampler, const struct claim *claim,
                    struct claim_result *result);

/* All of them, [count]. The sampler's grid is that of claims_read; what is resampled is with
 * significance_usual. */
struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims);

/* All of them, a line each, with captions that say how they were tested and on which stages. */
struct sheet *claims_sheet(struct store *store, const struct grid *grid,
                           const struct claims *claims, struct arena *arena);
/* For other programs: a line or object per claim; and the same as rows of a new table `verdict` in
 * a database `to` (docs/format.md). */
void claims_rows(struct store *store, const struct grid *grid, const struct claims *claims,
                 enum export_format format, FILE *out);
void claims_export(struct store *store, const struct grid *grid, const struct claims *claims,
                   struct store *to);
