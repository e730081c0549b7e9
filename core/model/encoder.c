/* Attention and feed-forward network, layer by layer. */
#include "core/model/encoder.h"

#include <math.h>

#include "core/model/stack.h"

struct parameter *encoder_bias(struct graph *graph, const struct model_options *model)
{
    if (!model->source_bias) return NULL;
    return parameter_get(graph->parameters, "encoder.bias", 1, model->width, START_BIAS, 0);
}

struct value *encoder_build(struct graph *graph, const struct model_options *model,
                            const struct encoder_options *encoder, enum field_name field,
                            struct parameter *table)
{
    struct arena *arena = graph->arena;
    CHECK(encoder->attention.layers == encoder->layers, "encoder.attention is not resolved");
    const struct embed_layer embed = {.rows = graph_tokens(graph, field),
                                      .sinusoid = (enum sinusoid_kind)encoder->position,
                                      .scale = sqrt((double)model->width),
                                      .dropout = model->dropout,
                                      .table = table,
                                      .bias = encoder_bias(graph, model)};
    struct stack stack = {.graph = graph, .options = model};
    stack_open(&stack, embed_build(graph, &embed, "encoder.embedding"),
               encoder->layers ? "encoder.1.attention" : "encoder");
    for (int l = 1; l <= encoder->layers; l++) {
        const bool last = l == encoder->layers;
        const char *attention = arena_print(arena, "encoder.%d.attention", l);
        const char *feedforward = arena_print(arena, "encoder.%d.feedforward", l);
        const struct attention_spec *spec = &encoder->attention.of_layer[l - 1];
        stack_add(&stack,
                  attention_self(graph, stack.input, model->heads, false, spec,
                                 model->attention_dropout, attention),
                  attention, feedforward);
        stack_feed_forward(&stack, feedforward,
                           last ? "encoder" : arena_print(arena, "encoder.%d.attention", l + 1));
    }
    stack.input->path = "encoder.output"; /* one name, whatever the place of the norms */
    return stack.input;
}
