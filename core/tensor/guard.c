#include "core/tensor/guard.h"

#include <stdlib.h>
#include <string.h>

enum { SENTINEL = 0xA5 };

typedef void visit_sentinel(const struct graph *graph, const struct value *value, char *sentinel,
                            const char *where);

/* Visits the sentinels that begin to live at a tick (born), or all that live then. */
static void each(const struct graph *graph, int tick, bool born, visit_sentinel *visit,
                 const char *where)
{
    for (int v = 0; v < graph->values; v++) {
        const struct value *value = graph->value[v];
        if (value->parent || value->external || value->data_buffer.first < 0) continue;
        for (int gradient = 0; gradient <= !value->in_place; gradient++) {
            const struct extent *buffer = gradient ? &value->gradient_buffer : &value->data_buffer;
            const bool lives = tick >= buffer->first && tick <= buffer->last;
            if (buffer->first < 0 || !(born ? tick == buffer->first : lives)) continue;
            visit(graph, value,
                  graph->memory + buffer->offset + (int64_t)buffer->bytes - GUARD_BYTES, where);
        }
    }
}

static void set(const struct graph *graph, const struct value *value, char *sentinel,
                const char *where)
{
    char bytes[GUARD_BYTES + 1];
    (void)value;
    (void)where;
    memset(bytes, SENTINEL, sizeof bytes);
    graph->ops->upload(sentinel, bytes, GUARD_BYTES);
}

static void check(const struct graph *graph, const struct value *value, char *sentinel,
                  const char *where)
{
    unsigned char bytes[GUARD_BYTES + 1];
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

/* Sentinels share memory with buffers of other times: each is set when its buffer begins to live. */
void guard_before(const struct graph *graph, int node, bool backward)
{
    if (GUARD_BYTES)
        each(graph, backward ? 2 * graph->nodes - 1 - node : node, true, set, graph->node[node]->path);
}

void guard_after(const struct graph *graph, int node, bool backward)
{
    if (GUARD_BYTES)
        each(graph, backward ? 2 * graph->nodes - 1 - node : node, false, check,
             graph->node[node]->path);
}
