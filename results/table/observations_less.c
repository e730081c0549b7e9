/* Subtracts observations. The difference of two means over the same items is the mean of the
 * differences, so it can be resampled like any other value. */
#include <string.h>

#include "results/table/observations_read.h"

/* Returns the reason why two values do not have the same items; NULL if they do. */
static const char *differ(const struct observations *one, const struct observations *other)
{
    if (strcmp(one->signature, other->signature) != 0) return "another signature";
    if (one->items != other->items || one->sets != other->sets) return "another number of items";
    if (one->statistic.of != other->statistic.of || !one->label || !other->label)
        return "items of another kind";
    for (int i = 0; i < one->items; i++)
        if (one->line[i] != other->line[i] ||
            strcmp(one->label[i].stratum, other->label[i].stratum) ||
            one->label[i].weight != other->label[i].weight)
            return "other items";
    return NULL;
}

/* Subtracts the items of one set. The weights of a ratio are equal on both sides. */
static const void *subtract(const struct observations *one, const struct observations *other,
                            int set, struct arena *arena)
{
    if (one->statistic.of == statistic_ratio.of) {
        const struct ratio_item *a = one->item[set], *b = other->item[set];
        struct ratio_item *ratio = ARENA_ARRAY(arena, struct ratio_item, one->items);
        for (int i = 0; i < one->items; i++)
            ratio[i] = (struct ratio_item){a[i].number - b[i].number, a[i].weight};
        return ratio;
    }
    const double *a = one->item[set], *b = other->item[set];
    double *mean = ARENA_ARRAY(arena, double, one->items);
    for (int i = 0; i < one->items; i++) mean[i] = a[i] - b[i];
    return mean;
}

const struct observations *observations_less(const struct observations *one,
                                             const struct observations *other)
{
    struct arena *arena;
    struct observations *less =
        observations_derived("less", (const struct observations *[]){one, other}, 2, &arena);
    if (arena && !less->problem) less->problem = differ(one, other);
    if (!arena || less->problem) return less;
    const void **item = ARENA_ARRAY(arena, const void *, one->sets);
    for (int set = 0; set < one->sets; set++) item[set] = subtract(one, other, set, arena);
    less->item = item;
    less->score = one->score - other->score;
    return less;
}
