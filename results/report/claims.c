/* A claim is judged by what is known of the difference d: resampled differences, Student's
 * distribution of it, or its exact value. Each gives P(d <= x) and P(d >= x), and so p. */
#include "results/report/claims.h"

#include <math.h>
#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"
#include "results/sheet/number.h"
#include "results/stats/student.h"
#include "results/store/stage_folder.h"
#include "results/store/offer.h"

const char *const claim_verdicts[] = {"supported", "contradicted", "inconclusive", "not run"};

const struct significance_options claim_bootstrap = {.samples = 1000, .seed = 12345};

/* Reading. */

/* Dies when a name means no row; with `like`, none at its place in the sweep. */
static int read_row(const struct tree *scalar, const struct summary_grid *grid, int like,
                    struct arena *arena)
{
    const char *name = scalar_text(scalar, "compare");
    int row = summary_row_beside(grid, name, like);
    const char **names = ARENA_ARRAY(arena, const char *, grid->rows + 1);
    for (int i = 0; i < grid->rows; i++) names[i] = grid->row[i].name;
    if (row < 0) word_refuse(scalar->place, "compare", "there is no row", name, names);
    return row;
}

static struct column read_metric(const struct tree *metric, const struct tree *claim,
                                 struct arena *arena)
{
    struct column column;
    const char *nearest;
    if (!metric) {
        CHECK(column_find(COLUMN_MAIN, &column, &nearest, arena), "no column " COLUMN_MAIN);
        return column;
    }
    if (metric->kind == TREE_LIST)
        die_at(claim->place, "metric: expected the name of a column, such as bleu");
    column = column_read(metric, arena);
    if (!column_is_number(&column) || column.delta || column.source == COLUMN_P)
        die_at(metric->place,
               "metric: \"%s\" is no value of a row; expected a column with one, "
               "such as bleu or dev_loss",
               column.name);
    column_refuse_every(&column, metric,
                        "metric: class: all is a column for each class; a claim is about one of "
                        "them (a class that is called so stands in quotes)");
    return column;
}

/* `like`: where in a sweep its rows stand. */
static struct claim read_claim(const struct tree *map, const struct summary_grid *grid, int like,
                               struct arena *arena)
{
    static const char *const keys[] = {"text",     "compare", "metric", "expect",
                                       "smallest", "alpha",   NULL};
    tree_only_keys(map, "a claim", keys);
    const struct tree *text = tree_get(map, "text"), *compare = tree_get(map, "compare"),
                      *expect = tree_get(map, "expect"), *smallest = tree_get(map, "smallest"),
                      *alpha = tree_get(map, "alpha");
    if (!text || !compare || !expect)
        die_at(map->place,
               "a claim: %s is missing; expected text, compare: [row, row] and "
               "expect: greater, less or equal",
               !text      ? "text"
               : !compare ? "compare"
                          : "expect");
    if (compare->kind != TREE_LIST || compare->count != 2)
        die_at(compare->place, "compare: expected two rows, as in [+ Gate, Transformer]");
    struct claim claim = {
        .text = scalar_text(text, "text"),
        .row = {read_row(compare->item[0], grid, like, arena),
                read_row(compare->item[1], grid, like, arena)},
        .column = read_metric(tree_get(map, "metric"), map, arena),
        .expect = (enum claim_expect)scalar_choice(expect, "expect", "greater|less|equal"),
        .smallest = smallest ? scalar_real(smallest, "smallest", 0, 1e12) : 0,
        .alpha = alpha ? scalar_real(alpha, "alpha", 1e-6, 0.5) : 0.05,
    };
    if (column_observations(&claim.column) && claim.alpha * claim_bootstrap.samples < 1 - 1e-9)
        die_at(alpha->place, "alpha: of %s, which is resampled %d times, expected %g at least",
               column_unit(&claim.column, arena), claim_bootstrap.samples,
               1. / claim_bootstrap.samples);
    if (claim.row[0] == claim.row[1])
        die_at(compare->place, "compare: expected two rows, not twice the same");
    if (claim.expect == CLAIM_EQUAL && !(claim.smallest > 0))
        die_at(expect->place, "expect: equal needs smallest, the difference that would matter, as "
                              "in smallest: 0.3");
    return claim;
}

