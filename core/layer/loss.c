#include "core/layer/layer.h"

struct loss {
    double smoothing;
};

static void forward(struct graph *graph, struct node *node)
{
    const struct loss *loss = node->options;
    struct value *logits = node->in[0];
    graph->ops->cross_entropy(&(struct cross_entropy){.step = graph->step,
                                                      .T = graph_rows(graph, logits),
                                                      .V = logits->columns,
                                                      .ld = logits->ld,
                                                      .logits = logits->data,
                                                      .label = graph->field[FIELD_TARGET].token,
                                                      .smoothing = loss->smoothing,
                                                      .gradient = graph->mode == GRAPH_TRAIN,
                                                      .loss = node->out[0]->data,
                                                      .likelihood = node->out[1]->data});
}

/* The gradient stands in the logits' place already. */
static void backward(struct graph *graph, struct node *node)
{
    (void)graph;
    CHECK(!node->add_in[0], "%s: logits have other readers", node->path);
}

static const struct node_type loss_type = {"loss", forward, backward, 0, NULL};

void loss_build(struct graph *graph, struct value *logits, double smoothing, const char *path)
{
    const struct loss loss = {smoothing};
    struct node *node = graph_node(graph, &loss_type, &loss, sizeof loss, "%s", path);
    node->in[0] = logits;
    logits->in_place = true;
    node->out[0] = graph_statistics(graph, logits->rows, 1, "%s.loss", path);
    node->out[1] = graph_statistics(graph, logits->rows, 1, "%s.likelihood", path);
    graph->loss = node->out[0];
    graph->likelihood = node->out[1];
}
