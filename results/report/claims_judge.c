/* Judges claims: tests the difference d of two sides. A side is a row, the mean over the rows of a
 * main effect, or a weighted sum of rows (struct claim_contrast). */
#include "results/report/claims.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/table/controls.h"
#include "results/table/learned.h"
#include "results/table/sample_cache.h"

const char *const claim_verdicts[] = {"supported",
                                      "contradicted",
                                      "inconclusive",
                                      "inconclusive (one seed)",
                                      "inconclusive (undertrained)",
                                      "inconclusive (edge of the space)",
                                      "inconclusive (not reached)",
                                      "not run",
                                      "not tested"};

enum { SIDES = 2 };
#define NONE ((double)NAN)
static const struct claim_result untested = {.verdict = CLAIM_UNTESTED,
                                             .difference = NONE,
                                             .low = NONE,
                                             .high = NONE,
                                             .p = NONE,
                                             .against = NONE,
                                             .holm = NONE,
                                             .detectable = NONE,
                                             .floor = NONE};

/* A claim that is being judged. */
struct judging {
    struct comparing *comparing;
    struct sampler *sampler;
    struct arena *arena;
    const struct claim *claim;
    const struct claim_contrast *contrast;
    struct claim_result *result;
    struct compared_side side[SIDES];
};

/* Computes `p`, p of the claim's contrary (a small p supports the claim), and `against`, p of the
 * claim itself. */
