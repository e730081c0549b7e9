/* Finds the trainings that learned: compares the values of a column with a threshold, seed by
 * seed. */
#include "results/table/learned.h"

#include <math.h>
#include <stddef.h>

#include "core/config/option.h"
#include "results/sheet/cell.h"
#include "results/sheet/number_format.h"
#include "results/table/name_list.h"

/* The keys of the map; NULL: absent. */
struct learned_map {
    const struct tree *metric;
    double at_least, at_most; /* NaN: absent */
};
#define FIELD(member) offsetof(struct learned_map, member)
static const struct option rows[] = {
    OPTION_TREE("metric", FIELD(metric), NULL, "column",
                "column of values, such as dev_loss; required"),
    OPTION_REAL("at_least", FIELD(at_least), NULL, 0, 0, OPTION_NO_ID,
                "least value of a seed that learned; this or at_most is required"),
    OPTION_REAL("at_most", FIELD(at_most), NULL, 0, 0, OPTION_NO_ID,
                "largest value of a seed that learned"),
};
static const struct section section = {"learned", "criterion for seeds that learned", rows,
                                       COUNT_OF(rows), sizeof(struct learned_map)};

const struct learned *learned_read(const struct tree *map, const struct grid *grid,
                                   struct arena *arena)
{
    struct learned_map read = {NULL, (double)NAN, (double)NAN};
    struct learned *learned = ARENA_NEW(arena, struct learned);
    if (!map) return NULL;
    section_read_part(&section, map, &read, arena);
    if (!read.metric || isnan(read.at_least) == isnan(read.at_most))
        die_at(map->location, "learned: expected a metric and one of at_least and at_most, as in "
                              "{metric: dev_loss, at_most: 3.5}");
    learned->column = column_read(read.metric, arena);
    if (learned->column.function != COLUMN_VALUE)
        die_at(read.metric->location,
               "learned: metric: \"%s\" is not a value of a stage; expected one, such as dev_loss",
               learned->column.name);
    layout_check_column(&learned->column, grid, arena);
    layout_find_view(&learned->column, grid, arena);
    column_refuse_every(
        &learned->column, read.metric,
        "learned: metric: class: all makes a column for each class; expected one class");
    learned->most = !isnan(read.at_most);
    learned->limit = learned->most ? read.at_most : read.at_least;
    return learned;
}

struct learned_row learned_row(struct sampler *sampler, int row)
{
    const struct learned *learned = sampler->grid->learned;
    struct learned_row found = {0};
    if (!learned || row < 0) return found;
    const struct sample sample = sample_row(sampler, &learned->column, row);
    for (int i = 0; i < sample.total; i++) {
        const double value = sample.value[i];
        if (!isfinite(value)) continue;
        found.seeds++;
        if (learned->most ? value <= learned->limit : value >= learned->limit)
            found.learned++;
        else if (sample.seed)
            found.failed =
                arena_append(sampler->arena, found.failed, ", ",
                             arena_print(sampler->arena, "%lld", (long long)sample.seed[i].seed));
    }
    return found;
}

/* Returns the logarithm of the number of ways to choose k of n. */
static double log_ways(int n, int k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

double learned_p(const struct learned_row *a, const struct learned_row *b)
{
    const int learned = a->learned + b->learned;
    const double all = log_ways(a->seeds + b->seeds, learned),
                 own = log_ways(a->seeds, a->learned) + log_ways(b->seeds, b->learned);
    double p = 0;
    for (int k = 0; k <= learned; k++) {
        if (k > a->seeds || learned - k > b->seeds) continue;
        const double other = log_ways(a->seeds, k) + log_ways(b->seeds, learned - k);
        if (other <= own + 1e-9) p += exp(other - all); /* equal ones differ by rounding */
    }
    return fmin(p, 1);
}

/* Returns "Dev at least 65.2". */
static const char *learned_limit(const struct learned *learned, struct arena *arena)
{
    return arena_print(arena, "%s %s %s", learned->column.header,
                       learned->most ? "at most" : "at least", number_short(arena, learned->limit));
}

const char *learned_caption(struct sampler *sampler, bool *failed)
{
    struct arena *arena = sampler->arena;
    struct name_list names = {.arena = arena};
    int seeds = 0, learned = 0;
    for (int row = 0; sampler->grid->learned && row < sampler->grid->rows; row++) {
        const struct learned_row found = learned_row(sampler, row);
        seeds += found.seeds;
        learned += found.learned;
        if (found.failed)
            name_list_add(&names, arena_print(arena, "%s (%d of %d; not: seed %s)",
                                              sampler->grid->row[row].name, found.learned,
                                              found.seeds, found.failed));
    }
    *failed = names.count > 0;
    if (!seeds) return NULL;
    return arena_print(arena, "Learned (%s): %d of %d seeds%s%s",
                       learned_limit(sampler->grid->learned, arena), learned, seeds,
                       *failed ? "; " : "", *failed ? name_list_text(&names) : "");
}
