/* The C model in double against what PyTorch computed in float64 (tests/golden, made by
 * scripts/golden/make_golden.py): initial parameters, encoder output, losses, every gradient, ten
 * training steps with dropout, a beam search. Runs on fenced memory: a node that looked into device
 * memory would end the test. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/decode/beam.h"
#include "core/model/safetensors.h"
#include "core/model/translator.h"
#include "core/train/step.h"

struct golden {
    struct arena arena;
    struct tensors tensors;
    struct translator_options options;
    struct train_options train;
    uint32_t seed;
    struct model *model;
    struct graph *graph;
    struct batch batch;
};

static const int32_t *ints(const struct golden *g, const char *name, int *count)
{
    const struct tensor *tensor = tensors_find(&g->tensors, name);
    assert_non_null(tensor);
    assert_int_equal(tensor->format, TENSOR_I32);
    *count = (int)tensor->count;
    return tensor->data;
}

static const double *reals(const struct golden *g, const char *name)
{
    const struct tensor *tensor = tensors_find(&g->tensors, name);
    assert_non_null(tensor);
    assert_int_equal(tensor->format, TENSOR_F64);
    return tensor->data;
}

static struct field read_field(const struct golden *g, const char *name)
{
    char path[64];
    struct field field = {0};
    snprintf(path, sizeof path, "%s.token", name);
    field.token = ints(g, path, &field.T);
    snprintf(path, sizeof path, "%s.start", name);
    field.start = ints(g, path, &field.B);
    field.B--;
    return field;
}

/* "encoder.output", and "output.PATH" for the path of any other output. */
static const char *output_path(const char *name)
{
    if (!strcmp(name, "encoder.output")) return name;
    return strncmp(name, "output.", 7) ? NULL : name + 7;
}

static void keep_outputs(struct golden *g)
{
    for (int i = 0; i < g->tensors.count; i++) {
        const char *path = output_path(g->tensors.tensor[i].name);
        if (path) graph_keep(g->graph, path);
    }
}

static void open_golden(struct golden *g, const char *path, bool dropout)
{
    *g = (struct golden){0};
    g->tensors = tensors_read(&g->arena, path);
    const char *text = tensors_metadata(&g->tensors, "configuration");
    struct tree *tree = tree_parse(&g->arena, path, text);
    translator_options_read(&g->options, tree, &g->arena);
    section_read(&train_section, tree_find(tree, "train"), &g->train, &g->arena);
    if (!dropout)
        g->options.model.dropout = g->options.model.attention_dropout =
            g->options.model.relu_dropout = 0;
    g->seed = (uint32_t)strtoul(tensors_metadata(&g->tensors, "seed"), NULL, 10);
    const int words[SIDES] = {atoi(tensors_metadata(&g->tensors, "source_size")),
                              atoi(tensors_metadata(&g->tensors, "target_size"))};
    g->model = translator_new(&g->arena, ops_fence(cpu_ops()), &g->options, words,
                              g->train.label_smoothing);
    g->graph = model_list(g->model, g->model->arena, GRAPH_TRAIN);
    g->batch.field[FIELD_SOURCE] = read_field(g, "source");
    g->batch.field[FIELD_TARGET] = read_field(g, "target");
    const struct capacity capacity = {
        {g->batch.field[FIELD_SOURCE].T, g->batch.field[FIELD_TARGET].T},
        g->batch.field[FIELD_SOURCE].B,
        32};
    keep_outputs(g);
    graph_plan(g->graph, capacity);
    model_place(g->model, true, g->seed);
    graph_place(g->graph);
}

static void close_golden(struct golden *g)
{
    graph_release(g->graph);
    model_release(g->model);
    arena_free(&g->arena);
}

static void moments(const double *x, int64_t count, double result[2])
{
    result[0] = result[1] = 0;
    for (int64_t i = 0; i < count; i++) result[0] += x[i], result[1] += x[i] * x[i];
}

