/* Plans the memory of a list. Determines the first writer of each gradient and the lifetime of each
 * value and gradient. Assigns regions of one buffer to them. Lifetimes are exact. So the buffer is
 * only slightly larger than the largest sum of regions that are live at one tick. */
#include "core/tensor/graph_plan.h"

#include <stdlib.h>

#include "core/tensor/guard.h"

/* Returns the parent of a view, or the value itself. */
static struct value *root_of(struct value *value)
{
    return value->parent ? value->parent : value;
}

static void extend(struct region *region, int tick)
{
    if (region->first < 0 || tick < region->first) region->first = tick;
    if (tick > region->last) region->last = tick;
}

struct value *plan_learned(struct value *value)
{
    value = root_of(value);
    while (value->maker && value->maker->passes && value->maker->out[0] == value)
        value = root_of(value->maker->in[0]);
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
            struct value *value = root_of(node->in[k]);
            CHECK(value->external || value->data_region.first >= 0, "%s reads %s before it is made",
                  node->path, value->path);
            if (!value->external) extend(&value->data_region, i);
        }
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++)
            extend(&node->out[k]->data_region, i);
    }
}

/* Extends the lifetimes of the data and gradient that the asynchronous ops of a node read. They end
 * when the pass waits for these ops. */
static void live_async(const struct graph *graph, const struct node *node, int tick)
{
    const int end = 2 * graph->nodes - 1;
    const int last = tick + FORK_LATE < end ? tick + FORK_LATE : end;
    if (node->async && node->in[0]) {
        CHECK(!root_of(node->in[0])->in_place, "%s: a gradient takes the place of what it reads",
              node->path);
        extend(&root_of(node->in[0])->data_region, last);
    }
    if (root_of(node->out[0])->gradient_region.first >= 0)
        extend(&root_of(node->out[0])->gradient_region, last);
}

/* True if all writers to the gradient of a value or of its views leave zeros in the trailing
 * rows. */
static bool trailing_gradient_is_zero(const struct graph *graph, const struct value *value)
{
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
            if (root_of(node->in[k]) == value &&
                (k >= ZEROS_IN || !(node->type->backward_reads & LEAVES_ZEROS)))
                return false;
    }
    return true;
}

static void find_zeros(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        const struct value *x = node->in[0] ? root_of(node->in[0]) : NULL;
        node->zeros = x && x->maker && x->maker->type->backward_reads & LEAVES_ZEROS &&
                      trailing_gradient_is_zero(graph, node->out[0]);
    }
}

/* True if the node has a backward pass: an output has a gradient, or all outputs are statistics (a
 * loss). */
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
            if (node->type->backward_reads & READS_OUT(k)) extend(&value->data_region, tick);
            if (!value->real && value->gradient_region.first >= 0)
                extend(&value->gradient_region, tick);
        }
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            struct value *value = node->in[k];
            if (node->type->backward_reads & READS_IN(k))
                extend(&root_of(value)->data_region, tick);
            CHECK(!value->viewed, "%s reads %s, whose views are read", node->path, value->path);
            if (value->real) continue;
            node->add_in[k] = value->written;
            CHECK(!value->written || !(node->type->backward_reads & SOLE_READER),
                  "%s: %s has other readers", node->path, value->path);
            value->written = true;
            extend(&plan_learned(value)->gradient_region, tick);
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

/* ---- pruning of inference lists ---- */

/* Pruning removes nodes on which no kept value depends, and inputs that only these nodes read. It
 * marks kinds of rows that only these nodes have as idle. */
static bool is_read(const struct graph *graph, const struct input *input)
{
    bool read = false;
    for (int n = 0; n < graph->nodes; n++)
        for (int k = 0; k < NODE_READS; k++) read |= graph->node[n]->read[k] == input;
    return read;
}

static void drop_inputs(struct graph *graph)
{
    int left = 0;
    for (int i = 0; i < graph->inputs; i++)
        if (is_read(graph, graph->input[i])) graph->input[left++] = graph->input[i];
    graph->inputs = left;
}

static bool has_rows(const struct node *node, const struct rows *rows)
{
    bool found = false;
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) found |= node->in[k]->rows == rows;
    for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) found |= node->out[k]->rows == rows;
    return found;
}

