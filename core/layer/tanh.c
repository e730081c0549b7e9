/* tanh, element by element. Backward reads only the output. */
#include "core/layer/layer.h"

static void fill(const struct node *node, struct squash *s)
{
    const struct value *x = node->in[0], *y = node->out[0];
    s->T = graph_rows(x), s->rows = graph_counted(x), s->N = x->columns, s->tanh = true;
    s->x = x->data, s->x_gradient = x->gradient;
    s->out = y->data, s->out_gradient = y->gradient;
}

NODE_OP(squash, struct squash, fill(node, &arguments))

static const struct node_type tanh_type = {"tanh", squash_forward, squash_backward,
                                           READS_OUT(0) | SOLE_READER, NULL};

struct value *tanh_build(struct graph *graph, struct value *x, const char *path)
{
    struct node *node = graph_node(graph, &tanh_type, NULL, 0, path);
    node->in[0] = x;
    return node->out[0] = graph_value(graph, x->rows, x->columns, path);
}
