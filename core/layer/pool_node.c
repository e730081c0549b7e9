/* Pooling: computes a vector of each sentence from its tokens. */
#include "core/layer/layer.h"

struct pooled {
    enum pooling kind;
    bool end;
};

static void fill(const struct node *node, struct pool *p)
{
    const struct pooled *pooled = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    p->B = graph_rows(y), p->rows = graph_counted(y), p->D = y->columns;
    p->kind = pooled->kind, p->end = pooled->end;
    p->start = x->rows->start;
    p->x = x->data, p->ld = x->ld, p->x_gradient = x->gradient, p->add_x = node->add_in[0];
    p->out = y->data, p->out_gradient = y->gradient;
}

NODE_OP(pool, struct pool, fill(node, &arguments))

static const struct node_type pool_type = {"pool", pool_forward, pool_backward, READS_IN(0), NULL};

struct value *pool_build(struct graph *graph, struct value *x, enum pooling pooling, bool end,
                         const char *path)
{
    const struct pooled pooled = {pooling, end};
    CHECK(x->rows->of == ROWS_TOKENS, "%s: rows of %s are not tokens", path, x->path);
    struct node *node = graph_node(graph, &pool_type, &pooled, sizeof pooled, path);
    node->in[0] = x;
    struct rows *sentences = graph_sentences(graph, x->rows->field, 1);
    return node->out[0] = graph_value(graph, sentences, x->columns, path);
}
