/* Tests the claims of a paper on the results of a grid. The key `claims` of the grid lists them.
 *
 *   claims:
 *     - text: The hybrid beats local attention alone
 *       compare: [+ Hybrid (gate), + Local pattern]     two rows, by their names
 *       metric: bleu        any column with numbers (column.h); default: bleu. As in a table,
 *                           {column: gates.gate, layer: 3} also selects dimensions
 *       expect: greater     the first row compared with the second one: greater | less | equal
 *       smallest: 0.3       the smallest difference of interest (default: 0); required by `equal`
 *       alpha: 0.05
 *       untuned: allow      permission to compare a tuned row with a row that is not tuned
 *       budget: 4 trials    compares the expected best trials of tuned rows, not values of seeds.
 *                           Also: 2 hours, of a search
 *       undertrained: allow     see Training below
 *     - text: Seeds alone make no difference
 *       compare: [Transformer, Transformer]
 *       seeds: [1-6, 7-12]  the seeds of each side; both sides may then be the same row
 *       expect: greater
 *     - text: Training taught it tense
 *       compare: [Transformer]        one row: its value and its control, seed by seed
 *       metric: margin(probe.Tense)   must be a margin (column.h)
 *       expect: greater
 *     - text: Content words need neighbors more than function words do
 *       row: + Gate           one row: two groups of classes of its values, encoder by encoder
 *       metric: {column: gates.gate, layer: 1}
 *       compare: [{class: [NOUN, VERB]}, {class: [CONJ, PRON]}]
 *       expect: greater
 *     - {text: Upper layers look further, row: + Gate, metric: gates.gate, along: layer,
 *        expect: less}    the least-squares slope over the layers is compared with 0
 *     - {text: .., row: + Gate, metric: {column: gates.gate, layer: 1}, against: 0.5, expect: less}
 *     - text: A narrow window is better
 *       compare: {window: [1, 3]}     a main effect: two values of an axis
 *       expect: greater
 *     - text: The gate helps local attention more than global attention
 *       compare: [[local + gate, local], [global + gate, global]]   the first difference minus the
 *                                     second one
 *       expect: greater
 *     - {text: A wide window is worse, row: local, along: window, scale: log, expect: less}
 *                                     least-squares slope over the values of an axis, against 0.
 *                                     scale: number (default), log (to base 2), or rank
 *     - text: The gate is better at equal loss
 *       compare: [+ Gate, Transformer]
 *       along: checkpoint             the area between two rows over an axis, per unit of the axis
 *       expect: greater
 *     - {text: Each wider window is worse, row: local, along: window, expect: falling}
 *                                     every step to the next value: rising or falling
 *     - {text: The gate helps everywhere, in_all: [[local + gate, local], [big + gate, big]],
 *        expect: greater}             a claim that holds if each of its comparisons holds
 *     - text: The hybrid is better on every text
 *       compare: [+ Hybrid (gate), Transformer]
 *       over: [tatoeba, other.yaml]   the same claim about this grid and other ones
 *       expect: greater
 *
 * d is the mean of the first row minus the mean of the second row, and m is `smallest`. A claim
 * states d > m, d < -m or |d| < m. A claim is
 *   supported       if its contrary is rejected: p < alpha
 *   contradicted    if the claim itself is rejected at the same level
 *   inconclusive    if neither is rejected
 *   inconclusive (one seed)     if a side has only one training, for any p
 *   inconclusive (undertrained) if more training could still reverse the claim (below), for any p
 *   inconclusive (edge of the space)   if tuning has chosen an option at the edge of its space
 *                   (tune.h), and the verdict would be one of the first three
 *   inconclusive (not reached)  if a training of a value at(..) does not reach the number
 *   not run         if a row has no value yet
 *   not tested      if the values cannot be compared; the note has the reason
 * If a row is tuned by one search (tune.h), the first three are "of the chosen options (one
 * search)". Another search would choose other options. With tune.repeats, each seed has its own
 * search, and t is over the searches.
 *
 * p is one-sided. For `equal`, p is the larger p of two one-sided tests (Schuirmann 1987).
 *
 * p comes from Student's t over seeds (results/stats/difference.h). If the values have observations
 * (observations.h), such as the sentences of BLEU, p also includes their variance. The variance
 * between seeds is pooled over the rows of the grid, as in its table (sample_cache.h). With one
 * seed, p includes only the variance of observations. It then does not predict the result of
 * another training. Sizes that are equal for all seeds are compared exactly. The compared seeds are
 * the seeds that both rows have (comparison.h), or the seeds that the claim names for each side.
 * Named seeds are different trainings, so they are never paired.
 *
 * All tested claims of a grid are one family, except claims that have one seed or are compared
 * exactly. Holm's method (1979) corrects p of the contrary, and separately p of the claim itself,
 * for the size of the family. The corrected p decide the verdict. If a sweep expands the row of a
 * claim, the claim counts once for each resulting row.
 *
 * A contrast is a weighted sum of the means of rows. All comparisons of rows are contrasts. Two
 * rows have the weights 1 and -1, and a slope has the weights of least squares. A row that stands
 * in two places has the sum of its weights. The variance between seeds is
 *   - of rows and of two differences: sum w^2 s^2 / n over the rows, pooled like that of two rows
 *   - of a main effect: that of the means of both sides, see below
 *   - of a slope: that of the slopes of the seeds, with n - 1 degrees of freedom
 *   - if both sides have the same trainings: that of the differences by seed
 * All rows have the same resamples of observations.
 *
 * A claim with several comparisons (in_all, rising, falling) holds if all of them hold. Its p is
 * the largest p of them (intersection-union, Berger 1982). p of the claim itself is the smallest
 * one, times the number of comparisons (Bonferroni). The result describes the weakest comparison,
 * the one whose p is largest. Such a claim is not run if a row lacks values, or if a seed did not
 * learn (learned.h).
 * The same is true of a slope and of a difference of differences. Comparisons of two rows use all
 * seeds. A main effect and an area are not run if a row lacks values.
 *
 * With `over`, a claim has one comparison, of the same rows in all grids. The grids are the
 * observations:
 * Student's t of the differences of the grids, with one degree of freedom less than grids. So the
 * result holds for other texts of this kind. Grids whose corpora have a file in common are refused,
 * because they are not independent. If only one grid has a value, the claim is inconclusive.
 *
 * The result also has the smallest difference from the limit m that such a test finds in 4 of 5
 * cases, at the level alpha. For `equal`, it is the smallest m that would be supported in 4 of 5
 * cases if d were 0. The floor is this number with any number of seeds, because more seeds do not
 * reduce the variance of sentences. A plan tells how many seeds, and if necessary sentences, detect
 * a difference of `smallest` (difference.h).
 *
 * A main effect compares two groups of rows, which form pairs. The rows of a pair have the two
 * values on the axis. They agree in every other axis, and in their name without the axes. The
 * compared seeds are the seeds that the rows of all pairs have. A side's value at a seed is the
 * mean over the rows of its group. The two sides are then compared like two rows. So rows may have
 * different variances over seeds. Rows with the same seed may also depend on each other, for
 * example because they share the order of the batches. But n seeds give only n - 1 degrees of
 * freedom per side, even with many pairs. All pairs have equal weights, so the effect is a mean
 * over the pairs of this grid.
 *
 * An area is a main effect: its pairs are the points of both rows on the axis. Pairs of at(..) that
 * a seed does not reach are left out, so it is over the common support, and its note says so. A
 * side's value at a seed is the mean height of the line through its points (trapezoids). The axis
 * is an axis of checkpoints at(..), or of other numbers.
 *
 * Training. The trainings of a claim are the trainings from which its values are computed. For
 * BLEU, these are the scored trainings. For probes, gates and analyses, they are the trainings of
 * the encoders. A row has a curve of the dev metric (training.h). f is its value at the start of
 * the last third of training, and e its value at the end. D is the contrast of the claim, with e in
 * place of the claim's metric, and with the same weights. Each comparison of a claim has its own D.
 * A claim is undertrained if
 *   - one of its trainings ended before the end of its warm-up; or
 *   - from f to e, the difference of the sides moves toward or past 0 by more than a third of its
 *     value at f; or
 *   - a row improves from f to e by more than half of |D|. So a large D needs less training. The
 *     improvement is multiplied by the sum of the weights of its side.
 * D has the unit of the dev metric (nats, or percent right), not the unit of the claim's metric.
 * The curve of a row is the mean over its seeds. For a main effect, the curve of a side is the mean
 * over the rows of the side.
 *
 * If D does not exist, the improvement from f to e is compared with half of the improvement since
 * the row's first validation. D does not exist
 *   - if the claim is within a row or compares a row with its control
 *   - if both sides come from the same trainings
 *   - if one side has no training (vectors)
 * The same rule applies to a claim with `equal` that is not contradicted, because this claim
 * expects a D near 0. There is one exception. If the claim's metric has the unit of the dev metric
 * (dev_loss, test_loss), the limit is half of the larger of |D| and `smallest`.
 *
 * Claims about values at(..) are never undertrained, because they compare checkpoints along the
 * training.
 *
 * If a training has too few validations (training.h), only the rule about the warm-up is applied.
 * If this rule does not hold, the verdict gets the suffix "training not known". Claims about sizes
 * and times are never undertrained. A claim with `undertrained: allow` keeps its verdict, and the
 * note has the reason why it could be reversed.
 *
 * A claim within a row has one value per encoder, so Student's t is over encoders. The stages may
 * have clusters, which are the sums of each sentence (results/store/items.h). Then sentences are
 * resampled, each with all its layers and classes, and the variance over sentences is added. Claims
 * about classes require clusters. A resample that has no word of one side is left out. The mean of
 * several classes is the mean over all their words. */
