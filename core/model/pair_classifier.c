/* Builds a classifier of sentence pairs. The encoder processes 2P sentences. Their pooled vectors
 * form P pairs. */
#include "core/model/pair_classifier.h"

#include <math.h>

#include "core/model/encoder.h"

static struct value *pooled(struct graph *graph, const struct pair_options *options,
                            struct value *x)
{
    const struct model_options *model = options->model;
    const struct pair_head *head = &options->head;
    if (!head->queries) return pool_build(graph, x, head->pool, true, "pool");
    struct attention_spec spec = attention_plain;
    spec.unbiased = !model->attention_bias;
    const struct embed_layer queries = {.rows = graph_sentences(graph, FIELD_SOURCE, head->queries),
                                        .scale = 1,
                                        .table = parameter_matrix(graph->parameters, "pool.queries",
                                                                  head->queries, model->width,
                                                                  START_NORMAL, 1)};
    struct value *rows = attention_cross(graph, embed_build(graph, &queries, "pool.rows"), x,
                                         model->heads, &spec, model->attention_dropout, "pool");
    graph_alias(graph, "pool", rows);
    return rows;
}

static void build(struct graph *graph, const void *spec)
{
    const struct pair_options *options = spec;
    const struct model_options *model = options->model;
    const struct pair_head *head = &options->head;
    encoder_bias(graph, model);
    struct parameter *table = parameter_get(graph->parameters, "source.embedding", options->words,
                                            model->width, START_NORMAL, 1 / sqrt(model->width));
    struct value *x = encoder_build(graph, model, options->encoder, FIELD_SOURCE, table);
    x = pair_build(graph, pooled(graph, options, x), head->match, "pair");
    for (int l = 1; l <= head->layers; l++) {
        const char *path = arena_print(graph->arena, "classifier.%d", l);
        x = linear_build(graph, x, head->hidden[l - 1], true, path);
        x = relu_build(graph, x, 0, arena_print(graph->arena, "%s.relu", path));
    }
    struct value *logits = linear_build(graph, x, options->classes, true, "logits");
    loss_build(graph, logits, LABEL_GIVEN, 0, "loss");
}

struct model *pair_classifier_new(struct arena *arena, const struct ops *ops,
                                  const struct pair_options *options)
{
    return model_new(arena, ops, options->model, build, options);
}

struct pair_cost pair_classifier_train_cost(const struct pair_options *options, double pairs,
                                            double tokens)
{
    enum { PAIRS = 10000 }; /* sample whose cost is scaled to `pairs`; row counts are ints */
    SCOPED(arena_free) struct arena arena = {0};
    struct model *model = pair_classifier_new(&arena, NULL, options);
    struct graph *graph = model_list(model, &arena, GRAPH_TRAIN);
    const double scale = PAIRS / fmax(1, pairs);
    graph_count(graph, &(struct batch){
                           .field[FIELD_SOURCE] = {.T = (int)(tokens * scale), .B = 2 * PAIRS}});
    const struct pair_cost cost = {3 * graph_flops(graph) / scale, 3 * graph_work(graph) / scale};
    return cost;
}
