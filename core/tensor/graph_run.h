/* A list that is built (graph.h) at work: planned once for the largest batch, then fed batch by
 * batch.
 *
 *   plan     graph_plan lays all values into one buffer by their lifetimes; graph_place takes the
 *            memory, and nothing is allocated afterwards
 *   run      graph_load a batch, then graph_forward and graph_losses or graph_read; a training
 *            step is graph_learn
 *   end      graph_release */
#pragma once

#include "core/tensor/graph.h"

/* ---- plan.c, plan_place.c ---- */

/* Decides gradients' writers and lifetimes, drops what no kept value needs (GRAPH_INFER), and lays
 * out the memory. Every node of a training list with a loss leads to it. graph_plan counts the
 * bytes only; graph_place takes them, once. */
void graph_plan(struct graph *graph, struct capacity capacity);
void graph_place(struct graph *graph);
/* Has the table plan what ops need for the largest batch (struct ops: reserve), as graph_place does
 * in the end. Of step lists nothing is recorded, and nothing planned. */
void graph_reserve(struct graph *graph);
/* Of a frozen model: every weight is packed once in the form that its node reads, until
 * parameters_refresh. Nothing where parameters have gradients: what learns is packed by who reads
 * it. */
void graph_pack(struct graph *graph);
void graph_release(struct graph *graph);

/* ---- graph_batch.c, graph_run.c ---- */

/* So many rows, up to what the table launches, so that recorded steps have few different ones: a
 * multiple of its row_multiple, of many rows of four times that. */
int graph_whole_rows(const struct graph *graph, int rows);
/* The same of groups: a power of two, but not more than there is room for. */
int graph_whole_groups(const struct graph *graph, const struct rows *rows, int groups);
/* The same of steps: a multiple of STEPS_MULTIPLE. */
static inline int graph_whole_steps(int steps)
{
    return (steps + STEPS_MULTIPLE - 1) / STEPS_MULTIPLE * STEPS_MULTIPLE;
}
/* The same of rows of the longest group: a power of two, or steps; maybe more than was planned for,
 * so ops need room for it (graph_reserve). */
int graph_whole_longest(const struct graph *graph, const struct rows *rows, int longest);
/* Groups of that kind in a batch of so many sentences. */
int graph_groups_of(const struct rows *rows, int sentences);
/* Rows of a batch, without loading it: T and B of its fields are read. */
void graph_count(struct graph *graph, const struct batch *batch);
/* A batch that keeps to the capacities, with every number that nodes read of it; a token or label
 * that a table lacks is a CHECK, as are labels that a loss wants and does not get. first_row of the
 * step is that of the batch. */
void graph_load(struct graph *graph, const struct batch *batch);
/* Everything of the step but first_row, from the next graph_load on; only training reads it. */
void graph_set_step(struct graph *graph, const struct step *step);
/* A step list's rows, in the place of a batch. */
void graph_set_live(struct graph *graph, const struct live *live, int rows);
/* Issues the ops of all nodes for the loaded batch, or the live rows. A device may still compute
 * when it returns: what reads a result (graph_read, graph_losses, graph_outcome) waits. */
void graph_forward(struct graph *graph);
/* The path of the node that issues ops now; NULL: none does. */
const char *graph_now(void);
/* Issues the ops that compute the gradients, after graph_forward of the same batch. Training lists
 * only. `accumulate`: gradients of parameters are added to what is there instead of assigned. */
void graph_backward(struct graph *graph, bool accumulate);
/* Forward, sums of the losses, backward of the loaded batch, and what `finish` issues behind it
 * (NULL: nothing), as one run of the table. `accumulate`: behind another micro-batch of the step.
 * Under one context `finish` always issues the same. */
void graph_learn(struct graph *graph, bool accumulate, void (*finish)(void *context),
                 void *context);
/* Multiply-adds twice, of one forward pass with the loaded counts. */
double graph_flops(const struct graph *graph);
/* The same, and more of nodes that are slower: what time is proportional to. */
double graph_work(const struct graph *graph);
/* What the outcome is: waits for all that was issued. */
struct outcome graph_outcome(const struct graph *graph);
/* The outcome of the loaded batch alone: sums over the rows of the two losses that the list has
 * just computed and keeps. */
struct outcome graph_losses(const struct graph *graph);
/* Rows of a kept value to the host, as real. */
void graph_read(const struct graph *graph, const struct value *value, real *to);
