#include "core/layer/layer.h"

struct linear {
    double scale;
};

static void forward(struct graph *graph, struct node *node)
{
    const struct linear *linear = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    const struct parameter *weight = node->parameter[0];
    graph->ops->gemm(&(struct gemm){.transpose_b = node->transposed,
                                    .M = graph_rows(graph, x),
                                    .rows = graph_counted(x),
                                    .N = y->columns,
                                    .K = x->columns,
                                    .a = x->data,
                                    .lda = x->ld,
                                    .b = graph_operand(graph, weight),
                                    .ldb = weight->columns,
                                    .packed = parameter_packed(weight, node->transposed),
                                    .c = y->data,
                                    .ldc = y->ld,
                                    .bias = graph_operand(graph, node->parameter[1]),
                                    .scale = (real)linear->scale});
}

static void backward(struct graph *graph, struct node *node)
{
    const struct linear *linear = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    const struct parameter *weight = node->parameter[0];
    const int T = graph_rows(graph, x);
    graph->ops->gemm(&(struct gemm){.transpose_b = !node->transposed,
                                    .M = T,
                                    .rows = graph_counted(x),
                                    .N = x->columns,
                                    .K = y->columns,
                                    .a = y->gradient,
                                    .lda = y->ld,
                                    .b = graph_operand(graph, weight),
                                    .ldb = weight->columns,
                                    .c = x->gradient,
                                    .ldc = x->ld,
                                    .add = node->add_in[0],
                                    .scale = (real)linear->scale});
    struct gemm_weight g = {.T = T,
                            .rows = graph_counted(x),
                            .M = x->columns,
                            .N = y->columns,
                            .a = x->data,
                            .lda = x->ld,
                            .b = y->gradient,
                            .ldb = y->ld,
                            .c = graph_gradient(graph, weight),
                            .add = node_adds(graph, node, 0),
                            .scale = (real)linear->scale};
    if (node->transposed) {
        g.M = y->columns, g.N = x->columns;
        g.a = y->gradient, g.lda = y->ld, g.b = x->data, g.ldb = x->ld;
    }
    if (node->parameter[1] && !node->transposed) {
        g.bias = graph_gradient(graph, node->parameter[1]);
        g.add_bias = node_adds(graph, node, 1);
    }
    graph->ops->gemm_weight(&g);
    if (node->parameter[1] && node->transposed)
        graph->ops->sum_columns(y->gradient, T, graph_counted(y), y->columns, y->ld,
                                node_adds(graph, node, 1),
                                graph_gradient(graph, node->parameter[1]));
}

static double flops(const struct graph *graph, const struct node *node)
{
    return 2.0 * graph_rows(graph, node->in[0]) * node->in[0]->columns * node->out[0]->columns;
}

static const struct node_type linear_type = {"linear", forward, backward, READS_IN(0), flops};

struct value *linear_build_with(struct graph *graph, struct value *x, struct parameter *weight,
                                struct parameter *bias, bool transposed, double scale,
                                const char *path)
{
    const struct linear linear = {scale};
    struct node *node = graph_node(graph, &linear_type, &linear, sizeof linear, "%s", path);
    CHECK((transposed ? weight->columns : weight->rows) == x->columns, "%s: %d columns into %s",
          path, x->columns, weight->path);
    node->in[0] = x;
    node->parameter[0] = weight;
    node->parameter[1] = bias;
    node->multiplies = true;
    node->transposed = transposed;
    const int width = transposed ? weight->rows : weight->columns;
    return node->out[0] = graph_value(graph, x->rows, width, "%s", path);
}

struct value *linear_build(struct graph *graph, struct value *x, int columns, bool bias,
                           const char *path)
{
    struct parameters *parameters = graph->parameters;
    const char *weight_path = arena_print(graph->arena, "%s.weight", path);
    const char *bias_path = arena_print(graph->arena, "%s.bias", path);
    struct parameter *weight =
        parameter_get(parameters, weight_path, x->columns, columns, START_GLOROT, 0);
    struct parameter *offset =
        bias ? parameter_get(parameters, bias_path, 1, columns, START_BIAS, 0) : NULL;
    return linear_build_with(graph, x, weight, offset, false, 1, path);
}
