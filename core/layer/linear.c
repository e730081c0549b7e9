/* Matrix products with a weight or its transpose. */
#include "core/layer/layer.h"

struct linear {
    double scale;
};

static void forward(struct graph *graph, struct node *node)
{
    if (node->async_forward) graph_fork(graph);
    const struct linear *linear = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    const struct parameter *weight = node->parameter[0];
    struct gemm g = {.M = graph_rows(x), .N = y->columns, .K = x->columns};
    g.transpose_b = node->transposed;
    g.rows = graph_counted(x);
    g.a = x->data, g.lda = x->ld;
    g.b = graph_operand(graph, weight), g.ldb = weight->columns;
    g.packed = parameter_packed(weight, node->transposed);
    g.c = y->data, g.ldc = y->ld;
    g.bias = graph_operand(graph, node->parameter[1]);
    g.scale = (real)linear->scale;
    graph->ops->gemm(&g);
    if (node->async_forward) graph_fork_end(graph);
}

/* dx = dy op(W)^T. If x is the output of a ReLU with a mask, dx is the gradient of the ReLU's
 * input. */
static void input_backward(struct graph *graph, struct node *node)
{
    const struct linear *linear = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    const struct parameter *weight = node->parameter[0];
    struct gemm g = {.M = graph_rows(x), .N = x->columns, .K = y->columns};
    g.transpose_b = !node->transposed;
    g.rows = graph_counted(x);
    g.a = y->gradient, g.lda = y->ld;
    g.b = graph_operand(graph, weight), g.ldb = weight->columns;
    g.c = x->gradient, g.ldc = x->ld;
    g.add = node->add_in[0];
    g.scale = (real)linear->scale;
    if (node->in[1]) {
        g.mask = node->in[1]->data;
        g.scale *= dropout_raise(x->maker->dropout);
    }
    graph->ops->gemm(&g);
}

/* dW = x^T dy, or dy^T x if transposed; db: column sums of dy. */
static void weight_backward(struct graph *graph, struct node *node)
{
    const struct linear *linear = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    const struct parameter *bias = node->parameter[1];
    const bool transposed = node->transposed;
    struct gemm_weight g = {.T = graph_rows(x), .rows = graph_counted(x)};
    g.M = node->parameter[0]->rows, g.N = node->parameter[0]->columns;
    g.a = transposed ? y->gradient : x->data, g.lda = transposed ? y->ld : x->ld;
    g.b = transposed ? x->data : y->gradient, g.ldb = transposed ? x->ld : y->ld;
    g.c = graph_gradient(graph, node->parameter[0]);
    g.add = node_adds(graph, node, 0);
    g.zeros = node->zeros;
    g.scale = (real)linear->scale;
    if (bias && !transposed) {
        g.bias = graph_gradient(graph, bias);
        g.add_bias = node_adds(graph, node, 1);
    }
    graph->ops->gemm_weight(&g);
    if (bias && transposed)
        graph->ops->sum_columns(y->gradient, g.T, graph_counted(y), y->columns, y->ld,
                                node_adds(graph, node, 1), graph_gradient(graph, bias));
}

static void backward(struct graph *graph, struct node *node)
{
    if (node->async) graph_fork(graph);
    weight_backward(graph, node);
    if (node->async_input) {
        input_backward(graph, node);
        graph->input_forks = graph->forks;
    }
    if (node->async) graph_fork_end(graph);
    if (!node->async_input) input_backward(graph, node);
}

static double flops(const struct node *node)
{
    return 2.0 * graph_rows(node->in[0]) * node->in[0]->columns * node->out[0]->columns;
}

static const struct node_type linear_type = {"linear", forward, backward, READS_IN(0) | READS_IN(1),
                                             flops};

struct value *linear_build_with(struct graph *graph, struct value *x, struct parameter *weight,
                                struct parameter *bias, bool transposed, double scale,
                                const char *path)
{
    const struct linear linear = {scale};
    struct node *node = graph_node(graph, &linear_type, &linear, sizeof linear, path);
    CHECK((transposed ? weight->columns : weight->rows) == x->columns, "%s: %d columns into %s",
          path, x->columns, weight->path);
    node->in[0] = x;
    node->parameter[0] = weight;
    node->parameter[1] = bias;
    node->multiplies = true;
    node->transposed = transposed;
    node->async = graph->mode == GRAPH_TRAIN && graph->ops && graph->ops->fork;
    const int width = transposed ? weight->rows : weight->columns;
    return node->out[0] = graph_value(graph, x->rows, width, path);
}

struct value *linear_build(struct graph *graph, struct value *x, int columns, bool bias,
                           const char *path)
{
    struct parameters *parameters = graph->parameters;
    const char *weight_path = arena_print(graph->arena, "%s.weight", path);
    const char *bias_path = arena_print(graph->arena, "%s.bias", path);
    struct parameter *weight =
        parameter_matrix(parameters, weight_path, x->columns, columns, START_GLOROT, 0);
    struct parameter *offset =
        bias ? parameter_get(parameters, bias_path, 1, columns, START_BIAS, 0) : NULL;
    return linear_build_with(graph, x, weight, offset, false, 1, path);
}
