#include "core/layer/layer.h"

/* in: x, s (or only x); out: normed, statistics, sum (only with s); parameters: gain, offset. */
static struct residual_norm fill(const struct graph *graph, const struct node *node)
{
    const struct value *x = node->in[0], *s = node->in[1], *sum = node->out[2];
    return (struct residual_norm){.step = graph->step,
                                  .T = graph_rows(graph, x),
                                  .rows = graph_counted(x),
                                  .D = x->columns,
                                  .x = x->data,
                                  .s = s ? s->data : NULL,
                                  .gain = graph_master(graph, node->parameter[0]),
                                  .offset = graph_master(graph, node->parameter[1]),
                                  .dropout = node->dropout,
                                  .sum = sum ? sum->data : NULL,
                                  .out = node->out[0]->data,
                                  .statistics = node->out[1]->data,
                                  .sum_gradient = sum ? sum->gradient : NULL,
                                  .out_gradient = node->out[0]->gradient,
                                  .x_gradient = x->gradient,
                                  .s_gradient = s ? s->gradient : NULL,
                                  .add_x = node->add_in[0],
                                  .add_s = node->add_in[1]};
}

static void forward(struct graph *graph, struct node *node)
{
    const struct residual_norm n = fill(graph, node);
    graph->ops->residual_norm(&n);
}

static void backward(struct graph *graph, struct node *node)
{
    struct residual_norm n = fill(graph, node);
    n.gain_gradient = graph_gradient(graph, node->parameter[0]);
    n.offset_gradient = graph_gradient(graph, node->parameter[1]);
    n.add_gain = node_adds(graph, node, 0);
    n.add_offset = node_adds(graph, node, 1);
    graph->ops->residual_norm_backward(&n);
}

static const struct node_type norm_type = {"norm", forward, backward, READS_IN(0) | READS_OUT(1),
                                           NULL};
static const struct node_type residual_norm_type = {"residual_norm", forward, backward,
                                                    READS_OUT(1) | READS_OUT(2), NULL};

struct residual residual_norm_build(struct graph *graph, struct value *x, struct value *s,
                                    double dropout, const char *path, const char *norm)
{
    struct arena *arena = graph->arena;
    struct parameters *parameters = graph->parameters;
    const int D = x->columns;
    struct node *node =
        graph_node(graph, s ? &residual_norm_type : &norm_type, NULL, 0, "%s", s ? path : norm);
    node->in[0] = x;
    node->in[1] = s;
    node->parameter[0] =
        parameter_get(parameters, arena_print(arena, "%s.gain", norm), 1, D, START_ONE, 0);
    node->parameter[1] =
        parameter_get(parameters, arena_print(arena, "%s.offset", norm), 1, D, START_ZERO, 0);
    node->out[0] = graph_value(graph, x->rows, D, "%s", norm);
    node->out[1] = graph_statistics(graph, x->rows, 2, "%s.statistics", norm);
    if (!s) return (struct residual){x, node->out[0]};
    node->dropout = graph_dropout(graph, path, dropout, x->rows);
    node->out[2] = graph_value(graph, x->rows, D, "%s", path);
    return (struct residual){node->out[2], node->out[0]};
}
