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
    double weight;            /* sum of the weights of a side's rows; equal for both sides */
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

/* Collects the trainings of a comparison. Sets sum[side] to the curve of the side: the sum over its
 * rows, with the weights of the claim's contrast. Returns false if a row has no training, or if the
 * sides are one row. */
static bool take_rows(struct reversal *reversal, struct training_row sum[SIDES])
{
    const struct claim_contrast *contrast = reversal->contrast;
    const bool same = contrast->rows[0] == 1 && contrast->row[0][0] == contrast->row[1][0];
    const double *heights = contrast->place ? claim_heights(contrast->place, contrast->rows[0],
                                                            reversal->sampler->arena)
                                            : NULL;
    bool all = true;
    memset(sum, 0, SIDES * sizeof *sum);
    for (int i = 0; i < contrast->rows[0] || i < contrast->rows[1]; i++)
        for (int k = 0; k < (same ? 1 : SIDES); k++) {
            if (i >= contrast->rows[k]) continue;
            const double *own = contrast->weight[k], weight = heights ? heights[i]
                                                              : own   ? own[i]
                                                                      : 1. / contrast->rows[k];
            const struct training_row row =
                training_row(reversal->sampler, &reversal->claim->column, contrast->row[k][i]);
            all &= row.trainings > 0;
            if (!row.trainings) continue;
            add_row(reversal, contrast->row[k][i], &row);
            reversal->weight += k ? 0 : weight;
            sum[k].middle += row.middle * weight;
            sum[k].last += row.last * weight;
        }
    return all && !same;
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
 * |difference| or, if `own` is true, half of the row's improvement since its first validation. An
 * improvement that is compared with the difference has the weight of all rows of its side. */
static void look_at_gains(struct reversal *reversal, bool own, double difference)
{
    for (int i = 0; i < reversal->rows; i++) {
        const struct training_row *row = &reversal->row[i];
        const double whole = own ? row->last - row->first : difference,
                     weight = own ? 1 : reversal->weight,
                     gain = row->sign * (row->last - row->middle); /* in the last third */
        const char *times =
            fabs(weight - 1) < 1e-9
                ? ""
                : arena_print(reversal->sampler->arena, " times the weight of its side, %s",
                              number(reversal, weight));
        if (weight * gain > gained_most * fabs(whole))
            say(reversal,
                arena_print(reversal->sampler->arena,
                            "in the last third of training %s of %s improves by %s%s, more than "
                            "half of %s, %s",
                            row->metric, reversal->name[i], number(reversal, gain), times,
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
    const char *why = NULL, *where = result->over ? sampler->grid->name : NULL;
    struct arena *arena = sampler->arena;
    bool unknown = false;
    if (verdict == CLAIM_NOT_RUN || verdict == CLAIM_UNTESTED) return;
    if (verdict == CLAIM_UNREACHED || is_sided(sampler, claim)) return;
    if (column_is_size(&claim->column) || claim->column.function == COLUMN_WALL) return;
    for (int i = 0; i < claim->contrasts;
         i++) { /* first the comparison that the result describes */
        const int c = i == 0 ? result->contrast : i - (i <= result->contrast);
        const struct claim_contrast *contrast = &claim->contrast[c];
        struct reversal reversal = {.sampler = sampler, .claim = claim, .contrast = contrast};
        look_at(&reversal, verdict);
        unknown |= reversal.unknown;
        if (why || !reversal.why) continue;
        why = reversal.why;
        if (claim->contrasts > 1)
            where = arena_append(arena, where, ", ",
                                 arena_print(arena, "%s against %s",
                                             claim_side(sampler->grid, contrast, 0),
                                             claim_side(sampler->grid, contrast, 1)));
    }
    result->training_unknown |= unknown && !why;
    if (!why) return;
    claim_note(result, arena, "undertrained%s: %s%s%s", claim->undertrained ? ", allowed" : "",
               where ? where : "", where ? ": " : "", why);
    if (!claim->undertrained) result->verdict = CLAIM_UNDERTRAINED;
}
