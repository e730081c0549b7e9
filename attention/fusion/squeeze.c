/* squeeze: out = x_1 * SG(x_1) + ... + x_R * SG(x_R), then the output projection. The gate SG has a
 * weight for every element of every position (Song et al. 2018, eqs. 13-14 and Figure 3). */

/*   SG(x) = sigmoid(relu(x W1) W2), W1 [D, D/r], W2 [D/r, D]
 *
 *   r             reduction factor of the hidden width; divides D
 *   share: block  one SG for all branches of a block. It has 2 D^2 / r parameters. With r = 16,
 *                 this is the number in Table 2 of the paper. W1 is PATH.squeeze.inner.weight,
 *                 and W2 is PATH.squeeze.outer.weight
 *   share: branch one SG per branch, so R times as many parameters: PATH.squeeze.B.inner.weight,
 *                 .., where B is the number of the branch, from 1
 *
 * SG has no biases, in agreement with the paper's numbers of parameters. The initialization is
 * Glorot's, so gates start near 1/2. */
#include <string.h>

#include "attention/dense.h"
#include "core/base/elementary.h"

enum squeeze_share { SHARE_BLOCK, SHARE_BRANCH };

struct squeeze_options {
    int r, share;
};

static const struct option rows[] = {
    OPTION_INT("r", offsetof(struct squeeze_options, r), "16", 1, 16384, OPTION_ID,
               "reduction ratio: hidden width of the gate network is D / r; divides the width D"),
    OPTION_CHOICE("share", offsetof(struct squeeze_options, share), "block", "block|branch",
                  OPTION_ID, "gate networks: one per block of branches, or one per branch"),
};
static const struct section squeeze_section = {"squeeze", "element-wise gated sum of branches",
                                               rows, COUNT_OF(rows),
                                               sizeof(struct squeeze_options)};

static void check(const struct attention_spec *spec, const struct attention_size *size,
                  struct location location)
{
    const int width = size->width;
    const int r = ((const struct squeeze_options *)spec->fusion_options)->r;
    int below = r < width ? r : width, above = r;
    if (width % r == 0) return;
    while (width % below) below--;
    while (above < width && width % above) above++;
    if (above > below && above <= width)
        die_at(location,
               "fusion squeeze: r: expected a divisor of the width %d, as %d or %d, got %d", width,
               below, above, r);
    die_at(location, "fusion squeeze: r: expected a divisor of the width %d, as %d, got %d", width,
           below, r);
}

/* Parameters 2g and 2g + 1 of the node are W1 and W2 of gate g. */
static void fill(const struct graph *graph, const struct node *node, struct squeeze *s)
{
    const struct value *x = node->in[0], *y = node->out[0], *hidden = node->out[1];
    s->T = graph_rows(y), s->rows = graph_counted(y), s->D = y->columns;
    s->R = x->columns / y->columns, s->N = node->parameter[0]->columns;
    s->x = x->data, s->x_gradient = x->gradient;
    if (hidden) s->hidden = hidden->data;
    s->out = y->data, s->out_gradient = y->gradient;
    for (int g = 0; g < s->R && node->parameter[2 * g]; g++) {
        const struct parameter *inner = node->parameter[2 * g], *outer = node->parameter[2 * g + 1];
        s->inner[g] = graph_operand(graph, inner);
        s->outer[g] = graph_operand(graph, outer);
        s->inner_gradient[g] = graph_gradient(graph, inner);
        s->outer_gradient[g] = graph_gradient(graph, outer);
        s->add_inner[g] = node_adds(graph, node, 2 * g);
        s->add_outer[g] = node_adds(graph, node, 2 * g + 1);
        s->gates++;
    }
}

NODE_OP(squeeze, struct squeeze, fill(graph, node, &arguments))

static double flops(const struct node *node)
{
    return 4.0 * graph_rows(node->in[0]) * node->in[0]->columns * node->parameter[0]->columns;
}

static const struct node_type squeeze_type = {"squeeze", squeeze_forward, squeeze_backward,
                                              READS_IN(0) | READS_OUT(1) | SOLE_READER, flops};

