/* Allocates the memory of a planned list: the buffer of values, the image with the inputs from a
 * batch, the outcome, and the positional tables. Sets the pointers to all values, inputs and
 * tables. */
#include <stdlib.h>

#include "core/tensor/graph_plan.h"

/* Reserves `numbers` integers at offset *bytes of an image, and advances *bytes. Returns the
 * address of the integers; NULL if `image` is NULL (bytes are only counted). */
static int32_t *take(char *image, size_t *bytes, int numbers)
{
    char *at = image ? image + *bytes : NULL;
    *bytes += ((size_t)numbers * sizeof(int32_t) + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;
    return (int32_t *)(void *)at;
}

size_t plan_image(struct graph *graph, char *image)
{
    const bool exact = graph->ops->row_multiple == 1 || graph->mode == GRAPH_STEP;
    size_t bytes = (sizeof *graph->step + PLAN_ALIGN - 1) / PLAN_ALIGN * PLAN_ALIGN;
    graph->step = (struct step *)(void *)image;
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        rows->start = take(image, &bytes, rows->group_capacity + 1);
        if (!exact) rows->counted = take(image, &bytes, 1);
        if (exact || !rows->stepped) continue;
        rows->step_alive = take(image, &bytes, rows->step_room + 2);
        rows->step_begin = take(image, &bytes, rows->step_room + 2);
    }
    for (int i = 0; i < graph->inputs; i++)
        graph->input[i]->data = take(image, &bytes, graph->input[i]->rows->capacity);
    return bytes;
}

size_t plan_positional_bytes(const struct graph *graph, int w)
{
    return (size_t)graph->capacity.longest * (size_t)graph->positional[w]->columns * sizeof(real);
}

static void place_positional(struct graph *graph, int w)
{
    struct positional *positional = graph->positional[w];
    SCOPED(heap_free) real *host = heap_alloc(plan_positional_bytes(graph, w));
    positional->fill(graph->capacity.longest, positional->columns, positional->number, host);
    positional->data = graph->ops->alloc(plan_positional_bytes(graph, w));
    graph->ops->upload(positional->data, host, plan_positional_bytes(graph, w));
}

void graph_place(struct graph *graph)
{
    const struct ops *ops = graph->ops;
    CHECK(graph->finished && !graph->memory, "a list is placed once, after graph_plan");
    graph->memory = ops->alloc(graph->memory_bytes);
    graph->image = ops->alloc(graph->image_bytes);
    graph->host = heap_alloc(graph->image_bytes);
    graph->outcome = ops->alloc(sizeof *graph->outcome);
    plan_image(graph, graph->image);
    for (int w = 0; w < graph->positionals; w++) place_positional(graph, w);
    for (int v = 0; v < graph->values; v++) { /* a view comes after its parent */
        struct value *value = graph->value[v];
        const struct value *whole = value->parent;
        if (whole) {
            if (whole->data) value->data = act_at(ops, whole->data, value->column);
            if (whole->gradient) value->gradient = act_at(ops, whole->gradient, value->column);
        } else if (!value->external && value->data_region.first >= 0) {
            value->data = graph->memory + value->data_region.offset;
            if (value->in_place)
                value->gradient = value->data;
            else if (plan_learned(value)->gradient_region.first >= 0)
                value->gradient = graph->memory + plan_learned(value)->gradient_region.offset;
        }
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
        ops->release(graph->positional[w]->data, plan_positional_bytes(graph, w));
    free(graph->host);
    graph->memory = NULL;
}