static void close_to(const char *what, double got, double expected, double tolerance)
{
    if (fabs(got - expected) <= tolerance * (1 + fabs(expected))) return;
    fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

/* Relative to the norm of all of them, with a floor: some gradients are exactly zero. */
static void near_to(const char *what, const double *got, const double *expected, int64_t count,
                    double tolerance)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += pow(got[i] - expected[i], 2);
        norm += expected[i] * expected[i];
    }
    if (!(sqrt(difference) <= tolerance * sqrt(norm) + 1e-14))
        fail_msg("%s: off by %g of %g", what, sqrt(difference), sqrt(norm));
}

static int64_t parameter_count(const struct parameter *parameter)
{
    return (int64_t)parameter->rows * parameter->columns;
}

static double *slab(const struct golden *g, const real *device)
{
    const size_t bytes = (size_t)g->model->parameters.slab * sizeof(double);
    double *host = heap_alloc(bytes);
    g->graph->ops->download(host, device, bytes);
    return host;
}

static void starts_as_the_twin(struct golden *g)
{
    double *master = slab(g, g->model->parameters.master);
    for (int p = 0; p < g->model->parameters.count; p++) {
        const struct parameter *parameter = g->model->parameters.item[p];
        char name[128];
        double got[2];
        snprintf(name, sizeof name, "moments.%s", parameter->path);
        const double *expected = reals(g, name);
        moments(master + parameter->offset, parameter_count(parameter), got);
        close_to(name, got[0], expected[0], 1e-12);
        close_to(name, got[1], expected[1], 1e-12);
        snprintf(name, sizeof name, "parameter.%s", parameter->path);
        if (tensors_find(&g->tensors, name))
            near_to(name, master + parameter->offset, reals(g, name), parameter_count(parameter),
                    1e-12);
    }
    free(master);
}

static void gradients_agree(struct golden *g)
{
    double *gradient = slab(g, g->model->parameters.gradient);
    for (int p = 0; p < g->model->parameters.count; p++) {
        const struct parameter *parameter = g->model->parameters.item[p];
        char name[128];
        snprintf(name, sizeof name, "gradient.%s", parameter->path);
        near_to(name, gradient + parameter->offset, reals(g, name), parameter_count(parameter),
                1e-9);
    }
    free(gradient);
}

static void outputs_agree(struct golden *g)
{
    for (int i = 0; i < g->tensors.count; i++) {
        const struct tensor *expected = &g->tensors.tensor[i];
        const char *path = output_path(expected->name);
        if (!path) continue;
        const struct value *output = graph_find(g->graph, path);
        assert_int_equal(graph_rows(g->graph, output) * output->columns, expected->count);
        double *got = heap_alloc((size_t)expected->count * sizeof *got);
        graph_read(g->graph, output, got);
        near_to(path, got, expected->data, expected->count, 1e-10);
        free(got);
    }
}

static void loss_and_gradients(const char *path)
{
    struct golden g;
    open_golden(&g, path, false);
    starts_as_the_twin(&g);
    struct step step = {.seed = g.seed, .normalizer = g.batch.field[FIELD_TARGET].T};
    graph_set_step(g.graph, &step);
    graph_load(g.graph, &g.batch);
    graph_forward(g.graph);
    outputs_agree(&g);
    close_to("loss", graph_losses(g.graph).loss / step.normalizer, *reals(&g, "loss"), 1e-10);
    graph_backward(g.graph, false);
    gradients_agree(&g);
    close_golden(&g);
}

/* Sentences [from, to) of the packed batch. */
static struct batch part(struct golden *g, int from, int to)
{
    struct batch micro = g->batch;
    for (int f = 0; f < FIELDS; f++) {
        struct field *field = &micro.field[f];
        int32_t *start = ARENA_ARRAY(&g->arena, int32_t, to - from + 1);
        for (int b = from; b <= to; b++) start[b - from] = field->start[b] - field->start[from];
        field->token += field->start[from];
        field->start = start;
        field->B = to - from;
        field->T = start[field->B];
    }
    return micro;
}

