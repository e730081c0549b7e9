/* Detects writes outside of a planned buffer. Buffers share memory over time, so the sentinel of a
 * buffer is written when its lifetime begins. */
#include "core/tensor/guard.h"

#include <stdlib.h>
#include <string.h>

enum { SENTINEL = 0xA5 };

/* If `set`, writes the sentinels of buffers whose lifetime begins at the node's tick. Otherwise
 * checks the sentinels of all buffers that are live at this tick. */
static void visit(const struct graph *graph, int node, bool backward, bool set)
{
    const int tick = backward ? 2 * graph->nodes - 1 - node : node;
    unsigned char bytes[GUARD_BYTES + 1];
    for (int v = 0; v < graph->values && GUARD_BYTES; v++) {
        const struct value *value = graph->value[v];
        if (value->parent || value->external || value->data_region.first < 0) continue;
        for (int gradient = 0; gradient <= !value->in_place; gradient++) {
            const struct region *region = gradient ? &value->gradient_region : &value->data_region;
            char *sentinel = graph->memory + region->offset + region->bytes - GUARD_BYTES;
            if (region->first < 0 || tick < region->first || tick > region->last) continue;
            if (set && tick > region->first) continue;
            if (set) {
                memset(bytes, SENTINEL, sizeof bytes);
                graph->ops->upload(sentinel, bytes, GUARD_BYTES);
                continue;
            }
            graph->ops->download(bytes, sentinel, GUARD_BYTES);
            for (int i = 0; i < GUARD_BYTES; i++)
                CHECK(bytes[i] == SENTINEL, "%s wrote past the end of %s", graph->node[node]->path,
                      value->path);
        }
    }
}

void guard_poison(struct graph *graph)
{
    if (!GUARD_BYTES) return;
    SCOPED(heap_free) char *nan = heap_alloc(graph->memory_bytes);
    memset(nan, 0xff, graph->memory_bytes);
    graph->ops->upload(graph->memory, nan, graph->memory_bytes);
}

void guard_before(const struct graph *graph, int node, bool backward)
{
    visit(graph, node, backward, true);
}

void guard_after(const struct graph *graph, int node, bool backward)
{
    visit(graph, node, backward, false);
}
