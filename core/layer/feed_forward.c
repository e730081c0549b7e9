/* Two linear nodes, and between them a rectifier with its dropout. */
#include "core/layer/layer.h"

static void fill(const struct graph *graph, const struct node *node, struct relu_dropout *r)
{
    const struct value *x = node->in[0], *y = node->out[0];
    r->step = graph->step, r->dropout = node->dropout;
    r->T = graph_rows(x), r->rows = graph_counted(x), r->N = x->columns;
    r->x = x->data, r->x_gradient = x->gradient;
    r->out = y->data, r->out_gradient = y->gradient;
}

NODE_OP(relu_dropout, struct relu_dropout, fill(graph, node, &arguments))

static const struct node_type relu_dropout_type = {
    "relu", relu_dropout_forward, relu_dropout_backward, READS_OUT(0) | SOLE_READER, NULL};

struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path)
{
    struct arena *arena = graph->arena;
    const char *hidden = arena_print(arena, "%s.hidden", path);
    struct value *z = linear_build(graph, x, inner, true, arena_print(arena, "%s.inner", path));
    struct node *node = graph_node(graph, &relu_dropout_type, NULL, 0, hidden);
    node->in[0] = z;
    node->dropout = graph_dropout(graph, hidden, dropout, x->rows);
    node->out[0] = graph_value(graph, x->rows, inner, hidden);
    return linear_build(graph, node->out[0], x->columns, true,
                        arena_print(arena, "%s.outer", path));
}
