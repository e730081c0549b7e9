#include "core/layer/layer.h"

static struct relu_dropout fill(const struct graph *graph, const struct node *node)
{
    return (struct relu_dropout){.step = graph->step,
                                 .T = graph_rows(graph, node->in[0]),
                                 .rows = graph_counted(node->in[0]),
                                 .N = node->in[0]->columns,
                                 .x = node->in[0]->data,
                                 .out = node->out[0]->data,
                                 .dropout = node->dropout,
                                 .out_gradient = node->out[0]->gradient,
                                 .x_gradient = node->in[0]->gradient};
}

static void forward(struct graph *graph, struct node *node)
{
    const struct relu_dropout r = fill(graph, node);
    graph->ops->relu_dropout(&r);
}

static void backward(struct graph *graph, struct node *node)
{
    const struct relu_dropout r = fill(graph, node);
    CHECK(!node->add_in[0], "%s: its input has other readers", node->path);
    graph->ops->relu_dropout_backward(&r);
}

static const struct node_type relu_dropout_type = {"relu", forward, backward, READS_OUT(0), NULL};

struct value *feed_forward_build(struct graph *graph, struct value *x, int inner, double dropout,
                                 const char *path)
{
    struct arena *arena = graph->arena;
    const char *hidden = arena_print(arena, "%s.hidden", path);
    struct value *z = linear_build(graph, x, inner, true, arena_print(arena, "%s.inner", path));
    struct node *node = graph_node(graph, &relu_dropout_type, NULL, 0, "%s", hidden);
    node->in[0] = z;
    node->dropout = graph_dropout(graph, hidden, dropout, x->rows);
    node->out[0] = graph_value(graph, x->rows, inner, "%s", hidden);
    return linear_build(graph, node->out[0], x->columns, true,
                        arena_print(arena, "%s.outer", path));
}
