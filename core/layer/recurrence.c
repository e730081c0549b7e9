/* LSTM and ON-LSTM. One product computes the inputs of all tokens. Then each step has one product
 * and one cell, for both directions and all sentences that have a token at this step. */
#include "core/layer/layer.h"

#include <math.h>

/* Outputs. Backward reads all outputs except HIDDEN. MASTER_*: ON-LSTM only. CELL_GRADIENT and
 * BEFORE: training lists only. PACKED: only if the table packs. */
enum {
    HIDDEN,
    GATES,
    CELL,
    STATE,
    PRODUCT,
    MASTER_INPUT,
    MASTER_FORGET,
    CELL_GRADIENT,
    BEFORE,
    PACKED,
    OUTPUTS
};

struct recurrence_node {
    int chunk, E;
    bool reverse[RECURRENT_DIRECTIONS];
    int out[OUTPUTS]; /* index in out[]; -1: absent */
};

static struct value *output(const struct node *node, int which)
{
    const struct recurrence_node *options = node->options;
    return options->out[which] < 0 ? NULL : node->out[options->out[which]];
}

static void *data_of(const struct node *node, int which)
{
    const struct value *value = output(node, which);
    return value ? value->data : NULL;
}

static struct recurrent fill(const struct node *node)
{
    const struct recurrence_node *options = node->options;
    const struct value *x = node->in[0], *hidden = output(node, HIDDEN);
    struct recurrent r;
    memset(&r, 0, sizeof r);
    r.E = options->E, r.D = hidden->columns / r.E, r.G = x->columns / r.E;
    r.B = x->rows->launched_groups, r.chunk = options->chunk;
    for (int e = 0; e < r.E; e++) r.reverse[e] = options->reverse[e];
    r.x = x->data, r.h = data_of(node, PRODUCT);
    r.gates = data_of(node, GATES), r.cell = data_of(node, CELL);
    r.out = hidden->data, r.state = data_of(node, STATE), r.before = data_of(node, BEFORE);
    r.master_input = data_of(node, MASTER_INPUT), r.master_forget = data_of(node, MASTER_FORGET);
    return r;
}

/* Sets the arguments of step s. The rows of the step begin at index `first` of read[e]
 * (graph_steps). If launched rows are rounded up, the rows begin at the index step_begin[s], which
 * is in device memory. */
static void go_to(struct recurrent *r, const struct node *node, int s, int first)
{
    const struct rows *rows = node->in[0]->rows;
    r->alive = graph_step_rows(rows, s), r->later = graph_step_rows(rows, s + 1), r->first = s == 0;
    if (rows->step_alive) {
        first = 0;
        r->counted = rows->step_alive + s, r->begin = rows->step_begin + s;
    }
    for (int e = 0; e < r->E; e++) r->row[e] = node->read[e]->data + first;
}

/* Packs the recurrent matrices once per pass, if the table packs, because the products of all steps
 * read them. */
static void pack_squares(const struct graph *graph, const struct node *node,
                         const struct recurrent *r, bool transposed)
{
    struct act *packed = data_of(node, PACKED);
    const int N = transposed ? r->D : r->G, K = transposed ? r->G : r->D;
    const struct act *square = graph_operand(graph, node->parameter[0]);
    if (!packed || !graph_step_rows(node->in[0]->rows, 1)) return;
    for (int e = 0; e < r->E; e++) {
        struct pack pack = {.transpose_b = transposed, .N = N, .K = K, .ldb = r->G};
        pack.b = act_at(graph->ops, square, (int64_t)e * r->D * r->G);
        pack.packed = act_at(graph->ops, packed, e * ops_packed(graph->ops, K, N));
        graph->ops->pack(&pack);
    }
}

/* Multiplies the states of a step by the recurrent matrix of each direction: a [E, B, K] to c [E,
 * B, N]. */
static void multiply(const struct graph *graph, const struct node *node, const struct recurrent *r,
                     bool transposed, const struct act *a, struct act *c)
{
    const int N = transposed ? r->D : r->G, K = transposed ? r->G : r->D;
    struct gemm g;
    memset(&g, 0, sizeof g);
    g.M = r->alive, g.rows = r->counted, g.N = N, g.K = K, g.products = r->E, g.scale = 1,
    g.transpose_b = transposed;
    g.a = a, g.lda = K, g.stride_a = (int64_t)r->B * K;
    g.b = graph_operand(graph, node->parameter[0]), g.ldb = r->G;
    g.stride_b = (int64_t)r->D * r->G;
    g.packed = data_of(node, PACKED);
    if (g.packed) g.stride_packed = ops_packed(graph->ops, K, N);
    g.c = c, g.ldc = N, g.stride_c = (int64_t)r->B * N;
    graph->ops->gemm(&g);
}

static void forward(struct graph *graph, struct node *node)
{
    struct recurrent r = fill(node);
    const struct rows *rows = node->in[0]->rows;
    pack_squares(graph, node, &r, false);
    for (int s = 0, first = 0; graph_step_rows(rows, s); first += graph_step_rows(rows, s++)) {
        go_to(&r, node, s, first);
        if (s) multiply(graph, node, &r, false, r.state, data_of(node, PRODUCT));
        (r.chunk ? graph->ops->onlstm : graph->ops->lstm)(&r);
    }
}

/* dU = h'^T da, for the recurrent matrix U of each direction. h' is the hidden state before each
 * token, a is the input of the gates. */
