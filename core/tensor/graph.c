/* Builds a list: its values and nodes. */
#include "core/tensor/graph.h"

#include <string.h>

#include "core/config/word.h"

struct graph *graph_new(struct arena *arena, const struct ops *ops, enum graph_mode mode,
                        struct parameters *parameters)
{
    struct graph *graph = ARENA_NEW(arena, struct graph);
    *graph = (struct graph){.mode = mode, .ops = ops, .arena = arena, .parameters = parameters};
    return graph;
}

struct value *graph_value(struct graph *graph, struct rows *rows, int columns, const char *path)
{
    CHECK(!graph->finished, "%s: the list is finished", path);
    CHECK(columns > 0, "%s has %d columns", path, columns);
    struct value *value = ARENA_NEW(graph->arena, struct value);
    const struct region none = {.first = -1, .last = -1};
    *value = (struct value){.path = path,
                            .rows = rows,
                            .columns = columns,
                            .ld = columns,
                            .data_region = none,
                            .gradient_region = none};
    return ARENA_ADD(graph->arena, graph->value, graph->values, value);
}

struct value *graph_statistics(struct graph *graph, struct rows *rows, int columns,
                               const char *path)
{
    struct value *value = graph_value(graph, rows, columns, path);
    value->real = true;
    return value;
}

struct value *graph_external(struct graph *graph, struct rows *rows, int columns, const char *path)
{
    struct value *value = graph_value(graph, rows, columns, path);
    value->external = true;
    return value;
}

struct value *graph_view(struct graph *graph, struct value *value, int column, int columns,
                         const char *path)
{
    CHECK(column + columns <= value->columns && !value->parent, "view of %s", value->path);
    struct value *view = graph_value(graph, value->rows, columns, path);
    view->parent = value;
    view->column = column;
    view->ld = value->columns;
    value->viewed = true;
    return view;
}

void graph_widen(struct graph *graph, struct value *value)
{
    /* Without an op table, the list is only counted. */
    const int multiple = graph->ops ? graph->ops->ld_multiple : 1;
    CHECK(!value->parent && !value->viewed && !value->external, "%s has views", value->path);
    value->ld = (value->columns + multiple - 1) / multiple * multiple;
}

struct node *graph_node(struct graph *graph, const struct node_type *type, const void *options,
                        size_t bytes, const char *path)
{
    CHECK(!graph->finished, "%s: the list is finished", path);
    struct node *node = ARENA_NEW(graph->arena, struct node);
    *node = (struct node){.type = type, .path = path, .options = arena_alloc(graph->arena, bytes)};
    if (bytes) memcpy(node->options, options, bytes);
    return ARENA_ADD(graph->arena, graph->node, graph->nodes, node);
}

struct value *graph_find(const struct graph *graph, const char *path)
{
    for (int i = 0; i < graph->values; i++)
        if (!strcmp(graph->value[i]->path, path)) return graph->value[i];
    for (int i = 0; i < graph->aliases; i++)
        if (!strcmp(graph->alias[i].path, path)) return graph->alias[i].value;
    return NULL;
}

void graph_alias(struct graph *graph, const char *path, struct value *value)
{
    ARENA_ADD(graph->arena, graph->alias, graph->aliases, (struct graph_alias){path, value});
}

NORETURN static void refuse_path(const struct graph *graph, const char *path)
{
    const char **known =
        ARENA_ARRAY(graph->arena, const char *, graph->values + graph->aliases + 1);
    for (int i = 0; i < graph->values; i++) known[i] = graph->value[i]->path;
    for (int i = 0; i < graph->aliases; i++) known[graph->values + i] = graph->alias[i].path;
    char near[WORD_NEAR];
    die("this model has no output \"%s\"%s", path, word_near(near, path, known));
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
