/* The weights of a block's attention, from the very op that the block runs, all terms included: its
 * output is the sum of weights times values, so with unit vectors as values it is the weights, as
 * many keys at a time as a head has columns.
 *
 *   struct value *unit = graph_external(graph, graph_tokens(graph, FIELD_SOURCE), D, "unit");
 *   struct value *weights = attention_weights_build(graph, "encoder.1.attention", unit);
 *
 * Row j of `unit` has a 1 in column c of every head where j is key begin + c, else 0. Then column
 * (r H + h) d + c of row i of the weights is that of query i for key begin + c in head h of branch
 * r; of keys that it does not see it is 0. What terms add to values themselves (relpos) is no
 * weight and is left out. */
#pragma once

#include "attention/attention.h"

/* PATH.weights_of_unit [T, R D] in an infer list, of a block that is in it; not kept yet. Several
 * blocks may share one `unit`. Dies when there is no such block. */
struct value *attention_weights_build(struct graph *graph, const char *path, struct value *unit);
