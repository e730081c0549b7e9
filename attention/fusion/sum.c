/* sum: the branches' outputs added up, out = x_1 + ... + x_R, then the output projection (Song et
 * al. 2018, eq. 13). No parameters of its own, any number of branches. */
#include "attention/dense.h"

static struct sum_branches fill(const struct graph *graph, const struct node *node)
{
    const struct value *x = node->in[0], *y = node->out[0];
    return (struct sum_branches){.T = graph_rows(graph, y),
                                 .rows = graph_counted(y),
                                 .D = y->columns,
                                 .R = x->columns / y->columns,
                                 .x = x->data,
                                 .out = y->data,
                                 .out_gradient = y->gradient,
                                 .x_gradient = x->gradient};
}

static void forward(struct graph *graph, struct node *node)
{
    const struct sum_branches s = fill(graph, node);
    graph->ops->sum_branches(&s);
}

static void backward(struct graph *graph, struct node *node)
{
    const struct sum_branches s = fill(graph, node);
    CHECK(!node->add_in[0], "%s: its input has other readers", node->path);
    graph->ops->sum_branches_backward(&s);
}

static const struct node_type sum_type = {"sum", forward, backward, 0, NULL};

static struct value *build(struct graph *graph, const struct attention_block *block)
{
    const int D = block->input->columns;
    struct node *node = graph_node(graph, &sum_type, NULL, 0, "%s.fused", block->path);
    node->in[0] = block->branches;
    node->out[0] = graph_value(graph, block->branches->rows, D, "%s.fused", block->path);
    return attention_project(graph, node->out[0], block);
}

static double *dense(const struct dense *block, const double *branches)
{
    const int D = block->H * block->d, R = block->spec->branches;
    double *sum = dense_zeros(block, block->n, D);
    for (int i = 0; i < block->n; i++)
        for (int k = 0; k < R * D; k++) sum[i * D + k % D] += branches[i * R * D + k];
    return dense_project(block, sum, D);
}

const struct fusion_type fusion_sum = {
    .name = "sum", .help = "sum of the branches", .build = build, .dense = dense};
