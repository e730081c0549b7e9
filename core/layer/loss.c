/* What a list learns by: labels against logits, row by row. */
#include "core/layer/layer.h"

struct loss {
    double smoothing;
    const struct input *label;
};

static void given_labels(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    CHECK(batch->label && batch->labels == rows->count,
          "a batch of %d labels for a loss over %d rows", batch->label ? batch->labels : 0,
          rows->count);
    for (int t = 0; t < rows->count; t++) to[t] = batch->label[t];
}

static void forward(struct graph *graph, struct node *node)
{
    const struct loss *loss = node->options;
    struct value *logits = node->in[0];
    graph->ops->cross_entropy(&(struct cross_entropy){.step = graph->step,
                                                      .T = graph_rows(graph, logits),
                                                      .rows = graph_counted(logits),
                                                      .V = logits->columns,
                                                      .ld = logits->ld,
                                                      .logits = logits->data,
                                                      .label = loss->label->data,
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

void loss_build(struct graph *graph, struct value *logits, enum label_source source,
                double smoothing, const char *path)
{
    const bool given = source == LABEL_GIVEN;
    CHECK(given || logits->rows->of == ROWS_TOKENS, "%s: rows of %s are not tokens", path,
          logits->path);
    CHECK(!graph->loss, "%s: this list has a loss, %s", path, graph->loss->path);
    const struct loss loss = {smoothing,
                              graph_input(graph, logits->rows, given ? given_labels : input_tokens,
                                          0, logits->columns, given ? "a label" : "a token")};
    struct node *node = graph_node(graph, &loss_type, &loss, sizeof loss, "%s", path);
    node->in[0] = logits;
    node->read[0] = loss.label;
    logits->in_place = true;
    node->out[0] = graph_statistics(graph, logits->rows, 1, "%s.loss", path);
    node->out[1] = graph_statistics(graph, logits->rows, 1, "%s.likelihood", path);
    graph->loss = node->out[0];
    graph->likelihood = node->out[1];
}
