/* Builds the nodes of attention blocks: projections, the attention op and the fusion. */
#include "attention/term.h"

#include <math.h>
#include <string.h>

struct core {
    int heads, branches;
    struct attention_reach branch[ATTENTION_BRANCHES];
    bool causal;
    bool self; /* self-attention: in a step list, keys and values are in the cache */
    int terms;
    struct attention_term term[ATTENTION_TERMS]; /* without pointers to data */
    /* For each row of each term: its index in in[] of the node; -1: none. */
    int row[ATTENTION_TERMS][TERM_ROWS];
    int weight[ATTENTION_TERMS]; /* index of the collected weights in out[]; -1: none */
};

/* Copies the terms and adds the pointers to the data of this run. */
static void fill_terms(const struct core *core, const struct node *node,
                       struct attention_term *terms)
{
    memcpy(terms, core->term, sizeof core->term);
    for (int k = 0; k < core->terms; k++) {
        struct attention_term *term = &terms[k];
        for (int r = 0; r < TERM_ROWS; r++) {
            const struct value *row = core->row[k][r] < 0 ? NULL : node->in[core->row[k][r]];
            if (!row) continue;
            term->row[r] = row->data;
            term->row_gradient[r] = row->gradient;
            CHECK(!node->add_in[core->row[k][r]], "%s has other readers", row->path);
        }
        if (core->weight[k] < 0) continue;
        term->weight = node->out[core->weight[k]]->data;
        term->weight_gradient = node->out[core->weight[k]]->gradient;
    }
}

/* Indices in read[]: tiles and groups of the queries and keys. */
enum { READ_TILE_Q, READ_GROUP_Q, READ_TILE_K, READ_GROUP_K };

static const int32_t *list_of(const struct node *node, int which)
{
    return node->read[which] ? node->read[which]->data : NULL;
}

static void fill(const struct graph *graph, const struct node *node, struct attention_args *a)
{
    const struct core *core = node->options;
    const struct value *q = node->in[0], *k = node->in[1], *v = node->in[2];
    a->step = graph->step, a->dropout = node->dropout;
    a->B = q->rows->launched_groups, a->Tq = graph_rows(q), a->Tk = graph_rows(k);
    a->H = core->heads, a->d = q->columns / core->heads, a->R = core->branches;
    a->causal = core->causal, a->zeros = graph->mode == GRAPH_TRAIN;
    a->start_q = q->rows->start, a->start_k = k->rows->start;
    a->tile_q = list_of(node, READ_TILE_Q), a->tile_k = list_of(node, READ_TILE_K);
    a->group_q = list_of(node, READ_GROUP_Q), a->group_k = list_of(node, READ_GROUP_K);
    a->q = q->data, a->ldq = q->ld, a->dq = q->gradient, a->add_q = node->add_in[0];
    a->k = k->data, a->ldk = k->ld, a->dk = k->gradient, a->add_k = node->add_in[1];
    a->v = v->data, a->ldv = v->ld, a->dv = v->gradient, a->add_v = node->add_in[2];
    a->out = node->out[0]->data, a->out_gradient = node->out[0]->gradient;
    a->statistics = node->out[1]->data;
    CHECK(!a->Tq || a->B == k->rows->launched_groups, "%s: %d groups of queries, %d of keys",
          node->path, a->B, k->rows->launched_groups);
    a->longest = q->rows->longest > k->rows->longest ? q->rows->longest : k->rows->longest;
    a->scale = (real)(1 / sqrt((double)a->d));
    memcpy(a->branch, core->branch, sizeof a->branch);
    a->terms = core->terms;
    fill_terms(core, node, a->term);
}

NODE_OP(attention, struct attention_args, fill(graph, node, &arguments))

/* Returns the mean number of keys within `reach` on one side of a query. The mean is over the
 * queries of a sentence of n words. */
static double mean_reach(double n, double reach)
{
    return reach < n - 1 ? reach - reach * (reach + 1) / (2 * n) : (n - 1) / 2;
}

