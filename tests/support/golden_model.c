/* Runs the tests of tests/golden. Each file holds a model, a batch and the expected results. */
#include "tests/support/golden_model.h"

#include "core/config/tree_read.h"
#include "core/model/safetensors.h"
#include "tests/support/test_model.h"
#include "tests/support/test.h"

static const struct ops *table;
static const struct golden_limits *limits;

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

/* Returns the path of an output: "encoder.output" itself, PATH of "output.PATH"; else NULL. */
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
    g->model = translator_new(&g->arena, table, &g->options, words, g->train.label_smoothing);
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

void golden_release(struct graph *graph, struct model *model, struct arena *own)
{
    graph_release(graph);
    model_release(model);
    arena_free(own);
}

double golden_moment(const real *x, int64_t count, int power)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += pow((double)x[i], power);
    return sum;
}

void golden_close(const char *what, double got, double expected, double tolerance)
{
    if (fabs(got - expected) <= tolerance * (1 + fabs(expected))) return;
    fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

void golden_near(const char *what, const real *got, const double *expected, int64_t count,
                 double tolerance)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += pow((double)got[i] - expected[i], 2);
        norm += expected[i] * expected[i];
    }
    if (!(sqrt(difference) <= tolerance * sqrt(norm)))
        fail_msg("%s: off by %g of %g", what, sqrt(difference), sqrt(norm));
}

static int64_t parameter_count(const struct parameter *parameter)
{
    return (int64_t)parameter->rows * parameter->columns;
}

real *golden_slab(const struct graph *graph, const struct model *model, const real *device)
{
    const size_t bytes = (size_t)model->parameters.slab * sizeof(real);
    real *host = arena_alloc(&arena, bytes);
    graph->ops->download(host, device, bytes);
    return host;
}

static const real *slab(struct golden *g, const real *device)
{
    return golden_slab(g->graph, g->model, device);
}

static void starts_as_the_twin(struct golden *g)
{
    const real *master = slab(g, g->model->parameters.master);
    for (int p = 0; p < g->model->parameters.count; p++) {
        const struct parameter *parameter = g->model->parameters.item[p];
        const real *own = master + parameter->offset;
        const int64_t count = parameter_count(parameter);
        char name[128];
        snprintf(name, sizeof name, "moments.%s", parameter->path);
        const double *expected = reals(g, name);
        for (int m = 0; m < 2; m++)
            golden_close(name, golden_moment(own, count, m + 1), expected[m], limits->start);
        snprintf(name, sizeof name, "parameter.%s", parameter->path);
        if (tensors_find(&g->tensors, name))
            golden_near(name, own, reals(g, name), count, limits->start);
    }
}

static void gradients_agree(struct golden *g)
{
    const real *gradient = slab(g, g->model->parameters.gradient);
    for (int p = 0; p < g->model->parameters.count; p++) {
        const struct parameter *parameter = g->model->parameters.item[p];
        char name[128];
        snprintf(name, sizeof name, "gradient.%s", parameter->path);
        golden_near(name, gradient + parameter->offset, reals(g, name), parameter_count(parameter),
                    limits->gradient);
    }
}

static void outputs_agree(struct golden *g)
{
    for (int i = 0; i < g->tensors.count; i++) {
        const struct tensor *expected = &g->tensors.tensor[i];
        const char *path = output_path(expected->name);
        if (!path) continue;
        const struct value *output = graph_find(g->graph, path);
        assert_int_equal(output->rows->count * output->columns, expected->count);
        real *got = heap_alloc((size_t)expected->count * sizeof *got);
        graph_read(g->graph, output, got);
        golden_near(path, got, expected->data, expected->count, limits->output);
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
    golden_close("loss", graph_losses(g.graph).loss / step.normalizer, *reals(&g, "loss"),
                 limits->loss);
    graph_backward(g.graph, false);
    gradients_agree(&g);
    golden_release(g.graph, g.model, &g.arena);
}

/* Returns sentences [from, to) of the packed batch. */
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

/* Checks the trained model's four best hypotheses of every sentence, token by token. */
static void search_agrees(struct golden *g)
{
    struct beam_options options;
    const struct tree *tree =
        tree_parse(&g->arena, "golden", tensors_metadata(&g->tensors, "configuration"));
    if (!tensors_find(&g->tensors, "hypothesis.token")) return;
    section_read(&beam_section, tree_find(tree, "beam"), &options, &g->arena);
    const struct field *source = &g->batch.field[FIELD_SOURCE];
    struct searcher *searcher =
        searcher_open(&g->arena, g->model, &options, (struct capacity){{source->T}, source->B, 32});
    const struct translation *translation = searcher_run(searcher, &g->batch);
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
            golden_close("score", got->score, score[b * options.beam + k], limits->score);
            assert_int_equal(got->count,
                             start[b * options.beam + k + 1] - start[b * options.beam + k]);
            assert_memory_equal(got->token, expected, (size_t)got->count * sizeof *expected);
        }
    }
    searcher_close(searcher);
}