static void weight_backward(struct graph *graph, struct node *node, const struct recurrent *r)
{
    const struct ops *ops = graph->ops;
    const struct value *x = node->in[0];
    for (int e = 0; e < r->E; e++) {
        struct gemm_weight g;
        memset(&g, 0, sizeof g);
        g.T = graph_rows(x), g.rows = graph_counted(x), g.M = r->D, g.N = r->G;
        g.a = act_at(ops, r->before, (int64_t)e * r->D), g.lda = r->E * r->D;
        g.b = act_at(ops, r->x_gradient, (int64_t)e * r->G), g.ldb = r->E * r->G;
        g.c = graph_gradient(graph, node->parameter[0]) + (int64_t)e * r->D * r->G;
        g.add = node_adds(graph, node, 0), g.scale = 1;
        ops->gemm_weight(&g);
    }
}

/* Backward pass. The gradient of the state overwrites the state, and the gradient of the product
 * overwrites the product. */
static void backward(struct graph *graph, struct node *node)
{
    struct recurrent r = fill(node);
    const struct rows *rows = node->in[0]->rows;
    int s = 0, first = 0;
    r.out_gradient = output(node, HIDDEN)->gradient;
    r.state_gradient = r.state, r.cell_gradient = data_of(node, CELL_GRADIENT);
    r.x_gradient = node->in[0]->gradient, r.h_gradient = data_of(node, PRODUCT);
    pack_squares(graph, node, &r, true);
    while (graph_step_rows(rows, s)) first += graph_step_rows(rows, s++);
    while (s--) {
        first -= graph_step_rows(rows, s);
        go_to(&r, node, s, first);
        (r.chunk ? graph->ops->onlstm_backward : graph->ops->lstm_backward)(&r);
        if (!r.first) multiply(graph, node, &r, true, r.h_gradient, r.state);
    }
    weight_backward(graph, node, &r);
}

/* Counts operations. The first tokens have no product with a state. */
static double flops(const struct node *node)
{
    const struct recurrence_node *of = node->options;
    const struct value *x = node->in[0], *hidden = output(node, HIDDEN);
    const double later = graph_rows(x) - x->rows->groups, D = hidden->columns / of->E;
    return later > 0 ? 2 * later * x->columns * D : 0;
}

static const struct node_type recurrence_type = {
    "recurrence", forward, backward, SOLE_READER | (READS_OUT(NODE_OUTPUTS) - READS_OUT(1)), flops};

/* Adds the output PATH.NAME. */
static void add_output(struct graph *graph, struct node *node, int which, struct rows *rows,
                       int columns, const char *path, const char *name)
{
    struct recurrence_node *options = node->options;
    /* these are reals, not activations */
    const bool kept = which == CELL || which == CELL_GRADIENT;
    int count = 0;
    while (node->out[count]) count++;
    options->out[which] = count;
    node->out[count] = (kept ? graph_statistics : graph_value)(
        graph, rows, columns, arena_print(graph->arena, "%s.%s", path, name));
}

struct value *recurrence_build(struct graph *graph, struct value *x, const struct recurrence *of)
{
    struct arena *arena = graph->arena;
    const int D = x->columns, E = of->forward + of->backward;
    const int n = of->chunk ? D / of->chunk : 0, G = 2 * n + 4 * D;
    struct recurrence_node options = {.chunk = of->chunk, .E = E};
    CHECK(E > 0 && (!n || n * of->chunk == D), "%s: a chunk of %d in %d", of->path, of->chunk, D);
    for (int e = 0; e < E; e++) options.reverse[e] = of->backward && (e || !of->forward);
    for (int i = 0; i < OUTPUTS; i++) options.out[i] = -1;

    const double spread = 1 / sqrt(D);
    const char *input = arena_print(arena, "%s.input", of->path);
    struct parameter *weight = parameter_get(
        graph->parameters, arena_print(arena, "%s.weight", input), D, E * G, START_UNIFORM, spread);
    struct parameter *bias =
        parameter_get(graph->parameters, arena_print(arena, "%s.bias", input), 1, E * G,
                      graph->parameters->zero_bias ? START_ZERO : START_UNIFORM, spread);
    struct value *gates = linear_build_with(graph, x, weight, bias, false, 1, input);

    const char *hidden = arena_print(arena, "%s.hidden", of->path);
    struct node *node = graph_node(graph, &recurrence_type, &options, sizeof options, hidden);
    struct rows *tokens = x->rows, *states = graph_sentences(graph, tokens->field, E);
    node->in[0] = gates;
    node->slower = 1 + (double)RECURRENCE_CELL / D;
    for (int e = 0; e < E; e++) node->read[e] = graph_steps(graph, tokens, options.reverse[e]);
    node->parameter[0] =
        parameter_get(graph->parameters, arena_print(arena, "%s.state.weight", of->path), E * D, G,
                      START_UNIFORM, spread);
    add_output(graph, node, HIDDEN, tokens, E * D, of->path, "hidden");
    add_output(graph, node, GATES, tokens, E * G, of->path, "gates");
    add_output(graph, node, CELL, tokens, E * D, of->path, "cell");
    add_output(graph, node, STATE, states, D, of->path, "state");
    add_output(graph, node, PRODUCT, states, G, of->path, "product");
    if (n) {
        add_output(graph, node, MASTER_INPUT, tokens, E * n, of->owner, "master_input");
        add_output(graph, node, MASTER_FORGET, tokens, E * n, of->owner, "master_forget");
    }
    if (graph->mode == GRAPH_TRAIN) {
        add_output(graph, node, CELL_GRADIENT, states, D, of->path, "slope");
        add_output(graph, node, BEFORE, tokens, E * D, of->path, "before");
    }
    if (graph->ops && graph->ops->panel) {
        const int64_t forward = ops_packed(graph->ops, D, G), back = ops_packed(graph->ops, G, D);
        add_output(graph, node, PACKED, graph_fixed(graph, E),
                   (int)(forward > back ? forward : back), of->path, "packed");
    }
    return node->out[0];
}