#pragma once

#include "core/config/scalar.h"
#include "core/config/int_range.h"
#include "results/query/query.h"
#include "results/table/comparison.h"

/* The words of `expect`. Each step of a claim with rising or falling expects the word at this index
 * modulo CLAIM_STEPS: greater or less. */
enum claim_expect { CLAIM_GREATER, CLAIM_LESS, CLAIM_EQUAL, CLAIM_STEPS };
enum claim_verdict {
    CLAIM_SUPPORTED,
    CLAIM_CONTRADICTED,
    CLAIM_INCONCLUSIVE,
    CLAIM_ONE_SEED,
    CLAIM_UNDERTRAINED,
    CLAIM_EDGE,      /* a chosen option is at the edge of its space */
    CLAIM_UNREACHED, /* a training does not reach the number of at(..) */
    CLAIM_NOT_RUN,
    CLAIM_UNTESTED /* values cannot be compared; the note has the reason */
};
enum claim_test { CLAIM_EXACT, CLAIM_BOOTSTRAP, CLAIM_STUDENT };
extern const char *const claim_verdicts[]; /* texts of the verdicts, by enum claim_verdict */

/* The form of a claim: CLAIM_ROWS compares rows, the other forms compare values within a row. */
enum claim_form { CLAIM_ROWS, CLAIM_CLASSES, CLAIM_SLOPE, CLAIM_LEVEL };

