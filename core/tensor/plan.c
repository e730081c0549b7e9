/* From a list of nodes to one buffer: writers of gradients, lifetimes, offsets, and a check of all
 * that. Offsets: greedy by size (Pisarchyk and Lee 2020, arXiv 2001.03288). */
#include <stdlib.h>
#include <string.h>

#include "core/tensor/graph.h"
#include "core/tensor/guard.h"

enum { ALIGN = 64 };

static bool is_read(const struct graph *graph, const struct input *input)
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
        if (is_read(graph, graph->input[i])) graph->input[left++] = graph->input[i];
    graph->inputs = left;
}

/* Keeps the nodes that kept values depend on; the rest of an infer list is dropped. */
static void drop_unneeded(struct graph *graph)
{
    bool *needed = arena_alloc(graph->arena, (size_t)graph->nodes);
    for (int i = graph->nodes - 1; i >= 0; i--) {
        const struct node *node = graph->node[i];
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) needed[i] |= node->out[k]->kept;
        if (!needed[i]) continue;
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            struct value *value = node->in[k];
            struct node *maker = value->parent ? value->parent->maker : value->maker;
            for (int j = 0; j < i; j++) needed[j] |= graph->node[j] == maker;
        }
    }
    int left = 0;
    for (int i = 0; i < graph->nodes; i++)
        if (needed[i]) graph->node[left++] = graph->node[i];
    CHECK(left || !graph->nodes, "nothing of this list is kept");
    graph->nodes = left;
    drop_inputs(graph);
}

static struct value *root(struct value *value)
{
    return value->parent ? value->parent : value;
}

static void extend(struct extent *buffer, int tick)
{
    if (buffer->first < 0 || tick < buffer->first) buffer->first = tick;
    if (tick > buffer->last) buffer->last = tick;
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
            struct value *value = root(node->in[k]); /* made by an earlier node: alive already */
            CHECK(value->external || value->data_buffer.first >= 0, "%s reads %s before it is made",
                  node->path, value->path);
            if (!value->external) extend(&value->data_buffer, i);
        }
        for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++)
            extend(&node->out[k]->data_buffer, i);
    }
}

/* Some gradient comes to it, or it begins one. */
static bool learns(const struct node *node)
{
    bool any = false;
    for (int k = 0; k < NODE_OUTPUTS && node->out[k]; k++) {
        if (node->out[k]->gradient_buffer.first >= 0) return true;
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
            if (node->type->backward_reads & READS_OUT(k)) extend(&value->data_buffer, tick);
            if (!value->real && value->gradient_buffer.first >= 0)
                extend(&value->gradient_buffer, tick);
        }
        for (int k = 0; k < NODE_INPUTS && node->in[k]; k++) {
            struct value *value = node->in[k];
            if (node->type->backward_reads & READS_IN(k)) extend(&root(value)->data_buffer, tick);
            CHECK(!value->viewed, "%s reads %s, whose views are read", node->path, value->path);
            if (value->real) continue;
            node->add_in[k] = value->written;
            value->written = true;
            extend(&root(value)->gradient_buffer, tick);
        }
        for (int k = 0; k < NODE_PARAMETERS; k++)
            for (int j = i + 1; j < graph->nodes && node->parameter[k]; j++)
                for (int l = 0; l < NODE_PARAMETERS; l++)
                    node->add_parameter[k] |= graph->node[j]->parameter[l] == node->parameter[k];
    }
    for (int v = 0; v < graph->values; v++) {
        const struct value *value = graph->value[v];
        const struct value *top = value->parent ? value->parent : value;
        CHECK(!value->parent || !top->maker || value->written, "nobody writes the gradient of %s",
              value->path);
    }
}

struct slot {
    struct value *value;
    struct extent *buffer;
};

static int by_size(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->buffer->bytes != y->buffer->bytes) return x->buffer->bytes < y->buffer->bytes ? 1 : -1;
    return x->buffer->first - y->buffer->first;
}

