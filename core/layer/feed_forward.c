/* ReLU with dropout, and the feed-forward network: two linear nodes with a ReLU between them. */
#include "core/layer/layer.h"

static void fill(const struct graph *graph, const struct node *node, struct relu_dropout *r)
{
    const struct value *x = node->in[0], *y = node->out[0];
    r->step = graph->step, r->dropout = node->dropout;
    r->T = graph_rows(x), r->rows = graph_counted(x), r->N = x->columns;
    r->zeros = graph->mode == GRAPH_TRAIN;
    r->x = x->data, r->x_gradient = x->gradient;
    r->out = y->data, r->out_gradient = y->gradient;
    if (node->passes) r->mask = node->out[1]->data;
}

NODE_OP(relu_dropout, struct relu_dropout, fill(graph, node, &arguments))

static void relu_backward(struct graph *graph, struct node *node)
{
    if (!node->passes) relu_dropout_backward(graph, node);
}

static const struct node_type relu_dropout_type = {"relu", relu_dropout_forward, relu_backward,
                                                   READS_OUT(0) | SOLE_READER | LEAVES_ZEROS, NULL};

struct value *relu_build(struct graph *graph, struct value *x, double dropout, const char *path)
{
    struct node *node = graph_node(graph, &relu_dropout_type, NULL, 0, path);
    node->in[0] = x;
    node->dropout = graph_dropout(graph, path, dropout, x->rows);
    return node->out[0] = graph_value(graph, x->rows, x->columns, path);
}

/* Makes the last node of the list, a ReLU, write a mask for its only reader. The reader then also
 * computes the ReLU's backward pass. Returns the mask; NULL if the table has no masks. */
static struct value *pass_by_mask(struct graph *graph, const char *path)
{
    struct node *node = graph->node[graph->nodes - 1];
    const struct value *x = node->in[0];
    const int multiple = graph->ops ? graph->ops->mask_multiple : 0;
    if (graph->mode != GRAPH_TRAIN || !multiple || x->columns % multiple != 0) return NULL;
    node->passes = true;
    return node->out[1] = graph_statistics(graph, x->rows, x->columns / 32, path);
}

struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path)
{
    struct arena *arena = graph->arena;
    struct value *z = linear_build(graph, x, inner, true, arena_print(arena, "%s.inner", path));
    z = relu_build(graph, z, dropout, arena_print(arena, "%s.hidden", path));
    struct value *mask = pass_by_mask(graph, arena_print(arena, "%s.mask", path));
    struct value *y =
        linear_build(graph, z, x->columns, true, arena_print(arena, "%s.outer", path));
    graph->node[graph->nodes - 1]->in[1] = mask;
    return y;
}
