/* A claim is judged by what is known of the difference d of its two sides, a row each, or of a main
 * effect the means over the rows of a side, seed by seed. */
#include "results/report/claims.h"

#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/table/family.h"

const char *const claim_verdicts[] = {"supported",
                                      "contradicted",
                                      "inconclusive",
                                      "inconclusive (one seed)",
                                      "inconclusive (undertrained)",
                                      "not run",
                                      "not tested"};

enum { SIDES = 2 };

/* A claim while it is judged. */
struct judging {
    struct sampler *sampler;
    struct resamples *resamples;
    struct arena *arena;
    const struct claim *claim;
    struct claim_result *result;
    int pairs;
    const int **pair;           /* [pairs][2] that have values */
    struct sample (*sample)[2]; /* [pairs] */
    struct difference_side side[2];
    int seeds[2];     /* of each side; equal unless the claim names them */
    double *value[2]; /* [seeds] */
    int *at[2];       /* [seeds * pairs] the seed's index in each row */
};

/* What the claim says of an exact d. */
static bool holds(const struct claim *claim, double d)
{
    return claim->expect == CLAIM_GREATER ? d > claim->smallest
           : claim->expect == CLAIM_LESS  ? d < -claim->smallest
                                          : fabs(d) < claim->smallest;
}

/* p of the claim's contrary, which the claim would refuse; and of the claim, against it. */
static void find_p(const struct claim *claim, const struct difference_known *known,
                   struct claim_result *result)
{
    const double m = claim->smallest;
    if (result->test == CLAIM_EXACT) {
        result->p = !holds(claim, known->value);
        result->against = 1 - result->p;
    } else if (claim->expect == CLAIM_GREATER) {
        result->p = difference_above(known, m);
        result->against = difference_below(known, m);
    } else if (claim->expect == CLAIM_LESS) {
        result->p = difference_below(known, -m);
        result->against = difference_above(known, -m);
    } else {
        result->p = fmax(difference_below(known, m), difference_above(known, -m));
        result->against = fmin(difference_above(known, m), difference_below(known, -m));
    }
}

static enum claim_verdict verdict_of(double p, double against, double alpha)
{
    return p < alpha ? CLAIM_SUPPORTED : against < alpha ? CLAIM_CONTRADICTED : CLAIM_INCONCLUSIVE;
}

static void decide(struct judging *judging, const struct difference_known *known)
{
    struct claim_result *result = judging->result;
    const double alpha = judging->claim->alpha;
    const bool exact = !known->sample && known->student.error == 0;
    result->tested = true;
    result->test = exact                          ? CLAIM_EXACT
                   : difference_by_student(known) ? CLAIM_STUDENT
                                                  : CLAIM_BOOTSTRAP;
    result->difference = known->value;
    difference_interval(known, alpha, &result->low, &result->high);
    find_p(judging->claim, known, result);
    result->member = !exact && known->seeds > 1;
    result->holm = result->p;
    result->verdict =
        exact || known->seeds > 1 ? verdict_of(result->p, result->against, alpha) : CLAIM_ONE_SEED;
    if (result->verdict != CLAIM_ONE_SEED) return;
    result->note = cell_append(result->note, "; ",
                               arena_print(judging->arena,
                                           "one seed: p is of these trainings' %s, and not of what "
                                           "training owes to chance",
                                           result->items),
                               judging->arena);
}

static void say(struct judging *judging, const char *note)
{
    judging->result->note = cell_append(judging->result->note, "; ", note, judging->arena);
}

/* What a side has the values of. */
static struct column side_column(const struct claim *claim, int side)
{
    if (!claim->alone) return claim->column;
    return side ? column_control(&claim->column) : column_own(&claim->column);
}

static double value_at(const struct judging *judging, int pair, int side, int seed)
{
    return judging->sample[pair][side].value[judging->at[side][seed * judging->pairs + pair]];
}

/* The stages of a seed whose values are compared, once each. */
static void add_stages(struct judging *judging, int side, int row, int seed)
{
    struct claim_result *result = judging->result;
    const struct column of_side = side_column(judging->claim, side), *column = &of_side;
    const struct summary_seed *from = &judging->sampler->grid->row[row].seed[seed];
    const bool some = (column->source == COLUMN_VALUE && column->kind) || column->group;
    for (int i = 0; i < from->count; i++) {
        if (some && !sample_is_of(column, from, i)) continue;
        const char *name =
            arena_print(judging->arena, STAGE_FOLDER, from->stage[i].kind, from->stage[i].id);
        bool known = false;
        for (int k = 0; k < result->stages; k++) known |= !strcmp(result->stage[k], name);
        if (known) continue;
        ARENA_MORE(judging->arena, result->stage, result->stages);
        result->stage[result->stages++] = name;
    }
}

