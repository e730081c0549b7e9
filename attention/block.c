/* Attention blocks as nodes: projections, the core op, the fusion. */
#include "attention/attention.h"

#include <math.h>
#include <string.h>

struct core {
    int heads, branches;
    struct attention_reach branch[ATTENTION_BRANCHES];
    bool causal;
    enum field_name keys; /* field of the keys */
};

static struct attention_args fill(const struct graph *graph, const struct node *node)
{
    const struct core *core = node->options;
    const struct value *q = node->in[0], *k = node->in[1], *v = node->in[2];
    struct attention_args a = {.step = graph->step,
                               .B = graph->field[q->rows].B,
                               .Tq = graph_rows(graph, q),
                               .Tk = graph_rows(graph, k),
                               .H = core->heads,
                               .d = q->columns / core->heads,
                               .R = core->branches,
                               .causal = core->causal,
                               .start_q = graph->field[q->rows].start,
                               .start_k = graph->field[k->rows].start,
                               .q = q->data,
                               .k = k->data,
                               .v = v->data,
                               .ldq = q->ld,
                               .ldk = k->ld,
                               .ldv = v->ld,
                               .out = node->out[0]->data,
                               .statistics = node->out[1]->data,
                               .dropout = node->dropout,
                               .out_gradient = node->out[0]->gradient,
                               .dq = q->gradient,
                               .dk = k->gradient,
                               .dv = v->gradient,
                               .add_q = node->add_in[0],
                               .add_k = node->add_in[1],
                               .add_v = node->add_in[2]};
    a.scale = (real)(1 / sqrt((double)a.d));
    memcpy(a.branch, core->branch, sizeof a.branch);
    return a;
}

static void forward(struct graph *graph, struct node *node)
{
    const struct attention_args a = fill(graph, node);
    graph->ops->attention(&a);
}

static void backward(struct graph *graph, struct node *node)
{
    const struct attention_args a = fill(graph, node);
    graph->ops->attention_backward(&a);
}

/* Keys that a query of a sentence of n words sees within `reach` on one side, in the mean. */
static double mean_reach(double n, double reach)
{
    return reach < n - 1 ? reach - reach * (reach + 1) / (2 * n) : (n - 1) / 2;
}

/* Energies once and values per branch, for the pairs of query and key that a mean sentence has. */
static double flops(const struct graph *graph, const struct node *node)
{
    const struct core *core = node->options;
    const struct value *q = node->in[0], *k = node->in[1];
    const int B = graph->field[k->rows].B;
    const double n = B ? (double)graph_rows(graph, k) / B : 0, T = graph_rows(graph, q);
    if (q->rows != k->rows) return 2 * T * q->columns * n * (1 + core->branches);
    double sum = 0, before = 0, after = 0;
    for (int r = 0; r < core->branches; r++) {
        const double left = mean_reach(n, core->branch[r].before);
        const double right = core->causal ? 0 : mean_reach(n, core->branch[r].after);
        sum += left + right + 1;
        before = fmax(before, left);
        after = fmax(after, right);
    }
    return 2 * T * q->columns * (sum + before + after + 1);
}

static const struct node_type attention_type = {
    "attention", forward, backward, READS_IN(0) | READS_IN(1) | READS_IN(2) | READS_OUT(1), flops};

/* in: query, keys and values of this step's rows (self), the cache; or query and PATH.keyvalue. */
static void step_forward(struct graph *graph, struct node *node)
{
    const struct core *core = node->options;
    const struct attention_search *search = graph->step_state;
    const struct value *q = node->in[0];
    const bool self = core->keys == FIELD_TARGET;
    const struct value *memory = node->in[self ? 2 : 1];
    const int D = q->columns, rows = graph_rows(graph, q);
    if (self)
        graph->ops->store_rows(node->in[1]->data, rows, 2 * D, node->in[1]->ld,
                               act_at(graph->ops, memory->data, (int64_t)search->slot * 2 * D));
    struct attention_step a = {.rows = rows,
                               .H = core->heads,
                               .d = D / core->heads,
                               .R = core->branches,
                               .begin = self ? search->begin : search->cross_begin,
                               .index = self ? search->index : search->cross_index,
                               .query = search->position,
                               .q = q->data,
                               .k = memory->data,
                               .v = act_at(graph->ops, memory->data, D),
                               .ldq = q->ld,
                               .ldk = 2 * D,
                               .ldv = 2 * D,
                               .scale = (real)(1 / sqrt((double)D / core->heads)),
                               .out = node->out[0]->data};
    memcpy(a.branch, core->branch, sizeof a.branch);
    graph->ops->attention_step(&a);
}

