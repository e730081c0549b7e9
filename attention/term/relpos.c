/* relpos: relative positions (Shaw et al. 2018, eqs. 3-4). */

/*   e_ij = q_i (k_j + a_c) / sqrt(d),  o_i = sum_j w_ij (v_j + b_c),  c = clip(j - i, -k, k) + k
 *
 * Each block has tables a and b [2k+1, d], which its heads share. Together they have 2 (2k+1) d
 * parameters: 4,224 for k = 16 and d = 64. The weights w_ij are those after dropout. In cross
 * attention j - i is the position of the source word minus that of the target word. relpos does not
 * remove positional encoding; use position: none.
 *
 * The products with a and b are separate nodes before and after the attention node. The attention
 * node reads the rows q a^T, which have one number for each c. It adds the number of c(i, j) to the
 * energy of key j. It also sums the weights for each c. A later node multiplies these sums by b. */
#include "attention/term.h"

enum { RELPOS_ENERGY }; /* index in row[]: [2k+1] q_i a_c / sqrt(d) */
enum { RELPOS_REACH };

#ifdef TERM_TILE

/* Returns of_kind[c], of_kind[c + 1], .., with the index clipped to 0 .. last. */
TERM_FN vec relpos_kinds(const real *of_kind, int c, int last)
{
    if (c >= 0 && c + LANES - 1 <= last) return vec_load(of_kind + c, LANES);
    if (c + LANES - 1 <= 0) return vec_splat(of_kind[0]);
    if (c >= last) return vec_splat(of_kind[last]);
    const vec none = {0}, all = vec_splat((real)last), at = vec_max(vec_iota(c), none);
    return vec_gather(of_kind, vec_select(vec_greater(at, all), all, at));
}

/* Adds of_kind[c(j)] to keys[j]. */
TERM_FN void relpos_spread(const struct term_row *t, const real *of_kind, real *keys)
{
    const int k = (int)t->term->number[RELPOS_REACH];
    KEYS(j, t)
    {
        const vec x = vec_load(keys + j, LANES);
        vec_store(keys + j, LANES, x + relpos_kinds(of_kind, j - t->i + k, 2 * k));
    }
}

TERM_FN real relpos_key(const struct term_row *t, const real *keys, int j)
{
    return j >= t->lo && j < t->hi ? keys[j] : 0;
}

/* Sets sum[c] to the sum of keys[j] with c(j) = c. The first and last c have all keys at a distance
 * of k or more. Any other c has at most one key. */
TERM_FN void relpos_gather(const struct term_row *t, const real *keys, real *sum)
{
    const int k = (int)t->term->number[RELPOS_REACH], first = t->i - k, last = t->i + k;
    const int before = first < t->hi ? first : t->hi, after = last < t->lo ? t->lo : last + 1;
    EACH(c, 2 * k - 1) sum[c + 1] = relpos_key(t, keys, first + c + 1);
    row_put(sum, row_sum(relpos_key(t, keys, first), keys, t->lo, before));
    row_put(sum + 2 * k, row_sum(relpos_key(t, keys, last), keys, after, t->hi));
}

TERM_FN void relpos_energy(const struct term_row *t, real *energy)
{
    if (t->row[RELPOS_ENERGY]) relpos_spread(t, t->row[RELPOS_ENERGY], energy);
}

TERM_FN void relpos_slope(const struct term_row *t, const real *slope)
{
    if (t->row_gradient[RELPOS_ENERGY]) relpos_gather(t, slope, t->row_gradient[RELPOS_ENERGY]);
}

TERM_TABLE relpos_tile = {
    .energy = relpos_energy,
    .slope = relpos_slope,
    .collect = relpos_gather,
    .spread = relpos_spread,
};

#else

#include "attention/dense.h"

struct relpos_options {
    int k;
    bool keys, values;
};