/* Marks the kinds of rows that only dropped nodes have as idle. */
static void drop_rows(struct graph *graph, struct node *const *dropped, int count)
{
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        bool left = false;
        for (int i = 0; i < graph->nodes; i++) left |= has_rows(graph->node[i], rows);
        for (int i = 0; i < count && !left; i++) rows->idle |= has_rows(dropped[i], rows);
    }
}

static void prune(struct graph *graph)
{
    bool *needed = arena_alloc(graph->arena, (size_t)graph->nodes);
    for (int i = graph->nodes - 1; i >= 0; i--) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) needed[i] |= node->out[k]->kept;
        if (!needed[i]) continue;
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            const struct node *maker = root_of(node->in[k])->maker;
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

/* ---- work for a second stream ---- */

/* Finds work for a second stream: products whose results the next node does not read, and nodes
 * that do not depend on preceding nodes. */
static int place_of(const struct graph *graph, const struct node *node)
{
    int i = 0;
    while (i < graph->nodes && graph->node[i] != node) i++;
    return i;
}

static bool reads(const struct node *node, const struct value *value)
{
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
        if (root_of(node->in[k]) == value) return true;
    return false;
}

/* True if all readers of `value` or its views after node `made` are async, and the next node does
 * not read the value. */
static bool readers_are_async(const struct graph *graph, int made, const struct value *value)
{
    for (int i = made + 1; i < graph->nodes; i++)
        if (reads(graph->node[i], value) && (i == made + 1 || !graph->node[i]->async)) return false;
    return true;
}

static void find_products(struct graph *graph)
{
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (!node->async || !node->in[0]) continue;
        const struct value *x = root_of(node->in[0]);
        const int made = x->maker ? place_of(graph, x->maker) : graph->nodes;
        node->async_forward = i + 1 < graph->nodes && !reads(graph->node[i + 1], node->out[0]);
        for (int j = i + 1; j < graph->nodes && node->async_forward; j++)
            graph->node[j]->waits_forward |= reads(graph->node[j], node->out[0]);
        node->async_input = made < i && readers_are_async(graph, made, x);
        if (node->async_input) graph->node[made]->waits_backward = true;
    }
}

/* True if all inputs of a node are made by node `first` or later nodes. */
static bool needs_only(const struct graph *graph, const struct node *node, int first)
{
    for (int k = 0; k < NODE_INPUTS && node->in[k]; k++)
        if (!root_of(node->in[k])->maker || place_of(graph, root_of(node->in[k])->maker) < first)
            return false;
    return true;
}

/* Finds the longest run of nodes that does not depend on earlier nodes, such as the beginning of a
 * decoder. This run is computed in parallel with the earlier nodes. The node after the run waits
 * for both. The debug build does not search for a run, because guards assume that nodes run in the
 * order of their ticks. */
static void find_beginning(struct graph *graph)
{
    int first = 0, end = 0;
    if (!graph->ops->fork || GUARD_BYTES) return;
    for (int i = 1; i < graph->nodes; i++) { /* longest run that starts at a node without inputs */
        int run_end = i;
        if (graph->node[i]->in[0]) continue;
        while (run_end < graph->nodes && needs_only(graph, graph->node[run_end], i)) run_end++;
        if (run_end < graph->nodes && run_end - i > end - first) first = i, end = run_end;
    }
    if (!end) return;
    graph->async_first = first, graph->async_end = end;
    graph->node[end]->waits_forward = true; /* memory of these nodes may be reused from here on */
    for (int i = first; i < end; i++) {
        graph->node[i]->async_forward = false;
        for (int k = 0; k < NODE_OUTPUTS && graph->node[i]->out[k]; k++)
            extend(&graph->node[i]->out[k]->data_region, 0);
    }
}

/* ---- memory ---- */

/* Regions that live at different ticks can share memory. Offsets are assigned greedily by size
 * (Pisarchyk and Lee 2020, arXiv 2001.03288), and checked. */
static int by_size(const void *a, const void *b)
{
    const struct region *x = *(struct region *const *)a, *y = *(struct region *const *)b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
                                : x->first - y->first;
}