static void step_backward(struct graph *graph, struct node *node)
{
    (void)graph;
    CHECK(false, "%s: a step list has no gradients", node->path);
}

static const struct node_type attention_step_type = {"attention_step", step_forward, step_backward,
                                                     0, NULL};

struct value *attention_project(struct graph *graph, struct value *x, int width, const char *path)
{
    return linear_build(graph, x, width, true, arena_print(graph->arena, "%s.output", path));
}

static struct node *core_node(struct graph *graph, const struct node_type *type,
                              struct value *query, int heads, bool causal, enum field_name keys,
                              const struct attention_spec *spec, const char *path)
{
    struct core core = {.heads = heads, .branches = spec->branches, .causal = causal, .keys = keys};
    memcpy(core.branch, spec->branch, sizeof core.branch);
    struct node *node = graph_node(graph, type, &core, sizeof core, "%s.branches", path);
    node->in[0] = query;
    node->out[0] =
        graph_value(graph, query->rows, spec->branches * query->columns, "%s.branches", path);
    return node;
}

static void train_core(struct graph *graph, struct node *node, struct value *key,
                       struct value *value, int heads, double dropout, const char *path)
{
    node->in[1] = key;
    node->in[2] = value;
    node->out[1] = graph_statistics(graph, node->in[0]->rows,
                                    2 * heads * node->out[0]->columns / node->in[0]->columns,
                                    "%s.statistics", path);
    node->dropout = graph_dropout(graph, arena_print(graph->arena, "%s.weights", path), dropout,
                                  node->in[0]->rows);
}

/* What ends a block: the fusion, or the projection of its one branch. */
static struct value *finish(struct graph *graph, struct node *node, struct value *x,
                            const struct attention_spec *spec, int heads, const char *path)
{
    const int D = x->columns;
    if (!spec->fusion) return attention_project(graph, node->out[0], D, path);
    const struct attention_block block = {.path = path,
                                          .spec = spec,
                                          .heads = heads,
                                          .scale = 1 / sqrt((double)D / heads),
                                          .input = x,
                                          .query = node->in[0],
                                          .branches = node->out[0]};
    return spec->fusion->build(graph, &block);
}

struct value *attention_self(struct graph *graph, struct value *x, int heads, bool causal,
                             const struct attention_spec *spec, double dropout, const char *path)
{
    struct arena *arena = graph->arena;
    const int D = x->columns;
    const bool step = graph->mode == GRAPH_STEP && x->rows == ROWS_TARGET;
    struct value *qkv = linear_build(graph, x, 3 * D, true, arena_print(arena, "%s.qkv", path));
    struct value *query = graph_view(graph, qkv, 0, D, "%s.query", path);
    struct node *node = core_node(graph, step ? &attention_step_type : &attention_type, query,
                                  heads, causal, (enum field_name)x->rows, spec, path);
    if (step) {
        node->in[1] = graph_view(graph, qkv, D, 2 * D, "%s.keyvalue", path);
        node->in[2] = graph_external(graph, x->rows, 2 * D, "%s.cache", path);
    } else {
        struct value *key = graph_view(graph, qkv, D, D, "%s.key", path);
        struct value *value = graph_view(graph, qkv, 2 * D, D, "%s.value", path);
        train_core(graph, node, key, value, heads, dropout, path);
    }
    return finish(graph, node, x, spec, heads, path);
}

struct value *attention_cross(struct graph *graph, struct value *x, struct value *memory, int heads,
                              const struct attention_spec *spec, double dropout, const char *path)
{
    struct arena *arena = graph->arena;
    const int D = x->columns;
    const char *keyvalue = arena_print(arena, "%s.keyvalue", path);
    struct value *query = linear_build(graph, x, D, true, arena_print(arena, "%s.query", path));
    struct value *kv = memory ? linear_build(graph, memory, 2 * D, true, keyvalue)
                              : graph_external(graph, ROWS_SOURCE, 2 * D, "%s", keyvalue);
    struct node *node = core_node(graph, memory ? &attention_type : &attention_step_type, query,
                                  heads, false, FIELD_SOURCE, spec, path);
    if (memory) {
        struct value *key = graph_view(graph, kv, 0, D, "%s.key", path);
        struct value *value = graph_view(graph, kv, D, D, "%s.value", path);
        train_core(graph, node, key, value, heads, dropout, path);
    } else {
        node->in[1] = kv;
    }
    return finish(graph, node, x, spec, heads, path);
}