static const struct option rows[] = {
    OPTION_INT("k", offsetof(struct relpos_options, k), "16", 1, 512, OPTION_ID,
               "largest distance; distances are clipped to -k .. k"),
    OPTION_BOOL("keys", offsetof(struct relpos_options, keys), "true", OPTION_ID,
                "learned table that is added to the keys"),
    OPTION_BOOL("values", offsetof(struct relpos_options, values), "true", OPTION_ID,
                "learned table that is added to the values"),
};
static const struct section relpos_section = {"relpos", "relative positions", rows, COUNT_OF(rows),
                                              sizeof(struct relpos_options)};

static void check(void *options, const struct attention_size *size, struct location location)
{
    const struct relpos_options *o = options;
    if (!o->keys && !o->values) die_at(location, "relpos: expected keys or values, or both");
}

/* rows [T, H*C] = scale q_h table^T. There is one product for each head, because all heads share
 * the table [C, d]. */

static void keys_forward(struct graph *graph, struct node *node)
{
    const struct value *q = node->in[0], *y = node->out[0];
    const double *scale = node->options;
    const struct parameter *table = node->parameter[0];
    const int d = table->columns, C = table->rows;
    struct gemm g = {.transpose_b = true, .M = graph_rows(q), .N = C, .K = d};
    g.rows = graph_counted(q), g.products = q->columns / d;
    g.a = q->data, g.lda = q->ld, g.stride_a = d;
    g.b = graph_operand(graph, table), g.ldb = d;
    g.c = y->data, g.ldc = y->ld, g.stride_c = C;
    g.scale = (real)*scale;
    graph->ops->gemm(&g);
}

static void keys_backward(struct graph *graph, struct node *node)
{
    const struct value *q = node->in[0], *y = node->out[0];
    const double *scale = node->options;
    const struct parameter *table = node->parameter[0];
    const int d = table->columns, C = table->rows;
    struct gemm g = {.M = graph_rows(q), .N = d, .K = C};
    g.rows = graph_counted(q), g.products = q->columns / d;
    g.a = y->gradient, g.lda = y->ld, g.stride_a = C;
    g.b = graph_operand(graph, table), g.ldb = d;
    g.c = q->gradient, g.ldc = q->ld, g.stride_c = d;
    g.add = node->add_in[0];
    g.scale = (real)*scale;
    graph->ops->gemm(&g);
    struct gemm_weight w = {.T = g.M, .M = C, .N = d, .rows = g.rows, .products = g.products};
    w.a = y->gradient, w.lda = y->ld, w.stride_a = C;
    w.b = q->data, w.ldb = q->ld, w.stride_b = d;
    w.c = graph_gradient(graph, table);
    w.add = node_adds(graph, node, 0);
    w.scale = g.scale;
    graph->ops->gemm_weight(&w);
}

static double table_flops(const struct node *node)
{
    return 2.0 * graph_rows(node->in[0]) * node->in[0]->columns * node->parameter[0]->rows;
}

static const struct node_type keys_type = {"relpos_keys", keys_forward, keys_backward, READS_IN(0),
                                           table_flops};

/* out = branches + collected * table. A row of `branches` [T*R*H, d] and of `collected` [T*R*H, C]
 * belongs to one position, branch and head. */

static void values_forward(struct graph *graph, struct node *node)
{
    const struct value *x = node->in[0], *weight = node->in[1], *y = node->out[0];
    const struct parameter *table = node->parameter[0];
    const int d = table->columns, C = table->rows, T = graph_rows(x), each = x->columns / d;
    graph->ops->store_rows(x->data, T, x->columns, x->ld, y->data);
    struct gemm g = {.M = T * each, .N = d, .K = C, .rows = graph_counted(x), .each = each};
    g.a = weight->data, g.lda = C;
    g.b = graph_operand(graph, table), g.ldb = d;
    g.c = y->data, g.ldc = d;
    g.add = true;
    g.scale = 1;
    graph->ops->gemm(&g);
}

