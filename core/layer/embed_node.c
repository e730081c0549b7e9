/* Embedding node: looks up the row of a table for each token, and adds positional encoding and
 * bias. */
#include <stdlib.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/layer/layer.h"

struct embedding {
    double scale;
    const struct positional *sinusoid; /* NULL: no positional encoding */
};

/* Indices in read[]. A step list has no inputs. The order is NULL if the op table does not need it;
 * the positions are NULL without positional encoding. */
enum { READ_TOKEN, READ_POSITION, READ_ORDER };

static void previous_tokens(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    const struct field *field = &batch->field[rows->field];
    for (int t = 1; t < field->T; t++) to[t] = field->token[t - 1];
    for (int b = 0; b < field->B; b++)
        if (field->start[b] < field->T) to[field->start[b]] = -1;
}

/* Sorts rows by the token from `fill` (-1 included), ties by index: a counting sort. */
static void sort_rows(const struct batch *batch, const struct rows *rows, input_fill *fill,
                      int32_t *to)
{
    int32_t *token = heap_alloc((size_t)rows->count * sizeof *token), most = -1;
    fill(batch, rows, token);
    for (int t = 0; t < rows->count; t++) most = token[t] > most ? token[t] : most;
    /* place[token + 1] is the next index for a row of this token. Before the sums, place[token + 2]
     * is the number of rows of the token. */
    SCOPED(heap_free) int32_t *place = heap_alloc(((size_t)most + 3) * sizeof *place);
    for (int t = 0; t < rows->count; t++) place[token[t] + 2]++;
    for (int32_t i = 0; i <= most; i++) place[i + 1] += place[i];
    for (int t = 0; t < rows->count; t++) to[place[token[t] + 1]++] = t;
    free(token);
}

static void rows_by_token(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    sort_rows(batch, rows, input_tokens, to);
}

static void rows_by_previous(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    sort_rows(batch, rows, previous_tokens, to);
}

/* Index of each row in its sentence, 0 .. each-1, for rows of sentences. */
static void places(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    for (int t = 0; t < rows->count; t++) to[t] = t % rows->each;
}

static void rows_by_place(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    sort_rows(batch, rows, places, to);
}

static void fill_sinusoids(int length, int columns, double timescale, bool halves, real *to)
{
    const int half = columns / 2;
    /* Rates fall from 1 to 1 / timescale. The last rate is 1 / timescale only with `halves`. */
    const double steps = halves ? half - 1 : half;
    const double range = elementary_log(timescale);
    for (int k = 0; k < half; k++) {
        const double rate = half > 1 ? elementary_exp(-k * range / steps) : 1;
        for (int p = 0; p < length; p++) {
            real *row = to + (int64_t)p * columns;
            row[halves ? k : 2 * k] = (real)elementary_sin(p * rate);
            row[halves ? half + k : 2 * k + 1] = (real)elementary_cos(p * rate);
        }
    }
}

static void sinusoids_in_halves(int length, int columns, double timescale, real *to)
{
    fill_sinusoids(length, columns, timescale, true, to);
}

static void sinusoids_interleaved(int length, int columns, double timescale, real *to)
{
    fill_sinusoids(length, columns, timescale, false, to);
}

static void fill(const struct graph *graph, const struct node *node, struct embed *a)
{
    const struct embedding *e = node->options;
    const struct value *y = node->out[0];
    const struct input *order = node->read[READ_ORDER];
    const bool step = graph->mode == GRAPH_STEP;
    const struct parameter *table = node->parameter[0], *bias = node->parameter[1];
    a->step = graph->step, a->dropout = node->dropout, a->scale = (real)e->scale;
    a->T = graph_rows(y), a->rows = graph_counted(y), a->D = y->columns, a->V = table->rows;
    a->token = step ? graph->live->previous : node->read[READ_TOKEN]->data;
    if (order) a->order = order->data;
    if (e->sinusoid) {
        a->sinusoid = e->sinusoid->data;
        a->position = step ? graph->live->positions : node->read[READ_POSITION]->data;
    }
    a->table = graph_master(graph, table), a->table_gradient = graph_gradient(graph, table);
    a->add_table = node_adds(graph, node, 0);
    a->bias = graph_master(graph, bias), a->bias_gradient = graph_gradient(graph, bias);
    a->add_bias = node_adds(graph, node, 1);
    a->out = y->data, a->out_gradient = y->gradient;
}

NODE_OP(embed, struct embed, fill(graph, node, &arguments))

static void backward(struct graph *graph, struct node *node)
{
    if (node->async) graph_fork(graph);
    embed_backward(graph, node);
    if (node->async) graph_fork_end(graph);
}

static const struct node_type embed_type = {"embed", embed_forward, backward, 0, NULL};

static struct positional *sinusoids_of(struct graph *graph, const struct embed_layer *layer)
{
    if (layer->sinusoid == SINUSOID_NONE) return NULL;
    return graph_positional(graph, layer->table->columns,
                            layer->sinusoid == SINUSOID_HALVES ? sinusoids_in_halves
                                                               : sinusoids_interleaved,
                            layer->timescale > 0 ? layer->timescale : 10000);
}

struct value *embed_build(struct graph *graph, const struct embed_layer *layer, const char *path)
{
    struct rows *rows = layer->rows;
    const bool placed = rows->of == ROWS_SENTENCES, shifted = layer->shifted;
    CHECK(rows->of == ROWS_TOKENS ||
              (placed && !shifted && rows->each == layer->table->rows && !layer->sinusoid),
          "%s: its rows are not tokens", path);
    const struct embedding e = {layer->scale, sinusoids_of(graph, layer)};
    struct node *node = graph_node(graph, &embed_type, &e, sizeof e, path);
    input_fill *tokens = placed ? places : shifted ? previous_tokens : input_tokens;
    input_fill *order = placed ? rows_by_place : shifted ? rows_by_previous : rows_by_token;
    if (graph->mode != GRAPH_STEP) {
        node->read[READ_TOKEN] =
            graph_input(graph, rows, tokens, shifted ? -1 : 0, layer->table->rows, "a token");
        if (graph->mode == GRAPH_TRAIN && graph->ops && graph->ops->lists & OPS_ORDER)
            node->read[READ_ORDER] = graph_input(graph, rows, order, 0, INT32_MAX, "a row");
        if (e.sinusoid)
            node->read[READ_POSITION] =
                graph_input(graph, rows, input_positions, 0, INT32_MAX, "a position");
    }
    node->parameter[0] = layer->table;
    node->parameter[1] = layer->bias;
    node->dropout = graph_dropout(graph, path, layer->dropout, rows);
    node->async = graph->mode == GRAPH_TRAIN && graph->ops && graph->ops->fork;
    return node->out[0] = graph_value(graph, rows, layer->table->columns, path);
}
