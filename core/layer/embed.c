#include "core/layer/layer.h"

static struct embed fill(const struct graph *graph, const struct node *node)
{
    const struct embed_layer *layer = node->options;
    const struct field_device *field = &graph->field[layer->field];
    const struct value *y = node->out[0];
    return (struct embed){
        .step = graph->step,
        .T = graph_rows(graph, y),
        .D = y->columns,
        .V = node->parameter[0]->rows,
        .token = layer->shifted ? field->previous : field->token,
        .position = layer->sinusoid == SINUSOID_NONE ? NULL : field->position,
        .table = graph_master(graph, node->parameter[0]),
        .sinusoid = graph->sinusoid[layer->sinusoid],
        .bias = graph_master(graph, node->parameter[1]),
        .scale = (real)layer->scale,
        .dropout = node->dropout,
        .out = y->data,
        .out_gradient = y->gradient,
    };
}

static void forward(struct graph *graph, struct node *node)
{
    const struct embed e = fill(graph, node);
    graph->ops->embed(&e);
}

static void backward(struct graph *graph, struct node *node)
{
    struct embed e = fill(graph, node);
    e.table_gradient = graph_gradient(graph, node->parameter[0]);
    e.bias_gradient = graph_gradient(graph, node->parameter[1]);
    e.add_table = node_adds(graph, node, 0);
    e.add_bias = node_adds(graph, node, 1);
    graph->ops->embed_backward(&e);
}

static const struct node_type embed_type = {"embed", forward, backward, 0, NULL};

struct value *embed_build(struct graph *graph, const struct embed_layer *layer, const char *path)
{
    struct node *node = graph_node(graph, &embed_type, layer, sizeof *layer, "%s", path);
    graph->wants_sinusoid[layer->sinusoid] = true;
    if (layer->sinusoid) graph->sinusoid_width = layer->table->columns;
    node->parameter[0] = layer->table;
    node->parameter[1] = layer->bias;
    node->dropout = graph_dropout(graph, path, layer->dropout, (enum rows)layer->field);
    return node->out[0] =
               graph_value(graph, (enum rows)layer->field, layer->table->columns, "%s", path);
}
