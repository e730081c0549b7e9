/* The claims of a paper, tested on a grid's results: the key `claims` of a grid.
 *
 *   claims:
 *     - text: The hybrid beats local attention alone
 *       compare: [+ Hybrid (gate), + Local pattern]     two rows, by their names
 *       metric: bleu        any column with numbers (column.h); bleu when absent. As in a table,
 *                           {column: gates.gate, layer: 3} names dimensions
 *       expect: greater     the first one against the second one: greater | less | equal
 *       smallest: 0.3       the smallest difference of interest; 0 when absent. `equal` needs it
 *       alpha: 0.05
 *       undertrained: allow     see Training below; an item {undertrained: allow} alone
 *                               applies to all claims of the list
 *     - text: Seeds alone make no difference
 *       compare: [Transformer, Transformer]
 *       seeds: [1-6, 7-12]  the trainings of each side; the row may then be the same
 *       expect: greater
 *     - text: Training taught it tense
 *       compare: [Transformer]        one row: its value against its control, by seed
 *       metric: margin(probe.Tense)   required to be a margin (column.h)
 *       expect: greater
 *     - text: Content words need neighbors more than function words do
 *       row: + Gate           one row: two groups of classes of its values, by encoder
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
 * d is the mean of the first row - the mean of the second, and m is `smallest`. A claim states d >
 * m, d < -m or |d| < m. A claim is
 *   supported       if its contrary is refused: p < alpha
 *   contradicted    if the claim itself is refused at the same level
 *   inconclusive    if neither is refused, or nothing can be tested; the note has the reason
 *   inconclusive (one seed)     if a side has one training only, for any p
 *   inconclusive (undertrained) if more training could still reverse it (below), for any p
 *   not run         if a row has no value yet
 * p is one-sided; for `equal` it is the larger of two (Schuirmann 1987).
 *
 * p is Student's (results/stats/difference.h), over seeds. For values with observations
 * (observations.h: BLEU, over sentences) it is also over observations. The variance between the
 * seeds of two rows is pooled over the rows of the grid, as in its table (sample_cache.h). With one
 * seed p is over observations only, which do not predict another training. Sizes that are equal
 * for all seeds are compared exactly. The seeds are those that both rows have (comparison.h), or
 * those that the claim names for each side. Named seeds are different trainings, so they are never
 * paired.
 *
 * All claims of a grid with a decisive p are one family of N claims. Verdicts are by p after Holm
 * (1979), separately for each of the two sides. A claim of a row that a sweep expands counts once
 * for each resulting row. Claims that are not run, have one seed or are compared exactly are not
 * members.
 *
 * A main effect pools pairs of rows. The rows of a pair have the two values on the axis. They agree
 * in every other axis, and in their name without the axes. The seeds are those that all of these
 * rows have. A side's value at a seed is the mean over its rows, and the two sides are then
 * compared like two rows. So rows may have different variances over seeds. Rows of one seed may
 * also depend on each other, for example by sharing the order of the batches. The price: n seeds
 * give only n - 1 degrees of freedom per side, even with many pairs. Pairs have equal weights: the
 * effect is the mean over these points only.
 *
 * Training. The trainings of a claim are those from which its values are computed. For BLEU these
 * are the scored trainings; for probes, gates and analyses those whose encoders are read. The
 * curves are those of training.h. f is the dev metric at the start of the last third, e at the end.
 * D is e of the first side - e of the second. A claim is undertrained if
 *   - a training of it ended in its warm-up; or
 *   - the difference moves toward 0 (or past 0) in the last third by more than a third of its value
 *     at f; or
 *   - a row improves from f to e by more than half of |D|. So a large difference is decided early.
 * Units are those of the dev metric (nats, or percent right), not those of the claim's metric. The
 * curve of a row is the mean over its seeds. The curve of a main effect's side is the mean over its
 * rows.
 *
 * If D does not exist, each row is compared with itself. It is undertrained if its improvement from
 * f to e is more than half of its improvement since its first validation. D does not exist
 *   - within a row, against a control, and for two sides of the same trainings
 *   - if one side has no training (a file of hypotheses, vectors)
 * The same rule applies to `equal`, unless it is contradicted, because the claim itself expects a D
 * near 0. But if the claim's metric has the unit of the dev metric (dev_loss, test_loss),
 * `smallest` replaces |D| if it is larger.
 *
 * If a training has fewer than five validations, the verdict stays, with the suffix "training not
 * known". Claims on sizes and times ignore training. A claim with `undertrained: allow` keeps its
 * verdict, and the note has the reason why it could be reversed.
 *
 * A claim within a row has one value per encoder, so its t is over encoders. The stages may have
 * clusters (results/store/items.h: the sums of each sentence). Then the clusters are resampled, all
 * layers and classes of a sentence together, and their variance is added. Values of classes require
 * clusters. A sample without a word of a side is drawn again. The mean of several classes is over
 * all their words. */
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
    CLAIM_UNTESTED /* values cannot be compared; the note has the reason */
};
enum claim_test { CLAIM_EXACT, CLAIM_BOOTSTRAP, CLAIM_STUDENT };
extern const char *const claim_verdicts[]; /* words of the verdicts, by enum claim_verdict */

