/* Judges claims: tests the difference d of two sides. A side has one value per seed: the value of
 * its row or, for a main effect, the mean over its rows. */
#include "results/report/claims.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/table/sample_cache.h"

const char *const claim_verdicts[] = {"supported",
                                      "contradicted",
                                      "inconclusive",
                                      "inconclusive (one seed)",
                                      "inconclusive (undertrained)",
                                      "not run",
                                      "not tested"};

enum { SIDES = 2 };

/* A claim that is being judged. */
struct judging {
    struct comparing *comparing;
    struct sampler *sampler;
    struct arena *arena;
    const struct claim *claim;
    struct claim_result *result;
    struct compared_side side[SIDES];
};

/* True if an exact d satisfies the claim. */
static bool holds(const struct claim *claim, double d)
{
    return claim->expect == CLAIM_GREATER ? d > claim->smallest
           : claim->expect == CLAIM_LESS  ? d < -claim->smallest
                                          : fabs(d) < claim->smallest;
}

/* Computes `p`, p of the claim's contrary (a small p supports the claim), and `against`, p of the
 * claim itself. */
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

void claim_note(struct claim_result *result, struct arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    result->note = arena_append(arena, result->note, "; ", arena_print_list(arena, format, list));
    va_end(list);
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
    claim_note(result, judging->arena,
               "one seed: p covers the %s, but not the variance between trainings",
               result->pair.items);
}

/* Returns the column of a side. If a row is compared with its control, the sides are the two
 * arguments of the margin: the value and the control. */
static struct column side_column(const struct claim *claim, int side)
{
    return claim->alone ? column_argument(&claim->column, side) : claim->column;
}

void claim_add_stage(struct claim_result *result, const char *name, const char *id, unsigned sides,
                     struct arena *arena)
{
    int at = 0;
    while (at < result->stages && strcmp(result->stage[at].name, name) != 0) at++;
    if (at == result->stages) {
        ARENA_ADD(arena, result->stage, result->stages, (struct claim_stage){id, name, 0});
    }
    result->stage[at].sides |= sides;
}

/* Adds the stages of one value of a side. `at` is the index of the value. Values are ordered by
 * seed, then by row. */
static void add_stages(struct judging *judging, int side, int at)
{
    const struct compared_side *from_side = &judging->side[side];
    struct claim_result *result = judging->result;
    const struct column of_side = side_column(judging->claim, side), *column = &of_side;
    if (!from_side->rows) return;
    const int row = from_side->row[at % from_side->rows];
    const struct grid_seed *from = &judging->sampler->grid->row[row].seed[from_side->at[at]];
    const bool some =
        column_has(column, COLUMN_GROUP) || (column->kind && !column_has(column, COLUMN_SCORED));
    for (int i = 0; i < from->count; i++)
        if (!some || sample_is_of(column, from, i))
            claim_add_stage(
                result,
                arena_print(judging->arena, STAGE_FOLDER, from->stage[i].kind, from->stage[i].id),
                from->stage[i].id, 1u << side, judging->arena);
}

/* Keeps the pairs whose rows both have values. Returns false, with a note, if there are none. */
static bool take_pairs(struct judging *judging)
{
    const struct claim *claim = judging->claim;
    struct arena *arena = judging->arena;
    const char *missing = NULL;
    int pairs = 0,
        *row[] = {ARENA_ARRAY(arena, int, claim->pairs), ARENA_ARRAY(arena, int, claim->pairs)};
    for (int i = 0; i < claim->pairs; i++) {
        const char *why = NULL;
        for (int side = 0; side < SIDES; side++) {
            row[side][pairs] = claim->pair[i][side];
            const struct column column = side_column(claim, side);
            const struct sample *sample =
                sample_cached(judging->sampler, &column, claim->pair[i][side]);
            if (sample->count || why) continue;
            sample_check_names(judging->sampler, &claim->column);
            why = sample_why(judging->sampler, sample);
            why =
                arena_print(arena, "%s: %s", judging->sampler->grid->row[claim->pair[i][side]].name,
                            why ? why : "no value");
        }
        if (why && !missing) missing = why;
        pairs += !why;
    }
    for (int side = 0; side < SIDES; side++)
        judging->side[side] = (struct compared_side){.rows = pairs,
                                                     .row = row[side],
                                                     .ranges = claim->seeds[side].ranges,
                                                     .range = claim->seeds[side].range};
    const int left = claim->pairs - pairs;
    judging->result->pairs = pairs;
    if (!pairs) judging->result->verdict = CLAIM_NOT_RUN;
    if (left && claim->effect[0])
        claim_note(judging->result, arena, "%d of %d pairs have no values (%s)", left, claim->pairs,
                   missing);
    else if (left)
        claim_note(judging->result, arena, "%s", missing);
    return pairs > 0;
}

