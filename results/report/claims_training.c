/* Decides by the rules of claims.h if more training could reverse a claim. */
#include <math.h>
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/table/training.h"

enum { SIDES = 2 };
static const double moved_most = 1. / 3, gained_most = 1. / 2;

/* A claim and the trainings of its rows. */
struct reversal {
    struct sampler *sampler;
    const struct claim *claim;
    const struct claim_contrast *contrast;
    int rows;
    const char **name;        /* [rows] */
    struct training_row *row; /* [rows] rows with trainings, each once */
    const char *why;          /* reason why the claim could be reversed; NULL: none found */
    bool unknown;             /* a row has too few validations to decide */
};

static const char *number(struct reversal *reversal, double value)
{
    return number_short(reversal->sampler->arena, value);
}

static void say(struct reversal *reversal, const char *why)
{
    if (!reversal->why) reversal->why = why;
}

static void add_row(struct reversal *reversal, int row, const struct training_row *training)
{
    int names = reversal->rows;
    ARENA_MORE(reversal->sampler->arena, reversal->row, reversal->rows);
    ARENA_MORE(reversal->sampler->arena, reversal->name, names);
    reversal->name[reversal->rows] = reversal->sampler->grid->row[row].name;
    reversal->row[reversal->rows++] = *training;
}

static double weight_of(const struct claim_contrast *contrast, int side, int r)
{
    return contrast->weight[side] ? contrast->weight[side][r] : 1;
}

/* Collects the trainings of a comparison. Sets mean[side] to the mean curve of the side, weighted
 * like its rows. Returns false if a row has no training. A main effect ignores pairs of which one
 * row has no training, because these pairs have no values. */
static bool take_rows(struct reversal *reversal, struct training_row mean[SIDES])
{
    const struct claim_contrast *contrast = reversal->contrast;
    const bool same = contrast->rows[0] == 1 && contrast->row[0][0] == contrast->row[1][0];
    const bool effect = contrast->unit == COMPARED_SIDES;
    bool all = true;
    double weight[SIDES] = {0};
    memset(mean, 0, SIDES * sizeof *mean);
    for (int i = 0; i < contrast->rows[0] || i < contrast->rows[1]; i++) {
        struct training_row row[SIDES] = {{0}};
        for (int k = 0; k < (same ? 1 : SIDES); k++)
            if (i < contrast->rows[k])
                row[k] =
                    training_row(reversal->sampler, &reversal->claim->column, contrast->row[k][i]);
        if (effect && !(row[0].trainings && row[1].trainings)) continue;
        for (int k = 0; k < SIDES; k++) {
            all &= i >= contrast->rows[k] || row[k].trainings;
            if (!row[k].trainings) continue;
            add_row(reversal, contrast->row[k][i], &row[k]);
            weight[k] += weight_of(contrast, k, i);
            mean[k].middle += row[k].middle * weight_of(contrast, k, i);
            mean[k].last += row[k].last * weight_of(contrast, k, i);
        }
    }
    for (int k = 0; k < SIDES; k++) mean[k].middle /= weight[k], mean[k].last /= weight[k];
    return all && weight[0] > 0 && weight[1] > 0;
}

static void look_at_warmups(struct reversal *reversal)
{
    struct arena *arena = reversal->sampler->arena;
    for (int i = 0; i < reversal->rows; i++) {
        const struct training_row *row = &reversal->row[i];
        reversal->unknown |= !row->known;
        if (row->unfinished)
            say(reversal, arena_print(arena, "the warm-up of %s is %s steps, its training %s",
                                      reversal->name[i], number_count(arena, (double)row->warmup),
                                      number_count(arena, (double)row->steps)));
    }
}

/* Reports the rows that improve too much in the last third of training. The limit is half of
 * |difference| or, if `own` is true, half of the row's improvement since its first validation. */
static void look_at_gains(struct reversal *reversal, bool own, double difference)
{
    for (int i = 0; i < reversal->rows; i++) {
        const struct training_row *row = &reversal->row[i];
        const double whole = own ? row->last - row->first : difference,
                     gain = row->sign * (row->last - row->middle); /* in the last third */
        if (gain > gained_most * fabs(whole))
            say(reversal,
                arena_print(reversal->sampler->arena,
                            "in the last third of training %s of %s improves by %s, more than "
                            "half of %s, %s",
                            row->metric, reversal->name[i], number(reversal, gain),
                            own ? "its whole improvement" : "the difference",
                            number(reversal, fabs(whole))));
    }
}

