/* A classifier of pairs with an LSTM, trained like Tran et al. 2018, in double against results of
 * PyTorch in float64 (scripts/golden/pairs.py). Runs on fenced memory. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/cpu/cpu.h"
#include "core/model/pair_classifier.h"
#include "core/model/safetensors.h"
#include "core/train/step.h"
#include "tests/support/fence.h"
#include "tests/support/golden_model.h"

enum { STEPS = 10, MICROS_MOST = 4 };

struct golden {
    struct arena arena;
    struct tensors tensors;
    struct translator_options read;
    struct train_options train;
    struct pair_options options;
    uint32_t seed;
    struct model *model;
    struct graph *graph;
    struct batch batch;
};

static const struct tensor *tensor(const struct golden *g, const char *name)
{
    const struct tensor *found = tensors_find(&g->tensors, name);
    if (!found) fail_msg("no tensor %s", name);
    return found;
}

static void open_golden(struct golden *g, bool dropout)
{
    static const char path[] = "tests/golden/pairs.safetensors";
    *g = (struct golden){0};
    g->tensors = tensors_read(&g->arena, path);
    struct tree *tree = tree_parse(&g->arena, path, tensors_metadata(&g->tensors, "configuration"));
    translator_options_read(&g->read, tree, &g->arena);
    section_read(&train_section, tree_find(tree, "train"), &g->train, &g->arena);
    if (!dropout) g->read.model.dropout = 0;
    g->seed = (uint32_t)strtoul(tensors_metadata(&g->tensors, "seed"), NULL, 10);
    const int width = g->read.model.width;
    g->options =
        (struct pair_options){.model = &g->read.model,
                              .encoder = &g->read.encoder,
                              .head = {.pool = POOL_LAST, .layers = 2, .hidden = {width, width}},
                              .words = atoi(tensors_metadata(&g->tensors, "words")),
                              .classes = 7};
    const struct tensor *token = tensor(g, "source.token"), *start = tensor(g, "source.start"),
                        *label = tensor(g, "label");
    g->batch = (struct batch){.field[FIELD_SOURCE] = {.T = (int)token->count,
                                                      .B = (int)start->count - 1,
                                                      .token = token->data,
                                                      .start = start->data},
                              .label = label->data,
                              .labels = (int)label->count};
    g->model = pair_classifier_new(&g->arena, ops_fence(cpu_ops()), &g->options);
    g->graph = model_list(g->model, &g->arena, GRAPH_TRAIN);
    graph_keep(g->graph, "pool");
    graph_plan(g->graph, (struct capacity){
                             {g->batch.field[FIELD_SOURCE].T}, g->batch.field[FIELD_SOURCE].B, 16});
    model_place(g->model, true, g->seed);
    graph_place(g->graph);
}

/* And not zero. */
static void near_to(const char *what, const real *got, const struct tensor *expected,
                    double tolerance)
{
    assert_true(golden_moment(expected->data, expected->count, 2) > 0);
    golden_near(what, got, expected->data, expected->count, tolerance);
}

static const real *slab(struct golden *g, const real *device)
{
    return golden_slab(g->graph, g->model, device);
}

/* Fails unless every parameter has a gradient in the file, and the file has no other gradients. */
static void expect_gradients(struct golden *g, const real *master, const real *gradient)
{
    int there = 0;
    for (int i = 0; i < g->tensors.count; i++)
        there += !strncmp(g->tensors.tensor[i].name, "gradient.", 9);
    assert_int_equal(g->model->parameters.count, there);
    for (int p = 0; p < g->model->parameters.count; p++) {
        const struct parameter *parameter = g->model->parameters.item[p];
        const int64_t count = (int64_t)parameter->rows * parameter->columns;
        const struct tensor *wanted =
            tensor(g, arena_print(&g->arena, "gradient.%s", parameter->path));
        const double *moment =
            tensor(g, arena_print(&g->arena, "moments.%s", parameter->path))->data;
        assert_int_equal(wanted->count, count);
        near_to(parameter->path, gradient + parameter->offset, wanted, 1e-9);
        for (int m = 0; m < 2; m++)
            golden_close(parameter->path, golden_moment(master + parameter->offset, count, m + 1),
                         moment[m], 1e-12);
    }
}

TEST(loss_and_gradients)
{
    struct golden g;
    open_golden(&g, false);
    struct step step = {.seed = g.seed, .normalizer = 1};
    graph_set_step(g.graph, &step);
    graph_load(g.graph, &g.batch);
    graph_forward(g.graph);
    const struct tensor *pool = tensor(&g, "pool");
    real *got = arena_alloc(&g.arena, (size_t)pool->count * sizeof *got);
    graph_read(g.graph, graph_find(g.graph, "pool"), got);
    near_to("pool", got, pool, 1e-10);
    golden_close("loss", graph_losses(g.graph).loss, *(const double *)tensor(&g, "loss")->data,
                 1e-10);
    graph_backward(g.graph, false);
    expect_gradients(&g, slab(&g, g.model->parameters.master),
                     slab(&g, g.model->parameters.gradient));
    golden_release(g.graph, g.model, &g.arena);
}

/* Returns pairs [from, from + count) of the packed batch. */
static struct batch part(struct golden *g, int from, int count)
{
    struct batch micro = g->batch;
    struct field *field = &micro.field[FIELD_SOURCE];
    int32_t *start = ARENA_ARRAY(&g->arena, int32_t, 2 * count + 1);
    for (int b = 0; b <= 2 * count; b++)
        start[b] = field->start[2 * from + b] - field->start[2 * from];
    field->token += field->start[2 * from];
    field->start = start;
    field->B = 2 * count;
    field->T = start[2 * count];
    micro.label += from;
    micro.labels = count;
    return micro;
}

TEST(ten_steps)
{
    struct golden g;
    open_golden(&g, true);
    const struct tensor *pairs = tensor(&g, "micro.pairs");
    const double *loss = tensor(&g, "training.loss")->data,
                 *norm = tensor(&g, "training.norm")->data;
    assert_in_range(pairs->count, 2, MICROS_MOST);
    for (int s = 0; s < STEPS; s++) {
        struct batch micro[MICROS_MOST];
        for (int m = 0, from = 0; m < pairs->count; m++) {
            const int count = ((const int32_t *)pairs->data)[m];
            micro[m] = part(&g, from, count);
            from += count;
        }
        const struct learner learner = {
            .model = g.model, .list = g.graph, .train = &g.train, .seed = g.seed};
        const struct step_result result = train_step(
            &learner, s, &(struct learner_step){micro, (int)pairs->count, g.batch.labels});
        golden_close("training loss", result.loss, loss[s], 1e-9);
        golden_close("training norm", result.norm, norm[s], 1e-9);
    }
    const real *master = slab(&g, g.model->parameters.master);
    golden_close("sum of all parameters", golden_moment(master, g.model->parameters.slab, 1),
                 *(const double *)tensor(&g, "trained.sum")->data, 1e-9);
    golden_release(g.graph, g.model, &g.arena);
}