static void values_backward(struct graph *graph, struct node *node)
{
    const struct value *x = node->in[0], *weight = node->in[1], *y = node->out[0];
    const struct parameter *table = node->parameter[0];
    const int d = table->columns, C = table->rows, T = graph_rows(x), each = x->columns / d;
    graph->ops->store_rows(y->gradient, T, x->columns, y->ld, x->gradient);
    struct gemm g = {.M = T * each, .N = C, .K = d, .rows = graph_counted(x), .each = each};
    g.transpose_b = true;
    g.a = y->gradient, g.lda = d;
    g.b = graph_operand(graph, table), g.ldb = d;
    g.c = weight->gradient, g.ldc = C;
    g.scale = 1;
    graph->ops->gemm(&g);
    struct gemm_weight w = {.T = g.M, .M = C, .N = d, .rows = g.rows, .each = each};
    w.a = weight->data, w.lda = C;
    w.b = y->gradient, w.ldb = d;
    w.c = graph_gradient(graph, table);
    w.add = node_adds(graph, node, 0);
    w.scale = 1;
    graph->ops->gemm_weight(&w);
}

static const struct node_type values_type = {"relpos_values", values_forward, values_backward,
                                             READS_IN(1) | SOLE_READER, table_flops};

static struct parameter *table(struct graph *graph, const struct term_block *block,
                               const struct relpos_options *o, const char *name)
{
    return parameter_get(graph->parameters, term_path(graph, block, name), 2 * o->k + 1,
                         block->query->columns / block->heads, START_GLOROT, 0);
}

static struct term_use build(struct graph *graph, const struct term_block *block,
                             const void *options)
{
    const struct relpos_options *o = options;
    const int C = 2 * o->k + 1;
    struct term_use use = {.heads = block->heads, .kinds = o->values ? C : 0};
    use.number[RELPOS_REACH] = o->k;
    if (!o->keys) return use;
    const char *path = term_path(graph, block, "energy");
    struct node *node = graph_node(graph, &keys_type, &block->scale, sizeof block->scale, path);
    node->in[0] = block->query;
    node->parameter[0] = table(graph, block, o, "keys.weight");
    node->out[0] = graph_value(graph, block->query->rows, block->heads * C, path);
    use.row[RELPOS_ENERGY] = node->out[0];
    return use;
}

static struct value *values(struct graph *graph, const struct term_block *block,
                            const void *options, struct value *branches, struct value *collected)
{
    const char *path = term_path(graph, block, "branches");
    struct node *node = graph_node(graph, &values_type, NULL, 0, path);
    node->in[0] = branches;
    node->in[1] = collected;
    node->parameter[0] = table(graph, block, options, "values.weight");
    return node->out[0] = graph_value(graph, branches->rows, branches->columns, path);
}

/* ---- the oracle ---- */

static int kind(const struct relpos_options *o, int i, int j)
{
    return (j - i < -o->k ? -o->k : j - i > o->k ? o->k : j - i) + o->k;
}

static void dense(const struct dense_term *t, double *energy)
{
    const struct relpos_options *o = t->options;
    const struct dense *block = t->block;
    const int d = block->d, nk = block->nk;
    if (!o->keys) return;
    const double *a = dense_parameter(block, "%s.keys.weight", t->name);
    for (int i = 0; i < block->n; i++) {
        const double *q = block->query + (i * block->H + t->h) * d;
        for (int j = 0; j < nk; j++)
            for (int c = 0; c < d; c++)
                energy[i * nk + j] += q[c] * a[kind(o, i, j) * d + c] * block->scale;
    }
}

static void dense_values(const struct dense_term *t, const double *weight, double *out)
{
    const struct relpos_options *o = t->options;
    const struct dense *block = t->block;
    const int d = block->d, nk = block->nk;
    if (!o->values) return;
    const double *b = dense_parameter(block, "%s.values.weight", t->name);
    for (int i = 0; i < block->n; i++)
        for (int j = 0; j < nk; j++)
            for (int c = 0; c < d; c++)
                out[i * d + c] += weight[i * nk + j] * b[kind(o, i, j) * d + c];
}

static const char *const examples[] = {
    "2", "{k: 20}", "{k: 1, values: false}", "{k: 3, keys: false}", NULL,
};

const struct term_type term_relpos = {.name = "relpos",
                                      .help = "relative position vectors, added to keys and values",
                                      .section = &relpos_section,
                                      .check = check,
                                      .build = build,
                                      .values = values,
                                      .dense = dense,
                                      .dense_values = dense_values,
                                      .examples = examples};

#endif
