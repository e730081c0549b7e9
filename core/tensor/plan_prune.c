/* An infer list without what nobody asks for: nodes that no kept value depends on, the numbers of
 * the batch that only they read, the kinds of rows that only they had. */
#include "core/tensor/plan.h"

bool plan_is_read(const struct graph *graph, const struct input *input)
{
    bool read = false;
    for (int n = 0; n < graph->nodes; n++)
        for (int k = 0; k < NODE_READS; k++) read |= graph->node[n]->read[k] == input;
    return read;
}

/* Drops the numbers of the batch that no node reads any more. */
static void drop_inputs(struct graph *graph)
{
    int left = 0;
    for (int i = 0; i < graph->inputs; i++)
        if (plan_is_read(graph, graph->input[i])) graph->input[left++] = graph->input[i];
    graph->inputs = left;
}

static bool has_rows(const struct node *node, const struct rows *rows)
{
    bool found = false;
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) found |= node->in[k]->rows == rows;
    for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) found |= node->out[k]->rows == rows;
    return found;
}

/* Says which kinds of rows only the dropped nodes had. */
static void drop_rows(struct graph *graph, struct node *const *dropped, int count)
{
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        bool left = false;
        for (int i = 0; i < graph->nodes; i++) left |= has_rows(graph->node[i], rows);
        for (int i = 0; i < count && !left; i++) rows->idle |= has_rows(dropped[i], rows);
    }
}

void plan_prune(struct graph *graph)
{
    bool *needed = arena_alloc(graph->arena, (size_t)graph->nodes);
    for (int i = graph->nodes - 1; i >= 0; i--) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) needed[i] |= node->out[k]->kept;
        if (!needed[i]) continue;
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            const struct node *maker = plan_root(node->in[k])->maker;
            for (int j = 0; j < i; j++) needed[j] |= graph->node[j] == maker;
        }
    }
    struct node **dropped = ARENA_ARRAY(graph->arena, struct node *, graph->nodes);
    int left = 0, gone = 0;
    for (int i = 0; i < graph->nodes; i++)
        if (needed[i])
            graph->node[left++] = graph->node[i];
        else
            dropped[gone++] = graph->node[i];
    CHECK(left || !graph->nodes, "nothing of this list is kept");
    graph->nodes = left;
    drop_inputs(graph);
    drop_rows(graph, dropped, gone);
}
