/* Computes the number of parameters and the cost of training, from lists without an op table. */
#include <math.h>

#include "core/model/translator.h"

int64_t translator_count(const struct translator_options *options, int64_t source_size,
                         int64_t target_size)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int words[SIDES] = {(int)source_size, (int)target_size};
    return translator_new(&arena, NULL, options, words, 0)->parameters.total;
}

int64_t translator_count_body(const struct translator_options *options)
{
    const int size = 4; /* any size, because the tables are subtracted */
    const int64_t tables = options->model.share == SHARE_ALL      ? 1
                           : options->model.share == SHARE_TARGET ? 2
                                                                  : 3;
    return translator_count(options, size, size) - tables * size * options->model.width;
}

enum {
    /* Sample whose cost is scaled to the actual number of tokens, because row counts are ints. */
    TOKENS = 1000000,
    SENTENCES = TOKENS / 16 /* 16 tokens per sentence; affects only the small share of attention */
};

struct translator_cost translator_train_cost(const struct translator_options *options,
                                             int64_t target_size, double source, double target)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int words[SIDES] = {(int)target_size, (int)target_size};
    struct model *model = translator_new(&arena, NULL, options, words, 0);
    struct graph *graph = model_list(model, &arena, GRAPH_TRAIN);
    const double larger = fmax(1, fmax(source, target)), scale = TOKENS / larger;
    graph_count(graph, &(struct batch){.field = {{.T = (int)(source * scale), .B = SENTENCES},
                                                 {.T = (int)(target * scale), .B = SENTENCES}}});
    const struct translator_cost cost = {3 * graph_flops(graph) / scale,
                                         3 * graph_work(graph) / scale};
    return cost;
}
