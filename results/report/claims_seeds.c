/* The key `seeds` of a claim: the trainings of each side by their seeds, as in [1-6, 7-12]. */
#include "results/report/claims.h"
#include "results/sheet/cell.h"

static struct claim_seeds read_side(const struct tree *side, struct arena *arena)
{
    const bool list = side->kind == TREE_LIST;
    const int count = list ? side->count : 1;
    struct int_range *range = ARENA_ARRAY(arena, struct int_range, count);
    struct claim_seeds seeds = {.ranges = count, .range = range};
    if (!count) die_at(side->place, "seeds: the list is empty");
    for (int i = 0; i < count; i++) {
        const struct tree *item = list ? side->item[i] : side;
        range[i] = int_range_read(item, "seeds", arena);
        seeds.text = arena_append(arena, seeds.text, ", ", item->text);
    }
    return seeds;
}

void claim_seeds_read(const struct tree *seeds, struct claim *claim, struct arena *arena)
{
    if (seeds->kind != TREE_LIST || seeds->count != 2)
        die_at(seeds->place, "seeds: expected those of each row, as in [1-6, 7-12]");
    for (int side = 0; side < 2; side++) claim->seeds[side] = read_side(seeds->item[side], arena);
    for (int i = 0; i < claim->seeds[1].ranges; i++) {
        const struct int_range *range = &claim->seeds[1].range[i];
        for (int k = 0; k < claim->seeds[0].ranges; k++) {
            const struct int_range *other = &claim->seeds[0].range[k];
            const int first = range->first > other->first ? range->first : other->first;
            if (first <= range->last && first <= other->last)
                die_at(seeds->item[1]->place, "seeds: %d is on both sides", first);
        }
    }
}

int64_t claim_seeds_count(const struct claim_seeds *seeds)
{
    int64_t count = 0;
    for (int i = 0; i < seeds->ranges; i++)
        count += (int64_t)seeds->range[i].last - seeds->range[i].first + 1;
    return count;
}
