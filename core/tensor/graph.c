/* Values and nodes while a list is put together, and the walk through it. */
#include "core/tensor/graph.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/config/word.h"
#include "core/tensor/guard.h"

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters)
{
    struct graph *graph = ARENA_NEW(arena, struct graph);
    *graph = (struct graph){.mode = mode, .ops = ops, .arena = arena, .parameters = parameters};
    return graph;
}

static struct value *value_new(struct graph *graph, struct rows *rows, int columns,
                               const char *format, va_list list)
{
    const char *path = arena_print_list(graph->arena, format, list);
    CHECK(!graph->finished, "%s: the list is finished", path);
    CHECK(columns > 0, "%s has %d columns", path, columns);
    struct value *value = ARENA_NEW(graph->arena, struct value);
    const struct extent none = {.first = -1, .last = -1};
    *value = (struct value){.path = path, .rows = rows, .columns = columns, .ld = columns,
                            .data_buffer = none, .gradient_buffer = none};
    ARENA_MORE(graph->arena, graph->value, graph->values);
    graph->value[graph->values++] = value;
    return value;
}

struct value *graph_value(struct graph *graph, struct rows *rows, int columns, const char *path,
                          ...)
{
    va_list list;
    va_start(list, path);
    struct value *value = value_new(graph, rows, columns, path, list);
    va_end(list);
    return value;
}

struct value *graph_statistics(struct graph *graph, struct rows *rows, int columns,
                               const char *path, ...)
{
    va_list list;
    va_start(list, path);
    struct value *value = value_new(graph, rows, columns, path, list);
    va_end(list);
    value->real = true;
    return value;
}

struct value *graph_external(struct graph *graph, struct rows *rows, int columns, const char *path,
                             ...)
{
    va_list list;
    va_start(list, path);
    struct value *value = value_new(graph, rows, columns, path, list);
    va_end(list);
    value->external = true;
    return value;
}

struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path, ...)
{
    CHECK(column + columns <= value->columns && !value->parent, "view of %s", value->path);
    va_list list;
    va_start(list, path);
    struct value *view = value_new(graph, value->rows, columns, path, list);
    va_end(list);
    view->parent = value;
    view->column = column;
    view->ld = value->columns;
    value->viewed = true;
    return view;
}

void graph_widen(struct graph *graph, struct value *value)
{
    const int multiple = graph->ops ? graph->ops->ld_multiple : 1; /* none: only counted */
    CHECK(!value->parent && !value->viewed && !value->external, "%s has views", value->path);
    value->ld = (value->columns + multiple - 1) / multiple * multiple;
}

struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path, ...)
{
    va_list list;
    va_start(list, path);
    struct node *node = ARENA_NEW(graph->arena, struct node);
    node->type = type;
    node->path = arena_print_list(graph->arena, path, list);
    va_end(list);
    CHECK(!graph->finished, "%s: the list is finished", node->path);
    node->options = arena_alloc(graph->arena, bytes);
    if (bytes) memcpy(node->options, options, bytes);
    ARENA_MORE(graph->arena, graph->node, graph->nodes);
    graph->node[graph->nodes++] = node;
    return node;
}

struct value *graph_find(const struct graph *graph, const char *path)
{
    for (int i = 0; i < graph->values; i++)
        if (!strcmp(graph->value[i]->path, path)) return graph->value[i];
    return NULL;
}

NORETURN static void refuse_path(const struct graph *graph, const char *path)
{
    const char **known = ARENA_ARRAY(graph->arena, const char *, graph->values + 1);
    for (int i = 0; i < graph->values; i++) known[i] = graph->value[i]->path;
    const char *near = word_nearest(path, known);
    die("no output of this model is called \"%s\"%s%s%s", path, near ? "; nearest is \"" : "",
        near ? near : "", near ? "\"" : "");
}

struct value *graph_keep(struct graph *graph, const char *path)
{
    struct value *value = graph_find(graph, path);
    if (!value) refuse_path(graph, path);
    CHECK(!graph->finished, "%s: the list is planned", path);
    value->kept = true;
    if (value->parent) value->parent->kept = true;
    return value;
}

void graph_keep_losses(struct graph *graph)
{
    CHECK(graph->loss, "this list has no loss");
    graph->loss->kept = graph->likelihood->kept = true;
}

