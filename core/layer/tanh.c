/* tanh, element by element. Backward reads only the output. */
#include "core/layer/layer.h"

static void fill(const struct node *node, struct tanh *h)
{
    const struct value *x = node->in[0], *y = node->out[0];
    h->T = graph_rows(x), h->rows = graph_counted(x), h->N = x->columns;
    h->x = x->data, h->x_gradient = x->gradient;
    h->out = y->data, h->out_gradient = y->gradient;
}

NODE_OP(tanh, struct tanh, fill(node, &arguments))

static const struct node_type tanh_type = {"tanh", tanh_forward, tanh_backward,
                                           READS_OUT(0) | SOLE_READER, NULL};

struct value *tanh_build(struct graph *graph, struct value *x, const char *path)
{
    struct node *node = graph_node(graph, &tanh_type, NULL, 0, path);
    node->in[0] = x;
    return node->out[0] = graph_value(graph, x->rows, x->columns, path);
}
