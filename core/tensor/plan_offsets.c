/* Regions that live at different ticks share memory: offsets are found greedily by size (Pisarchyk
 * and Lee 2020, arXiv 2001.03288), and checked. */
#include <stdlib.h>

#include "core/tensor/plan.h"

static int by_size(const void *a, const void *b)
{
    const struct region *x = *(struct region *const *)a, *y = *(struct region *const *)b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                                : x->first - y->first;
}

static int by_offset(const void *a, const void *b)
{
    const struct region *x = *(struct region *const *)a, *y = *(struct region *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool live_together(const struct region *a, const struct region *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static int64_t end_of(const struct region *region)
{
    return region->offset + (int64_t)region->bytes;
}

/* The largest regions first, for they fit into the fewest gaps; each at the lowest offset where it
 * overlaps none that lives at one time with it. Between such neighbors, by their offsets, that is
 * the first gap of its size, or behind them all. Returns how much memory all take. */
static int64_t assign(struct region **region, int count, struct arena *arena)
{
    struct region **neighbor = ARENA_ARRAY(arena, struct region *, count + 1);
    int64_t total = 0;
    qsort(region, (size_t)count, sizeof(*region), by_size);
    for (int i = 0; i < count; i++) {
        int neighbors = 0;
        for (int j = 0; j < i; j++)
            if (live_together(region[i], region[j])) neighbor[neighbors++] = region[j];
        qsort(neighbor, (size_t)neighbors, sizeof(*neighbor), by_offset);
        int64_t at = 0;
        for (int j = 0; j < neighbors; j++) {
            if (neighbor[j]->offset - at >= (int64_t)region[i]->bytes) break;
            if (end_of(neighbor[j]) > at) at = end_of(neighbor[j]);
        }
        region[i]->offset = at;
        if (end_of(region[i]) > total) total = end_of(region[i]);
    }
    return total;
}

static void check(struct region *const *region, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            CHECK(!live_together(region[i], region[j]) || end_of(region[i]) <= region[j]->offset ||
                      end_of(region[j]) <= region[i]->offset,
                  "planner: %s and %s overlap", region[i]->path, region[j]->path);
}

int64_t plan_offsets(struct region **region, int count, struct arena *arena)
{
    const int64_t total = assign(region, count, arena);
    check(region, count);
    return total;
}
