/* Creates and places models. A temporary training list creates the parameters. */
#include "core/model/model.h"

struct model *model_new(struct arena *arena, const struct ops *ops,
                        const struct model_options *options,
                        void (*build)(struct graph *graph, const void *spec), const void *spec)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct model *model = ARENA_NEW(arena, struct model);
    *model = (struct model){.arena = arena,
                            .ops = ops,
                            .parameters = {.arena = arena,
                                           .zero_bias = options->zero_bias,
                                           .uniform = options->start.number},
                            .width = options->width,
                            .build = build,
                            .spec = spec};
    model_list(model, &scratch, GRAPH_TRAIN);
    return model;
}

struct graph *model_list(struct model *model, struct arena *arena, enum graph_mode mode)
{
    struct graph *graph = graph_new(arena, model->ops, mode, &model->parameters);
    model->build(graph, model->spec);
    return graph;
}

void model_place(struct model *model, bool train, uint32_t seed)
{
    parameters_place(&model->parameters, model->ops, train);
    parameters_start(&model->parameters, seed);
}

void model_release(struct model *model)
{
    parameters_release(&model->parameters);
}