static int64_t seeds_count(const struct claim_seeds *seeds)
{
    int64_t count = 0;
    for (int i = 0; i < seeds->ranges; i++)
        count += (int64_t)seeds->range[i].last - seeds->range[i].first + 1;
    return count;
}

/* Records the compared stages and, for named seeds, the number of values of each side. */
static void note_seeds(struct judging *judging)
{
    struct claim_result *result = judging->result;
    const bool apart = judging->claim->seeds[0].ranges;
    for (int i = 0; i < (apart ? 0 : judging->side[0].seeds * judging->side[0].rows * SIDES); i++)
        add_stages(judging, i % SIDES, i / SIDES);
    for (int i = 0; i < SIDES; i++)
        for (int k = 0; k < (apart ? judging->side[i].seeds : 0); k++) add_stages(judging, i, k);
    for (int i = 0; i < SIDES; i++) {
        const struct compared_side *side = &judging->side[i];
        const struct claim_seeds *named = &judging->claim->seeds[i];
        if (!named->ranges) continue;
        result->named[i] = side->seeds;
        if (side->seeds != seeds_count(named))
            claim_note(result, judging->arena, "%s has values of %d of the seeds %s",
                       judging->sampler->grid->row[*side->row].name, side->seeds, named->text);
    }
}

/* True if the compared values are sizes, and all seeds of a side have the same size. Such values
 * are compared exactly. */
static bool is_certain(const struct judging *judging)
{
    bool same = column_is_size(&judging->claim->column);
    for (int i = 0; i < SIDES; i++)
        for (int k = 1; k < judging->side[i].seeds; k++)
            same &= judging->side[i].value[k] == judging->side[i].value[0];
    return same;
}

static void judge(struct judging *judging)
{
    struct claim_result *result = judging->result;
    const struct column *column = &judging->claim->column;
    const struct compared_side *side = judging->side;
    const struct paired_test *pair = &result->pair;
    result->pair = comparison_of(judging->comparing, column, judging->side, false, judging->arena);
    result->signature = side->rows ? sample_cached(judging->sampler, column, *side->row)->signature
                                   : side->of[0]->signature;
    note_seeds(judging);
    if (pair->problem) {
        claim_note(result, judging->arena, "not comparable: %s", pair->problem);
    } else if (!pair->seeds) {
        result->verdict = CLAIM_NOT_RUN;
        claim_note(result, judging->arena, "no seed has values of %s rows",
                   judging->claim->effect[0] ? "all" : "both");
    } else if (!pair->items && pair->seeds < 2 && !is_certain(judging)) {
        result->verdict = CLAIM_ONE_SEED;
        claim_note(result, judging->arena, CLAIM_ONE_SEED_ALONE);
    } else {
        decide(judging, &pair->result.known);
    }
}

static struct claim_result judge_one(struct comparing *comparing, const struct claim *claim)
{
    struct sampler *sampler = comparing->sampler;
    const double none = (double)NAN;
    struct claim_result result = {.verdict = CLAIM_UNTESTED,
                                  .difference = none,
                                  .low = none,
                                  .high = none,
                                  .p = none,
                                  .against = none,
                                  .holm = none};
    struct judging judging = {.comparing = comparing,
                              .sampler = sampler,
                              .arena = sampler->arena,
                              .claim = claim,
                              .result = &result};
    struct difference_known known;
    if (claim->form) {
        result.pair.paired = true;
        if (claim_within(sampler, claim, &result, &known)) decide(&judging, &known);
    } else if (claim_has_hypotheses(sampler->grid, claim)) {
        if (claim_hypotheses(sampler, claim, &result, judging.side)) judge(&judging);
    } else if (take_pairs(&judging)) {
        judge(&judging);
    }
    return result;
}

struct claim_result *claims_judge(struct sampler *sampler, const struct claims *claims)
{
    struct arena *arena = sampler->arena;
    const int count = claims->count;
    struct comparing comparing = {sampler, {.arena = arena, .options = significance_usual}};
    struct claim_result *result = ARENA_ARRAY(arena, struct claim_result, count);
    double *p = ARENA_ARRAY(arena, double, count), *against = ARENA_ARRAY(arena, double, count);
    for (int i = 0; i < count; i++) {
        const struct claim *claim = &claims->claim[i];
        for (int k = 0; k < claim->pairs * SIDES && !claim->form; k++)
            comparison_expect(&comparing, &claim->column, claim->pair[k / SIDES][k % SIDES]);
    }
    for (int i = 0; i < count; i++) {
        result[i] = judge_one(&comparing, &claims->claim[i]);
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