/* A weighted sum of the means of rows: the first side minus the second side. */
struct claim_contrast {
    enum compared_unit unit;
    int rows[2];             /* number of rows of each side. A main effect has equally many rows on
                                both sides: row[0][i] and row[1][i] are a pair */
    const int *row[2];       /* [rows] indices of the grid's rows */
    const double *weight[2]; /* [rows] above 0; NULL: the side is the mean of its rows */
    const double *place; /* [rows] of an area: ascending coordinates of the pairs; NULL: no area */
    const char *side[2]; /* the sides in words: "window 1", "+ Gate (seeds 1-6)" */
};

/* The same claim about another grid. */
struct claim_over {
    const struct grid *grid;
    const struct claim *claim;
};

struct claim {
    const char *text;
    enum claim_form form;
    struct texts class[2];           /* CLAIM_CLASSES: the classes of each side */
    struct int_range layers;         /* CLAIM_SLOPE: its layers; last = 0: all layers */
    double level;                    /* CLAIM_LEVEL: the value with which the row is compared */
    int contrasts;                   /* number of comparisons, which must all hold. Forms other than
                                CLAIM_ROWS have one, with the row on both sides. 0: the command
                                line has removed the rows */
    struct claim_contrast *contrast; /* [contrasts] */
    bool alone;                      /* a row is compared with its control; it is on both sides */
    struct column column;
    enum claim_expect expect;
    double smallest, alpha;
    const struct int_range *seeds; /* [2] seeds of each side; NULL: the seeds that both rows have */
    bool undertrained;             /* `undertrained: allow` */
    bool untuned;                  /* `untuned: allow` */
    const struct tree *map;        /* as written */
    const struct tree *over;       /* names of other grids; NULL: none */
    int grids;
    const struct claim_over *grid; /* [grids] set by the reader of these grids (plan_drawn.c) */
};

