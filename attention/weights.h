/* The weights of a block's attention, computed by the block's own op with all terms. The output of
 * the op is the sum of weights times values, so unit vectors as values give the weights, d keys at
 * a time.
 *
 *   struct value *unit = graph_external(graph, graph_tokens(graph, FIELD_SOURCE), D, "unit");
 *   struct value *weights = attention_weights_build(graph, "encoder.1.attention", unit);
 *
 * Row j of `unit` has a 1 in column c of every head if j is key begin + c, else 0. Then column (r H
 * + h) d + c of row i of the result is the weight of key begin + c for query i in head h of branch
 * r; it is 0 for keys outside of the branch. The parts that terms add to values (relpos) are
 * excluded. */
#pragma once

#include "attention/attention.h"

/* Returns PATH.weights_of_unit [T, R D] for a block of an inference list; the caller must keep it.
 * Several blocks may share one `unit`. Dies if there is no such block. */
struct value *attention_weights_build(struct graph *graph, const char *path, struct value *unit);
