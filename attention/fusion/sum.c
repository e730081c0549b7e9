/* sum: the sum of the branches' outputs, out = x_1 + ... + x_R, then the output projection (Song et
 * al. 2018, eq. 13). It takes any number of branches and has no parameters of its own. */
#include "attention/dense.h"

static void fill(const struct node *node, struct sum_branches *s)
{
    const struct value *x = node->in[0], *y = node->out[0];
    s->T = graph_rows(y), s->rows = graph_counted(y), s->D = y->columns;
    s->R = x->columns / y->columns;
    s->x = x->data, s->x_gradient = x->gradient;
    s->out = y->data, s->out_gradient = y->gradient;
}

NODE_OP(sum_branches, struct sum_branches, fill(node, &arguments))

static const struct node_type sum_type = {"sum", sum_branches_forward, sum_branches_backward,
                                          SOLE_READER, NULL};

static struct value *build(struct graph *graph, const struct attention_block *block)
{
    const int D = block->input->columns;
    const char *path = arena_print(graph->arena, "%s.fused", block->path);
    struct node *node = graph_node(graph, &sum_type, NULL, 0, path);
    node->in[0] = block->branches;
    node->out[0] = graph_value(graph, block->branches->rows, D, path);
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
