/* Computes the expected best trial of a budget, for each search of a row. */
#include "results/table/expected.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "experiments/grid/tune.h"
#include "results/stats/best_of.h"
#include "results/store/stage_folder.h"

static const char choice_kind[] = "choice", trial_value[] = "trial_metric";

struct expected_budget {
    const char *metric;
    double amount; /* above 0 */
    bool hours;    /* else trials */
};

/* Returns the part of METRIC, BUDGET after the comma. */
static const char *amount_of(const char *text)
{
    const char *comma = strchr(text, ',');
    return comma ? comma + 1 + strspn(comma + 1, " ") : "";
}

/* Reads METRIC, BUDGET. Returns false if there is no such metric or budget. */
static bool expected_budget(const char *text, struct expected_budget *budget, struct arena *arena)
{
    const char *amount = amount_of(text), *unit = amount + strspn(amount, "0123456789.");
    const char *number = arena_text_range(arena, amount, (size_t)(unit - amount));
    budget->metric = arena_text_range(arena, text, strcspn(text, ","));
    budget->hours = !strcmp(unit, " hours");
    const bool trials = (!*unit || !strcmp(unit, " trials")) && !strchr(number, '.');
    return (budget->hours || trials) && tune_metric(budget->metric, true) &&
           real_parse(number, &budget->amount) && budget->amount > 0;
}

bool expected_find(const char *text, struct column *column, struct column_miss *miss,
                   struct arena *arena)
{
    struct expected_budget budget;
    struct column of;
    if (!expected_budget(text, &budget, arena)) {
        miss->lacks = "expected(..): expected a metric of tune and a budget, as in "
                      "expected(dev_loss, 4) or expected(dev_loss, 2 hours)";
        return false;
    }
    const bool known = column_find(budget.metric, &of, NULL, arena);
    const struct tune_metric *metric = tune_metric(budget.metric, true);
    column->word = text;
    column->kind = choice_kind;
    column->value = trial_value;
    column->measure = offer_measure(choice_kind, trial_value);
    column->header = arena_print(arena, "%s, best %s %s", known ? of.header : budget.metric,
                                 budget.hours ? "in" : "of", amount_of(text));
    struct measure *measure = column_describe(column, arena);
    measure->header = column->header;
    measure->best = metric->less ? COLUMN_LEAST : COLUMN_MOST;
    if (known) measure->decimals = of.measure->decimals;
    return true;
}

/* Returns the budget of a column. */
static struct expected_budget budget_of(const struct column *column, struct arena *arena)
{
    struct expected_budget budget;
    CHECK(expected_budget(column->word, &budget, arena), "%s is a budget", column->word);
    return budget;
}

struct expected_trials expected_trials(struct sampler *sampler, int row, int seed)
{
    const struct grid_row *from = &sampler->grid->row[row];
    struct expected_trials trials = {0};
    if (!from->tuned || from->waits || seed >= from->count) return trials;
    for (int i = 0; i < from->seed[seed].count && !trials.count; i++) {
        const struct grid_stage *stage = &from->seed[seed].stage[i];
        if (strcmp(stage->kind, choice_kind) != 0) continue;
        const int64_t number = sample_stages(sampler, row)[seed][i].number;
        int lines;
        const struct value_cache_line *line =
            value_cache_lines(sampler->cache, number, trial_value, NULL, &lines);
        if (!lines) continue;
        trials = (struct expected_trials){
            .count = from->tuned->trials, .stage = number, .id = stage->id};
        /* A trial that diverged has no line. */
        double *value = ARENA_ARRAY(sampler->arena, double, trials.count);
        for (int t = 0; t < trials.count; t++) value[t] = (double)NAN;
        for (int t = 0; t < lines; t++) {
            const int set = line[t].of.number[DIMENSION_SET];
            if (set > 0 && set <= trials.count) value[set - 1] = line[t].value;
        }
        trials.value = value;
    }
    trials.less = from->tuned->metric->less;
    trials.hours = value_cache_value(sampler->cache, trials.stage, "hours");
    return trials;
}

/* Number of trials of a budget; 0: less than one, or more than half of the trials. */
static int expected_count(const struct expected_trials *trials,
                          const struct expected_budget *budget)
{
    const double count =
        budget->hours ? floor(budget->amount * trials->count / trials->hours) : budget->amount;
    return count >= 1 && 2 * count <= trials->count ? (int)count : 0;
}

