/* Measures the time of one block. It is between an embedding and a loss, whose cost is small
 * because they have few classes. */
#include "dev/bench_block.h"

#include "core/layer/layer.h"
#include "core/tensor/graph_run.h"

enum { CLASSES = 16 };

static struct batch random_batch(const struct bench_block *block, struct arena *arena)
{
    const struct random_key key = {1, random_stream("bench.block")};
    int32_t *start = ARENA_ARRAY(arena, int32_t, block->sentences + 1);
    int longest = 0;
    for (int b = 0; b < block->sentences; b++) {
        start[b + 1] = start[b] + block->length[b];
        if (block->length[b] > longest) longest = block->length[b];
    }
    const int T = start[block->sentences];
    int32_t *token = ARENA_ARRAY(arena, int32_t, T);
    for (int t = 0; t < T; t++) token[t] = (int32_t)random_below(key, (uint64_t)t, 0, CLASSES);
    return (struct batch){
        .field[FIELD_TARGET] = {
            .T = T, .B = block->sentences, .longest = longest, .token = token, .start = start}};
}

static struct graph *build(const struct bench_block *block, const struct field *field,
                           struct parameters *parameters, struct arena *arena)
{
    struct graph *graph = graph_new(arena, block->ops, GRAPH_TRAIN, parameters);
    const struct embed_layer embedding = {
        .rows = graph_tokens(graph, FIELD_TARGET),
        .scale = 1,
        .table = parameter_get(parameters, "embedding", CLASSES, block->width, START_NORMAL, 1)};
    struct value *x = embed_build(graph, &embedding, "embedding");
    x = block->build(graph, x, block->of);
    loss_build(graph, linear_build(graph, x, CLASSES, false, "logits"), LABEL_TOKEN, 0, "loss");
    graph_plan(graph, (struct capacity){{0, field->T}, field->B, field->longest});
    parameters_place(parameters, graph->ops, true);
    parameters_start(parameters, 1);
    parameters_refresh(parameters);
    graph_place(graph);
    return graph;
}

double bench_block_seconds(const struct bench_block *block)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct parameters parameters = {.arena = &arena};
    const struct batch batch = random_batch(block, &arena);
    struct graph *graph = build(block, &batch.field[FIELD_TARGET], &parameters, &arena);
    const struct step step = {.seed = 1, .normalizer = (real)batch.field[FIELD_TARGET].T};
    double seconds[MEASURE_ROUNDS];
    graph_set_step(graph, &step);
    graph_load(graph, &batch);
    for (int round = -1; round < block->rounds; round++) { /* round -1 is the warm-up */
        const double begin = block->clock();
        graph_forward(graph);
        graph_backward(graph, false);
        graph->ops->sync();
        if (round >= 0) seconds[round] = block->clock() - begin;
    }
    graph_release(graph);
    parameters_release(&parameters);
    return measure_median(seconds, block->rounds);
}
