/* The nodes themselves say what they multiply: they run with a table of ops whose products write
 * down their arguments and compute nothing. */
#include "dev/linear_products.h"

#include <string.h>

#include "core/bench/micro.h"
#include "core/cpu/gemm_each.h"

static struct gemm *next; /* where the next product goes: an op has no other way to say it */

static void take_gemm(const struct gemm *g)
{
    *next++ = *g;
}

static void take_gemm_weight(const struct gemm_weight *g)
{
    *next++ = cpu_gemm_of_weight(g);
}

struct linear_products *linear_products(const struct translating *translating, int *count,
                                        struct arena *arena)
{
    struct arena scratch = {0};
    struct micro micro;
    micro_open(&micro, &scratch, translating);
    struct graph *graph = micro.learner->list;
    const struct ops *ops = graph->ops;
    struct ops taking = *ops;
    taking.gemm = take_gemm;
    taking.gemm_weight = take_gemm_weight;
    graph->ops = &taking;
    graph_load(graph, micro_step(&micro, 0, &scratch).micro);
    struct linear_products *list = ARENA_ARRAY(arena, struct linear_products, graph->nodes);
    *count = 0;
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        if (strcmp(node->type->name, "linear") != 0) continue;
        struct linear_products *linear = &list[(*count)++];
        linear->path = arena_text(arena, node->path);
        next = linear->product;
        node->type->forward(graph, node);
        node->type->backward(graph, node);
        CHECK(next == linear->product + LINEAR_PRODUCTS, "%s: %d products", node->path,
              (int)(next - linear->product));
    }
    graph->ops = ops;
    micro_close(&micro);
    arena_free(&scratch);
    return list;
}
