/* Declarations shared by graph_plan (graph_plan.c) and graph_place (graph_place.c). */
#pragma once

#include "core/tensor/graph_run.h"

enum { PLAN_ALIGN = 64 }; /* alignment of every region and array, in bytes */

/* Returns the value whose gradient_region `value` uses for its gradient. This is another value if a
 * node shares the gradient of its input and output (struct node: passes). */
struct value *plan_learned(struct value *value);

/* Sets the pointers to struct step and to the arrays of integers in an image (struct graph).
 * Returns the bytes of the image. If `image` is NULL, only counts the bytes. */
size_t plan_image(struct graph *graph, char *image);
/* Returns the bytes of positional table w, from 0. */
size_t plan_positional_bytes(const struct graph *graph, int w);
