/* What need not be on the way from node to node, so that a second stream may compute it: products
 * whose results the next node does not read, and nodes that need nothing of those before them. */
#include "core/tensor/guard.h"
#include "core/tensor/plan.h"

static int place_of(const struct graph *graph, const struct node *node)
{
    int i = 0;
    while (i < graph->nodes && graph->node[i] != node) i++;
    return i;
}

static bool reads(const struct node *node, const struct value *value)
{
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
        if (plan_root(node->in[k]) == value) return true;
    return false;
}

/* Whether all who read what node `made` has made, or views of it, are async, and none is next. */
static bool readers_are_async(const struct graph *graph, int made, const struct value *value)
{
    for (int i = made + 1; i < graph->nodes; i++)
        if (reads(graph->node[i], value) && (i == made + 1 || !graph->node[i]->async)) return false;
    return true;
}

/* Products of a list that need not be on the way from node to node. */
static void find_products(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (!node->async || !node->in[0]) continue;
        const struct value *x = plan_root(node->in[0]);
        const int made = x->maker ? place_of(graph, x->maker) : graph->nodes;
        node->async_forward = i + 1 < graph->nodes && !reads(graph->node[i + 1], node->out[0]);
        for (int j = i + 1; j < graph->nodes && node->async_forward; j++)
            graph->node[j]->waits_forward |= reads(graph->node[j], node->out[0]);
        node->async_input = made < i && readers_are_async(graph, made, x);
        if (node->async_input) graph->node[made]->waits_backward = true;
    }
}

/* Whether a node reads nothing but what nodes from `first` on have made. */
static bool needs_only(const struct graph *graph, const struct node *node, int first)
{
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
        if (!plan_root(node->in[k])->maker ||
            place_of(graph, plan_root(node->in[k])->maker) < first)
            return false;
    return true;
}

/* Nodes that need nothing of those before them, as the beginning of a decoder, which reads its own
 * words: they run at the same time as these, and whoever comes next waits for them. Guards know
 * ticks alone. */
static void find_beginning(struct graph *graph)
{
    int first = 0, end = 0;
    if (!graph->ops->fork || GUARD_BYTES) return;
    for (int i = 1; i < graph->nodes; i++) { /* the most that follow a node without inputs */
        int behind = i;
        if (graph->node[i]->in[0]) continue;
        while (behind < graph->nodes && needs_only(graph, graph->node[behind], i)) behind++;
        if (behind < graph->nodes && behind - i > end - first) first = i, end = behind;
    }
    if (!end) return;
    graph->async_first = first, graph->async_end = end;
    graph->node[end]->waits_forward = true; /* from there on their memory may be another's */
    for (int i = first; i < end; i++) {
        graph->node[i]->async_forward = false;
        for (int k = 0; k < NODE_OUTPUTS && graph->node[i]->out[k]; k++)
            plan_extend(&graph->node[i]->out[k]->data_region, 0);
    }
}

void plan_async(struct graph *graph)
{
    find_products(graph);
    find_beginning(graph);
}
