/* Computes the negative log-likelihood of target sentences, in nats. One forward pass in inference
 * mode keeps the loss of each target token (graph_keep_losses). likelihood_measure sums the losses
 * by sentence. */
#include "core/decode/likelihood.h"

#include <stdlib.h>

static const struct pass_form form = {PASS_IN_ORDER, .tokens = 2048, .sentences = 128};

struct likelihood_list *likelihood_open(const struct frozen *frozen, const struct split *split,
                                        bool progress)
{
    struct likelihood_list *list = heap_alloc(sizeof *list);
    *list = (struct likelihood_list){0};
    struct graph *graph = model_list(frozen->model, &list->arena, GRAPH_INFER);
    graph_keep_losses(graph);
    list->pass = pass_open(progress ? frozen : NULL, graph, split, form);
    list->nll = ARENA_ARRAY(&list->arena, real, list->pass.tokens);
    return list;
}

void likelihood_measure(struct likelihood_list *list, struct likelihood *result)
{
    const struct graph *graph = list->pass.graph;
    for (const struct batch *batch; (batch = pass_next(&list->pass));) {
        const struct field *field = &batch->field[FIELD_TARGET];
        graph_read(graph, graph->likelihood, list->nll);
        for (int i = 0; i < field->B; i++) {
            double nats = 0;
            for (int t = field->start[i]; t < field->start[i + 1]; t++)
                nats += (double)list->nll[t];
            result[batch->sentence[i]] =
                (struct likelihood){nats, field->start[i + 1] - field->start[i]};
        }
    }
}

void likelihood_close(struct likelihood_list *list)
{
    pass_close(&list->pass);
    arena_free(&list->arena);
    free(list);
}

struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena)
{
    struct likelihood *result = ARENA_ARRAY(arena, struct likelihood, split->sentences);
    struct likelihood_list *list = likelihood_open(frozen, split, true);
    likelihood_measure(list, result);
    likelihood_close(list);
    return result;
}
