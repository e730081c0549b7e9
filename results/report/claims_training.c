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

/* Collects the trainings of the claim. Sets mean[side] to the mean curve of the side, over the
 * pairs that have trainings on both sides. Returns the number of these pairs. For a main effect,
 * ignores the trainings of all other pairs, because these pairs have no values. */
static int take_pairs(struct reversal *reversal, struct training_row mean[SIDES])
{
    const struct claim *claim = reversal->claim;
    int count = 0;
    memset(mean, 0, SIDES * sizeof *mean);
    for (int i = 0; i < claim->pairs; i++) {
        const int sides = claim->pair[i][0] == claim->pair[i][1] ? 1 : SIDES;
        struct training_row row[SIDES] = {{0}};
        for (int k = 0; k < sides; k++)
            row[k] = training_row(reversal->sampler, &claim->column, claim->pair[i][k]);
        const bool both = row[0].trainings && row[1].trainings;
        if (claim->effect[0] && !both) continue;
        for (int k = 0; k < sides; k++) {
            if (row[k].trainings) add_row(reversal, claim->pair[i][k], &row[k]);
            mean[k].middle += row[k].middle;
            mean[k].last += row[k].last;
        }
        count += both;
    }
    for (int k = 0; k < SIDES; k++) mean[k].middle /= count, mean[k].last /= count;
    return count;
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
    const struct claim *claim = reversal->claim;
    bool differ = !claim->form && !claim->alone;
    for (int i = 0; i < claim->pairs; i++)
        differ &=
            !comparison_is_paired(reversal->sampler->grid, claim->pair[i][0], claim->pair[i][1]);
    return differ;
}

/* True if the claim's metric has the unit of the dev metric: it is the dev metric, or both are
 * losses in nats per token. */
static bool is_in_its_unit(const struct column *column, const char *metric)
{
    return column->value && (!strcmp(column->value, metric) ||
                             (!strcmp(column->value, "test_loss") && !strcmp(metric, "dev_loss")));
}

void claim_training(struct sampler *sampler, const struct claim *claim, struct claim_result *result)
{
    struct reversal reversal = {.sampler = sampler, .claim = claim};
    struct training_row side[SIDES];
    const enum claim_verdict verdict = result->verdict;
    if (verdict == CLAIM_NOT_RUN || verdict == CLAIM_UNTESTED) return;
    if (column_is_size(&claim->column) || claim->column.function == COLUMN_WALL) return;
    const bool both = take_pairs(&reversal, side) && has_difference(&reversal);
    look_at_warmups(&reversal);
    const bool near = claim->expect == CLAIM_EQUAL && verdict != CLAIM_CONTRADICTED;
    const bool scale =
        near && reversal.rows && is_in_its_unit(&claim->column, reversal.row->metric);
    if (reversal.unknown)
        result->training_unknown = !reversal.why;
    else if (both && !near)
        look_at_difference(&reversal, side);
    else if (both && scale)
        look_at_gains(&reversal, false, fmax(fabs(side[0].last - side[1].last), claim->smallest));
    else
        look_at_gains(&reversal, true, 0);
    if (!reversal.why) return;
    claim_note(result, sampler->arena, "undertrained%s: %s", claim->undertrained ? ", allowed" : "",
               reversal.why);
    if (!claim->undertrained) result->verdict = CLAIM_UNDERTRAINED;
}
