#include "tests/support/gradient.h"

#include "tests/support/double_difference.h"
#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"
#include "tests/support/test.h"

struct leaf {
    struct gradient *g;
    struct value *value;
    double *data, *gradient; /* [capacity rows, columns] */
};

struct probe {
    struct gradient *g;
    double *weight;
};

static double draw(struct gradient *g)
{
    return random_uniform((struct random_key){g->trial, random_stream(g->name)}, g->drawn++, 0);
}

int gradient_between(struct gradient *g, int low, int high)
{
    return low + (int)(draw(g) * (high - low + 1));
}

bool gradient_flip(struct gradient *g)
{
    return draw(g) < .5;
}

double gradient_dropout(struct gradient *g)
{
    return draw(g) < .33 ? 0 : .1 + .4 * draw(g);
}

void gradient_open(struct gradient *g, const char *name, uint32_t trial)
{
    *g = (struct gradient){.name = name, .trial = trial, .elements = 12};
    g->parameters.arena = &g->arena;
    g->batch = test_batch(trial, 2 * gradient_between(g, 1, 2), trial % 3 ? 6 : 20);
    g->step = check_step(trial + 1);
    g->step.normalizer = 7;
    for (int f = 0; f < FIELDS; f++) g->batch.first_token[f] = gradient_between(g, 0, 1000);
    g->batch.first_sentence = 2 * gradient_between(g, 0, 500);
    g->graph = graph_new(&g->arena, cpu_ops(), GRAPH_TRAIN, &g->parameters);
}

void gradient_close(struct gradient *g)
{
    graph_release(g->graph);
    parameters_release(&g->parameters);
    arena_free(&g->arena);
}

/* Copies doubles to reals of the list; both are double in the build that runs this. */
static void leaf_forward(struct graph *graph, struct node *node)
{
    const struct leaf *leaf = *(struct leaf **)node->options;
    const int64_t count = (int64_t)graph_rows(leaf->value) * leaf->value->columns;
    real *row = heap_alloc((size_t)count * sizeof *row);
    for (int64_t i = 0; i < count; i++) row[i] = (real)leaf->data[i];
    graph->ops->write_act(leaf->value->data, 1, count, count, row);
    free(row);
}

static void leaf_backward(struct graph *graph, struct node *node)
{
    const struct leaf *leaf = *(struct leaf **)node->options;
    const int64_t count = (int64_t)graph_rows(leaf->value) * leaf->value->columns;
    real *row = heap_alloc((size_t)count * sizeof *row);
    CHECK(leaf->value->gradient, "nothing reads a leaf");
    graph->ops->read_act(leaf->value->gradient, 1, count, count, row);
    for (int64_t i = 0; i < count; i++) leaf->gradient[i] = (double)row[i];
    free(row);
}

static void probe_forward(struct graph *graph, struct node *node)
{
    const struct probe *probe = node->options;
    const struct value *value = node->in[0];
    real *row = heap_alloc((size_t)value->columns * sizeof *row);
    for (int t = 0; t < graph_rows(value); t++) {
        graph->ops->read_act(act_at(graph->ops, value->data, (int64_t)t * value->ld), 1,
                             value->columns, value->columns, row);
        for (int c = 0; c < value->columns; c++)
            probe->g->objective += (double)row[c] * probe->weight[t * value->columns + c];
    }
    free(row);
}

static void probe_backward(struct graph *graph, struct node *node)
{
    const struct probe *probe = node->options;
    const struct value *value = node->in[0];
    real *row = heap_alloc((size_t)value->columns * sizeof *row);
    for (int t = 0; t < graph_rows(value); t++) {
        struct act *at = act_at(graph->ops, value->gradient, (int64_t)t * value->ld);
        if (node->add_in[0]) graph->ops->read_act(at, 1, value->columns, value->columns, row);
        for (int c = 0; c < value->columns; c++)
            row[c] = (node->add_in[0] ? row[c] : 0) + (real)probe->weight[t * value->columns + c];
        graph->ops->write_act(at, 1, value->columns, value->columns, row);
    }
    free(row);
}

static const struct node_type leaf_type = {"leaf", leaf_forward, leaf_backward, 0, NULL};
static const struct node_type probe_type = {"probe", probe_forward, probe_backward, 0, NULL};

static double *randoms(struct gradient *g, int64_t count)
{
    double *x = ARENA_ARRAY(&g->arena, double, count);
    for (int64_t i = 0; i < count; i++) x[i] = 2 * draw(g) - 1;
    return x;
}

