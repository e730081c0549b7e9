#include "core/layer/layer.h"

static struct hyperbolic fill(const struct graph *graph, const struct node *node)
{
    const struct value *x = node->in[0], *y = node->out[0];
    return (struct hyperbolic){.T = graph_rows(graph, x),
                               .rows = graph_counted(x),
                               .N = x->columns,
                               .x = x->data,
                               .out = y->data,
                               .out_gradient = y->gradient,
                               .x_gradient = x->gradient};
}

static void forward(struct graph *graph, struct node *node)
{
    const struct hyperbolic h = fill(graph, node);
    graph->ops->hyperbolic(&h);
}

static void backward(struct graph *graph, struct node *node)
{
    const struct hyperbolic h = fill(graph, node);
    CHECK(!node->add_in[0], "%s: its input has other readers", node->path);
    graph->ops->hyperbolic_backward(&h);
}

static const struct node_type hyperbolic_type = {"tanh", forward, backward, READS_OUT(0), NULL};

struct value *hyperbolic_build(struct graph *graph, struct value *x, const char *path)
{
    struct node *node = graph_node(graph, &hyperbolic_type, NULL, 0, "%s", path);
    node->in[0] = x;
    return node->out[0] = graph_value(graph, x->rows, x->columns, "%s", path);
}