/* The trained model's four best hypotheses of every sentence, token by token. */
static void search_agrees(struct golden *g)
{
    struct beam_options options;
    const struct tree *tree =
        tree_parse(&g->arena, "golden", tensors_metadata(&g->tensors, "configuration"));
    if (!tensors_find(&g->tensors, "hypothesis.token")) return;
    section_read(&beam_section, tree_find(tree, "beam"), &options, &g->arena);
    const struct field *source = &g->batch.field[FIELD_SOURCE];
    struct searcher *searcher =
        searcher_open(&g->arena, g->model, &options, source->T, source->B, 32);
    const struct translation *translation = searcher_run(searcher, &g->batch, &g->arena);
    int tokens, starts;
    const int32_t *token = ints(g, "hypothesis.token", &tokens);
    const int32_t *start = ints(g, "hypothesis.start", &starts);
    const double *score = reals(g, "hypothesis.score");
    assert_int_equal(starts, source->B * options.beam + 1);
    for (int b = 0; b < source->B; b++) {
        assert_int_equal(translation[b].count, options.beam);
        for (int k = 0; k < options.beam; k++) {
            const struct hypothesis *got = &translation[b].hypothesis[k];
            const int32_t *expected = token + start[b * options.beam + k];
            close_to("score", got->score, score[b * options.beam + k], 1e-9);
            assert_int_equal(got->count,
                             start[b * options.beam + k + 1] - start[b * options.beam + k]);
            assert_memory_equal(got->token, expected, (size_t)got->count * sizeof *expected);
        }
    }
    searcher_close(searcher);
}

static void ten_steps(const char *path)
{
    struct golden g;
    open_golden(&g, path, true);
    int micros;
    const int32_t *sentences = ints(&g, "micro.sentences", &micros);
    const double *loss = reals(&g, "training.loss"), *norm = reals(&g, "training.norm");
    for (int s = 0; s < 10; s++) {
        struct batch micro[4];
        for (int m = 0, from = 0; m < micros; from += sentences[m++])
            micro[m] = part(&g, from, from + sentences[m]);
        const struct step_result result = train_step(g.model, g.graph, &g.train, g.seed, s, micro,
                                                     micros, g.batch.field[FIELD_TARGET].T);
        close_to("training loss", result.loss, loss[s], 1e-9);
        close_to("training norm", result.norm, norm[s], 1e-9);
    }
    double *master = slab(&g, g.model->parameters.master), sum = 0;
    for (int64_t i = 0; i < g.model->parameters.slab; i++) sum += master[i];
    close_to("sum of all parameters", sum, *reals(&g, "trained.sum"), 1e-9);
    free(master);
    search_agrees(&g);
    close_golden(&g);
}

static void check_loss(void **state)
{
    loss_and_gradients(*state);
}

static void check_steps(void **state)
{
    ten_steps(*state);
}

int main(void)
{
    static const char *const names[] = {
        "base",      "post_norm",       "gate",        "gate_input", "concat",
        "localness", "localness_cross", "gauss_layer", "gauss_head", "gauss_paper",
        "gauss_cut", "gauss_beside",    "gauss_heads", "equations",  "hybrid",
        "hysan",     "hysan_sum"};
    struct CMUnitTest tests[2 * COUNT_OF(names)];
    static char path[COUNT_OF(names)][64], loss[COUNT_OF(names)][64], steps[COUNT_OF(names)][64];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path[i], sizeof path[i], "tests/golden/%s.safetensors", names[i]);
        snprintf(loss[i], sizeof loss[i], "%s_loss_and_gradients", names[i]);
        snprintf(steps[i], sizeof steps[i], "%s_ten_steps", names[i]);
        tests[2 * i] = (struct CMUnitTest){loss[i], check_loss, NULL, NULL, path[i]};
        tests[2 * i + 1] = (struct CMUnitTest){steps[i], check_steps, NULL, NULL, path[i]};
    }
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
