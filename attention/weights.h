/* Computes the attention weights of a block with the attention op of the block, including all
 * terms. The output of the op is the sum of weights times values. Unit vectors as values therefore
 * give the weights, d keys at a time.
 *
 *   struct value *unit = graph_external(graph, graph_tokens(graph, FIELD_SOURCE), D, "unit");
 *   struct value *weights = attention_weights_build(graph, "encoder.1.attention", unit);
 *
 * Row j of `unit` has a 1 in column c of every head if j is key begin + c, else 0. Row i of the
 * result has the weights for query i. Its column (r H + h) d + c is the weight of key begin + c in
 * head h of branch r. Keys outside of the branch have weight 0. The parts that terms add to values
 * (relpos) are excluded. */
#pragma once

#include "attention/attention.h"

/* Returns PATH.weights_of_unit [T, R D] for a block of an inference list. The caller must mark the
 * value as kept (graph_keep). Several blocks may share one `unit`. Dies if there is no such
 * block. */
struct value *attention_weights_build(struct graph *graph, const char *path, struct value *unit);
