/* Sentences from their tokens. */
#include "core/layer/layer.h"

struct pooled {
    enum pooling kind;
    bool end;
};

static struct pool fill(const struct graph *graph, const struct node *node)
{
    const struct pooled *pooled = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    return (struct pool){.B = graph_rows(graph, y),
                         .rows = graph_counted(y),
                         .D = y->columns,
                         .kind = pooled->kind,
                         .end = pooled->end,
                         .start = x->rows->start,
                         .x = x->data,
                         .ld = x->ld,
                         .out = y->data,
                         .out_gradient = y->gradient,
                         .x_gradient = x->gradient,
                         .add_x = node->add_in[0]};
}

static void forward(struct graph *graph, struct node *node)
{
    const struct pool p = fill(graph, node);
    graph->ops->pool(&p);
}

static void backward(struct graph *graph, struct node *node)
{
    const struct pool p = fill(graph, node);
    graph->ops->pool_backward(&p);
}

static const struct node_type pool_type = {"pool", forward, backward, READS_IN(0), NULL};

struct value *pool_build(struct graph *graph, struct value *x, enum pooling kind, bool end,
                         const char *path)
{
    const struct pooled pooled = {kind, end};
    CHECK(x->rows->of == ROWS_TOKENS, "%s: rows of %s are not tokens", path, x->path);
    struct node *node = graph_node(graph, &pool_type, &pooled, sizeof pooled, "%s", path);
    node->in[0] = x;
    struct rows *sentences = graph_sentences(graph, x->rows->field, 1);
    return node->out[0] = graph_value(graph, sentences, x->columns, "%s", path);
}
