/* Classifies pairs in batches. The batches depend only on the list of pairs, not on memory or
 * threads. */
#include "core/model/classify.h"

struct classify {
    const struct labeled *labeled;
    struct graph *graph;
    struct value *logits;
    int tokens; /* upper bound of the tokens of a batch */
};

struct classify *classify_open(struct arena *arena, struct model *model,
                               const struct labeled *labeled)
{
    struct classify *classify = ARENA_NEW(arena, struct classify);
    const int longest = labeled->text.longest[SIDE_SOURCE];
    *classify = (struct classify){.labeled = labeled, .tokens = CLASSIFY_TOKENS};
    if (classify->tokens < 2 * longest) classify->tokens = 2 * longest;
    classify->graph = model_list(model, arena, GRAPH_INFER);
    graph_keep_losses(classify->graph);
    classify->logits = graph_keep(classify->graph, "logits");
    graph_plan(classify->graph, (struct capacity){{classify->tokens}, 2 * CLASSIFY_PAIRS, longest});
    return classify;
}

size_t classify_bytes(const struct classify *classify)
{
    return classify->graph->memory_bytes + classify->graph->fixed_bytes;
}

void classify_close(struct classify *classify)
{
    graph_release(classify->graph);
}

static int batch_of(const struct classify *classify, const int32_t *pair, int count)
{
    int some = 0;
    for (int tokens = 0; some < count && some < CLASSIFY_PAIRS; some++) {
        tokens += labeled_tokens(classify->labeled, pair[some]);
        if (some && tokens > classify->tokens) break;
    }
    return some;
}

double classify_pairs(struct classify *classify, const int32_t *pair, int count, int32_t *class,
                      void (*progress)(void *context, int64_t done, int64_t total), void *context)
{
    struct graph *graph = classify->graph;
    const int classes = classify->logits->columns;
    double nats = 0;
    if (!graph->memory) graph_place(graph);
    graph_pack(graph);
    graph_set_step(graph, &(struct step){.normalizer = 1});
    for (int from = 0, some; from < count; from += some) {
        SCOPED(arena_free) struct arena arena = {0};
        some = batch_of(classify, pair + from, count - from);
        const struct batch batch = labeled_batch(&arena, classify->labeled, pair + from, some);
        real *logits = ARENA_ARRAY(&arena, real, some * classes);
        graph_load(graph, &batch);
        graph_forward(graph);
        graph_read(graph, classify->logits, logits);
        nats += graph_losses(graph).likelihood;
        for (int p = 0; p < some; p++) {
            const real *row = logits + p * classes;
            int best = 0;
            for (int k = 1; k < classes; k++)
                if (row[k] > row[best]) best = k;
            class[from + p] = best;
        }
        if (progress) progress(context, from + some, count);
    }
    return nats;
}