struct claims claims_read(const struct tree *list, const struct summary_grid *grid,
                          struct arena *arena)
{
    struct claims claims = {0};
    if (!list) return claims;
    if (list->kind != TREE_LIST)
        die_at(list->place,
               "claims: expected a list of {text: .., compare: [row, row], expect: ..}");
    struct claim *claim = ARENA_ARRAY(arena, struct claim, list->count * grid->rows + 1);
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct tree *compare = tree_get(list->item[i], "compare");
        const char *first =
            compare && compare->kind == TREE_LIST && compare->count ? compare->item[0]->text : NULL;
        bool swept = false; /* one claim for each of the rows that its first row became */
        for (int r = 0; first && r < grid->rows; r++) {
            const struct summary_row *row = &grid->row[r];
            if (!strcmp(row->name, first) || !summary_row_meant(row, first)) continue;
            swept = true;
            claim[count] = read_claim(list->item[i], grid, r, arena);
            claim[count].text = arena_print(arena, "%s (%s)", claim[count].text, row->name);
            count++;
        }
        if (!swept) claim[count++] = read_claim(list->item[i], grid, 0, arena);
    }
    return (struct claims){count, claim};
}

/* Judging. */

/* What is known of the difference d: resampled ones, or Student's distribution of it; without any
 * spread it is exact. */
struct knowledge {
    double difference, least; /* least: no p is less */
    int samples;
    const double *sample; /* [samples] sorted; NULL: */
    struct student_difference student;
};

static bool is_exact(const struct knowledge *known)
{
    return !known->sample && known->student.error == 0;
}

/* Resampled differences of numbers with few values often are the limit, but for rounding. */
static double rounding(double limit)
{
    return 1e-9 * fmax(1, fabs(limit));
}

/* P(d <= limit), and P(d >= limit) */
static double share_below(const struct knowledge *known, double limit)
{
    if (!known->sample)
        return student_share((limit - known->difference) / known->student.error,
                             known->student.freedom);
    int below = 0;
    while (below < known->samples && known->sample[below] <= limit + rounding(limit)) below++;
    return (double)below / known->samples;
}

static double share_above(const struct knowledge *known, double limit)
{
    if (!known->sample) return 1 - share_below(known, limit);
    int above = 0;
    while (above < known->samples &&
           known->sample[known->samples - 1 - above] >= limit - rounding(limit))
        above++;
    return (double)above / known->samples;
}

static void set_interval(const struct knowledge *known, double alpha, struct claim_result *result)
{
    if (known->sample) {
        const int skip = (int)(alpha * known->samples + 1e-9);
        result->low = known->sample[skip < known->samples / 2 ? skip : known->samples / 2];
        result->high = known->sample[known->samples - 1 - skip];
        return;
    }
    const double half = is_exact(known) ? 0
                                        : known->student.error *
                                              student_quantile(1 - alpha, known->student.freedom);
    result->low = known->difference - half;
    result->high = known->difference + half;
}

/* What the claim says of an exact d. */
static bool holds(const struct claim *claim, double d)
{
    return claim->expect == CLAIM_GREATER ? d > claim->smallest
           : claim->expect == CLAIM_LESS  ? d < -claim->smallest
                                          : fabs(d) < claim->smallest;
}

/* p of the claim's contrary, which the claim would refuse; and of the claim, against it. */
static void find_p(const struct claim *claim, const struct knowledge *known, double *p,
                   double *against)
{
    const double m = claim->smallest;
    if (is_exact(known)) {
        *p = !holds(claim, known->difference);
        *against = 1 - *p;
    } else if (claim->expect == CLAIM_GREATER) {
        *p = share_below(known, m);
        *against = share_above(known, m);
    } else if (claim->expect == CLAIM_LESS) {
        *p = share_above(known, -m);
        *against = share_below(known, -m);
    } else {
        *p = fmax(share_above(known, m), share_below(known, -m));
        *against = fmin(share_below(known, m), share_above(known, -m));
    }
}

static void decide(const struct claim *claim, const struct knowledge *known,
                   struct claim_result *result)
{
    double against;
    find_p(claim, known, &result->p, &against);
    result->p = fmax(result->p, known->least);
    against = fmax(against, known->least);
    result->tested = true;
    result->test = known->sample ? CLAIM_BOOTSTRAP : is_exact(known) ? CLAIM_EXACT : CLAIM_WELCH;
    result->difference = known->difference;
    set_interval(known, claim->alpha, result);
    result->verdict = result->p < claim->alpha ? CLAIM_SUPPORTED
                      : against < claim->alpha ? CLAIM_CONTRADICTED
                                               : CLAIM_INCONCLUSIVE;
}