struct value *gradient_leaf(struct gradient *g, struct rows *rows, int columns)
{
    CHECK(g->leaves < GRADIENT_LEAVES, "too many leaves");
    struct leaf *leaf = ARENA_NEW(&g->arena, struct leaf);
    const char *path = arena_print(&g->arena, "leaf.%d", g->leaves);
    struct node *node = graph_node(g->graph, &leaf_type, &leaf, sizeof leaf, path);
    node->out[0] = graph_value(g->graph, rows, columns, path);
    graph_count(g->graph, &g->batch);
    const int64_t count = (int64_t)rows->count * columns;
    *leaf =
        (struct leaf){g, node->out[0], randoms(g, count), ARENA_ARRAY(&g->arena, double, count)};
    g->leaf[g->leaves++] = leaf;
    return leaf->value;
}

void gradient_probe(struct gradient *g, struct value *value)
{
    graph_count(g->graph, &g->batch);
    const struct probe probe = {g, randoms(g, (int64_t)value->rows->count * value->columns)};
    struct node *node = graph_node(g->graph, &probe_type, &probe, sizeof probe,
                                   arena_print(&g->arena, "probe.%s", value->path));
    node->in[0] = value;
}

static double evaluate(void *context)
{
    struct gradient *g = context;
    struct graph *graph = g->graph;
    g->objective = 0;
    check_poison(graph);
    graph_forward(graph);
    if (graph->loss) g->objective += graph_losses(graph).loss / g->step.normalizer;
    return g->objective;
}

static void move_leaf(void *context, const double *direction, double amount)
{
    struct leaf *leaf = context;
    const int64_t count = (int64_t)leaf->value->rows->count * leaf->value->columns;
    for (int64_t i = 0; i < count; i++) leaf->data[i] += amount * direction[i];
}

struct moved {
    struct gradient *g;
    const struct parameter *parameter;
};

static void move_parameter(void *context, const double *direction, double amount)
{
    const struct moved *moved = context;
    difference_move(&moved->g->parameters, moved->parameter, direction, amount);
}

static double evaluate_leaf(void *context)
{
    return evaluate(((struct leaf *)context)->g);
}

static double evaluate_parameter(void *context)
{
    return evaluate(((struct moved *)context)->g);
}

/* Draws all masters at random, so that no gain is 1 and no offset is 0. */
static void start(struct gradient *g)
{
    struct parameters *parameters = &g->parameters;
    real *host = ARENA_ARRAY(&g->arena, real, parameters->slab);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
            host[parameter->offset + i] = (real)(1.4 * draw(g) - .7);
    }
    parameters->ops->upload(parameters->master, host, (size_t)parameters->slab * sizeof *host);
    parameters_refresh(parameters);
}

static void check(const struct difference *d)
{
    struct finding finding = {.limit = difference_limit};
    difference_find(d, &finding);
    if (!finding.ok) fail_msg("%s", finding.where);
}

void gradient_check(struct gradient *g)
{
    struct graph *graph = g->graph;
    struct parameters *parameters = &g->parameters;
    graph_plan(graph, check_capacity);
    parameters_place(parameters, graph->ops, true);
    start(g);
    graph_place(graph);
    graph_set_step(graph, &g->step);
    graph_load(graph, &g->batch);
    evaluate(g);
    graph_backward(graph, false);
    struct difference d = {.evaluate = evaluate_leaf,
                           .move = move_leaf,
                           .directions = 1 + g->elements / 6,
                           .elements = g->elements,
                           .seed = g->trial};
    char name[300];
    for (int i = 0; i < g->leaves; i++) {
        struct leaf *leaf = g->leaf[i];
        snprintf(name, sizeof name, "%s, trial %u: %s", g->name, g->trial, leaf->value->path);
        d.name = name;
        d.count = (int64_t)leaf->value->rows->count * leaf->value->columns;
        d.gradient = leaf->gradient;
        d.context = leaf;
        check(&d);
    }
    d.evaluate = evaluate_parameter;
    d.move = move_parameter;
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        struct moved moved = {g, parameter};
        snprintf(name, sizeof name, "%s, trial %u: %s", g->name, g->trial, parameter->path);
        d.name = name;
        d.count = (int64_t)parameter->rows * parameter->columns;
        d.gradient = difference_gradient(&g->arena, parameters, parameter);
        d.context = &moved;
        check(&d);
    }
}
