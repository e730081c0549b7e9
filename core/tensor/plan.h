/* The parts of graph_plan and graph_place, a file each, in their order. */
#pragma once

#include "core/tensor/graph_run.h"

enum { PLAN_ALIGN = 64 }; /* of every region and array */

/* The value that a view is of, or the value itself. */
static inline struct value *plan_root(struct value *value)
{
    return value->parent ? value->parent : value;
}

/* A region lives at that tick, too. */
static inline void plan_extend(struct region *region, int tick)
{
    if (region->first < 0 || tick < region->first) region->first = tick;
    if (tick > region->last) region->last = tick;
}

/* Whose gradient that of a value is: what its maker passes it to. */
struct value *plan_learned(struct value *value);
/* Whether any node reads these numbers of the batch. */
bool plan_is_read(const struct graph *graph, const struct input *input);

/* plan_prune.c: keeps the nodes of an infer list that kept values depend on. */
void plan_prune(struct graph *graph);
/* plan_async.c: which nodes of a training list may be computed on a second stream. */
void plan_async(struct graph *graph);
/* plan_offsets.c: offsets for regions, and how many bytes all take. */
int64_t plan_offsets(struct region **region, int count, struct arena *arena);
/* plan_place.c: the step, and then arrays of numbers, in an image; with NULL they are only counted.
 * Returns its bytes. */
size_t plan_image(struct graph *graph, char *image);
/* The same file: bytes of the graph's w-th table of numbers by position. */
size_t plan_positional_bytes(const struct graph *graph, int w);
