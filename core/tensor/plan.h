/* Declarations shared by graph_plan (plan.c) and graph_place (plan_place.c). */
#pragma once

#include "core/tensor/graph_run.h"

enum { PLAN_ALIGN = 64 }; /* alignment of every region and array, in bytes */

/* Returns the value whose gradient is also the gradient of `value`: the maker may pass it on. */
struct value *plan_learned(struct value *value);

/* Lays out the step and the arrays of integers in an image; with NULL it only counts. Returns the
 * number of bytes. */
size_t plan_image(struct graph *graph, char *image);
/* Bytes of the w-th table by position. */
size_t plan_positional_bytes(const struct graph *graph, int w);