/* The comparison within a row; CLAIM_ROWS compares rows. */
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
    double level;          /* of CLAIM_LEVEL: the value to compare with */
    int pairs;             /* number of pairs; 1 unless a main effect */
    const int (*pair)[2];  /* [pairs] indices of the grid's rows */
    const char *effect[2]; /* "window 1" and "window 3"; NULL: a claim about rows */
    bool alone;            /* one row, twice in its pair: against its control */
    struct column column;
    enum claim_expect expect;
    double smallest, alpha;
    struct claim_seeds seeds[2]; /* not named: the seeds that both rows have */
    bool undertrained;           /* `undertrained: allow` */
};

struct claims {
    int count;
    const struct claim *claim; /* [count] */
};

/* claims_read.c: reads the value of the key (NULL: no claims). Requires the grid's rows and layout.
 * Exits with an error at the location of an invalid value. */
struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena);

void claims_help(FILE *out); /* the keys of a claim, for --help */

/* A stage whose values were compared. */
struct claim_stage {
    const char *id, *name; /* 64 digits; "score-0123456789ab" */
    unsigned sides;        /* bits: 1 first side, 2 second side */
};

struct claim_result {
    enum claim_verdict verdict;
    bool training_unknown;   /* too few validations to decide whether the claim is undertrained */
    const char *signature;   /* how the values were computed; NULL: none */
    int pairs;               /* number of compared pairs */
    int named[2];            /* seeds with a value on each side, if the claim names them */
    struct paired_test pair; /* seeds, resampled items, and whether it is paired or pooled */
    bool tested;             /* the fields from `test` to `member` are valid; else NaN and false */
    enum claim_test test;
    double difference, low, high; /* the interval of level 1 - 2 alpha */
    double p, against;            /* p of the claim's contrary, and of the claim */
    bool member;                  /* member of the family, so that `holm` is known */
    double holm;                  /* p after Holm's correction */
    const char *note;             /* why it was not tested, or a restriction of the test; or NULL */
    int stages;
    struct claim_stage *stage; /* [stages] each once */
};
#define CLAIM_ONE_SEED_ALONE                                                                       \
    "one seed: expected two or more, because there are no sentences to resample"
/* Appends a remark to the result's note. */
void claim_note(struct claim_result *result, struct arena *arena, const char *format, ...)
    PRINTF(3, 4);
/* Adds a stage to sides (bits as above), unless it is already there. */
void claim_add_stage(struct claim_result *result, const char *name, const char *id, unsigned sides,
                     struct arena *arena);

/* claims_within.c: estimates the difference of a claim within a row. Fills seeds, pairs, items,
 * signature, stages and note of the result. Returns false if it cannot be estimated: verdict and
 * note have the reason. Exits with an error at the location of a class that no stage of the row
 * has. */
bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct difference_known *known);

/* claims_hypotheses.c. claim_has_hypotheses: true if a claim compares two rows and one is a file of
 * hypotheses. claim_hypotheses: finds the claim's sides, which are in the sampler's arena. Returns
 * false if they have no values; the result's note has the reason. */
bool claim_has_hypotheses(const struct grid *grid, const struct claim *claim);
bool claim_hypotheses(struct sampler *sampler, const struct claim *claim,
                      struct claim_result *result, struct compared_side side[2]);

/* claims_training.c: changes an otherwise final verdict if the claim is undertrained. */
void claim_training(struct sampler *sampler, const struct claim *claim,
                    struct claim_result *result);

/* Judges all claims, [count]. The sampler's grid is that of claims_read. Resampling uses
 * significance_usual. */
struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims);

/* Returns the table of all claims, one line each, with captions on tests and stages. */
struct sheet *claims_sheet(struct store *store, const struct grid *grid,
                           const struct claims *claims, struct arena *arena);
/* For other programs. claims_rows: prints a line or object per claim. claims_export: writes the
 * same as rows of a new table `verdict` in a database `to` (docs/format.md). */
void claims_rows(struct store *store, const struct grid *grid, const struct claims *claims,
                 enum export_format format, FILE *out);
void claims_export(struct store *store, const struct grid *grid, const struct claims *claims,
                   struct store *to);