enum { STEPS = 10 };

static void ten_steps(const char *path)
{
    struct golden g;
    open_golden(&g, path, true);
    int micros;
    const int32_t *sentences = ints(&g, "micro.sentences", &micros);
    const double *loss = reals(&g, "training.loss"), *norm = reals(&g, "training.norm");
    const int steps = limits->steps ? limits->steps : STEPS;
    for (int s = 0; s < steps; s++) {
        struct batch micro[4];
        for (int m = 0, from = 0; m < micros; from += sentences[m++])
            micro[m] = part(&g, from, from + sentences[m]);
        const struct step_result result =
            train_step(&(struct learner){.model = g.model,
                                         .list = g.graph,
                                         .train = &g.train,
                                         .total = STEPS,
                                         .seed = g.seed},
                       s, &(struct learner_step){micro, micros, g.batch.field[FIELD_TARGET].T});
        golden_close("training loss", result.loss, loss[s], limits->trained);
        golden_close("training norm", result.norm, norm[s], limits->norm);
    }
    const real *master = slab(&g, g.model->parameters.master);
    if (steps == STEPS && limits->sum > 0)
        golden_close("sum of all parameters", golden_moment(master, g.model->parameters.slab, 1),
                     *reals(&g, "trained.sum"), limits->sum);
    if (steps == STEPS) search_agrees(&g);
    golden_release(g.graph, g.model, &g.arena);
}

static void check_loss(void **state)
{
    loss_and_gradients(*state);
}

static void compare_steps(void **state)
{
    ten_steps(*state);
}

const struct golden_limits golden_device = {.start = 1e-6,
                                            .output = 1e-6,
                                            .loss = 1e-6,
                                            .gradient = 1e-4,
                                            .trained = 5e-5,
                                            .norm = 1e-3,
                                            .score = 1e-3};

const char *const golden_names[] = {"base",        "post_norm",    "gate",
                                    "gate_input",  "concat",       "rope",
                                    "t5",          "localness",    "localness_cross",
                                    "gauss_layer", "gauss_head",   "gauss_paper",
                                    "gauss_cut",   "gauss_beside", "gauss_heads",
                                    "equations",   "hybrid",       "hysan",
                                    "hysan_sum",   "shortcut",     "recurrent_post_norm",
                                    "cosine",      "linear"};
const int golden_count = COUNT_OF(golden_names);

int golden_run(const char *name, const struct ops *ops, const struct golden_limits *of_ops,
               const char *only)
{
    enum { FILES = COUNT_OF(golden_names) };
    table = ops;
    limits = of_ops;
    struct CMUnitTest tests[2 * FILES];
    static char path[FILES][64], loss[FILES][64], steps[FILES][64];
    int count = 0;
    for (int i = 0; i < FILES; i++) {
        const char *file = golden_names[i];
        if (only && strcmp(only, file) != 0) continue;
        snprintf(path[i], sizeof path[i], "tests/golden/%s.safetensors", file);
        snprintf(loss[i], sizeof loss[i], "%s_loss_and_gradients", file);
        snprintf(steps[i], sizeof steps[i], "%s_ten_steps", file);
        tests[count++] = (struct CMUnitTest){loss[i], check_loss, NULL, NULL, path[i]};
        tests[count++] = (struct CMUnitTest){steps[i], compare_steps, NULL, NULL, path[i]};
    }
    return _cmocka_run_group_tests(name, tests, (size_t)count, NULL, NULL);
}
