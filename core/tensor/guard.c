#include "core/tensor/guard.h"

#include <stdlib.h>
#include <string.h>

enum { SENTINEL = 0xA5 };

/* Calls visit for every sentinel that is alive at a tick; ticks below 0: all of them. */
static void each(const struct graph *graph, int tick,
                 void (*visit)(const struct graph *, const struct value *, char *sentinel,
                               const char *where),
                 const char *where)
{
    for (int v = 0; v < graph->values; v++) {
        const struct value *value = graph->value[v];
        if (value->parent || value->external || value->data_buffer.first < 0) continue;
        const struct buffer *buffers[] = {&value->data_buffer,
                                          value->in_place ? NULL : &value->gradient_buffer};
        for (int i = 0; i < 2; i++) {
            const struct buffer *buffer = buffers[i];
            if (!buffer || buffer->first < 0) continue;
            if (tick >= 0 && (tick < buffer->first || tick > buffer->last)) continue;
            visit(graph, value,
                  graph->memory + buffer->offset + (int64_t)buffer->bytes - GUARD_BYTES, where);
        }
    }
}

static void set(const struct graph *graph, const struct value *value, char *sentinel,
                const char *where)
{
    char bytes[64];
    (void)value;
    (void)where;
    memset(bytes, SENTINEL, sizeof bytes);
    graph->ops->upload(sentinel, bytes, GUARD_BYTES);
}

static void check(const struct graph *graph, const struct value *value, char *sentinel,
                  const char *where)
{
    unsigned char bytes[64];
    graph->ops->download(bytes, sentinel, GUARD_BYTES);
    for (int i = 0; i < GUARD_BYTES; i++)
        CHECK(bytes[i] == SENTINEL, "%s wrote behind the end of %s", where, value->path);
}

void guard_poison(struct graph *graph)
{
    if (!GUARD_BYTES) return;
    char *nan = heap_alloc(graph->memory_bytes);
    memset(nan, 0xff, graph->memory_bytes);
    graph->ops->upload(graph->memory, nan, graph->memory_bytes);
    free(nan);
}

/* Sentinels share memory with buffers of other times: they are set when theirs begins to live. */
void guard_check(const struct graph *graph, const struct node *node, bool backward)
{
    if (!GUARD_BYTES) return;
    int i = 0;
    while (graph->node[i] != node) i++;
    const int tick = backward ? 2 * graph->nodes - 1 - i : i;
    char where[320];
    snprintf(where, sizeof where, "%s (%s)", node->path, backward ? "backward" : "forward");
    each(graph, tick, check, where);
}

void guard_begin(const struct graph *graph, int tick);
