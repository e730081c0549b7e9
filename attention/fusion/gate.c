/* gate: g = sigmoid(z), out = (1 - g) * first branch + g * second branch
 * (Xu et al. 2019, eqs. 4-5). */

/*   source: query   z = q_scaled W with W [D, H], as in the released code: one gate per head and
 *                   position, D*H parameters per block
 *   source: input   z = x W with W [D, 1], as in the paper's text: one gate per position for all
 *                   heads, D parameters per block. x is the input of the projections to q, k
 *                   and v
 *   heads: one or each
 *                   overrides the number of gates that follows from the source
 *
 * There is no bias (eq. 5). W starts with normal random numbers of standard deviation 0.1, as in
 * the released code. */
#include "attention/dense.h"

enum gate_source { GATE_QUERY, GATE_INPUT };
enum gate_heads { GATE_AUTO, GATE_EACH, GATE_ONE };

struct gate_options {
    int source, heads;
};

static const struct option rows[] = {
    OPTION_CHOICE(
        "source", offsetof(struct gate_options, source), "query", "query|input", OPTION_ID,
        "input of the gate: the scaled queries (authors' code) or the block's input (paper)"),
    OPTION_CHOICE(
        "heads", offsetof(struct gate_options, heads), "auto", "auto|each|one", OPTION_ID,
        "gates: one per head or one for all; auto: each for source query, one for source input"),
};
static const struct section gate_section = {"gate", "gated sum of two branches", rows,
                                            COUNT_OF(rows), sizeof(struct gate_options)};

static void check(const struct attention_spec *spec, const struct attention_size *size,
                  struct location location)
{
    if (spec->branches != 2)
        die_at(location, "fusion gate: expected 2 branches, got %d", spec->branches);
    /* Options with the same meaning must have the same id. If `auto` would give the same gates,
     * `heads` becomes auto. */
    struct gate_options *options = spec->fusion_options;
    const int chosen = options->source == GATE_QUERY ? GATE_EACH : GATE_ONE;
    if (options->heads == chosen || size->heads == 1) options->heads = GATE_AUTO;
}

static void fill(const struct node *node, struct gate *g)
{
    const struct value *z = node->in[0], *x = node->in[1];
    const struct value *y = node->out[0], *gate = node->out[1];
    const int heads = *(const int *)node->options;
    g->T = graph_rows(y), g->rows = graph_counted(y), g->columns = z->columns;
    g->H = heads, g->d = y->columns / heads;
    g->z = z->data, g->z_gradient = z->gradient;
    g->x = x->data, g->x_gradient = x->gradient;
    g->gate = gate->data;
    g->out = y->data, g->out_gradient = y->gradient;
}

NODE_OP(gate, struct gate, fill(node, &arguments))

static const struct node_type gate_type = {"gate", gate_forward, gate_backward,
                                           READS_IN(1) | READS_OUT(1) | SOLE_READER, NULL};

static bool is_each(const struct gate_options *options)
{
    return options->heads == GATE_AUTO ? options->source == GATE_QUERY
                                       : options->heads == GATE_EACH;
}

static struct value *build(struct graph *graph, const struct attention_block *block)
{
    const struct gate_options *options = block->spec->fusion_options;
    const bool query = options->source == GATE_QUERY;
    struct value *from = query ? block->query : block->input;
    const int D = from->columns;
    const char *path = arena_print(graph->arena, "%s.gate", block->path);
    struct parameter *weight =
        parameter_get(graph->parameters, arena_print(graph->arena, "%s.weight", path), D,
                      is_each(options) ? block->heads : 1, START_NORMAL, 0.1);
    struct value *z = linear_build_with(graph, from, weight, NULL, false, query ? block->scale : 1,
                                        arena_print(graph->arena, "%s.energy", path));
    const char *fused = arena_print(graph->arena, "%s.fused", block->path);
    struct node *node = graph_node(graph, &gate_type, &block->heads, sizeof block->heads, fused);
    node->in[0] = z;
    node->in[1] = block->branches;
    node->out[0] = graph_value(graph, from->rows, D, fused);
    node->out[1] = graph_value(graph, from->rows, z->columns, path);
    return attention_project(graph, node->out[0], block);
}

static double *dense(const struct dense *block, const double *branches)
{
    const struct gate_options *options = block->spec->fusion_options;
    const bool query = options->source == GATE_QUERY;
    const int D = block->H * block->d, columns = is_each(options) ? block->H : 1;
    const double *z = dense_linear(block, query ? block->query : block->input, block->n, D, columns,
                                   false, "gate");
    double *out = dense_zeros(block, block->n, D);
    for (int i = 0; i < block->n; i++)
        for (int c = 0; c < D; c++) {
            const double *x = branches + 2 * i * D + c;
            const double g =
                dense_sigmoid(z[i * columns + c / block->d % columns] * (query ? block->scale : 1));
            out[i * D + c] = (1 - g) * x[0] + g * x[D];
        }
    return dense_project(block, out, D);
}

static const char *const examples[] = {
    "query", "input", "{heads: one}", "{source: input, heads: each}", NULL,
};

const struct fusion_type fusion_gate = {.name = "gate",
                                        .help = "gated sum of two branches",
                                        .section = &gate_section,
                                        .check = check,
                                        .build = build,
                                        .dense = dense,
                                        .gated = true,
                                        .examples = examples};
