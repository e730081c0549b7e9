/* Declarations shared by graph_plan (graph_plan.c) and graph_place (graph_place.c). */
#pragma once

#include "core/tensor/graph_run.h"

enum { PLAN_ALIGN = 64 }; /* alignment of every region and array, in bytes */

/* Returns the value whose gradient is also the gradient of `value` (node type: passes). */
struct value *plan_learned(struct value *value);

/* Lays out the step and the arrays of integers in an image; with NULL only counts the bytes.
 * Returns the number of bytes. */
size_t plan_image(struct graph *graph, char *image);
/* Returns the bytes of the w-th table by position. */
size_t plan_positional_bytes(const struct graph *graph, int w);
