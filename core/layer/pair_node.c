/* Computes features of pairs of sentences from the rows of both sentences. */
#include "core/layer/layer.h"

struct paired {
    bool match;
};

/* Fills the arguments. The rows of a sentence are contiguous, so they form one wide row. */
static void fill(const struct node *node, struct pair_features *f)
{
    const struct paired *paired = node->options;
    const struct value *x = node->in[0], *y = node->out[0];
    f->P = graph_rows(y), f->rows = graph_counted(y);
    f->N = x->rows->each * x->columns;
    f->match = paired->match;
    f->x = x->data, f->x_gradient = x->gradient, f->add_x = node->add_in[0];
    f->out = y->data, f->out_gradient = y->gradient;
}

NODE_OP(pair_features, struct pair_features, fill(node, &arguments))

static const struct node_type concat_type = {"pair", pair_features_forward, pair_features_backward,
                                             0, NULL};
static const struct node_type match_type = {"pair", pair_features_forward, pair_features_backward,
                                            READS_IN(0), NULL};

struct value *pair_build(struct graph *graph, struct value *x, bool match, const char *path)
{
    const struct paired paired = {match};
    CHECK(x->rows->of == ROWS_SENTENCES && !x->parent && x->ld == x->columns,
          "%s: %s has no whole rows of sentences", path, x->path);
    struct node *node =
        graph_node(graph, match ? &match_type : &concat_type, &paired, sizeof paired, path);
    node->in[0] = x;
    return node->out[0] = graph_value(graph, graph_pairs(graph, x->rows->field),
                                      (match ? 4 : 2) * x->rows->each * x->columns, path);
}
