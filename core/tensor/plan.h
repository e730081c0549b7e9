/* What graph_plan (plan.c) and graph_place (plan_place.c) have in common. */
#pragma once

#include "core/tensor/graph_run.h"

enum { PLAN_ALIGN = 64 }; /* of every region and array */

/* Whose gradient that of a value is: what its maker passes it to. */
struct value *plan_learned(struct value *value);

/* The step, and then arrays of numbers, in an image; with NULL they are only counted.
 * Returns its bytes. */
size_t plan_image(struct graph *graph, char *image);
/* Bytes of the graph's w-th table of numbers by position. */
size_t plan_positional_bytes(const struct graph *graph, int w);
