/* Interventions in an inference list: sets columns of a value to a number, directly after the node
 * that makes the value. Use: run a frozen model without a head (set its columns to 0) or with a
 * closed gate (set its energy far below 0). */
#pragma once

#include "core/tensor/graph.h"

struct overwrite {
    const struct value *value; /* activations, not a view */
    int column, columns;       /* columns [column, column + columns) of the value */
    real number;
};

/* Sets the replacements from the next graph_forward on. The caller owns overwrite[count] and rows;
 * both must outlive their use. rows, [rows of the loaded batch] on the host, is true for rows that
 * are replaced; NULL: all rows. If several entries replace the same element, the last entry wins.
 * count 0: nothing is replaced. */
void graph_overwrite(struct graph *graph, const struct overwrite *overwrite, int count,
                     const bool *rows);

/* Called by graph_forward after a node: replaces its outputs. */
void overwrite_outputs(struct graph *graph, const struct node *node);