static int by_offset(const void *a, const void *b)
{
    const struct extent *x = *(struct extent *const *)a, *y = *(struct extent *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool together(const struct extent *a, const struct extent *b)
{
    return a->first <= b->last && b->first <= a->last;
}

static size_t place(struct slot *slot, int count, struct arena *arena)
{
    struct extent **near = ARENA_ARRAY(arena, struct extent *, count + 1);
    size_t total = 0;
    qsort(slot, (size_t)count, sizeof *slot, by_size);
    for (int i = 0; i < count; i++) {
        struct extent *buffer = slot[i].buffer;
        int neighbors = 0;
        for (int j = 0; j < i; j++)
            if (together(buffer, slot[j].buffer)) near[neighbors++] = slot[j].buffer;
        qsort(near, (size_t)neighbors, sizeof *near, by_offset);
        int64_t at = 0;
        for (int j = 0; j < neighbors; j++) {
            if (near[j]->offset - at >= (int64_t)buffer->bytes) break;
            int64_t behind = near[j]->offset + (int64_t)near[j]->bytes;
            if (behind > at) at = behind;
        }
        buffer->offset = at;
        if ((size_t)at + buffer->bytes > total) total = (size_t)at + buffer->bytes;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const struct extent *a = slot[i].buffer, *b = slot[j].buffer;
            CHECK(!together(a, b) || a->offset + (int64_t)a->bytes <= b->offset ||
                      b->offset + (int64_t)b->bytes <= a->offset,
                  "planner: %s and %s overlap", slot[i].value->path, slot[j].value->path);
        }
    return total;
}

/* The next `numbers` of the image; its size when it has been laid out. */
static size_t take(size_t *bytes, int numbers)
{
    const size_t at = *bytes;
    *bytes += ((size_t)numbers * sizeof(int32_t) + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

/* The step, and then the arrays, where the image begins at `image` (or is only counted: NULL). */
static size_t lay_image(struct graph *graph, char *image)
{
    size_t bytes = 0;
    take(&bytes, (int)((sizeof *graph->step + sizeof(int32_t) - 1) / sizeof(int32_t)));
    for (int k = 0; k < graph->kinds; k++) {
        const size_t at = take(&bytes, graph->rows[k]->group_room + 1);
        if (image) graph->rows[k]->start = (int32_t *)(void *)(image + at);
        if (graph->ops->row_multiple == 1 || graph->mode == GRAPH_STEP) continue; /* exact */
        const size_t count = take(&bytes, 1);
        if (image) graph->rows[k]->counted = (int32_t *)(void *)(image + count);
    }
    for (int i = 0; i < graph->inputs; i++) {
        const size_t at = take(&bytes, graph->input[i]->rows->room);
        if (image) graph->input[i]->data = (int32_t *)(void *)(image + at);
    }
    return bytes;
}

static size_t positional_bytes(const struct graph *graph, int w)
{
    return (size_t)graph->capacity.longest * (size_t)graph->positional[w]->columns * sizeof(real);
}

/* Rows of every kind, and what stands beside the planned memory. */
static void plan_rows(struct graph *graph)
{
    const struct capacity *capacity = &graph->capacity;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->group_room = rows->of == ROWS_PAIRS ? capacity->sentences / 2 : capacity->sentences;
        rows->room =
            rows->of == ROWS_TOKENS ? capacity->tokens[rows->field] : rows->group_room * rows->each;
        rows->room = graph_whole_rows(graph, rows->room);
    }
    graph->image_bytes = lay_image(graph, NULL);
    graph->fixed_bytes = graph->image_bytes + sizeof *graph->outcome;
    for (int w = 0; w < graph->positionals; w++) graph->fixed_bytes += positional_bytes(graph, w);
}

void graph_plan(struct graph *graph, struct capacity capacity)
{
    CHECK(!graph->finished, "the list is planned twice");
    if (graph->mode == GRAPH_TRAIN && graph->loss) graph_keep_losses(graph);
    find_makers(graph);
    for (int i = 0; i < graph->inputs; i++)
        CHECK(is_read(graph, graph->input[i]), "%s is in read[] of no node", graph->input[i]->what);
    if (graph->mode == GRAPH_INFER) drop_unneeded(graph);
    graph->finished = true;
    graph->capacity = capacity;
    plan_rows(graph);
    live_forward(graph);
    if (graph->mode == GRAPH_TRAIN) live_backward(graph);
    struct slot *slot = ARENA_ARRAY(graph->arena, struct slot, 2 * graph->values);
    int slots = 0;
    for (int v = 0; v < graph->values; v++) {
        struct value *value = graph->value[v];
        if (value->parent || value->external || value->data_buffer.first < 0) continue;
        size_t bytes = (size_t)value->rows->room * (size_t)value->ld *
                       (value->real ? sizeof(real) : graph->ops->act_bytes);
        bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN + GUARD_BYTES;
        if (value->kept) value->data_buffer.last = 2 * graph->nodes;
        if (value->in_place && value->gradient_buffer.last > value->data_buffer.last)
            value->data_buffer.last = value->gradient_buffer.last;
        value->data_buffer.bytes = value->gradient_buffer.bytes = bytes;
        slot[slots++] = (struct slot){value, &value->data_buffer};
        if (value->gradient_buffer.first >= 0 && !value->in_place)
            slot[slots++] = (struct slot){value, &value->gradient_buffer};
    }
    graph->memory_bytes = place(slot, slots, graph->arena);
    trace("plan", "%d nodes, %d buffers, %zu bytes planned, %zu fixed", graph->nodes, slots,
          graph->memory_bytes, graph->fixed_bytes);
}

static void place_positional(struct graph *graph, int w)
{
    struct positional *positional = graph->positional[w];
    real *host = heap_alloc(positional_bytes(graph, w));
    positional->fill(graph->capacity.longest, positional->columns, host);
    positional->data = graph->ops->alloc(positional_bytes(graph, w));
    graph->ops->upload(positional->data, host, positional_bytes(graph, w));
    free(host);
}

void graph_place(struct graph *graph)
{
    const struct ops *ops = graph->ops;
    CHECK(graph->finished && !graph->memory, "a list is placed once, after graph_plan");
    graph->memory = ops->alloc(graph->memory_bytes);
    graph->image = ops->alloc(graph->image_bytes);
    graph->host = heap_alloc(graph->image_bytes);
    graph->step = (struct step *)(void *)graph->image;
    graph->outcome = ops->alloc(sizeof *graph->outcome);
    lay_image(graph, graph->image);
    for (int w = 0; w < graph->positionals; w++) place_positional(graph, w);
    for (int v = 0; v < graph->values; v++) {
        struct value *value = graph->value[v];
        if (value->parent || value->external || value->data_buffer.first < 0) continue;
        value->data = graph->memory + value->data_buffer.offset;
        if (value->in_place)
            value->gradient = value->data;
        else if (value->gradient_buffer.first >= 0)
            value->gradient = graph->memory + value->gradient_buffer.offset;
    }
    for (int v = 0; v < graph->values; v++) {
        struct value *value = graph->value[v];
        const struct value *parent = value->parent;
        if (!parent) continue;
        if (parent->data) value->data = act_at(ops, parent->data, value->column);
        if (parent->gradient) value->gradient = act_at(ops, parent->gradient, value->column);
    }
    graph_reserve(graph);
}

void graph_release(struct graph *graph)
{
    const struct ops *ops = graph->ops;
    if (!graph->memory) return;
    if (ops->forget) ops->forget(graph);
    ops->release(graph->memory, graph->memory_bytes);
    ops->release(graph->image, graph->image_bytes);
    ops->release(graph->outcome, sizeof *graph->outcome);
    for (int w = 0; w < graph->positionals; w++)
        ops->release(graph->positional[w]->data, positional_bytes(graph, w));
    free(graph->host);
    graph->memory = NULL;
}