/* Returns the number of floating-point operations, as if all sentences had the mean length. The
 * energies are counted once, and the weighted sums of values once per branch. */
static double flops(const struct node *node)
{
    const struct core *core = node->options;
    const struct value *q = node->in[0], *k = node->in[1];
    const int B = k->rows->groups;
    const double n = B ? (double)graph_rows(k) / B : 0, T = graph_rows(q);
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

/* The backward pass reads all inputs, including rows of terms, and the statistics. */
static const struct node_type attention_type = {
    "attention", attention_forward, attention_backward,
    (READS_IN(NODE_INPUTS) - 1) | READS_OUT(1) | LEAVES_ZEROS, flops};

static void step_backward(struct graph *graph, struct node *node)
{
    CHECK(false, "%s: a step list has no gradients", node->path);
}

/* in[0]: keys and values of this step. in[1]: the cache to which the node copies them. */
static void store_forward(struct graph *graph, struct node *node)
{
    const struct live *live = graph->live;
    const struct value *rows = node->in[0], *cache = node->in[1];
    graph->ops->store_rows(
        rows->data, graph_rows(rows), rows->columns, rows->ld,
        act_at(graph->ops, cache->data, (int64_t)live->cache_row * cache->columns));
}

static const struct node_type store_type = {"store", store_forward, step_backward, 0, NULL};

/* in[0]: queries. in[1]: keys, in its first D columns. in[2]: keys and values. In self-attention,
 * in[1] and in[2] are caches; in[1] has the maps of the keys if a term maps them. */
static void step_forward(struct graph *graph, struct node *node)
{
    const struct core *core = node->options;
    const struct live *live = graph->live;
    const struct value *q = node->in[0], *keys = node->in[1], *memory = node->in[2];
    const int D = q->columns;
    struct attention_step a = {.rows = graph_rows(q), .H = core->heads, .d = D / core->heads};
    a.R = core->branches;
    a.begin = core->self ? live->begin : live->cross_begin;
    a.index = core->self ? live->index : live->cross_index;
    a.query = live->position;
    a.longest = core->self ? live->position + 1 : live->cross_longest;
    a.q = q->data, a.ldq = q->ld;
    a.k = keys->data, a.ldk = keys->columns;
    a.v = act_at(graph->ops, memory->data, D), a.ldv = 2 * D;
    a.scale = (real)(1 / sqrt((double)a.d));
    a.out = node->out[0]->data;
    memcpy(a.branch, core->branch, sizeof a.branch);
    a.terms = core->terms;
    fill_terms(core, node, a.term);
    graph->ops->attention_step(&a);
}

static const struct node_type attention_step_type = {"attention_step", step_forward, step_backward,
                                                     0, NULL};

struct value *attention_project(struct graph *graph, struct value *x,
                                const struct attention_block *block)
{
    return linear_build(graph, x, block->input->columns, !block->spec->unbiased,
                        arena_print(graph->arena, "%s.output", block->path));
}

/* A block under construction. */
struct building {
    struct graph *graph;
    const struct attention_spec *spec;
    struct value *input;
    struct term_block block; /* argument of the current term; `name` changes with each term */
    /* The queries and keys of the products: those of `block`, or their maps. */
    struct value *query, *key;
    /* Terms of the attention node. Terms that only map are not among them. */
    int terms;
    const struct term_choice *term[ATTENTION_TERMS];
    const char *name[ATTENTION_TERMS];
    struct term_use use[ATTENTION_TERMS];
};

const char *term_name(const struct attention_spec *spec, int k, struct arena *arena)
{
    const struct term_type *type = spec->term[k].type;
    int nth = 1;
    for (int i = 0; i < k; i++) nth += spec->term[i].type == type;
    return nth == 1 ? type->name : arena_print(arena, "%s%d", type->name, nth);
}

const char *term_path(const struct graph *graph, const struct term_block *block, const char *label)
{
    return arena_print(graph->arena, "%s.%s.%s", block->path, block->name, label);
}

static const char *below(const struct building *b, const char *label)
{
    return arena_print(b->graph->arena, "%s.%s", b->block.path, label);
}

static void build_terms(struct building *b)
{
    for (int k = 0; k < b->spec->terms; k++) {
        const struct term_choice *choice = &b->spec->term[k];
        if (!choice->type->build) continue;
        b->block.name = b->name[b->terms] = term_name(b->spec, k, b->graph->arena);
        b->use[b->terms] = choice->type->build(b->graph, &b->block, choice->options);
        b->term[b->terms++] = choice;
    }
}

static bool has_maps(const struct attention_spec *spec)
{
    for (int k = 0; k < spec->terms; k++)
        if (spec->term[k].type->map) return true;
    return false;
}

/* Returns x, the queries or keys, after the maps of all terms. */
static struct value *map(struct building *b, struct value *x, const char *label)
{
    for (int k = 0; k < b->spec->terms; k++) {
        const struct term_choice *choice = &b->spec->term[k];
        if (!choice->type->map) continue;
        b->block.name = term_name(b->spec, k, b->graph->arena);
        x = choice->type->map(b->graph, &b->block, choice->options, x, label);
    }
    return x;
}

static int term_kind(const struct term_type *type)
{
    int kind = 0;
    while (attention_terms[kind] != type) kind++;
    return kind;
}

/* Builds the attention node, and then the nodes of terms that change values. `value` has the values
 * or, in a step list, keys and values. */
static struct value *build_core(struct building *b, struct value *value, double dropout)
{
    struct graph *graph = b->graph;
    const struct term_block *block = &b->block;
    const int R = b->spec->branches, D = block->query->columns;
    struct rows *rows = block->query->rows;
    struct core core = {.heads = block->heads,
                        .branches = R,
                        .causal = block->causal,
                        .self = block->self,
                        .terms = b->terms};
    memcpy(core.branch, b->spec->branch, sizeof core.branch);
    struct value *in[NODE_INPUTS] = {b->query, b->key, value}, *out[NODE_OUTPUTS] = {NULL};
    int inputs = 3, outputs = block->step ? 1 : 2;
    out[0] = graph_value(graph, rows, R * D, below(b, "branches"));
    if (!block->step)
        out[1] = graph_statistics(graph, rows, 2 * block->heads * R, below(b, "statistics"));
    for (int k = 0; k < core.terms; k++) {
        const struct term_use *use = &b->use[k];
        struct attention_term *term = &core.term[k];
        CHECK(!use->kinds || use->heads == block->heads, "values have all heads");
        *term = (struct attention_term){.kind = term_kind(b->term[k]->type),
                                        .heads = use->heads,
                                        .cuts = use->cuts,
                                        .kinds = use->kinds};
        for (int i = 0; i < TERM_NUMBERS; i++) term->number[i] = (real)use->number[i];
        for (int r = 0; r < TERM_ROWS; r++) {
            core.row[k][r] = use->row[r] ? inputs : -1;
            if (!use->row[r]) continue;
            term->columns[r] = use->row[r]->columns / use->heads;
            in[inputs++] = use->row[r];
        }
        core.weight[k] = use->kinds ? outputs : -1;
        if (use->kinds)
            out[outputs++] =
                graph_value(graph, rows, R * block->heads * use->kinds,
                            below(b, arena_print(graph->arena, "%s.weight", b->name[k])));
    }
    struct node *node = graph_node(graph, block->step ? &attention_step_type : &attention_type,
                                   &core, sizeof core, out[0]->path);
    memcpy(node->in, in, sizeof in);
    memcpy(node->out, out, sizeof out);
    if (!block->step) {
        node->read[READ_TILE_Q] = graph_tiles(graph, rows);
        node->read[READ_GROUP_Q] = graph_groups(graph, rows);
        node->read[READ_TILE_K] = graph_tiles(graph, block->key->rows);
        node->read[READ_GROUP_K] = graph_groups(graph, block->key->rows);
    }
    node->dropout = graph_dropout(graph, below(b, "weights"), dropout, rows);
    struct value *branches = out[0];
    for (int k = 0; k < core.terms; k++) {
        if (core.weight[k] < 0) continue;
        b->block.name = b->name[k];
        branches = b->term[k]->type->values(graph, block, b->term[k]->options, branches,
                                            out[core.weight[k]]);
    }
    return branches;
}

/* Builds the terms, the branches and the fusion of a block. A block with one branch has an output
 * projection instead of a fusion. `value` is that of build_core. */
static struct value *finish(struct building *b, struct value *value, double dropout)
{
    if (!b->query) b->query = b->block.query, b->key = b->block.key;
    build_terms(b);
    struct value *branches = build_core(b, value, dropout);
    graph_alias(b->graph, below(b, "heads"), branches);
    const struct attention_block block = {.path = b->block.path,
                                          .spec = b->spec,
                                          .heads = b->block.heads,
                                          .scale = b->block.scale,
                                          .input = b->input,
                                          .query = b->block.query,
                                          .branches = branches};
    if (b->spec->fusion) return b->spec->fusion->build(b->graph, &block);
    return attention_project(b->graph, branches, &block);
}

/* Builds a node that copies x [T, columns] to the cache PATH.LABEL, and returns the cache. */
static struct value *store(struct building *b, struct value *x, const char *node_label,
                           const char *label)
{
    struct node *node = graph_node(b->graph, &store_type, NULL, 0, below(b, node_label));
    node->in[0] = x;
    node->in[1] = graph_external(b->graph, x->rows, x->columns, below(b, label));
    node->in[1]->cache = true;
    return node->in[1];
}

struct value *attention_self(struct graph *graph, struct value *x, int heads, bool causal,
                             const struct attention_spec *spec, double dropout, const char *path)
{
    const int D = x->columns;
    struct building b = {.graph = graph,
                         .spec = spec,
                         .input = x,
                         .block = {.path = path,
                                   .heads = heads,
                                   .causal = causal,
                                   .step = graph->mode == GRAPH_STEP,
                                   .scale = 1 / sqrt((double)D / heads),
                                   .self = true}};
    struct value *qkv = linear_build(graph, x, 3 * D, !spec->unbiased, below(&b, "qkv"));
    struct value *value = NULL;
    b.block.query = graph_view(graph, qkv, 0, D, below(&b, "query"));
    if (b.block.step) {
        b.block.key = value =
            store(&b, graph_view(graph, qkv, D, 2 * D, below(&b, "keyvalue")), "store", "cache");
    } else {
        b.block.key = graph_view(graph, qkv, D, D, below(&b, "key"));
        value = graph_view(graph, qkv, 2 * D, D, below(&b, "value"));
    }
    if (has_maps(spec)) {
        b.query = map(&b, b.block.query, "query");
        if (b.block.step) {
            struct value *key = graph_view(graph, qkv, D, D, below(&b, "key"));
            b.key = store(&b, map(&b, key, "key"), "store_mapped", "mapped_cache");
        } else {
            b.key = map(&b, b.block.key, "key");
        }
    }
    return finish(&b, value, dropout);
}

struct value *attention_cross(struct graph *graph, struct value *x, struct value *memory, int heads,
                              const struct attention_spec *spec, double dropout, const char *path)
{
    const int D = x->columns;
    struct building b = {
        .graph = graph,
        .spec = spec,
        .input = x,
        .block = {
            .path = path, .heads = heads, .step = !memory, .scale = 1 / sqrt((double)D / heads)}};
    const char *keyvalue = below(&b, "keyvalue");
    struct value *value = NULL;
    b.block.query = linear_build(graph, x, D, !spec->unbiased, below(&b, "query"));
    if (memory) {
        struct value *kv = linear_build(graph, memory, 2 * D, !spec->unbiased, keyvalue);
        b.block.key = graph_view(graph, kv, 0, D, below(&b, "key"));
        value = graph_view(graph, kv, D, D, below(&b, "value"));
    } else {
        b.block.key = value = graph_external(graph, x->rows, 2 * D, keyvalue);
    }
    return finish(&b, value, dropout);
}
