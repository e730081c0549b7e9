/* One pass of an infer list that keeps its losses, summed sentence by sentence. */
#include "core/decode/likelihood.h"

static const struct pass_form form = {PASS_IN_ORDER, .tokens = 2048, .sentences = 128};

struct likelihood *likelihood_split(const struct frozen *frozen, const struct split *split,
                                    struct arena *arena)
{
    struct arena scratch = {0};
    struct likelihood *result = ARENA_ARRAY(arena, struct likelihood, split->sentences);
    struct graph *graph = model_list(frozen->model, &scratch, GRAPH_INFER);
    graph_keep_losses(graph);
    struct pass pass = pass_open(frozen, graph, split, form);
    real *nll = ARENA_ARRAY(&scratch, real, pass.tokens);
    for (const struct batch *batch; (batch = pass_next(&pass));) {
        const struct field *field = &batch->field[FIELD_TARGET];
        graph_read(graph, graph->likelihood, nll);
        for (int i = 0; i < field->B; i++) {
            struct likelihood *one = &result[batch->sentence[i]];
            for (int t = field->start[i]; t < field->start[i + 1]; t++) one->nats += (double)nll[t];
            one->tokens = field->start[i + 1] - field->start[i];
        }
    }
    pass_close(&pass);
    arena_free(&scratch);
    return result;
}