static void find_p(const struct claim *claim, const struct difference_known *known,
                   struct claim_result *result)
{
    const double m = claim->smallest, d = known->value;
    if (result->test == CLAIM_EXACT) {
        result->p = !(claim->expect == CLAIM_GREATER ? d > m
                      : claim->expect == CLAIM_LESS  ? d < -m
                                                     : fabs(d) < m);
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

void claim_note(struct claim_result *result, struct arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    result->note = arena_append(arena, result->note, "; ", arena_print_list(arena, format, list));
    va_end(list);
}

/* Finds the detectable difference, its floor, and the plan for `smallest`. */
static void plan(const struct claim *claim, const struct difference_known *known,
                 struct claim_result *result)
{
    /* Both tests of `equal` must find a difference, each in 9 of 10 cases. */
    const double power =
        claim->expect == CLAIM_EQUAL ? (1 + DIFFERENCE_POWER) / 2 : DIFFERENCE_POWER;
    result->detectable = difference_detectable(known, claim->alpha, power);
    result->floor = difference_floor(known, claim->alpha, power);
    if (claim->smallest > 0)
        result->plan = difference_plan(known, claim->smallest, claim->alpha, power);
}

/* Sets the verdict of a test, and the numbers of the test. */
static void decide(const struct claim *claim, const struct difference_known *known,
                   struct claim_result *result, struct arena *arena)
{
    const bool seeds = difference_by_seeds(known), exact = !known->sample && !seeds,
               whole = known->seeds > 1 || claim->column.function == COLUMN_EXPECTED;
    result->tested = true;
    result->test = exact ? CLAIM_EXACT : seeds ? CLAIM_STUDENT : CLAIM_BOOTSTRAP;
    result->difference = known->value;
    difference_interval(known, claim->alpha, &result->low, &result->high);
    find_p(claim, known, result);
    result->holm = result->p;
    result->member = !exact && whole;
    result->verdict = verdict_of(result->p, result->against, claim->alpha);
    if (seeds) plan(claim, known, result);
    if (exact || whole) return;
    result->verdict = CLAIM_ONE_SEED;
    claim_note(result, arena, "one seed: p covers the %s, but not the variance between trainings",
               result->pair.items);
}

/* Returns the column of a side. If a row is compared with its control, the sides are the two
 * arguments of the margin: the value and the control. */
static struct column side_column(const struct claim *claim, int side)
{
    return claim->alone ? column_argument(&claim->column, side) : claim->column;
}

void claim_add_stage(struct claim_result *result, int side, const char *id, struct arena *arena)
{
    for (int i = 0; i < result->stages[side]; i++)
        if (!strcmp(result->stage[side][i], id)) return;
    ARENA_ADD(arena, result->stage[side], result->stages[side], id);
}

/* Adds the stages of one value of a side. `at` is the index of the value. Values are ordered by
 * seed, then by row. */
static void add_stages(struct judging *judging, int side, int at)
{
    const struct compared_side *from_side = &judging->side[side];
    const struct column of_side = side_column(judging->claim, side),
                        column = controls_members(judging->sampler, &of_side);
    const int row = from_side->row[at % from_side->rows];
    const struct grid_seed *from = &judging->sampler->grid->row[row].seed[from_side->at[at]];
    const bool some = column_has(&column, COLUMN_GROUP) || column.kind;
    for (int i = 0; i < from->count; i++)
        if (!some || sample_is_of(&column, from, i))
            claim_add_stage(judging->result, side, from->stage[i].id, judging->arena);
}

/* Returns the reason why a row of a side has no values, with its name; NULL if it has values.
 * `strict`: every seed must have learned. If a seed does not reach at(..), the row has no values,
 * because the other seeds would be a selection. Sets *unreached in this case. */
static const char *why_not(struct judging *judging, int side, int row, bool strict, bool *unreached)
{
    struct sampler *sampler = judging->sampler;
    struct arena *arena = judging->arena;
    const struct column column = side_column(judging->claim, side);
    const struct sample *sample = sample_cached(sampler, &column, row);
    const char *why = NULL, *name = sampler->grid->row[row].name;
    const int open = sample_unreached(sample);
    if (open >= 0) {
        *unreached = true;
        return arena_print(arena, "%s: not reached by seed %lld", name,
                           (long long)sample->seed[open].seed);
    }
    if (sample->count && strict) {
        const char *failed = learned_row(sampler, row).failed;
        return failed ? arena_print(arena, "%s: seed %s did not learn", name, failed) : NULL;
    }
    if (sample->count) return NULL;
    sample_check_names(sampler, &judging->claim->column);
    why = sample_why(sampler, sample);
    return arena_print(arena, "%s: %s", name, why ? why : "no value");
}

/* Fills the rows of both sides. An area leaves out the pairs of at(..) that a row does not reach.
 * Any other contrast needs the values of all rows. Returns false, with a note, if values are
 * missing. */
static bool take_rows(struct judging *judging)
{
    const struct claim *claim = judging->claim;
    const struct claim_contrast *contrast = judging->contrast;
    struct claim_result *result = judging->result;
    struct arena *arena = judging->arena;
    const bool strict = claim->contrasts > 1 || (contrast->weight[0] && !contrast->place);
    bool unreached = false, lost = false;
    const char *missing = NULL;
    const int pairs = contrast->rows[0] > contrast->rows[1] ? contrast->rows[0] : contrast->rows[1];
    double *place = ARENA_ARRAY(arena, double, pairs + 1);
    int *row[SIDES], rows[SIDES] = {0}, left = 0;
    for (int k = 0; k < SIDES; k++) row[k] = ARENA_ARRAY(arena, int, pairs);
    for (int i = 0; i < pairs; i++) {
        const char *why = NULL;
        bool beyond = false; /* the pair's value at(..) is not reached */
        for (int k = 0; k < SIDES && !why; k++)
            if (i < contrast->rows[k])
                why = why_not(judging, k, contrast->row[k][i], strict, &beyond);
        if (why && !missing) missing = why;
        left += why != NULL;
        unreached |= beyond;
        lost |= why && !(beyond && contrast->place);
        if (contrast->place && !why) place[rows[0]] = contrast->place[i];
        for (int k = 0; k < SIDES; k++)
            if (i < contrast->rows[k] && !why) row[k][rows[k]++] = contrast->row[k][i];
    }
    for (int k = 0; k < SIDES; k++)
        judging->side[k] = (struct compared_side){
            .rows = rows[k],
            .row = row[k],
            .weight = contrast->place ? claim_heights(place, rows[0], arena) : contrast->weight[k],
            .unit = contrast->unit,
            .ranges = claim->seeds != NULL,
            .range = claim->seeds ? &claim->seeds[k] : NULL};
    if (left && contrast->unit == COMPARED_SIDES)
        claim_note(result, arena, "%d of %d pairs have no values (%s)", left, pairs, missing);
    else if (left)
        claim_note(result, arena, "%s", missing);
    if (!lost && rows[0]) {
        result->left = left;
        return true;
    }
    result->verdict = unreached ? CLAIM_UNREACHED : CLAIM_NOT_RUN;
    return false;
}

/* Lists the compared stages, seed by seed. Notes named seeds that have no value. */
static void list_stages(struct judging *judging)
{
    const struct compared_side *side = judging->side;
    for (int i = 0; i < side[0].seeds * side[0].rows || i < side[1].seeds * side[1].rows; i++)
        for (int k = 0; k < SIDES; k++)
            if (i < side[k].seeds * side[k].rows) add_stages(judging, k, i);
    for (int k = 0; k < SIDES; k++) {
        const struct int_range *named = side[k].range;
        if (named && side[k].seeds <= named->last - named->first)
            claim_note(judging->result, judging->arena, "%s has values of %d of the seeds %d-%d",
                       judging->sampler->grid->row[*side[k].row].name, side[k].seeds, named->first,
                       named->last);
    }
}

static void judge(struct judging *judging)
{
    struct claim_result *result = judging->result;
    const struct column *column = &judging->claim->column;
    const struct compared_side *side = judging->side;
    const struct paired_test *pair = &result->pair;
    result->pair = comparison_of(judging->comparing, column, judging->side, judging->arena);
    if (side->rows)
        result->signature = sample_cached(judging->sampler, column, *side->row)->signature;
    else if (side->of)
        result->signature = side->of[0]->signature;
    list_stages(judging);
    if (pair->problem) {
        claim_note(result, judging->arena, "not comparable: %s", pair->problem);
    } else if (!pair->seeds) {
        result->verdict = CLAIM_NOT_RUN;
        claim_note(result, judging->arena, "no seed has values of %s rows",
                   judging->side[0].rows + judging->side[1].rows > SIDES ? "all" : "both");
    } else if (!pair->items && pair->seeds < 2 && !column_is_size(column)) {
        result->verdict = CLAIM_ONE_SEED;
        claim_note(result, judging->arena,
                   "one seed: expected two or more, because there are no sentences to resample");
    } else {
        decide(judging->claim, &pair->result.known, result, judging->arena);
    }
}

struct claim_result claim_judge_contrast(struct comparing *comparing, const struct claim *claim,
                                         int contrast)
{
    struct sampler *sampler = comparing->sampler;
    struct claim_result result = untested;
    struct judging judging = {.comparing = comparing,
                              .sampler = sampler,
                              .arena = sampler->arena,
                              .claim = claim,
                              .contrast = &claim->contrast[contrast],
                              .result = &result};
    result.contrast = contrast;
    result.pair.paired = comparing->paired = claim->form != CLAIM_ROWS;
    if (claim->form) {
        if (claim_within(sampler, claim, &result, judging.side)) judge(&judging);
    } else if (claim_has_budget(sampler->grid, claim)) {
        if (claim_budget(sampler, claim, &result, judging.side)) judge(&judging);
    } else if (take_rows(&judging)) {
        judge(&judging);
    }
    return result;
}

/* Returns how weak a result of a claim with several comparisons is. Results without a test are
 * weakest, then results outside the family, then those with the larger p. */
static double weakness(const struct claim_result *result)
{
    return !result->tested ? 4 : (result->member ? 0 : 2) + result->p;
}

/* Judges a claim about several grids by the differences of the grids. `own` is the result for a
 * comparison in the claim's own grid. other: [claim->grids] */
static struct claim_result judge_over(struct comparing *other, const struct claim *claim,
                                      const struct claim_result *own, struct arena *arena)
{
    double *value = ARENA_ARRAY(arena, double, claim->grids + 1),
           *zero = ARENA_ARRAY(arena, double, claim->grids + 1);
    struct claim_result result = untested;
    int count = 0;
    result.verdict = own->verdict;
    result.contrast = own->contrast;
    result.difference = own->difference;
    result.signature = own->signature;
    result.note = own->note;
    memcpy(result.stages, own->stages, sizeof result.stages);
    memcpy(result.stage, own->stage, sizeof result.stage);
    result.over = ARENA_ARRAY(arena, double, claim->grids + 1);
    for (int g = 0; g <= claim->grids; g++) {
        const struct claim_over *at = g ? &claim->grid[g - 1] : NULL;
        const struct claim_result one =
            g ? claim_judge_contrast(&other[g - 1], at->claim, own->contrast) : *own;
        const char *means = g ? controls_note(other[g - 1].sampler, &at->claim->column) : NULL;
        if (means) claim_note(&result, arena, "%s: %s", at->grid->name, means);
        if (g && !one.tested)
            claim_note(&result, arena, "%s: %s", at->grid->name,
                       one.note ? one.note : claim_verdicts[one.verdict]);
        result.over[g] = one.tested ? one.difference : NONE;
        if (isfinite(result.over[g])) value[count++] = result.over[g];
    }
    result.pair.seeds = count;
    if (!count) return result;
    const struct difference_side side[] = {{.seeds = count, .value = value},
                                           {.seeds = count, .value = zero}};
    const struct difference_known known =
        difference_of(&side[0], &side[1], &(struct difference_design){.paired = true}, arena);
    for (int i = 0; i < count; i++) result.agree += value[i] * known.value > 0;
    result.verdict = CLAIM_INCONCLUSIVE;
    if (difference_by_seeds(&known))
        decide(claim, &known, &result, arena);
    else
        claim_note(&result, arena,
                   count < 2 ? "one grid has values: expected two or more, because the grids are "
                               "the observations"
                             : "all grids have the same difference");
    return result;
}

/* Judges all comparisons of a claim. Returns the result of the weakest one, with all stages, and
 * with p of the claim itself for all comparisons. other: as in judge_over */
static struct claim_result judge_one(struct comparing *comparing, const struct claim *claim,
                                     struct comparing *other)
{
    struct claim_result weakest = {0};
    double against = (double)NAN;
    for (int i = 0; i < claim->contrasts; i++) {
        struct claim_result one = claim_judge_contrast(comparing, claim, i);
        struct claim_result *rest = &one;
        if (claim->over) one = judge_over(other, claim, &one, comparing->sampler->arena);
        against = fmin(against, one.against);
        if (!i) {
            weakest = one;
            continue;
        }
        if (weakness(&one) > weakness(&weakest)) {
            const struct claim_result before = weakest;
            weakest = one;
            one = before;
        }
        for (int k = 0; k < SIDES; k++)
            for (int at = 0; at < rest->stages[k]; at++)
                claim_add_stage(&weakest, k, rest->stage[k][at], comparing->sampler->arena);
    }
    if (claim->contrasts > 1 && weakest.tested) {
        weakest.against = fmin(1, claim->contrasts * against);
        if (weakest.verdict != CLAIM_ONE_SEED)
            weakest.verdict = verdict_of(weakest.p, weakest.against, claim->alpha);
    }
    return weakest;
}

static struct comparing comparing_open(struct sampler *sampler)
{
    const struct significance_options options = {.samples = significance_usual.samples,
                                                 .seed = significance_usual.seed};
    return (struct comparing){.sampler = sampler,
                              .resamples = {.arena = sampler->arena, .options = options}};
}

/* Announces the values of a claim (resamples.h). */
static void expect_values(struct comparing *comparing, const struct claim *claim)
{
    int count;
    const int *row = claim_rows(claim, &count, comparing->sampler->arena);
    for (int i = 0; i < count && !claim->form; i++)
        comparison_expect(comparing, &claim->column, row[i]);
}

/* Opens the other grids of a claim. */
static struct comparing *open_others(struct sampler *sampler, const struct claim *claim)
{
    struct comparing *list = ARENA_ARRAY(sampler->arena, struct comparing, claim->grids + 1);
    struct sampler *its = ARENA_ARRAY(sampler->arena, struct sampler, claim->grids + 1);
    for (int g = 0; g < claim->grids; g++) {
        its[g] = sampler_open(sampler->store, claim->grid[g].grid, sampler->arena);
        list[g] = comparing_open(&its[g]);
        expect_values(&list[g], claim->grid[g].claim);
    }
    return list;
}

struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims)
{
    struct arena *arena = sampler->arena;
    const int count = claims->count;
    struct comparing comparing = comparing_open(sampler);
    struct claim_result *result = ARENA_ARRAY(arena, struct claim_result, count);
    double *p = ARENA_ARRAY(arena, double, count), *against = ARENA_ARRAY(arena, double, count);
    struct comparing **other = ARENA_ARRAY(arena, struct comparing *, count);
    for (int i = 0; i < count; i++) expect_values(&comparing, &claims->claim[i]);
    for (int i = 0; i < count; i++) {
        const struct claim *claim = &claims->claim[i];
        other[i] = open_others(sampler, claim);
        result[i] = judge_one(&comparing, claim, other[i]);
        const char *means = controls_note(sampler, &claim->column);
        if (means) claim_note(&result[i], arena, "%s", means);
        if (result[i].over ? isfinite(*result[i].over) : result[i].tested)
            result[i].controls = claim_above_controls(&comparing, claim);
        p[i] = result[i].member ? result[i].p : NONE;
        against[i] = result[i].member ? result[i].against : NONE;
    }
    significance_holm(p, count);
    significance_holm(against, count);
    for (int i = 0; i < count; i++) {
        const struct claim *claim = &claims->claim[i];
        if (result[i].member) {
            result[i].holm = p[i];
            result[i].verdict = verdict_of(p[i], against[i], claim->alpha);
        }
        claim_training(sampler, claim, &result[i]);
        for (int g = 0; g < claim->grids; g++)
            if (isfinite(result[i].over[g + 1]))
                claim_training(other[i][g].sampler, claim->grid[g].claim, &result[i]);
        claim_tuned(sampler, claim, &result[i]);
    }
    return result;
}