static struct value *build(struct graph *graph, const struct attention_block *block)
{
    const struct squeeze_options *options = block->spec->fusion_options;
    const int D = block->input->columns, N = D / options->r, R = block->spec->branches;
    struct arena *arena = graph->arena;
    struct rows *kind = block->branches->rows;
    const char *fused = arena_print(arena, "%s.fused", block->path);
    const char *squeeze = arena_print(arena, "%s.squeeze", block->path);
    struct node *node = graph_node(graph, &squeeze_type, NULL, 0, fused);
    node->in[0] = block->branches;
    node->out[0] = graph_value(graph, kind, D, fused);
    if (graph->mode == GRAPH_TRAIN)
        node->out[1] = graph_value(graph, kind, R * N, arena_print(arena, "%s.hidden", squeeze));
    for (int g = 0; g < (options->share == SHARE_BLOCK ? 1 : R); g++) {
        const char *path =
            options->share == SHARE_BLOCK ? squeeze : arena_print(arena, "%s.%d", squeeze, g + 1);
        node->parameter[2 * g] = parameter_get(
            graph->parameters, arena_print(arena, "%s.inner.weight", path), D, N, START_GLOROT, 0);
        node->parameter[2 * g + 1] = parameter_matrix(
            graph->parameters, arena_print(arena, "%s.outer.weight", path), N, D, START_GLOROT, 0);
    }
    return attention_project(graph, node->out[0], block);
}

/* Copies the parameter PATH.NAME.weight to the host. Returns its elements. */
static const real *read_weight(const struct parameters *parameters, struct arena *arena,
                               const char *path, const char *name)
{
    const struct parameter *parameter =
        parameter_find(parameters, arena_print(arena, "%s.%s.weight", path, name));
    const size_t count = (size_t)parameter->rows * (size_t)parameter->columns;
    real *weight = ARENA_ARRAY(arena, real, count);
    parameters->ops->download(weight, parameters->master + parameter->offset,
                              count * sizeof *weight);
    return weight;
}

/* Returns the mean of the D elements of SG(x), with x [D], inner [D, N] and outer [N, D]. z is
 * working memory for N + D numbers. */
static double mean_gate(const real *x, const real *inner, const real *outer, int D, int N,
                        double *z)
{
    double *hidden = z + D, sum = 0;
    memset(z, 0, sizeof *z * (size_t)(N + D));
    for (int c = 0; c < D; c++)
        for (int k = 0; k < N; k++) hidden[k] += (double)x[c] * (double)inner[c * N + k];
    for (int k = 0; k < N; k++)
        for (int c = 0; c < D && hidden[k] > 0; c++) z[c] += hidden[k] * (double)outer[k * D + c];
    for (int c = 0; c < D; c++) sum += 1 / (1 + elementary_exp(-z[c]));
    return sum / D;
}

static void weigh(const struct parameters *parameters, const struct attention_spec *spec,
                  const char *path, const real *branches, int T, int D, real *weight)
{
    const struct squeeze_options *options = spec->fusion_options;
    const int N = D / options->r, R = spec->branches;
    SCOPED(arena_free) struct arena arena = {0};
    double *z = ARENA_ARRAY(&arena, double, N + D);
    for (int r = 0; r < R; r++) {
        const char *own = options->share == SHARE_BLOCK
                              ? arena_print(&arena, "%s.squeeze", path)
                              : arena_print(&arena, "%s.squeeze.%d", path, r + 1);
        const real *inner = read_weight(parameters, &arena, own, "inner"),
                   *outer = read_weight(parameters, &arena, own, "outer");
        for (int t = 0; t < T; t++)
            weight[r * T + t] =
                (real)mean_gate(branches + ((int64_t)t * R + r) * D, inner, outer, D, N, z);
    }
}

static double *dense(const struct dense *block, const double *branches)
{
    const struct squeeze_options *options = block->spec->fusion_options;
    const int D = block->H * block->d, N = D / options->r, R = block->spec->branches, n = block->n;
    double *out = dense_zeros(block, n, D);
    for (int r = 0; r < R; r++) {
        const char *path = options->share == SHARE_BLOCK
                               ? "squeeze"
                               : arena_print(block->arena, "squeeze.%d", r + 1);
        const double *x = dense_columns(block, branches, n, R * D, r * D, D);
        double *hidden = dense_linear(block, x, n, D, N, false, "%s.inner", path);
        for (int k = 0; k < n * N; k++) hidden[k] = hidden[k] > 0 ? hidden[k] : 0;
        const double *z = dense_linear(block, hidden, n, N, D, false, "%s.outer", path);
        for (int k = 0; k < n * D; k++) out[k] += x[k] * dense_sigmoid(z[k]);
    }
    return dense_project(block, out, D);
}

static const char *const examples[] = {"2", "{r: 1, share: branch}", NULL};

const struct fusion_type fusion_squeeze = {.name = "squeeze",
                                           .help = "element-wise gated sum of the branches",
                                           .section = &squeeze_section,
                                           .check = check,
                                           .build = build,
                                           .dense = dense,
                                           .weigh = weigh,
                                           .examples = examples};