struct claims {
    int count;
    struct claim *claim; /* [count] */
    int left_out; /* number of maps without claims, because the command line has removed rows */
};

/* claims_read.c: reads the value of the key `claims` (NULL: no claims). Requires the grid's rows
 * and layout. Exits with an error at the location of an invalid value. */
struct claims claims_read(const struct tree *list, const struct grid *grid, struct arena *arena);

/* claims_contrast.c: adds comparisons to a claim. `like` is a row with the coordinates of the
 * claim's rows on the axes of the sweep. claim_add_compare and claim_add_along add nothing if the
 * command line has removed the rows. */
void claim_add_two(struct claim *claim, int first, int second, const struct grid *grid,
                   struct arena *arena); /* adds a comparison of two rows */
void claim_add_compare(struct claim *claim, const struct tree *compare, const struct grid *grid,
                       int like, struct arena *arena);
/* Adds the comparisons along the axis `along` of claim->map. With the key compare, this is the area
 * between its rows. Else it is a slope or, with `steps`, the comparisons of each point with the
 * previous one. */
enum claim_scale { CLAIM_NUMBER, CLAIM_LOG, CLAIM_RANK }; /* words of the key `scale` */
void claim_add_along(struct claim *claim, const struct grid *grid, int like, enum claim_scale scale,
                     bool steps, struct arena *arena);
/* Returns the weights of the rows of an area: those of the points in the mean height of the line
 * through them. place: [places] ascending */
const double *claim_heights(const double *place, int places, struct arena *arena);
/* Returns the rows of all comparisons of a claim, each once, [*count]. */
const int *claim_rows(const struct claim *claim, int *count, struct arena *arena);
/* True if a claim compares exactly two rows. */
bool claim_has_two(const struct claim *claim);
/* Returns the index of the row with this name. If several rows of a sweep share the name, returns
 * the row that agrees with row `like` on all axes. If there is no such row, exits with an error, or
 * returns -1 if the command line has changed the rows. */
int claim_row(const struct tree *scalar, const char *key, const struct grid *grid, int like,
              struct arena *arena);

void claims_help(FILE *out); /* prints the keys of a claim, for --help */

