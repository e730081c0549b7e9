/* Decides by the rules of claims.h if more training could reverse a claim. */
#include <math.h>
#include <string.h>

#include "results/report/claims.h"
#include "results/sheet/number_format.h"
#include "results/table/training.h"

enum { SIDES = 2 };
static const double moved_most = 1. / 3, gained_most = 1. / 2;

/* One comparison of a claim, and the trainings of its rows. */
struct reversal {
    struct sampler *sampler;
    const struct claim_contrast *contrast;
    int rows;
    const char **name;               /* [rows] */
    struct training_row *row;        /* [rows] rows with trainings, each once */
    double weight;                   /* sum of the weights of a side's rows; equal for both sides */
    struct training_row side[SIDES]; /* curves of the sides: weighted sums over their rows */
    bool differ;     /* the sides come from different trainings, so that D exists (claims.h) */
    bool unknown;    /* a row has too few validations to decide */
    const char *why; /* reason why the claim could be reversed; NULL: none found */
};

static const char *number(struct reversal *reversal, double value)
{
    return number_short(reversal->sampler->arena, value);
}

/* Collects the trainings of a comparison. Finds a training that ended in its warm-up. */
static void take_rows(struct reversal *reversal, const struct claim *claim)
{
    struct arena *arena = reversal->sampler->arena;
    const struct claim_contrast *contrast = reversal->contrast;
    const struct grid *grid = reversal->sampler->grid;
    const int *rows = contrast->rows, most = rows[0] > rows[1] ? rows[0] : rows[1];
    const bool same = contrast->row[0][0] == contrast->row[1][0] && rows[0] == 1;
    reversal->differ = !same;
    reversal->name = ARENA_ARRAY(arena, const char *, rows[0] + rows[1]);
    reversal->row = ARENA_ARRAY(arena, struct training_row, rows[0] + rows[1]);
    for (int i = 0; i < most; i++) {
        reversal->differ &= !comparison_is_paired(grid, contrast->row[0][i % rows[0]],
                                                  contrast->row[1][i % rows[1]]);
        for (int k = 0; k < (same ? 1 : SIDES); k++) {
            if (i >= rows[k]) continue;
            const double weight = contrast->weight[k] ? contrast->weight[k][i] : 1. / rows[k];
            const int at = contrast->row[k][i];
            const struct training_row row = training_row(reversal->sampler, &claim->column, at);
            reversal->differ &= row.trainings > 0;
            if (!row.trainings) continue;
            reversal->name[reversal->rows] = grid->row[at].name;
            reversal->row[reversal->rows++] = row;
            reversal->unknown |= !row.known;
            if (row.unfinished && !reversal->why)
                reversal->why =
                    arena_print(arena, "the warm-up of %s is %s steps, its training %s",
                                grid->row[at].name, number_count(arena, (double)row.warmup),
                                number_count(arena, (double)row.steps));
            reversal->weight += k ? 0 : weight;
            reversal->side[k].middle += row.middle * weight;
            reversal->side[k].last += row.last * weight;
        }
    }
}

/* Finds a row that improves too much in the last third of training. The limit is half of
 * `difference` or, if this is NULL, of all that the row has gained. An improvement that is compared
 * with the difference has the weight of all rows of its side. */
static void look_at_gains(struct reversal *reversal, const double *difference)
{
    for (int i = 0; i < reversal->rows && !reversal->why; i++) {
        const struct training_row *row = &reversal->row[i];
        const double whole = fabs(difference ? *difference : row->last - row->first),
                     weight = difference ? reversal->weight : 1,
                     gain = row->sign * (row->last - row->middle); /* in the last third */
        if (weight * gain > gained_most * whole)
            reversal->why = arena_print(
                reversal->sampler->arena,
                "in the last third of training %s of %s improves by %s, more than "
                "half of %s, %s",
                row->metric, reversal->name[i], number(reversal, weight * gain),
                difference ? "the difference" : "its whole improvement", number(reversal, whole));
    }
}

/* True if the claim's metric has the unit of the dev metric: it is the dev metric, or both are
 * losses in nats per token. */
static bool is_in_its_unit(const struct column *column, const char *metric)
{
    return column->value && (!strcmp(column->value, metric) ||
                             (!strcmp(column->value, "test_loss") && !strcmp(metric, "dev_loss")));
}

/* Applies the rules to a comparison. D is the difference of the sides at the end, and `before` at
 * the start of the last third. */
static void look_at(struct reversal *reversal, const struct claim *claim,
                    enum claim_verdict verdict)
{
    const struct training_row *side = reversal->side;
    const double before = side[0].middle - side[1].middle, after = side[0].last - side[1].last,
                 moved = before > 0 ? before - after : after - before,
                 limit = fmax(fabs(after), claim->smallest);
    const bool near = claim->expect == CLAIM_EQUAL && verdict != CLAIM_CONTRADICTED,
               differ = reversal->differ && !claim->form && !claim->alone;
    if (reversal->unknown || reversal->why) return;
    if (differ && !near && moved > moved_most * fabs(before))
        reversal->why =
            arena_print(reversal->sampler->arena,
                        "in the last third of training the difference in %s goes from %s to %s",
                        reversal->row[0].metric, number(reversal, before), number(reversal, after));
    if (differ && !near)
        look_at_gains(reversal, &after);
    else if (differ && is_in_its_unit(&claim->column, reversal->row->metric))
        look_at_gains(reversal, &limit);
    else
        look_at_gains(reversal, NULL);
}

bool claim_is_at(struct sampler *sampler, const struct claim *claim)
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
    struct arena *arena = sampler->arena;
    bool unknown = false;
    if (verdict >= CLAIM_UNREACHED || claim_is_at(sampler, claim)) return;
    if (column_is_size(&claim->column) || claim->column.function == COLUMN_WALL) return;
    for (int i = 0; i < claim->contrasts && !why; i++) {
        /* the first one is the comparison that the result describes */
        const int c = i == 0 ? result->contrast : i - (i <= result->contrast);
        const struct claim_contrast *contrast = &claim->contrast[c];
        struct reversal reversal = {.sampler = sampler, .contrast = contrast};
        take_rows(&reversal, claim);
        look_at(&reversal, claim, verdict);
        unknown |= reversal.unknown;
        why = reversal.why;
        if (why && claim->contrasts > 1)
            why =
                arena_print(arena, "%s against %s: %s", contrast->side[0], contrast->side[1], why);
        if (why && result->over) why = arena_print(arena, "%s: %s", sampler->grid->name, why);
    }
    result->training_unknown |= unknown && !why;
    if (!why) return;
    claim_note(result, arena, "undertrained%s: %s", claim->undertrained ? ", allowed" : "", why);
    if (!claim->undertrained) result->verdict = CLAIM_UNDERTRAINED;
}