struct sample expected_sample(struct sampler *sampler, const struct column *column, int row)
{
    const struct expected_budget budget = budget_of(column, sampler->arena);
    struct sample sample = sample_new(sampler, row);
    for (int s = 0; s < sample.total; s++) {
        const struct expected_trials trials = expected_trials(sampler, row, s);
        const int count = expected_count(&trials, &budget);
        sample.value[s] = best_of(trials.value, trials.count, count, trials.less);
        if (sampler->grid->row[row].waits) sample.why[s] = sample_waits(sampler, row, s);
        sample.shared &= !sample.stage || sample.stage == trials.stage;
        sample.stage = trials.stage;
    }
    return sample;
}

void expected_refuse(const struct grid *grid, struct location location, const char *what)
{
    for (int r = 0; r < grid->rows; r++)
        if (grid->row[r].tuned && grid->row[r].tuned->rungs)
            die_at(location,
                   "%s: tune.halving stops trials of row \"%s\", so the best of k trials is not "
                   "known; expected a grid without tune.halving",
                   what, grid->row[r].name);
}

void expected_check(const struct grid *grid, const struct column *column)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct column *expected = column_has(column, COLUMN_EXPECTED);
    if (!expected) return;
    const struct expected_budget budget = budget_of(expected, &arena);
    bool tuned = false;
    expected_refuse(grid, column_location(column), column->name);
    for (int r = 0; r < grid->rows; r++) {
        const struct tuned *of = grid->row[r].tuned;
        tuned |= of != NULL;
        if (of && strcmp(of->metric->name, budget.metric) != 0)
            die_at(column_location(column), "%s: the metric of tune is %s, not %s", column->name,
                   of->metric->name, budget.metric);
        if (of && !budget.hours && 2 * budget.amount > of->trials)
            die_at(column_location(column),
                   "%s: expected at most %d trials, half of those of row \"%s\"", column->name,
                   of->trials / 2, grid->row[r].name);
    }
    if (!tuned)
        die_at(column_location(column), "%s: no row is tuned; expected the key tune in the grid",
               column->name);
}

/* The expected best of a resample of trials. */
struct best_context {
    int count;
    bool less;
};
static double best_statistic(const void *context, struct strata strata, const void *item,
                             const uint32_t *at, bool single)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct best_context *of = context;
    const int items = strata_items(strata);
    double *value = ARENA_ARRAY(&arena, double, items);
    (void)single;
    for (int i = 0; i < items; i++) value[i] = ((const double *)item)[at ? at[i] : (uint32_t)i];
    return best_of(value, items, of->count, of->less);
}

/* Returns the values with those of diverged trials replaced by the worst other one. The expected
 * best of the trials, if it is a number, stays the same, and so each resample has one. */
static const double *without_lost(const struct expected_trials *trials, struct arena *arena)
{
    double *value = ARENA_ARRAY(arena, double, trials->count), worst = (double)NAN;
    for (int t = 0; t < trials->count; t++)
        worst = trials->less ? fmax(worst, trials->value[t]) : fmin(worst, trials->value[t]);
    for (int t = 0; t < trials->count; t++)
        value[t] = isnan(trials->value[t]) ? worst : trials->value[t];
    return value;
}

const struct observations *expected_observations(struct sampler *sampler,
                                                 const struct column *column, int row)
{
    struct arena *arena = sampler->arena;
    const struct expected_budget budget = budget_of(column, arena);
    const struct expected_trials trials = expected_trials(sampler, row, 0);
    struct best_context *context = ARENA_NEW(arena, struct best_context);
    struct observations *of = ARENA_NEW(arena, struct observations);
    const void **item = ARENA_ARRAY(arena, const void *, 1);
    *context = (struct best_context){expected_count(&trials, &budget), trials.less};
    *item = without_lost(&trials, arena);
    *of = (struct observations){
        .id = trials.id,
        .signature = budget.metric,
        .sets = 1,
        .items = trials.count,
        .statistic = {.items = "trials", sizeof(double), context, best_statistic, false},
        .item = item,
        .score = best_of(trials.value, trials.count, context->count, trials.less)};
    of->strata = (struct strata){1, &of->items};
    if (!isfinite(of->score)) return NULL;
    of->name = arena_print(arena, STAGE_FOLDER, choice_kind, trials.id);
    return of;
}
