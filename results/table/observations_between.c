/* Interpolates between the observations of two checkpoints: weighted sets of the same items. */
#include <string.h>

#include "results/table/observations_read.h"

const struct observations *observations_between(const struct observations *one,
                                                const struct observations *other, double weight)
{
    struct arena *arena;
    SCOPED(heap_free) char *name = heap_print("between %a", weight);
    struct observations *between =
        observations_derived(name, (const struct observations *[]){one, other}, 2, &arena);
    if (arena && !between->problem && (one->items != other->items || one->sets != other->sets))
        between->problem = "another number of items";
    if (!arena || between->problem) return between;
    const int sets = one->sets;
    const void **item = ARENA_ARRAY(arena, const void *, 2 * sets);
    double *weights = ARENA_ARRAY(arena, double, 2 * sets);
    for (int i = 0; i < 2 * sets; i++) {
        item[i] = i < sets ? one->item[i] : other->item[i - sets];
        weights[i] = (i < sets ? 1 - weight : weight) / sets;
    }
    between->item = item;
    between->weight = weights;
    between->sets = 2 * sets;
    between->score = one->score + weight * (other->score - one->score);
    return between;
}