struct dropout graph_dropout(const struct graph *graph, const char *path, double probability,
                             const struct rows *rows)
{
    struct dropout dropout = {.rows = rows->index};
    if (graph->mode != GRAPH_TRAIN) return dropout;
    dropout.stream = random_stream(path);
    dropout.threshold = random_threshold(probability);
    return dropout;
}

void graph_pack(struct graph *graph)
{
    if (graph->parameters->gradient) return;
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (node->multiplies)
            parameter_pack(graph->parameters, node->parameter[0], node->transposed);
    }
}

void graph_forward(struct graph *graph)
{
    CHECK(graph->parameters->ops || !graph->parameters->count, "this model is not placed");
    guard_poison(graph);
    for (int i = 0; i < graph->nodes; i++) {
        guard_before(graph, i, false);
        graph->node[i]->type->forward(graph, graph->node[i]);
        guard_after(graph, i, false);
    }
}

void graph_backward(struct graph *graph, bool accumulate)
{
    CHECK(graph->mode == GRAPH_TRAIN, "only a training list has gradients");
    graph->accumulate = accumulate;
    for (int i = graph->nodes - 1; i >= 0; i--) {
        guard_before(graph, i, true);
        graph->node[i]->type->backward(graph, graph->node[i]);
        guard_after(graph, i, true);
    }
}

double graph_flops(const struct graph *graph)
{
    double sum = 0;
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (node->type->flops) sum += node->type->flops(graph, node);
    }
    return sum;
}

void graph_sum_losses(const struct graph *graph, bool add)
{
    CHECK(graph->loss && graph->loss->kept, "the losses of this list are not kept");
    const int T = graph_rows(graph, graph->loss);
    const int32_t *rows = graph_counted(graph->loss);
    graph->ops->sum(graph->loss->data, T, rows, add, &graph->outcome->loss);
    graph->ops->sum(graph->likelihood->data, T, rows, add, &graph->outcome->likelihood);
}

static void issue_learning(void *context)
{
    struct graph *graph = context;
    const bool accumulate = graph->accumulate;
    graph_forward(graph);
    graph_sum_losses(graph, accumulate);
    graph_backward(graph, accumulate);
}

void graph_learn(struct graph *graph, bool accumulate)
{
    struct run_key key;
    memset(&key, 0, sizeof key); /* the gaps between its members, too */
    key.list = graph;
    key.accumulate = accumulate;
    for (int k = 0; k < graph->kinds; k++) {
        key.launched[k] = graph->rows[k]->launched;
        key.groups[k] = graph->rows[k]->groups;
        key.longest[k] = graph->rows[k]->longest;
    }
    graph->accumulate = accumulate;
    graph->ops->run(&key, issue_learning, graph);
}

static void issue_most(void *context)
{
    struct graph *graph = context;
    for (int i = 0; i < graph->nodes; i++) graph->node[i]->type->forward(graph, graph->node[i]);
    if (graph->mode != GRAPH_TRAIN) return;
    if (graph->loss) graph_sum_losses(graph, false);
    for (int i = graph->nodes - 1; i >= 0; i--)
        graph->node[i]->type->backward(graph, graph->node[i]);
}

void graph_reserve(struct graph *graph)
{
    if (!graph->ops->reserve || graph->mode == GRAPH_STEP) return;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->count = rows->launched = rows->room;
        rows->groups = rows->group_room;
        rows->longest = graph->capacity.longest;
    }
    graph->ops->reserve(issue_most, graph);
}

struct outcome graph_outcome(const struct graph *graph)
{
    struct outcome outcome;
    graph->ops->download(&outcome, graph->outcome, sizeof outcome);
    return outcome;
}

struct outcome graph_losses(const struct graph *graph)
{
    graph_sum_losses(graph, false);
    return graph_outcome(graph);
}

void graph_read(const struct graph *graph, const struct value *value, real *to)
{
    const int rows = value->rows->count;
    CHECK(value->kept, "%s is not kept", value->path);
    if (value->real) {
        graph->ops->download(to, value->data, (size_t)rows * (size_t)value->columns * sizeof(real));
        return;
    }
    graph->ops->read_act(value->data, rows, value->columns, value->ld, to);
}
