/* Computes the training loss: the cross-entropy between logits and labels, for each row. */
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
    const struct value *logits = node->in[0];
    struct cross_entropy c = {.step = graph->step, .label = loss->label->data};
    c.T = graph_rows(logits), c.rows = graph_counted(logits), c.V = logits->columns;
    c.logits = logits->data, c.ld = logits->ld;
    c.smoothing = loss->smoothing, c.gradient = c.zeros = graph->mode == GRAPH_TRAIN;
    c.loss = node->out[0]->data, c.likelihood = node->out[1]->data;
    graph->ops->cross_entropy(&c);
}

/* Does nothing: forward has overwritten the logits with their gradient. */
static void backward(struct graph *graph, struct node *node)
{
}

static const struct node_type loss_type = {"loss", forward, backward, SOLE_READER | LEAVES_ZEROS,
                                           NULL};

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
    struct node *node = graph_node(graph, &loss_type, &loss, sizeof loss, path);
    node->in[0] = logits;
    node->read[0] = loss.label;
    logits->in_place = true;
    node->out[0] =
        graph_statistics(graph, logits->rows, 1, arena_print(graph->arena, "%s.loss", path));
    node->out[1] =
        graph_statistics(graph, logits->rows, 1, arena_print(graph->arena, "%s.likelihood", path));
    graph->loss = node->out[0];
    graph->likelihood = node->out[1];
}