/* Takes the samples of all pairs and keeps those with values of both rows. False when there is
 * none, and the result says so. */
static bool take_pairs(struct judging *judging)
{
    const struct claim *claim = judging->claim;
    struct arena *arena = judging->arena;
    const char *missing = NULL;
    judging->pair = ARENA_ARRAY(arena, const int *, claim->pairs);
    judging->sample = arena_alloc(arena, sizeof *judging->sample * (size_t)claim->pairs);
    for (int i = 0; i < claim->pairs; i++) {
        struct sample *sample = judging->sample[judging->pairs];
        const char *why = NULL;
        for (int side = 0; side < SIDES; side++) {
            const int row = claim->pair[i][side];
            const struct column column = side_column(claim, side);
            sample[side] = sample_row(judging->sampler, &column, row);
            if (sample[side].count || why) continue;
            sample_check_names(judging->sampler, &claim->column);
            why = sample_why(judging->sampler, &sample[side]);
            why = arena_print(arena, "%s: %s", judging->sampler->grid->row[row].name,
                              why ? why : "no such value");
        }
        if (why && !missing) missing = why;
        if (!why) judging->pair[judging->pairs++] = claim->pair[i];
    }
    const int left = claim->pairs - judging->pairs;
    judging->result->pairs = judging->pairs;
    if (!judging->pairs) judging->result->verdict = CLAIM_NOT_RUN;
    if (left && claim->effect[0])
        missing =
            arena_print(arena, "%d of %d pairs have no values (%s)", left, claim->pairs, missing);
    if (left) say(judging, missing);
    return judging->pairs > 0;
}

/* Where a sample has a value of the seed; -1: nowhere. */
static int find_seed(const struct sample *sample, int64_t seed)
{
    for (int i = 0; i < sample->total; i++)
        if (sample->seed[i].seed == seed && isfinite(sample->value[i])) return i;
    return -1;
}

/* The seeds that the claim names for each side. */
static void take_named(struct judging *judging)
{
    for (int side = 0; side < SIDES; side++) {
        const struct sample *sample = &judging->sample[0][side];
        const struct claim_seeds *named = &judging->claim->seeds[side];
        int seeds = 0;
        judging->at[side] = ARENA_ARRAY(judging->arena, int, sample->total);
        judging->value[side] = ARENA_ARRAY(judging->arena, double, sample->total);
        for (int i = 0; i < sample->total; i++) {
            if (!isfinite(sample->value[i]) || !claim_seeds_have(named, sample->seed[i].seed))
                continue;
            add_stages(judging, side, judging->pair[0][side], i);
            judging->at[side][seeds] = i;
            judging->value[side][seeds++] = sample->value[i];
        }
        judging->seeds[side] = judging->result->named[side] = seeds;
        if (seeds == claim_seeds_count(named)) continue;
        say(judging, arena_print(judging->arena, "%s has values of %d of the seeds %s",
                                 judging->sampler->grid->row[judging->pair[0][side]].name, seeds,
                                 named->text));
    }
}

/* The seeds of which all rows have values. */
static void take_common(struct judging *judging)
{
    const struct sample *first = &judging->sample[0][0];
    int seeds = 0;
    for (int side = 0; side < SIDES; side++) {
        judging->at[side] = ARENA_ARRAY(judging->arena, int, first->total * judging->pairs);
        judging->value[side] = ARENA_ARRAY(judging->arena, double, first->total);
    }
    for (int i = 0; i < first->total; i++) {
        bool all = true;
        for (int k = 0; k < judging->pairs * SIDES; k++) {
            const int at = find_seed(&judging->sample[k / SIDES][k % SIDES], first->seed[i].seed);
            judging->at[k % SIDES][seeds * judging->pairs + k / SIDES] = at;
            all &= at >= 0;
        }
        seeds += all;
    }
    for (int side = 0; side < SIDES; side++)
        for (int s = 0; s < seeds; s++)
            for (int i = 0; i < judging->pairs; i++)
                judging->value[side][s] += value_at(judging, i, side, s) / judging->pairs;
    for (int s = 0; s < seeds; s++)
        for (int i = 0; i < judging->pairs * SIDES; i++)
            add_stages(judging, i % SIDES, judging->pair[i / SIDES][i % SIDES],
                       judging->at[i % SIDES][s * judging->pairs + i / SIDES]);
    for (int side = 0; side < SIDES; side++) judging->seeds[side] = seeds;
}

