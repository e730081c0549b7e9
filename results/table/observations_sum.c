/* Computes weighted sums of observations: weighted sets of the same items. */

#include "results/table/comparison.h"
#include "results/table/observations_read.h"

const struct observations *observations_sum(const struct observations *const of[2],
                                            const double weight[2])
{
    struct arena *arena;
    SCOPED(heap_free) char *name = heap_print("sum %a %a", weight[0], weight[1]);
    struct observations *sum = observations_derived(name, of, 2, &arena);
    const int items = of[0]->items, sets = of[0]->sets;
    if (arena && !sum->problem && (of[1]->items != items || of[1]->sets != sets))
        sum->problem = "another number of items";
    if (arena && !sum->problem) sum->problem = comparison_problem(of[1], of[0], arena);
    if (!arena || sum->problem) return sum;
    const void **item = ARENA_ARRAY(arena, const void *, 2 * sets);
    double *weights = ARENA_ARRAY(arena, double, 2 * sets);
    for (int i = 0; i < 2 * sets; i++) {
        item[i] = of[i / sets]->item[i % sets];
        const double *own = of[i / sets]->weight;
        weights[i] = weight[i / sets] * (own ? own[i % sets] : 1.0 / sets);
    }
    sum->item = item;
    sum->weight = weights;
    sum->sets = 2 * sets;
    sum->score = weight[0] * of[0]->score + weight[1] * of[1]->score;
    return sum;
}