static void judge_items(struct sampler *sampler, const struct claim *claim,
                        struct claim_result *result)
{
    struct arena *arena = sampler->arena;
    struct replicates a = {0}, b = {0};
    result->note = replicates_rows(sampler, &claim->column, claim->row[0], claim->row[1], &a, &b);
    if (result->note || !a.count) return;
    const struct observations *first = b.seed[0];
    result->note = replicates_check(&a, first, arena);
    if (!result->note) result->note = replicates_check(&b, first, arena);
    if (result->note) return;
    const struct significance_system ours = replicates_system(&a, arena),
                                     theirs = replicates_system(&b, arena);
    double *sample = ARENA_ARRAY(arena, double, claim_bootstrap.samples);
    struct knowledge known = {.samples = claim_bootstrap.samples, .sample = sample};
    known.least = significance_least(first->items, known.samples);
    result->items = first->statistic.items;
    known.difference = significance_resample(&first->statistic, first->strata, &claim_bootstrap,
                                             &theirs, &ours, sample);
    decide(claim, &known, result);
    if (result->seeds == 1) result->note = "one seed: what training owes to chance is not covered";
}

/* Values of the seeds that both have: [seeds] each. */
static void judge_values(const struct claim *claim, const double *a, const double *b,
                         struct claim_result *result)
{
    bool same = true;
    for (int i = 1; i < result->seeds; i++) same &= a[i] == a[0] && b[i] == b[0];
    struct knowledge known = {.difference = a[0] - b[0]};
    if (!(column_is_size(&claim->column) && same)) {
        if (result->seeds < 2) {
            result->note = "one seed: without sentences to resample, two seeds are needed";
            return;
        }
        known.student = student_welch(a, result->seeds, b, result->seeds);
        known.difference = known.student.difference;
    }
    decide(claim, &known, result);
}

/* The stages of a seed whose values are compared, once each. */
static void add_stages(struct sampler *sampler, const struct claim *claim, int row, int seed,
                       struct claim_result *result)
{
    const struct summary_seed *from = &sampler->grid->row[row].seed[seed];
    const char *kind = claim->column.source == COLUMN_VALUE ? claim->column.kind : NULL;
    for (int i = 0; i < from->count; i++) {
        if (kind && !sample_is_of(&claim->column, &from->stage[i])) continue;
        const char *name =
            arena_print(sampler->arena, STAGE_FOLDER, from->stage[i].kind, from->stage[i].id);
        bool known = false;
        for (int k = 0; k < result->stages; k++) known |= !strcmp(result->stage[k], name);
        if (known) continue;
        ARENA_MORE(sampler->arena, result->stage, result->stages);
        result->stage[result->stages++] = name;
    }
}

struct claim_result claim_judge(struct sampler *sampler, const struct claim *claim)
{
    struct arena *arena = sampler->arena;
    const struct summary_row *row = sampler->grid->row;
    struct claim_result result = {.verdict = CLAIM_INCONCLUSIVE};
    struct sample sample[2];
    for (int side = 0; side < 2; side++) {
        sample[side] = sample_row(sampler, &claim->column, claim->row[side]);
        if (sample[side].count || result.note) continue;
        sample_check_names(sampler, &claim->column);
        const char *why = sample_why(sampler, &sample[side]);
        result.verdict = CLAIM_NOT_RUN;
        result.note =
            arena_print(arena, "%s: %s", row[claim->row[side]].name, why ? why : "no such value");
    }
    if (result.note) return result;

    const struct sample *a = &sample[0], *b = &sample[1];
    double *ours = ARENA_ARRAY(arena, double, a->total),
           *theirs = ARENA_ARRAY(arena, double, a->total);
    for (int i = 0; i < a->total; i++)
        for (int k = 0; k < b->total; k++) {
            if (a->seed[i].seed != b->seed[k].seed || !isfinite(a->value[i] - b->value[k]))
                continue;
            ours[result.seeds] = a->value[i];
            theirs[result.seeds++] = b->value[k];
            add_stages(sampler, claim, claim->row[0], i, &result);
            add_stages(sampler, claim, claim->row[1], k, &result);
        }
    result.signature = a->signature;
    if (!result.seeds)
        result.note = "no seed has values of both rows";
    else if (!sample_same_signature(a, b))
        result.note = "the rows' values are not comparable: their signatures differ";
    else if (column_observations(&claim->column))
        judge_items(sampler, claim, &result);
    else
        judge_values(claim, ours, theirs, &result);
    return result;
}
