/* Intervenes in an inference list: sets columns of a value to a number, directly after the node
 * that computes the value. For example, a frozen model can run without a head: the head's columns
 * are set to 0. It can also run with a closed gate: the input of the gate's sigmoid is set far
 * below 0. */
#pragma once

#include "core/tensor/graph.h"

struct overwrite {
    const struct value *value; /* activations, not a view */
    int column, columns;       /* columns [column, column + columns) of the value */
    real number;
};

/* Sets the replacements for the next calls of graph_forward. overwrite[count] and rows are not
 * copied; they must outlive these calls. rows[r], on the host, is true if row r of the loaded batch
 * is replaced. If rows is NULL, all rows are replaced. If several entries replace the same element,
 * the last entry wins. count 0: nothing is replaced. */
void graph_overwrite(struct graph *graph, const struct overwrite *overwrite, int count,
                     const bool *rows);

/* Replaces outputs of a node. Called by graph_forward after the node. */
void overwrite_outputs(struct graph *graph, const struct node *node);
