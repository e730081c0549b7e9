/* Interventions in a list that infers: behind the node that makes a value, some of its columns
 * become a number, before any node reads them. So a frozen model is asked what it would say without
 * a head (its columns are 0), or with a gate that is shut (its energy is far below 0). */
#pragma once

#include "core/tensor/graph.h"

struct overwrite {
    const struct value *value; /* of activations, and no view */
    int column, columns;       /* [column, column + columns) of it */
    real number;
};

/* From the next graph_forward on; overwrite[count] and rows are the caller's and outlive it. rows:
 * [rows of the loaded batch] on the host, true where it happens; NULL: in all rows. Of a value that
 * several overwrite the last one counts. count 0: nothing is replaced. */
void graph_overwrite(struct graph *graph, const struct overwrite *overwrite, int count,
                     const bool *rows);

/* graph_forward's: what stands for the outputs of this node. */
void overwrite_behind(struct graph *graph, const struct node *node);
