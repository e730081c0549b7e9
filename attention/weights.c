/* Computes attention weights as a value of a list. Adds a second attention node with the type,
 * options, queries, keys and term rows of the block, but with unit vectors as values. */
#include "attention/weights.h"

#include <string.h>

static const struct node *find_core(const struct graph *graph, const char *path)
{
    const char *branches = arena_print(graph->arena, "%s.branches", path);
    for (int i = 0; i < graph->nodes; i++) {
        const struct value *out = graph->node[i]->out[0];
        if (out && !strcmp(out->path, branches)) return graph->node[i];
    }
    die("%s: the model has no attention at this path", path);
}

struct value *attention_weights_build(struct graph *graph, const char *path, struct value *unit)
{
    enum { VALUES = 2 }; /* index of the values in in[], after queries and keys */
    const struct node *core = find_core(graph, path);
    CHECK(graph->mode == GRAPH_INFER && !strcmp(core->type->name, "attention"), "%s: %s in list %d",
          path, core->type->name, graph->mode);
    CHECK(core->in[VALUES]->columns == unit->columns, "%s has %d columns of values, not %d", path,
          core->in[VALUES]->columns, unit->columns);
    const char *name = arena_print(graph->arena, "%s.weights_of_unit", path);
    struct node *node = graph_node(graph, core->type, NULL, 0, name);
    node->options = core->options;
    memcpy(node->in, core->in, sizeof node->in);
    memcpy(node->read, core->read, sizeof node->read);
    node->in[VALUES] = unit;
    for (int k = 0; k < NODE_OUTPUTS && core->out[k]; k++) {
        const struct value *of = core->out[k];
        const char *label = k ? arena_print(graph->arena, "%s.%d", name, k) : name;
        node->out[k] =
            (of->real ? graph_statistics : graph_value)(graph, of->rows, of->columns, label);
    }
    return node->out[0];
}