/* Why the items of a pair cannot be compared, or NULL. */
static const char *check_items(struct judging *judging, int pair)
{
    const int *row = judging->pair[pair];
    const struct column *column = &judging->claim->column;
    const struct replicates_seeds named[] = {{row[0], judging->seeds[0], judging->at[0]},
                                             {row[1], judging->seeds[1], judging->at[1]}};
    struct replicates side[SIDES] = {{0}}, *a = &side[0], *b = &side[1];
    const char *problem =
        judging->claim->seeds[0].ranges ? replicates_apart(judging->sampler, column, named, side)
        : judging->claim->alone         ? replicates_margin(judging->sampler, column, row[0], a, b)
                                : replicates_rows(judging->sampler, column, row[0], row[1], a, b);
    if (!problem && !(a->count && b->count)) problem = "there are no per-item values to resample";
    if (!problem) problem = replicates_problems(a, b, judging->arena);
    if (!problem) problem = replicates_check(a, b->seed[0], judging->arena);
    if (!problem) problem = replicates_check(b, b->seed[0], judging->arena);
    if (problem && judging->claim->effect[0])
        problem = arena_print(judging->arena, "%s: %s", judging->sampler->grid->row[row[0]].name,
                              problem);
    return problem;
}

/* The resamples of both sides: means over pairs and seeds. Where pairs are of different items, the
 * fewest count. False: the note says why there are none. */
static bool take_items(struct judging *judging, struct difference_design *design)
{
    struct replicates all[SIDES] = {{0}};
    for (int i = 0; i < judging->pairs; i++) {
        const char *problem = check_items(judging, i);
        if (problem) say(judging, problem);
        if (problem) return false;
    }
    const int most = judging->seeds[0] > judging->seeds[1] ? judging->seeds[0] : judging->seeds[1];
    for (int i = 0; i < most * judging->pairs * SIDES; i++) {
        const int side = i % SIDES, at = i / SIDES;
        if (at >= judging->seeds[side] * judging->pairs) continue;
        const struct column column = side_column(judging->claim, side);
        const struct observations *one =
            replicates_seed(judging->sampler, &column, judging->pair[at % judging->pairs][side],
                            judging->at[side][at]);
        replicates_add(&all[side], one, judging->arena);
        resamples_expect(judging->resamples, one);
        if (!design->items || one->items - one->strata.count < design->items - design->strata) {
            design->items = one->items;
            design->strata = one->strata.count;
        }
        design->single |= one->statistic.single;
        judging->result->items = one->statistic.items;
    }
    design->samples = judging->resamples->options.samples;
    for (int side = 0; side < SIDES; side++) {
        judging->side[side].sample = resamples_mean(judging->resamples, &all[side]);
        if (!replicates_are_one(&all[side], judging->pairs)) continue;
        judging->side[side].seeds = judging->result->seeds = 1;
    }
    return true;
}

static bool all_the_same(const struct judging *judging)
{
    bool same = true;
    for (int side = 0; side < SIDES; side++)
        for (int i = 1; i < judging->seeds[side]; i++)
            same &= judging->value[side][i] == judging->value[side][0];
    return same;
}

static bool signatures_agree(const struct judging *judging)
{
    bool same = true;
    for (int i = 0; i < judging->pairs; i++)
        same &= sample_same_signature(&judging->sample[i][0], &judging->sample[i][1]);
    return same;
}

/* The rows that the variance between seeds is pooled with, as in the table: none of a main effect,
 * whose values are means over rows, or of two rows that are the same trainings. */
static void take_family(struct judging *judging, struct difference_design *design)
{
    const struct claim *claim = judging->claim;
    const int *row = judging->pair[0];
    if (claim->effect[0] || (design->paired && !claim->alone)) return;
    design->other =
        family_others(judging->sampler, &claim->column, row[0], row[1], &design->others);
    judging->result->pooled = design->others ? design->others + (row[0] == row[1] ? 1 : 2) : 0;
}

