#include "tests/support/model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

const struct capacity test_capacity = {{TEST_ROWS, TEST_ROWS}, TEST_SENTENCES, TEST_LONGEST};

void test_model_open(struct test_model *m, const struct ops *ops, const char *yaml)
{
    *m = (struct test_model){0};
    struct tree *tree = tree_merge(&m->arena, NULL, tree_parse(&m->arena, "model.yaml", yaml));
    translator_options_read(&m->options, tree, &m->arena);
    const struct translator_build build = {.options = &m->options, .source_size = TEST_SOURCE,
                                           .target_size = TEST_TARGET, .ops = ops,
                                           .label_smoothing = .1};
    m->model = translator_new(&m->arena, &build);
    m->train = translator_list(m->model, GRAPH_TRAIN);
    translator_place(m->model, true, 5);
    graph_plan(m->train, test_capacity, translator_sinusoids(m->model));
    graph_place(m->train);
    test_poison(m->train);
}

void test_model_close(struct test_model *m)
{
    graph_release(m->train);
    parameters_release(&m->model->parameters);
    arena_free(&m->arena);
}

struct graph *test_model_list(struct test_model *m, enum graph_mode mode, const char *keep)
{
    struct graph *graph = translator_list(m->model, mode);
    if (keep) graph_keep(graph, keep);
    graph_plan(graph, test_capacity, translator_sinusoids(m->model));
    graph_place(graph);
    test_poison(graph);
    return graph;
}

void test_poison(struct graph *graph)
{
    void *poison = heap_alloc(graph->memory_bytes);
    memset(poison, 0xff, graph->memory_bytes);
    graph->ops->upload(graph->memory, poison, graph->memory_bytes);
    free(poison);
}

real *test_slab(struct test_model *m, const real *device)
{
    const struct parameters *parameters = &m->model->parameters;
    real *host = ARENA_ARRAY(&m->arena, real, parameters->slab);
    parameters->ops->download(host, device, (size_t)parameters->slab * sizeof *host);
    return host;
}

static real *element(struct test_model *m, const char *path, int64_t index)
{
    const struct parameter *parameter = parameter_find(&m->model->parameters, path);
    if (!parameter) fail_msg("no parameter is called %s", path);
    assert_true(index < (int64_t)parameter->rows * parameter->columns);
    return m->model->parameters.master + parameter->offset + index;
}

void test_set(struct test_model *m, const char *path, int64_t index, double value)
{
    const real number = (real)value;
    m->model->parameters.ops->upload(element(m, path, index), &number, sizeof number);
    parameters_refresh(&m->model->parameters);
}

double test_get(struct test_model *m, const char *path, int64_t index)
{
    real number;
    m->model->parameters.ops->download(&number, element(m, path, index), sizeof number);
    return (double)number;
}

static struct field field_new(struct arena *arena, struct random_key key, int B, int longest,
                              int size)
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
        token[t] = (int32_t)random_below(key, (uint64_t)t, 1, (uint32_t)size);
    field.start = start;
    field.token = token;
    return field;
}

struct batch test_batch(struct arena *arena, uint32_t seed, int B, int longest)
{
    return (struct batch){.field[FIELD_SOURCE] = field_new(arena, (struct random_key){seed, 1}, B,
                                                           longest, TEST_SOURCE),
                          .field[FIELD_TARGET] = field_new(arena, (struct random_key){seed, 2}, B,
                                                           longest, TEST_TARGET)};
}

struct batch test_batch_part(struct arena *arena, const struct batch *batch, int from, int to)
{
    struct batch part = {0};
    for (int f = 0; f < FIELDS; f++) {
        const struct field *whole = &batch->field[f];
        int32_t *start = ARENA_ARRAY(arena, int32_t, to - from + 1);
        for (int b = from; b <= to; b++) start[b - from] = whole->start[b] - whole->start[from];
        part.field[f] = (struct field){.T = start[to - from], .B = to - from,
                                       .longest = whole->longest,
                                       .token = whole->token + whole->start[from], .start = start};
        part.first_row[f] = batch->first_row[f] + whole->start[from];
    }
    return part;
}

struct step test_step(uint32_t seed)
{
    return (struct step){.seed = seed, .number = 3, .normalizer = 1, .gradient_scale = 1};
}

double test_loss(struct graph *graph, const struct step *step, const struct batch *batch)
{
    struct step here = *step;
    for (int f = 0; f < FIELDS; f++) here.first_row[f] += batch->first_row[f];
    graph_set_step(graph, &here);
    graph_load(graph, batch);
    graph_forward(graph);
    return graph_losses(graph).loss;
}

double test_backward(struct graph *graph, const struct step *step, const struct batch *batch,
                     bool accumulate)
{
    const double loss = test_loss(graph, step, batch);
    graph_backward(graph, accumulate);
    return loss;
}

real *test_read(struct test_model *m, const struct graph *graph, const char *path)
{
    const struct value *value = graph_find(graph, path);
    if (!value) fail_msg("no output is called %s", path);
    assert_true(value->kept);
    real *rows = ARENA_ARRAY(&m->arena, real, graph_rows(graph, value) * value->columns + 1);
    graph_read(graph, value, rows);
    return rows;
}
