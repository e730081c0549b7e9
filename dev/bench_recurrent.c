/* Measures the time of one recurrent layer (both directions and their projection), forward and
 * backward, over sentences of a corpus. scripts/compare/bench_cpu compares the result with
 * PyTorch. */
#include <stdlib.h>

#include "core/layer/layer.h"
#include "core/tensor/graph_run.h"
#include "dev/bench_parts.h"

enum { CLASSES = 16 };

/* Chooses training sentences from a list that is sorted by length. By default they are neighbors
 * around the median, as in the batch of a training step. If `mixed` is true, they are equally
 * spaced from the shortest to the longest. */
static void take_lengths(const struct bench *bench, bool mixed, int sentences, int *length)
{
    const struct split *train = &bench->translating.corpus->split[SPLIT_TRAIN];
    const int64_t *start = train->side[SIDE_SOURCE].start;
    int *all = ARENA_ARRAY(&bench->call->arena, int, train->sentences);
    if (train->sentences < sentences)
        die("bench: recurrent needs %d training sentences, got %d", sentences, train->sentences);
    for (int s = 0; s < train->sentences; s++) all[s] = (int)(start[s + 1] - start[s]);
    qsort(all, (size_t)train->sentences, sizeof *all, compare_ints);
    for (int b = 0; b < sentences; b++)
        length[b] = mixed ? all[(2 * (int64_t)b + 1) * train->sentences / (2 * sentences)]
                          : all[(train->sentences - sentences) / 2 + b];
}

static struct batch random_batch(const int *length, int sentences, struct arena *arena)
{
    const struct random_key key = {1, random_stream("bench.block")};
    int32_t *start = ARENA_ARRAY(arena, int32_t, sentences + 1);
    int longest = 0;
    for (int b = 0; b < sentences; b++) {
        start[b + 1] = start[b] + length[b];
        if (length[b] > longest) longest = length[b];
    }
    const int T = start[sentences];
    int32_t *token = ARENA_ARRAY(arena, int32_t, T);
    for (int t = 0; t < T; t++) token[t] = (int32_t)random_below(key, (uint64_t)t, 0, CLASSES);
    return (struct batch){
        .field[FIELD_TARGET] = {
            .T = T, .B = sentences, .longest = longest, .token = token, .start = start}};
}

/* The layer is between an embedding and a loss, whose cost is small because they have few
 * classes. */
static struct graph *build(const struct bench *bench, int chunk, const struct field *field,
                           struct parameters *parameters, struct arena *arena)
{
    const int width = bench->translating.model->model.width;
    struct graph *graph = graph_new(arena, bench->translating.ops, GRAPH_TRAIN, parameters);
    const struct embed_layer embedding = {
        .rows = graph_tokens(graph, FIELD_TARGET),
        .scale = 1,
        .table = parameter_get(parameters, "embedding", CLASSES, width, START_NORMAL, 1)};
    const struct recurrence both = {.chunk = chunk,
                                    .forward = true,
                                    .backward = true,
                                    .path = "layer.recurrence",
                                    .owner = "layer"};
    struct value *x = recurrence_build(graph, embed_build(graph, &embedding, "embedding"), &both);
    x = linear_build(graph, x, width, true, "layer.output");
    loss_build(graph, linear_build(graph, x, CLASSES, false, "logits"), LABEL_TOKEN, 0, "loss");
    graph_plan(graph, (struct capacity){{0, field->T}, field->B, field->longest});
    parameters_place(parameters, graph->ops, true);
    parameters_start(parameters, 1);
    parameters_refresh(parameters);
    graph_place(graph);
    return graph;
}

/* Returns the median of the seconds of a forward and a backward pass. */
static double measure(const struct bench *bench, int chunk, const int *length, int sentences)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct parameters parameters = {.arena = &arena};
    const struct batch batch = random_batch(length, sentences, &arena);
    struct graph *graph = build(bench, chunk, &batch.field[FIELD_TARGET], &parameters, &arena);
    const struct step step = {.seed = 1, .normalizer = (real)batch.field[FIELD_TARGET].T};
    double seconds[MEASURE_ROUNDS];
    graph_set_step(graph, &step);
    graph_load(graph, &batch);
    for (int round = -1; round < bench->rounds; round++) { /* round -1 is the warm-up */
        const double begin = bench->clock();
        graph_forward(graph);
        graph_backward(graph, false);
        graph->ops->sync();
        if (round >= 0) seconds[round] = bench->clock() - begin;
    }
    graph_release(graph);
    parameters_release(&parameters);
    return measure_median(seconds, bench->rounds);
}

void bench_recurrent(struct bench *bench)
{
    enum { COLUMNS = 5, MOST = 64 };
    static const char *const header[COLUMNS] = {"layer", "sentences", "lengths", "tokens", "ms"};
    static const char *const kind[] = {"lstm", "onlstm"};
    static const int count[] = {32, MOST};
    struct arena *arena = &bench->call->arena;
    const struct ops *ops = bench_open_device(bench);
    printf("one recurrent layer of width %d, both directions and their projection, forward and "
           "backward\n",
           bench->translating.model->model.width);
    bench_print_machine(bench, ops);
    putchar('\n');
    struct sheet *sheet =
        sheet_headed(arena, 2 * COUNT_OF(kind) * COUNT_OF(count), COLUMNS, header, 1);
    int row = 0;
    for (int chunk = 0; chunk < (int)COUNT_OF(kind); chunk++)
        for (int i = 0; i < (int)COUNT_OF(count); i++)
            for (int mixed = 0; mixed < 2; mixed++) {
                int length[MOST], tokens = 0;
                take_lengths(bench, mixed, count[i], length);
                for (int b = 0; b < count[i]; b++) tokens += length[b];
                bench_cells(arena, sheet, row++, 0, "%s|%d|%s|%d|%.2f", kind[chunk], count[i],
                            mixed ? "mixed" : "alike", tokens,
                            1e3 * measure(bench, chunk, length, count[i]));
            }
    sheet_text(sheet, stdout);
    printf("\nmedians of %d rounds; sentences by length: alike: around the median; mixed: equally "
           "spaced from the shortest to the longest\n",
           bench->rounds);
}
