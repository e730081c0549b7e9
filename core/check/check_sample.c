/* Makes models with random parameters, and random batches, for checks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check/model_check.h"
#include "core/config/tree_read.h"

const struct capacity check_capacity = {{CHECK_ROWS, CHECK_ROWS}, CHECK_SENTENCES, CHECK_LONGEST};

void check_open(struct check_subject *subject, const struct ops *ops, const char *name,
                const char *yaml)
{
    *subject = (struct check_subject){.elements = 3};
    struct arena *arena = &subject->arena;
    struct tree *tree = tree_merge(arena, NULL, tree_parse(arena, name, yaml));
    translator_options_read(&subject->options, tree, arena);
    const int words[SIDES] = {CHECK_WORDS, CHECK_WORDS};
    subject->model = translator_new(arena, ops, &subject->options, words, .1);
    subject->train = model_list(subject->model, subject->model->arena, GRAPH_TRAIN);
    model_place(subject->model, true, 5);
    graph_plan(subject->train, check_capacity);
    graph_place(subject->train);
    check_poison(subject->train);
}

void check_close(struct check_subject *subject)
{
    graph_release(subject->train);
    model_release(subject->model);
    arena_free(&subject->arena);
}

struct graph *check_list(struct model *model, struct arena *arena, enum graph_mode mode,
                         const char *keep)
{
    struct graph *graph = model_list(model, arena, mode);
    if (keep)
        graph_keep(graph, keep);
    else
        graph_keep_losses(graph);
    graph_plan(graph, check_capacity);
    graph_place(graph);
    check_poison(graph);
    return graph;
}

void check_poison_bytes(const struct ops *ops, void *memory, size_t bytes)
{
    SCOPED(heap_free) void *poison = heap_alloc(bytes);
    memset(poison, 0xff, bytes);
    ops->upload(memory, poison, bytes);
}

void check_poison(struct graph *graph)
{
    check_poison_bytes(graph->ops, graph->memory, graph->memory_bytes);
}

static struct field field_new(struct arena *arena, struct random_key key, int B, int longest)
{
    struct field field = {.B = B};
    int32_t *start = ARENA_ARRAY(arena, int32_t, B + 1);
    for (int b = 0; b < B; b++) {
        const int n = b ? 1 + (int)random_below(key, (uint64_t)b, 0, (uint32_t)longest) : 1;
        start[b + 1] = start[b] + n;
        if (n > field.longest) field.longest = n;
    }
    field.T = start[B];
    int32_t *token = ARENA_ARRAY(arena, int32_t, field.T);
    for (int t = 0; t < field.T; t++)
        token[t] = (int32_t)random_below(key, (uint64_t)t, 1, CHECK_WORDS);
    field.start = start;
    field.token = token;
    return field;
}

struct batch check_batch(struct arena *arena, uint32_t seed, int B, int longest)
{
    struct batch batch = {0};
    for (uint32_t f = 0; f < FIELDS; f++)
        batch.field[f] = field_new(arena, (struct random_key){seed, 1 + f}, B, longest);
    return batch;
}

struct batch check_batch_part(struct arena *arena, const struct batch *batch, int from, int to)
{
    struct batch part = {.first_sentence = batch->first_sentence + from};
    for (int f = 0; f < FIELDS; f++) {
        const struct field *whole = &batch->field[f];
        int32_t *start = ARENA_ARRAY(arena, int32_t, to - from + 1);
        for (int b = from; b <= to; b++) start[b - from] = whole->start[b] - whole->start[from];
        part.field[f] = (struct field){.T = start[to - from],
                                       .B = to - from,
                                       .longest = whole->longest,
                                       .token = whole->token + whole->start[from],
                                       .start = start};
        part.first_token[f] = batch->first_token[f] + whole->start[from];
    }
    return part;
}

struct step check_step(uint32_t seed)
{
    return (struct step){.seed = seed, .number = 3, .normalizer = 1};
}

double check_forward(struct graph *graph, const struct step *step, const struct batch *batch)
{
    graph_set_step(graph, step);
    graph_load(graph, batch);
    graph_forward(graph);
    return graph->loss->kept ? graph_losses(graph).loss : 0;
}

real *check_read(struct arena *arena, const struct graph *graph, const char *path)
{
    const struct value *value = graph_find(graph, path);
    CHECK(value && value->kept, "no value %s is kept", path);
    real *rows = ARENA_ARRAY(arena, real, graph_rows(value) * value->columns + 1);
    graph_read(graph, value, rows);
    return rows;
}

void check_shake(struct parameters *parameters)
{
    const int64_t count = parameters->slab;
    SCOPED(arena_free) struct arena arena = {0};
    real *host = ARENA_ARRAY(&arena, real, count);
    parameters->ops->download(host, parameters->master, (size_t)count * sizeof *host);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        const struct random_key key = {6, parameter->stream};
        /* sums over rows change by less than about .1 */
        const double most = .1 / sqrt(parameter->rows);
        for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
            host[parameter->offset + i] +=
                (real)(most * (2 * random_uniform(key, (uint64_t)i, 0) - 1));
    }
    parameters->ops->upload(parameters->master, host, (size_t)count * sizeof *host);
    parameters_refresh(parameters);
}
