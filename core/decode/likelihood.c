/* Computes the negative log-likelihood of target sentences, in nats. One forward pass in inference
 * mode keeps the loss of each target token (graph_keep_losses). likelihood_measure sums the losses
 * by sentence. */
#include "core/decode/likelihood.h"

#include <stdlib.h>

static const struct pass_form form = {PASS_IN_ORDER, .tokens = 2048, .sentences = 128};

static struct graph *list_of(const struct frozen *frozen, struct arena *arena)
{
    struct graph *graph = model_list(frozen->model, arena, GRAPH_INFER);
    graph_keep_losses(graph);
    return graph;
}

/* Sums the losses of a computed batch by sentence. */
static void sum_batch(const struct graph *graph, const struct batch *batch,
                      struct likelihood *result)
{
    const struct field *field = &batch->field[FIELD_TARGET];
    SCOPED(heap_free) real *nll = heap_alloc((size_t)field->T * sizeof *nll);
    graph_read(graph, graph->likelihood, nll);
    for (int i = 0; i < field->B; i++) {
        double nats = 0;
        for (int t = field->start[i]; t < field->start[i + 1]; t++) nats += (double)nll[t];
        result[batch->sentence[i]] =
            (struct likelihood){nats, field->start[i + 1] - field->start[i]};
    }
}

struct likelihood_list *likelihood_open(const struct frozen *frozen, const struct split *split)
{
    struct likelihood_list *list = heap_alloc(sizeof *list);
    *list = (struct likelihood_list){0};
    list->pass = pass_open(NULL, list_of(frozen, &list->arena), split, form);
    return list;
}

void likelihood_measure(struct likelihood_list *list, struct likelihood *result)
{
    for (const struct batch *batch; (batch = pass_next(&list->pass));)
        sum_batch(list->pass.graph, batch, result);
}

void likelihood_close(struct likelihood_list *list)
{
    pass_close(&list->pass);
    arena_free(&list->arena);
    free(list);
}

struct whole_split {
    const struct frozen *frozen;
    struct likelihood *result; /* [sentences] */
};

static struct graph *split_list(void *context, struct arena *arena)
{
    const struct whole_split *whole = context;
    return list_of(whole->frozen, arena);
}

static void split_found(void *context, const struct graph *graph, const struct batch *batch)
{
    const struct whole_split *whole = context;
    sum_batch(graph, batch, whole->result);
}

struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena)
{
    struct whole_split whole = {frozen, ARENA_ARRAY(arena, struct likelihood, split->sentences)};
    pass_all(frozen, split, form, &(struct pass_use){split_list, split_found, &whole});
    return whole.result;
}
