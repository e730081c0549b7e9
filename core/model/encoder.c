/* Builds the encoder layer by layer. A layer is attention and a feed-forward network, or a
 * recurrence. */
#include "core/model/encoder.h"

#include <math.h>

#include "core/layer/layer.h"
#include "core/model/stack.h"

struct parameter *encoder_bias(struct graph *graph, const struct model_options *model)
{
    if (!model->source_bias) return NULL;
    return parameter_get(graph->parameters, "encoder.bias", 1, model->width, START_BIAS, 0);
}

/* Returns the path of the first sub-layer of layer l. If l is greater than the number of layers,
 * returns the path of the stack, or NULL if there is a shortcut. */
static const char *layer_path(const struct encoder_options *encoder, int l, struct arena *arena)
{
    if (l > encoder->layers) return encoder->shortcut ? NULL : "encoder";
    const bool san = layers_group(&encoder->stack, l)->kind == LAYER_SAN;
    return arena_print(arena, "encoder.%d.%s", l, san ? "attention" : "recurrence");
}

static void build_attention(struct stack *stack, const struct encoder_options *encoder, int l,
                            const char *next)
{
    struct arena *arena = stack->graph->arena;
    const struct model_options *model = stack->options;
    const char *attention = layer_path(encoder, l, arena);
    const char *feedforward = arena_print(arena, "encoder.%d.feedforward", l);
    stack_add(stack,
              attention_self(stack->graph, stack->input, model->heads, false,
                             &encoder->attention.of_layer[l - 1], model->attention_dropout,
                             attention),
              attention, feedforward);
    stack_feed_forward(stack, feedforward, next);
}

static void build_recurrence(struct stack *stack, const struct encoder_options *encoder, int l,
                             const char *next)
{
    struct arena *arena = stack->graph->arena;
    const struct layer_group *group = layers_group(&encoder->stack, l);
    const char *path = layer_path(encoder, l, arena);
    const struct recurrence recurrence = {.chunk = group->kind == LAYER_ONLSTM ? group->chunk : 0,
                                          .forward = group->direction != LAYER_BACKWARD,
                                          .backward = group->direction != LAYER_FORWARD,
                                          .path = path,
                                          .owner = arena_print(arena, "encoder.%d", l)};
    struct value *y = recurrence_build(stack->graph, stack->input, &recurrence);
    if (layers_project(group))
        y = linear_build(stack->graph, y, stack->options->width, true,
                         arena_print(arena, "%s.output", path));
    stack_add(stack, y, path, next);
}

/* Sums the outputs of all groups (short-cut connection of Hao et al. 2019). With pre-norm, also
 * normalizes the sum. */
static void close_shortcut(struct stack *stack, struct value *const *end, int groups)
{
    struct graph *graph = stack->graph;
    const bool normed = stack->options->norm == NORM_PRE;
    struct value *sum = end[0];
    for (int g = 1; g < groups - normed; g++)
        sum = residual_sum_build(graph, sum, end[g], 0,
                                 arena_print(graph->arena, "encoder.shortcut.%d", g));
    stack->input = sum;
    if (normed)
        stack->input =
            residual_norm_build(graph, sum, end[groups - 1], 0, "encoder.shortcut", "encoder.norm")
                .normed;
}

/* Adds the outputs encoder.group.K and encoder.group.K.raw, which analyses read and only inference
 * lists have. Returns the normalized stream; NULL if the list is not for inference. */
static struct value *name_group(struct stack *stack, int group)
{
    struct graph *graph = stack->graph;
    if (graph->mode != GRAPH_INFER) return NULL;
    const char *path = arena_print(graph->arena, "encoder.group.%d", group);
    graph_alias(graph, arena_print(graph->arena, "%s.raw", path), stack->stream);
    return plain_norm_build(graph, stack->stream, path);
}

struct value *encoder_build(struct graph *graph, const struct model_options *model,
                            const struct encoder_options *encoder, enum field_name field,
                            struct parameter *table)
{
    CHECK(encoder->attention.layers == encoder->layers, "encoder.attention is not resolved");
    const struct embed_layer embed = {.rows = graph_tokens(graph, field),
                                      .sinusoid = (enum sinusoid_kind)encoder->position,
                                      .timescale = encoder->timescale,
                                      .scale = sqrt((double)model->width),
                                      .dropout = model->dropout,
                                      .table = table,
                                      .bias = encoder_bias(graph, model)};
    struct stack stack = {.graph = graph, .options = model};
    struct value *end[LAYERS_MOST] = {NULL}; /* stream at the end of each group */
    int ends = 0;
    stack_open(&stack, embed_build(graph, &embed, "encoder.embedding"),
               layer_path(encoder, 1, graph->arena));
    for (int l = 1; l <= encoder->layers; l++) {
        const char *next = layer_path(encoder, l + 1, graph->arena);
        if (layers_group(&encoder->stack, l)->kind == LAYER_SAN)
            build_attention(&stack, encoder, l, next);
        else
            build_recurrence(&stack, encoder, l, next);
        struct value *normed = NULL;
        if (l == encoder->layers ||
            layers_group(&encoder->stack, l) != layers_group(&encoder->stack, l + 1))
            end[ends++] = stack.stream, normed = name_group(&stack, ends);
        /* With pre-norm and a short-cut, no node reads the normalized output of the last layer, so
         * stack.input is NULL. */
        if (graph->mode == GRAPH_INFER)
            graph_alias(graph, arena_print(graph->arena, "encoder.%d", l),
                        stack.input ? stack.input : normed);
    }
    if (encoder->shortcut) close_shortcut(&stack, end, ends);
    stack.input->path = "encoder.output"; /* the same path for all kinds of norm */
    return stack.input;
}
