/* From a list of nodes to regions of one buffer: who writes gradients first, and from when to when
 * each value lives. Lifetimes are exact, so the buffer is little larger than what lives at its
 * worst tick. */
#include "core/tensor/plan.h"

#include "core/tensor/guard.h"

struct value *plan_learned(struct value *value)
{
    value = plan_root(value);
    while (value->maker && value->maker->passes && value->maker->out[0] == value)
        value = plan_root(value->maker->in[0]);
    return value;
}

static void find_makers(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++)
        for (int k = 0; k < NODE_OUTPUTS && graph->node[i]->out[k]; k++) {
            struct value *value = graph->node[i]->out[k];
            CHECK(!value->maker && !value->parent, "%s has two makers", value->path);
            value->maker = graph->node[i];
        }
}

static void live_forward(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            struct value *value = plan_root(node->in[k]);
            /* An earlier node has made it. */
            CHECK(value->external || value->data_region.first >= 0, "%s reads %s before it is made",
                  node->path, value->path);
            if (!value->external) plan_extend(&value->data_region, i);
        }
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++)
            plan_extend(&node->out[k]->data_region, i);
    }
}

/* What an async node reads lives as long as the node may take. */
static void live_async(const struct graph *graph, const struct node *node, int tick)
{
    const int end = 2 * graph->nodes - 1;
    const int last = tick + FORK_LATE < end ? tick + FORK_LATE : end;
    if (node->async && node->in[0]) {
        CHECK(!plan_root(node->in[0])->in_place, "%s: a gradient takes the place of what it reads",
              node->path);
        plan_extend(&plan_root(node->in[0])->data_region, last);
    }
    if (plan_root(node->out[0])->gradient_region.first >= 0)
        plan_extend(&plan_root(node->out[0])->gradient_region, last);
}

/* Whether all who write to the gradient of a value, and its views, leave zeros behind its rows. */
static bool gradient_is_zero_behind(const struct graph *graph, const struct value *value)
{
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
            if (plan_root(node->in[k]) == value &&
                (k >= ZEROS_IN || !(node->type->backward_reads & LEAVES_ZEROS)))
                return false;
    }
    return true;
}

static void find_zeros(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        const struct value *x = node->in[0] ? plan_root(node->in[0]) : NULL;
        node->zeros = x && x->maker && x->maker->type->backward_reads & LEAVES_ZEROS &&
                      gradient_is_zero_behind(graph, node->out[0]);
    }
}

/* Some gradient comes to it, or it begins one. */
static bool learns(const struct node *node)
{
    bool any = false;
    for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) {
        if (plan_learned(node->out[k])->gradient_region.first >= 0) return true;
        any |= !node->out[k]->real;
    }
    return !any;
}

static void live_backward(struct graph *graph)
{
    const int end = 2 * graph->nodes - 1;
    for (int i = graph->nodes - 1; i >= 0; i--) {
        struct node *node = graph->node[i];
        const int tick = end - i;
        CHECK(!graph->loss || learns(node), "%s: nothing that is learned reads it", node->path);
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) {
            struct value *value = node->out[k];
            if (node->type->backward_reads & READS_OUT(k)) plan_extend(&value->data_region, tick);
            if (!value->real && value->gradient_region.first >= 0)
                plan_extend(&value->gradient_region, tick);
        }
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            struct value *value = node->in[k];
            if (node->type->backward_reads & READS_IN(k))
                plan_extend(&plan_root(value)->data_region, tick);
            CHECK(!value->viewed, "%s reads %s, whose views are read", node->path, value->path);
            if (value->real) continue;
            node->add_in[k] = value->written;
            CHECK(!value->written || !(node->type->backward_reads & SOLE_READER),
                  "%s: %s has other readers", node->path, value->path);
            value->written = true;
            plan_extend(&plan_learned(value)->gradient_region, tick);
        }
        if (node->async || node->async_sums) live_async(graph, node, tick);
        for (int k = 0; k < NODE_PARAMETERS; k++)
            for (int j = i + 1; j < graph->nodes && node->parameter[k]; j++)
                for (int l = 0; l < NODE_PARAMETERS; l++)
                    node->add_parameter[k] |= graph->node[j]->parameter[l] == node->parameter[k];
    }
    for (int v = 0; v < graph->values; v++) {
        const struct value *value = graph->value[v], *whole = value->parent;
        CHECK(!whole || !whole->maker || value->written, "nobody writes the gradient of %s",
              value->path);
    }
}

/* Rows of every kind, and what stands beside the planned memory. */
static void plan_rows(struct graph *graph)
{
    const struct capacity *capacity = &graph->capacity;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->group_room = graph_groups_of(rows, capacity->sentences);
        rows->room =
            rows->of == ROWS_TOKENS ? capacity->tokens[rows->field] : rows->group_room * rows->each;
        rows->room = graph_whole_rows(graph, rows->room);
        rows->step_room = graph_whole_steps(capacity->longest);
        if (rows->stepped) rows->alive = ARENA_ARRAY(graph->arena, int, rows->step_room + 2);
    }
    graph->image_bytes = plan_image(graph, NULL);
    graph->fixed_bytes = graph->image_bytes + sizeof *graph->outcome;
    for (int w = 0; w < graph->positionals; w++)
        graph->fixed_bytes += plan_positional_bytes(graph, w);
}

/* Regions of a value that the list makes: of its data, and of a gradient that has its own. Returns
 * how many. */
static int plan_value(const struct graph *graph, struct value *value, struct region **region)
{
    struct region *data = &value->data_region, *gradient = &value->gradient_region;
    if (value->parent || value->external || data->first < 0) return 0;
    const size_t bytes = (size_t)value->rows->room * (size_t)value->ld *
                         (value->real ? sizeof(real) : graph->ops->act_bytes);
    data->path = gradient->path = value->path;
    data->bytes = gradient->bytes =
        (bytes + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN + GUARD_BYTES;
    if (value->kept) data->last = 2 * graph->nodes;
    if (value->in_place && gradient->last > data->last) data->last = gradient->last;
    region[0] = data;
    region[1] = gradient;
    return gradient->first >= 0 && !value->in_place ? 2 : 1;
}

void graph_plan(struct graph *graph, struct capacity capacity)
{
    CHECK(!graph->finished, "the list is planned twice");
    if (graph->mode == GRAPH_TRAIN && graph->loss) graph_keep_losses(graph);
    find_makers(graph);
    for (int i = 0; i < graph->inputs; i++)
        CHECK(plan_is_read(graph, graph->input[i]), "%s is in read[] of no node",
              graph->input[i]->what);
    if (graph->mode == GRAPH_INFER) plan_prune(graph);
    graph->finished = true;
    graph->capacity = capacity;
    plan_rows(graph);
    live_forward(graph);
    if (graph->mode == GRAPH_TRAIN) {
        live_backward(graph);
        find_zeros(graph);
        plan_async(graph);
    }
    graph->fork_tick = ARENA_ARRAY(graph->arena, int, graph->nodes + 1);
    struct region **region = ARENA_ARRAY(graph->arena, struct region *, 2 * graph->values + 1);
    int count = 0;
    for (int v = 0; v < graph->values; v++)
        count += plan_value(graph, graph->value[v], region + count);
    graph->memory_bytes = (size_t)plan_offsets(region, count, graph->arena);
    trace("plan", "%d nodes, %d buffers, %zu bytes planned, %zu fixed", graph->nodes, count,
          graph->memory_bytes, graph->fixed_bytes);
}
