/* Nodes that make the rows of terms: extents from predictions, means of visible keys. */
#include "attention/term.h"

struct rows_options {
    struct extent_form form;
    bool causal, step;
    bool self; /* the keys are rows of the block itself */
    const struct rows *keys;
};

static struct sight see(const struct graph *graph, const struct node *node)
{
    const struct rows_options *o = node->options;
    const struct value *y = node->out[0];
    const struct live *live = graph->live;
    struct sight sight = {.Tq = graph_rows(graph, y)};
    if (o->step) {
        sight.start_k = o->self ? live->begin : live->cross_begin;
        sight.index = o->self ? live->index : live->cross_index;
        return sight;
    }
    sight.B = y->rows->groups;
    sight.start_q = y->rows->start;
    sight.start_k = o->keys->start;
    sight.group = node->read[0] ? node->read[0]->data : NULL;
    sight.causal = o->causal;
    return sight;
}

static struct extent_args fill_extent(const struct graph *graph, const struct node *node)
{
    const struct rows_options *o = node->options;
    const struct value *z = node->in[0], *y = node->out[0];
    return (struct extent_args){.sight = see(graph, node),
                                .columns = y->columns,
                                .z = z ? z->data : NULL,
                                .ldz = z ? z->ld : 0,
                                .weight = graph_master(graph, node->parameter[0]),
                                .share = (real)o->form.share,
                                .limit = (real)o->form.limit,
                                .floor = (real)o->form.floor,
                                .square = o->form.square,
                                .out = y->data,
                                .out_gradient = y->gradient,
                                .z_gradient = z ? z->gradient : NULL,
                                .add_z = node->add_in[0],
                                .weight_gradient = graph_gradient(graph, node->parameter[0]),
                                .add_weight = node_adds(graph, node, 0)};
}

static void extent_forward(struct graph *graph, struct node *node)
{
    const struct extent_args e = fill_extent(graph, node);
    graph->ops->extent(&e);
}

static void extent_backward(struct graph *graph, struct node *node)
{
    const struct extent_args e = fill_extent(graph, node);
    graph->ops->extent_backward(&e);
}

static const struct node_type extent_type = {"extent", extent_forward, extent_backward, READS_IN(0),
                                             NULL};

static struct mean_keys fill_mean(const struct graph *graph, const struct node *node)
{
    const struct value *k = node->in[0], *y = node->out[0];
    return (struct mean_keys){.sight = see(graph, node),
                              .D = y->columns,
                              .Tk = graph_rows(graph, k),
                              .k = k->data,
                              .ldk = k->ld,
                              .out = y->data,
                              .out_gradient = y->gradient,
                              .dk = k->gradient,
                              .add_k = node->add_in[0]};
}

static void mean_forward(struct graph *graph, struct node *node)
{
    const struct mean_keys m = fill_mean(graph, node);
    graph->ops->mean_keys(&m);
}

static void mean_backward(struct graph *graph, struct node *node)
{
    const struct mean_keys m = fill_mean(graph, node);
    graph->ops->mean_keys_backward(&m);
}

static const struct node_type mean_type = {"mean_keys", mean_forward, mean_backward, 0, NULL};

static struct node *rows_node(struct graph *graph, const struct node_type *type,
                              const struct term_block *block, const struct extent_form *form,
                              int columns, const char *label)
{
    struct rows_options o = {.causal = block->causal,
                             .step = block->step,
                             .self = block->self,
                             .keys = block->key->rows};
    if (form) o.form = *form;
    struct node *node =
        graph_node(graph, type, &o, sizeof o, "%s.%s.%s", block->path, block->name, label);
    node->read[0] = graph_groups(graph, block->query->rows);
    node->out[0] = graph_value(graph, block->query->rows, columns, "%s", node->path);
    return node;
}

struct value *term_extent(struct graph *graph, const struct term_block *block, struct value *z,
                          const struct extent_form *form, const char *label)
{
    struct node *node = rows_node(graph, &extent_type, block, form, z->columns, label);
    node->in[0] = z;
    return node->out[0];
}

struct value *term_extent_of(struct graph *graph, const struct term_block *block,
                             struct parameter *weight, const struct extent_form *form,
                             const char *label)
{
    struct node *node = rows_node(graph, &extent_type, block, form, weight->columns, label);
    node->parameter[0] = weight;
    return node->out[0];
}

struct value *term_mean_keys(struct graph *graph, const struct term_block *block)
{
    struct node *node = rows_node(graph, &mean_type, block, NULL, block->query->columns, "mean");
    node->in[0] = block->key;
    return node->out[0];
}