/* Applies the two rules about D. Compares the difference of the sides at the start of the last
 * third with D, and the improvement of each row with D. */
static void look_at_difference(struct reversal *reversal, const struct training_row side[SIDES])
{
    const double before = side[0].middle - side[1].middle, after = side[0].last - side[1].last;
    const double moved = before > 0 ? before - after : after - before;
    if (moved > moved_most * fabs(before))
        say(reversal,
            arena_print(reversal->sampler->arena,
                        "in the last third of training the difference in %s goes from %s to %s",
                        reversal->row[0].metric, number(reversal, before),
                        number(reversal, after)));
    look_at_gains(reversal, false, after);
}

/* True if the two sides come from different trainings, so that D exists (claims.h). */
static bool has_difference(const struct reversal *reversal)
{
    const struct claim_contrast *contrast = reversal->contrast;
    const int *rows = contrast->rows, most = rows[0] > rows[1] ? rows[0] : rows[1];
    bool differ = !reversal->claim->form && !reversal->claim->alone;
    for (int i = 0; i < most; i++)
        differ &= !comparison_is_paired(reversal->sampler->grid, contrast->row[0][i % rows[0]],
                                        contrast->row[1][i % rows[1]]);
    return differ;
}

/* True if the claim's metric has the unit of the dev metric: it is the dev metric, or both are
 * losses in nats per token. */
static bool is_in_its_unit(const struct column *column, const char *metric)
{
    return column->value && (!strcmp(column->value, metric) ||
                             (!strcmp(column->value, "test_loss") && !strcmp(metric, "dev_loss")));
}

/* Applies the rules to one comparison of the claim. */
static void look_at(struct reversal *reversal, enum claim_verdict verdict)
{
    const struct claim *claim = reversal->claim;
    struct training_row side[SIDES];
    const bool both = take_rows(reversal, side) && has_difference(reversal);
    look_at_warmups(reversal);
    const bool near = claim->expect == CLAIM_EQUAL && verdict != CLAIM_CONTRADICTED;
    const bool scale =
        near && reversal->rows && is_in_its_unit(&claim->column, reversal->row->metric);
    if (reversal->unknown) return;
    if (both && !near)
        look_at_difference(reversal, side);
    else if (both && scale)
        look_at_gains(reversal, false, fmax(fabs(side[0].last - side[1].last), claim->smallest));
    else
        look_at_gains(reversal, true, 0);
}

/* True if the values of a claim are at(..). */
static bool is_sided(struct sampler *sampler, const struct claim *claim)
{
    struct sample_sides sides;
    const int row = claim->contrast->row[0][0];
    const struct grid_row *from = &sampler->grid->row[row];
    return from->count && sample_split(sampler, &claim->column, from->seed,
                                       sample_stages(sampler, row)[0], &sides);
}

void claim_training(struct sampler *sampler, const struct claim *claim, struct claim_result *result)
{
    const enum claim_verdict verdict = result->verdict;
    const char *why = NULL;
    bool unknown = false;
    if (verdict == CLAIM_NOT_RUN || verdict == CLAIM_UNTESTED) return;
    if (verdict == CLAIM_UNREACHED || is_sided(sampler, claim)) return;
    if (column_is_size(&claim->column) || claim->column.function == COLUMN_WALL) return;
    for (int i = 0; i < claim->contrasts; i++) {
        struct reversal reversal = {
            .sampler = sampler, .claim = claim, .contrast = &claim->contrast[i]};
        look_at(&reversal, verdict);
        unknown |= reversal.unknown;
        if (!why) why = reversal.why;
    }
    result->training_unknown |= unknown && !why;
    if (!why) return;
    claim_note(result, sampler->arena, "undertrained%s: %s", claim->undertrained ? ", allowed" : "",
               why);
    if (!claim->undertrained) result->verdict = CLAIM_UNDERTRAINED;
}