struct claim_result {
    enum claim_verdict verdict;
    bool one_search; /* some row is tuned by one search: the verdict is of its chosen options */
    bool training_unknown;   /* too few validations to decide whether the claim is undertrained */
    const char *signature;   /* text on how the values were computed; NULL: none */
    int contrast;            /* index of the comparison that the result describes */
    struct paired_test pair; /* the comparison: seeds, resampled items, pairing, pooling */
    bool tested;             /* the fields from `test` to `member` are valid; else NaN and false */
    enum claim_test test;
    double difference, low, high; /* d, and its interval of level 1 - 2 alpha */
    double p, against;            /* p of the claim's contrary, and p of the claim itself */
    bool member;                  /* the claim is in the family of Holm's correction */
    double holm;                  /* p after Holm's correction; for claims outside the family: p */
    double detectable, floor;     /* see above; floor 0: no observations. NaN: not by Student's t */
    struct difference_plan plan;  /* for `smallest`; seeds 0 and items 0: unknown */
    int agree;                    /* `over`: number of grids whose difference has the sign of d */
    double *over;                 /* `over`: [1 + grids] difference of each grid, the own one first;
                                     NaN: none. NULL: not requested */
    const char *controls;         /* how far the rows are above their best controls; NULL: no
                                     controls */
    const char *note;             /* reason why it was not tested, or remarks on the test; or
                                     NULL */
    int left;                     /* number of pairs that an area leaves out */
    int stages[2];
    const char **stage[2]; /* [stages] ids of the stages of each side whose values were compared */
};
/* Appends a remark to the result's note. */
void claim_note(struct claim_result *result, struct arena *arena, const char *format, ...)
    PRINTF(3, 4);
/* Lists a stage of a side once. */
void claim_add_stage(struct claim_result *result, int side, const char *id, struct arena *arena);

/* claims_within.c: fills both sides of a claim within a row, and stages and note of the result.
 * Returns false if a side has no value. Verdict and note then have the reason. Exits with an error
 * at the location of a class that no stage of the row has. */
bool claim_within(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct compared_side side[2]);

/* claims_training.c: claim_is_at returns true if the values of a claim are at(..). claim_training
 * changes the verdict if the claim is undertrained. Call it after Holm's correction. */
bool claim_is_at(struct sampler *sampler, const struct claim *claim);
void claim_training(struct sampler *sampler, const struct claim *claim,
                    struct claim_result *result);

/* claims_tuned.c: claim_check_tuned dies if rows with unequal numbers of trials are compared.
 * claim_tuned changes the verdict if a chosen option is at the edge of its space. Call it last. */
void claim_check_tuned(const struct grid *grid, const struct claim *claim, struct arena *arena);
/* claim_budget_column returns the name of the column of a budget (results/table/expected.h).
 * metric: as written, or NULL. claim_has_budget: true if such a claim compares two rows with one
 * search. Then the trials are the items, and the same numbers are resampled for both rows.
 * claim_budget fills the sides, in the sampler's arena. Returns false, with a note, if they have no
 * values. With several searches, the values of
 * searches are compared as those of seeds are. */
const struct tree *claim_budget_column(const struct tree *budget, const struct tree *metric,
                                       const struct grid *grid, struct arena *arena);
bool claim_has_budget(const struct grid *grid, const struct claim *claim);
bool claim_budget(struct sampler *sampler, const struct claim *claim, struct claim_result *result,
                  struct compared_side side[2]);
void claim_tuned(struct sampler *sampler, const struct claim *claim, struct claim_result *result);

/* Judges one comparison of a claim, without Holm's correction. */
struct claim_result claim_judge_contrast(struct comparing *comparing, const struct claim *claim,
                                         int contrast);
/* claims_controls.c: returns the difference between each row of a claim and the row's best control,
 * with its interval, for a column of parts with controls. NULL: no controls. */
const char *claim_above_controls(struct comparing *comparing, const struct claim *claim);

/* Judges all claims. Returns an array of claims->count results. The sampler's grid must be the grid
 * of claims_read. Resampling uses the options significance_usual. */
struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims);

/* Returns the table of all claims, one line each, with captions on tests and stages. */
struct sheet *claims_sheet(struct store *store, const struct grid *grid,
                           const struct claims *claims, struct arena *arena);
/* Output for other programs. claims_rows prints one line or JSON object per claim. claims_export
 * writes the same values as rows of a new table `verdict` in the database `to` (docs/format.md). */
void claims_rows(struct store *store, const struct grid *grid, const struct claims *claims,
                 enum export_format format, FILE *out);
void claims_export(struct store *store, const struct grid *grid, const struct claims *claims,
                   struct store *to);
