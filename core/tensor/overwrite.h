/* Interventions in an inference list: after the node that makes a value, some of its columns are
 * set to a number, before any node reads them. Use: run a frozen model without a head (its columns
 * are 0) or with a closed gate (its energy is far below 0). */
#pragma once

#include "core/tensor/graph.h"

struct overwrite {
    const struct value *value; /* activations, not a view */
    int column, columns;       /* columns [column, column + columns) of the value */
    real number;
};

/* Applies from the next graph_forward on. The caller owns overwrite[count] and rows; both must
 * outlive their use. rows: [rows of the loaded batch] on the host, true where the values are
 * replaced; NULL: all rows. If several entries replace the same element, the last one wins. count
 * 0: nothing is replaced. */
void graph_overwrite(struct graph *graph, const struct overwrite *overwrite, int count,
                     const bool *rows);

/* Called by graph_forward after a node: replaces its outputs. */
void overwrite_outputs(struct graph *graph, const struct node *node);
