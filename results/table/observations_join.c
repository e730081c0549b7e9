/* Joins the observations of several tasks for their mean. Each task is a stratum. */
#include <string.h>

#include "results/sheet/cell.h"
#include "results/table/observations_read.h"

/* Returns the reason why a value cannot be joined with the first one; NULL if it can. */
static const char *differ(const struct observations *one, const struct observations *first)
{
    if (one->statistic.of != statistic_mean.of || !one->label)
        return "a mean of values that are not means of items";
    if (one->strata.count != 1) return "items in strata of their own";
    return one->sets == first->sets ? NULL : "unequal sets of items";
}

static void join(const struct observations *const *of, int count, struct observations *joined,
                 struct arena *arena)
{
    int items = 0, *end = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) end[i] = items += of[i]->items;
    struct item *label = ARENA_ARRAY(arena, struct item, items);
    int *line = ARENA_ARRAY(arena, int, items), at = 0;
    const void **item = ARENA_ARRAY(arena, const void *, joined->sets);
    for (int set = 0; set < joined->sets; set++) {
        double *number = ARENA_ARRAY(arena, double, items);
        for (int i = 0; i < count; i++)
            memcpy(number + end[i] - of[i]->items, of[i]->item[set],
                   sizeof *number * (size_t)of[i]->items);
        item[set] = number;
    }
    joined->signature = NULL;
    joined->score = 0;
    for (int i = 0; i < count; i++) {
        joined->signature = arena_append(arena, joined->signature, "; ", of[i]->signature);
        joined->score += of[i]->score / count;
        for (int k = 0; k < of[i]->items; k++, at++) {
            label[at] = of[i]->label[k];
            label[at].stratum = of[i]->signature; /* equal in every row and seed, as
                                                     comparison_problem requires */
            line[at] = of[i]->line[k];
        }
    }
    joined->items = items;
    joined->strata = (struct strata){count, end};
    joined->label = label;
    joined->line = line;
    joined->item = item;
}

const struct observations *observations_join(const struct observations *const *of, int count)
{
    struct arena *arena;
    struct observations *joined = observations_derived("join", of, count, &arena);
    for (int i = 0; i < count && arena && !joined->problem; i++)
        joined->problem = differ(of[i], of[0]);
    if (arena && !joined->problem) join(of, count, joined, arena);
    return joined;
}