static void judge(struct judging *judging)
{
    struct claim_result *result = judging->result;
    const struct column *column = &judging->claim->column;
    struct difference_design design = {0};
    result->signature = judging->sample[0][0].signature;
    (judging->claim->seeds[0].ranges ? take_named : take_common)(judging);
    result->seeds = judging->seeds[0] < judging->seeds[1] ? judging->seeds[0] : judging->seeds[1];
    if (!result->seeds) {
        result->verdict = CLAIM_NOT_RUN;
        say(judging, judging->claim->effect[0] ? "no seed has values of all rows"
                                               : "no seed has values of both rows");
        return;
    }
    if (!signatures_agree(judging)) {
        say(judging, "the rows' values are not comparable: their signatures differ");
        return;
    }
    for (int side = 0; side < SIDES; side++)
        judging->side[side] =
            (struct difference_side){.seeds = judging->seeds[side], .value = judging->value[side]};
    design.paired = !judging->claim->seeds[0].ranges;
    for (int i = 0; i < judging->pairs; i++)
        design.paired &=
            judging->claim->alone ||
            replicates_are_paired(judging->sampler->grid, judging->pair[i][0], judging->pair[i][1]);
    result->paired = design.paired;
    take_family(judging, &design);
    const bool items = column_observations(column) != NULL;
    if (items && !take_items(judging, &design)) return;
    if (!items && result->seeds < 2 && !(column_is_size(column) && all_the_same(judging))) {
        result->verdict = CLAIM_ONE_SEED;
        say(judging, "one seed: without sentences to resample, two seeds are needed");
        return;
    }
    const struct difference_known known =
        difference_of(&judging->side[0], &judging->side[1], &design, judging->arena);
    decide(judging, &known);
}

static struct claim_result judge_one(struct sampler *sampler, struct resamples *resamples,
                                     const struct claim *claim)
{
    struct claim_result result = {.verdict = CLAIM_UNTESTED};
    struct judging judging = {.sampler = sampler,
                              .resamples = resamples,
                              .arena = sampler->arena,
                              .claim = claim,
                              .result = &result};
    struct difference_known known;
    if (claim->form) {
        result.paired = true;
        if (claim_within(sampler, claim, &result, &known)) decide(&judging, &known);
    } else if (claim_has_hypotheses(sampler->grid, claim)) {
        if (claim_hypotheses(sampler, resamples, claim, &result, &known)) decide(&judging, &known);
    } else if (take_pairs(&judging)) {
        judge(&judging);
    }
    return result;
}

static struct resamples resamples_new(struct sampler *sampler)
{
    return (struct resamples){.arena = sampler->arena, .options = significance_usual};
}

struct claim_result claim_judge(struct sampler *sampler, const struct claim *claim)
{
    struct resamples resamples = resamples_new(sampler);
    struct claim_result result = judge_one(sampler, &resamples, claim);
    claim_training(sampler, claim, &result);
    return result;
}

/* All rows of claims of a column that is resampled, so that this is done in one go. */
static void expect_all(struct sampler *sampler, struct resamples *resamples,
                       const struct claims *claims)
{
    for (int i = 0; i < claims->count; i++) {
        const struct claim *claim = &claims->claim[i];
        if (claim->form || !column_observations(&claim->column)) continue;
        for (int k = 0; k < claim->pairs * SIDES; k++) {
            const int row = claim->pair[k / SIDES][k % SIDES];
            const struct column column = side_column(claim, k % SIDES);
            for (int s = 0; s < sampler->grid->row[row].count; s++)
                resamples_expect(resamples, replicates_seed(sampler, &column, row, s));
        }
    }
}

struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims)
{
    struct arena *arena = sampler->arena;
    const int count = claims->count;
    struct resamples resamples = resamples_new(sampler);
    struct claim_result *result = ARENA_ARRAY(arena, struct claim_result, count);
    double *p = ARENA_ARRAY(arena, double, count), *against = ARENA_ARRAY(arena, double, count);
    expect_all(sampler, &resamples, claims);
    for (int i = 0; i < count; i++) {
        result[i] = judge_one(sampler, &resamples, &claims->claim[i]);
        p[i] = result[i].member ? result[i].p : (double)NAN;
        against[i] = result[i].member ? result[i].against : (double)NAN;
    }
    significance_holm(p, count, p);
    significance_holm(against, count, against);
    for (int i = 0; i < count; i++) {
        if (result[i].member) {
            result[i].holm = p[i];
            result[i].verdict = verdict_of(p[i], against[i], claims->claim[i].alpha);
        }
        claim_training(sampler, &claims->claim[i], &result[i]);
    }
    return result;
}