static int by_offset(const void *a, const void *b)
{
    const struct region *x = *(struct region *const *)a, *y = *(struct region *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool live_together(const struct region *a, const struct region *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static int64_t end_of(const struct region *region)
{
    return region->offset + (int64_t)region->bytes;
}

/* Assigns offsets, the largest region first. Each region gets the lowest offset at which it
 * overlaps no region that lives at the same time. This is the first gap between these regions that
 * is large enough, else the end of the last region. Returns the total bytes. */
static int64_t place_regions(struct region **region, int count, struct arena *arena)
{
    struct region **neighbor = ARENA_ARRAY(arena, struct region *, count + 1);
    int64_t total = 0;
    qsort(region, (size_t)count, sizeof(*region), by_size);
    for (int i = 0; i < count; i++) {
        int neighbors = 0;
        for (int j = 0; j < i; j++)
            if (live_together(region[i], region[j])) neighbor[neighbors++] = region[j];
        qsort(neighbor, (size_t)neighbors, sizeof(*neighbor), by_offset);
        int64_t at = 0;
        for (int j = 0; j < neighbors; j++) {
            if (neighbor[j]->offset - at >= (int64_t)region[i]->bytes) break;
            if (end_of(neighbor[j]) > at) at = end_of(neighbor[j]);
        }
        region[i]->offset = at;
        if (end_of(region[i]) > total) total = end_of(region[i]);
    }
    return total;
}

static void check_regions(struct region *const *region, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            CHECK(!live_together(region[i], region[j]) || end_of(region[i]) <= region[j]->offset ||
                      end_of(region[j]) <= region[i]->offset,
                  "planner: %s and %s overlap", region[i]->path, region[j]->path);
}

/* Computes the capacity of every kind of rows, and the bytes outside of the planned buffer. */
static void plan_rows(struct graph *graph)
{
    const struct capacity *capacity = &graph->capacity;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->group_capacity = graph_groups_of(rows, capacity->sentences);
        rows->capacity = rows->of == ROWS_TOKENS ? capacity->tokens[rows->field]
                                                 : rows->group_capacity * rows->each;
        rows->capacity = graph_whole_rows(graph, rows->capacity);
        rows->step_room = graph_whole_steps(capacity->longest);
        if (rows->stepped) rows->alive = ARENA_ARRAY(graph->arena, int, rows->step_room + 2);
    }
    graph->image_bytes = plan_image(graph, NULL);
    graph->fixed_bytes = graph->image_bytes + sizeof *graph->outcome;
    for (int w = 0; w < graph->positionals; w++)
        graph->fixed_bytes += plan_positional_bytes(graph, w);
}

/* Writes the regions that a value needs in the buffer: one for its data, and one for its gradient
 * unless the gradient overwrites the data. Returns the number of regions; 0 for a view, an external
 * value and an unused value. */
static int plan_value(const struct graph *graph, struct value *value, struct region **region)
{
    struct region *data = &value->data_region, *gradient = &value->gradient_region;
    if (value->parent || value->external || data->first < 0) return 0;
    const size_t bytes = (size_t)value->rows->capacity * (size_t)value->ld *
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
        CHECK(is_read(graph, graph->input[i]), "%s is in read[] of no node", graph->input[i]->what);
    if (graph->mode == GRAPH_INFER) prune(graph);
    graph->finished = true;
    graph->capacity = capacity;
    plan_rows(graph);
    live_forward(graph);
    if (graph->mode == GRAPH_TRAIN) {
        live_backward(graph);
        find_zeros(graph);
        find_products(graph);
        find_beginning(graph);
    }
    graph->fork_tick = ARENA_ARRAY(graph->arena, int, graph->nodes + 1);
    struct region **region = ARENA_ARRAY(graph->arena, struct region *, 2 * graph->values + 1);
    int count = 0;
    for (int v = 0; v < graph->values; v++)
        count += plan_value(graph, graph->value[v], region + count);
    graph->memory_bytes = (size_t)place_regions(region, count, graph->arena);
    check_regions(region, count);
    trace("plan", "%d nodes, %d buffers, %zu bytes planned, %zu fixed", graph->nodes, count,
          graph->memory_bytes, graph->fixed_bytes);
}
