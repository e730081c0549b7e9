/* Plans and runs a list (graph.h). A list is planned once for the largest batch, then run batch by
 * batch.
 *
 *   plan     graph_plan assigns all values to one buffer by their lifetimes; graph_place
 *            allocates the memory; nothing is allocated afterwards
 *   run      graph_load a batch, then graph_forward and graph_losses or graph_read; a training
 *            step is graph_learn
 *   end      graph_release */
#pragma once

#include "core/tensor/graph.h"

/* ---- graph_plan.c, graph_place.c ---- */

/* graph_plan determines the writers of gradients and the lifetimes, removes nodes that no kept
 * value needs (GRAPH_INFER), and lays out the memory. In a training list with a loss, the loss must
 * depend on every node. graph_plan only counts the bytes. graph_place then allocates the memory; it
 * is called once. */
void graph_plan(struct graph *graph, struct capacity capacity);
void graph_place(struct graph *graph);
/* Allocates the temporary memory that ops of the table need for the largest batch (struct ops:
 * reserve). graph_place calls this function last. Step lists are neither recorded nor reserved. */
void graph_reserve(struct graph *graph);
/* For a frozen model: packs every weight once, in the form that its node reads. Packed weights are
 * valid until parameters_refresh. Does nothing if the parameters have gradients, because weights
 * that change are packed on each use. */
void graph_pack(struct graph *graph);
void graph_release(struct graph *graph);

/* ---- graph_batch.c, graph_run.c ---- */

/* Rounds a number of rows up to the number for which ops are launched. This is a multiple of the
 * table's row_multiple or, for many rows, of OPS_COARSER * row_multiple. So there are few different
 * numbers, and recorded steps can often be replayed. */
int graph_whole_rows(const struct graph *graph, int rows);
/* Rounds a number of steps up to a multiple of STEPS_MULTIPLE. */
static inline int graph_whole_steps(int steps)
{
    return (steps + STEPS_MULTIPLE - 1) / STEPS_MULTIPLE * STEPS_MULTIPLE;
}
/* Rounds the length of the longest group up to a power of two, or to a multiple of STEPS_MULTIPLE
 * for stepped rows. The result may exceed the planned length, so ops must reserve memory for the
 * result (graph_reserve). */
int graph_whole_longest(const struct graph *graph, const struct rows *rows, int longest);
/* Returns the number of groups of these rows in a batch of `sentences` sentences. */
int graph_groups_of(const struct rows *rows, int sentences);
/* Computes the numbers of rows and groups of a batch without loading the batch. Reads only T and B
 * of its fields. */
void graph_count(struct graph *graph, const struct batch *batch);
/* Loads a batch and all inputs of nodes. The batch must fit into the capacities. A CHECK fails if a
 * token or label is out of range, or if labels are missing. Sets first_row of struct step from the
 * position of the batch in its step. */
void graph_load(struct graph *graph, const struct batch *batch);
/* Sets struct step, for the next graph_load, which uploads it and sets first_row. Only training
 * reads struct step. */
void graph_set_step(struct graph *graph, const struct step *step);
/* Sets the live rows of a step list. Call it instead of graph_load. */
void graph_set_live(struct graph *graph, const struct live *live, int rows);
/* Issues the ops of all nodes for the loaded batch or the live rows. A device may still compute
 * when this function returns. Functions that read a result (graph_read, graph_losses,
 * graph_outcome) wait. */
void graph_forward(struct graph *graph);
/* Returns the path of the node that is issuing ops; NULL if there is none. */
const char *graph_now(void);
/* Issues the ops of the backward pass, after graph_forward of the same batch. Training lists only.
 * `accumulate` adds to the gradients of parameters instead of assigning them. */
void graph_backward(struct graph *graph, bool accumulate);
/* Runs forward, the sums of the losses, backward and `finish` (may be NULL) for the loaded batch,
 * as one run of the table. `accumulate` means that the step has earlier micro-batches. `finish`
 * must issue the same ops in every call, because recorded ops are replayed without calling it. */
void graph_learn(struct graph *graph, bool accumulate, void (*finish)(void *context),
                 void *context);
/* Returns the floating point operations (two per multiply-add) of one forward pass with the loaded
 * counts. */
double graph_flops(const struct graph *graph);
/* Returns the sum of the operations of all nodes, each multiplied by `slower` of the node. The time
 * of the pass is about proportional to this sum. */
double graph_work(const struct graph *graph);
/* Returns the outcome. Waits for all issued ops. */
struct outcome graph_outcome(const struct graph *graph);
/* Returns the outcome of the loaded batch alone: the sums of the two losses over its rows. The list
 * must keep its losses. */
struct outcome graph_losses(const struct graph *graph);
/* Copies the rows of a kept value to the host, as real. */
void graph_read(const struct graph *graph, const struct value *value, real *to);
