/* Builds nodes that compute rows of terms: positions and widths from predictions (extents), and
 * means of the visible keys. */
#include "attention/term.h"

struct rows_options {
    struct extent_form form;
    struct term_block block;
};

/* Fills the fields of `visible` that are needed. The other fields, and the padding, stay zero. */
static void see(const struct graph *graph, const struct node *node, struct visible *visible)
{
    const struct term_block *block = &((const struct rows_options *)node->options)->block;
    const struct value *y = node->out[0];
    const struct live *live = graph->live;
    visible->Tq = graph_rows(y);
    if (block->step) {
        visible->start_k = block->self ? live->begin : live->cross_begin;
        visible->index = block->self ? live->index : live->cross_index;
        return;
    }
    visible->B = y->rows->launched_groups;
    visible->start_q = y->rows->start;
    visible->start_k = block->key->rows->start;
    visible->group = node->read[0] ? node->read[0]->data : NULL;
    visible->causal = block->causal;
}

static void fill_extent(const struct graph *graph, const struct node *node, struct extent_args *e)
{
    const struct rows_options *o = node->options;
    const struct value *z = node->in[0], *y = node->out[0];
    const struct parameter *weight = node->parameter[0];
    see(graph, node, &e->visible);
    e->columns = y->columns;
    if (z) e->z = z->data, e->ldz = z->ld, e->z_gradient = z->gradient, e->add_z = node->add_in[0];
    e->weight = graph_master(graph, weight), e->weight_gradient = graph_gradient(graph, weight);
    e->add_weight = node_adds(graph, node, 0);
    e->share = (real)o->form.share, e->limit = (real)o->form.limit, e->floor = (real)o->form.floor;
    e->shape = o->form.shape;
    e->out = y->data, e->out_gradient = y->gradient;
}

NODE_OP(extent, struct extent_args, fill_extent(graph, node, &arguments))

static const struct node_type extent_type = {"extent", extent_forward, extent_backward, READS_IN(0),
                                             NULL};

static void fill_mean(const struct graph *graph, const struct node *node, struct mean_keys *m)
{
    const struct value *k = node->in[0], *y = node->out[0];
    see(graph, node, &m->visible);
    m->D = y->columns, m->Tk = graph_rows(k);
    m->k = k->data, m->ldk = k->ld, m->dk = k->gradient, m->add_k = node->add_in[0];
    m->out = y->data, m->out_gradient = y->gradient;
}

NODE_OP(mean_keys, struct mean_keys, fill_mean(graph, node, &arguments))

static const struct node_type mean_type = {"mean_keys", mean_keys_forward, mean_keys_backward, 0,
                                           NULL};

static struct node *rows_node(struct graph *graph, const struct node_type *type,
                              const struct term_block *block, const struct extent_form *form,
                              int columns, const char *label)
{
    struct rows_options o = {.block = *block};
    if (form) o.form = *form;
    const char *path = term_path(graph, block, label);
    struct node *node = graph_node(graph, type, &o, sizeof o, path);
    node->read[0] = graph_groups(graph, block->query->rows);
    node->out[0] = graph_value(graph, block->query->rows, columns, path);
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
