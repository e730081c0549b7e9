/* Computes residual sum and layer normalization in one node. A node can also compute only one of
 * the two. */
#include "core/layer/layer.h"

/* Inputs: x, s (or only x). Outputs: normed, statistics, sum (only with s). Parameters: gain,
 * offset (or none). A plain sum has the sum as its only output. */
static void fill(const struct graph *graph, const struct node *node, struct residual_norm *n)
{
    const bool plain = !node->out[1];
    const struct value *x = node->in[0], *s = node->in[1];
    const struct value *out = plain ? NULL : node->out[0], *sum = node->out[plain ? 0 : 2];
    n->step = graph->step, n->dropout = node->dropout;
    n->T = graph_rows(x), n->rows = graph_counted(x), n->D = x->columns;
    n->zeros = graph->mode == GRAPH_TRAIN;
    n->x = x->data, n->x_gradient = x->gradient, n->add_x = node->add_in[0];
    if (s) n->s = s->data, n->s_gradient = s->gradient, n->add_s = node->add_in[1];
    if (sum) n->sum = sum->data, n->sum_gradient = sum->gradient;
    if (out) n->out = out->data, n->out_gradient = out->gradient;
    if (out) n->statistics = node->out[1]->data;
    n->gain = graph_master(graph, node->parameter[0]);
    n->gain_gradient = graph_gradient(graph, node->parameter[0]);
    n->add_gain = node_adds(graph, node, 0);
    n->offset = graph_master(graph, node->parameter[1]);
    n->offset_gradient = graph_gradient(graph, node->parameter[1]);
    n->add_offset = node_adds(graph, node, 1);
}

NODE_OP(residual_norm, struct residual_norm, fill(graph, node, &arguments))

/* The gradients of gain and offset are sums over all rows, which are computed asynchronously.
 * residual_norm_backward stores the parts of these sums in the memory of out's gradient. */
static void backward(struct graph *graph, struct node *node)
{
    struct residual_norm n;
    if (!node->async_sums) {
        residual_norm_backward(graph, node);
        return;
    }
    memset(&n, 0, sizeof n);
    fill(graph, node, &n);
    n.parts = node->out[0]->gradient;
    graph->ops->residual_norm_backward(&n);
    graph_fork(graph);
    graph->ops->residual_norm_sums(&n);
    graph_fork_end(graph);
}

static const struct node_type sum_type = {"residual_sum", residual_norm_forward,
                                          residual_norm_backward, LEAVES_ZEROS, NULL};

struct value *residual_sum_build(struct graph *graph, struct value *x, struct value *s,
                                 double dropout, const char *path)
{
    struct node *node = graph_node(graph, &sum_type, NULL, 0, path);
    node->in[0] = x;
    node->in[1] = s;
    node->dropout = graph_dropout(graph, path, dropout, x->rows);
    return node->out[0] = graph_value(graph, x->rows, x->columns, path);
}

static const struct node_type norm_type = {"norm", residual_norm_forward, backward,
                                           READS_IN(0) | READS_OUT(1) | LEAVES_ZEROS, NULL};
static const struct node_type residual_norm_type = {
    "residual_norm", residual_norm_forward, backward, READS_OUT(1) | READS_OUT(2) | LEAVES_ZEROS,
    NULL};

static const struct node_type plain_type = {"plain_norm", residual_norm_forward,
                                            residual_norm_backward,
                                            READS_IN(0) | READS_OUT(1) | LEAVES_ZEROS, NULL};

struct value *plain_norm_build(struct graph *graph, struct value *x, const char *path)
{
    struct node *node = graph_node(graph, &plain_type, NULL, 0, path);
    node->in[0] = x;
    node->out[0] = graph_value(graph, x->rows, x->columns, path);
    node->out[1] =
        graph_statistics(graph, x->rows, 2, arena_print(graph->arena, "%s.statistics", path));
    return node->out[0];
}

struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm)
{
    struct arena *arena = graph->arena;
    struct parameters *parameters = graph->parameters;
    const int D = x->columns;
    struct node *node =
        graph_node(graph, s ? &residual_norm_type : &norm_type, NULL, 0, s ? path : norm);
    node->in[0] = x;
    node->in[1] = s;
    node->parameter[0] =
        parameter_get(parameters, arena_print(arena, "%s.gain", norm), 1, D, START_ONE, 0);
    node->parameter[1] =
        parameter_get(parameters, arena_print(arena, "%s.offset", norm), 1, D, START_ZERO, 0);
    node->async_sums = graph->mode == GRAPH_TRAIN && graph->ops && graph->ops->fork;
    node->out[0] = graph_value(graph, x->rows, D, norm);
    node->out[1] = graph_statistics(graph, x->rows, 2, arena_print(arena, "%s.statistics", norm));
    if (!s) return (struct residual){x, node->out[0]};
    node->dropout = graph_dropout(graph, path, dropout, x->rows);
    node->out[2] = graph_value(graph, x->rows, D, path);
    return (struct residual){node->out[2], node->out[0]};
}
