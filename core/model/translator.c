#include "core/model/translator.h"

#include <math.h>

struct translator *translator_new(struct arena *arena, const struct translator_build *build)
{
    struct translator *model = ARENA_NEW(arena, struct translator);
    *model = (struct translator){
        .build = *build,
        .arena = arena,
        .parameters = {.arena = arena, .zero_bias = build->options->model.zero_bias}};
    return model;
}

enum table_use {
    TABLE_SOURCE,
    TABLE_TARGET,
    TABLE_SOFTMAX
};

/* An embedding or softmax table [V, D], N(0, D^-1/2); shared as the options say. */
static struct parameter *table(struct translator *model, enum table_use which)
{
    const struct model_options *options = &model->build.options->model;
    static const char *const paths[] = {"source.embedding", "target.embedding", "target.softmax"};
    const char *path = paths[which];
    if (options->share == SHARE_TARGET && which == TABLE_SOFTMAX) path = paths[TABLE_TARGET];
    if (options->share == SHARE_ALL) path = "embedding";
    return parameter_get(&model->parameters, path,
                         which == TABLE_SOURCE ? model->build.source_size
                                               : model->build.target_size,
                         options->width, START_NORMAL, 1 / sqrt((double)options->width));
}

/* One sub-layer at a time: with pre-norm it reads the normalized stream, and the residual sum
 * behind it already carries the normalization of the next one (or the final one of the stack). */
struct stack {
    struct graph *graph;
    const struct model_options *options;
    struct value *stream, *input; /* the residual stream; what the next sub-layer reads */
};

static void stack_open(struct stack *stack, struct value *x, const char *first)
{
    stack->stream = stack->input = x;
    if (stack->options->norm == NORM_POST) return;
    stack->input = residual_norm_build(stack->graph, x, NULL, 0, first,
                                       arena_print(stack->graph->arena, "%s.norm", first))
                       .normed;
}

/* Ends sub-layer `path`; `next` is the one that follows, or the stack's name after the last. */
static void stack_add(struct stack *stack, struct value *s, const char *path, const char *next)
{
    const bool post = stack->options->norm == NORM_POST;
    struct arena *arena = stack->graph->arena;
    struct residual residual =
        residual_norm_build(stack->graph, stack->stream, s, stack->options->dropout,
                            arena_print(arena, "%s.residual", path),
                            arena_print(arena, "%s.norm", post ? path : next));
    stack->stream = post ? residual.normed : residual.sum;
    stack->input = residual.normed;
}

static struct value *encoder_build(struct translator *model, struct graph *graph)
{
    const struct translator_options *options = model->build.options;
    const struct model_options *common = &options->model;
    struct arena *arena = graph->arena;
    struct parameter *bias = NULL;
    if (common->source_bias)
        bias = parameter_get(&model->parameters, "encoder.bias", 1, common->width, START_BIAS, 0);
    const struct embed_layer embed = {.field = FIELD_SOURCE,
                                      .sinusoid = (enum sinusoid_kind)options->encoder.position,
                                      .scale = sqrt((double)common->width),
                                      .dropout = common->dropout,
                                      .table = table(model, TABLE_SOURCE),
                                      .bias = bias};
    struct stack stack = {.graph = graph, .options = common};
    stack_open(&stack, embed_build(graph, &embed, "encoder.embedding"), "encoder.1.attention");
    for (int l = 1; l <= options->encoder.layers; l++) {
        const bool last = l == options->encoder.layers;
        const char *attention = arena_print(arena, "encoder.%d.attention", l);
        const char *feedforward = arena_print(arena, "encoder.%d.feedforward", l);
        const struct attention_spec *spec = &options->encoder.attention.of_layer[l - 1];
        stack_add(&stack,
                  attention_self(graph, stack.input, common->heads, false, spec,
                                 common->attention_dropout, attention),
                  attention, feedforward);
        stack_add(&stack,
                  feed_forward_build(graph, stack.input, common->feedforward, common->relu_dropout,
                                     feedforward),
                  feedforward,
                  last ? "encoder" : arena_print(arena, "encoder.%d.attention", l + 1));
    }
    stack.input->path = "encoder.output"; /* one name, whatever the place of the norms */
    return stack.input;
}

static struct value *decoder_build(struct translator *model, struct graph *graph,
                                   struct value *memory)
{
    const struct translator_options *options = model->build.options;
    const struct model_options *common = &options->model;
    struct arena *arena = graph->arena;
    const struct embed_layer embed = {.field = FIELD_TARGET,
                                      .shifted = true,
                                      .sinusoid = (enum sinusoid_kind)options->decoder.position,
                                      .scale = sqrt((double)common->width),
                                      .dropout = common->dropout,
                                      .table = table(model, TABLE_TARGET)};
    struct stack stack = {.graph = graph, .options = common};
    stack_open(&stack, embed_build(graph, &embed, "decoder.embedding"), "decoder.1.attention");
    for (int l = 1; l <= options->decoder.layers; l++) {
        const bool last = l == options->decoder.layers;
        const char *attention = arena_print(arena, "decoder.%d.attention", l);
        const char *cross = arena_print(arena, "decoder.%d.cross", l);
        const char *feedforward = arena_print(arena, "decoder.%d.feedforward", l);
        stack_add(&stack,
                  attention_self(graph, stack.input, common->heads, true,
                                 &options->decoder.attention.of_layer[l - 1],
                                 common->attention_dropout, attention),
                  attention, cross);
        stack_add(&stack,
                  attention_cross(graph, stack.input, memory, common->heads,
                                  &options->decoder.cross.of_layer[l - 1],
                                  common->attention_dropout, cross),
                  cross, feedforward);
        stack_add(&stack,
                  feed_forward_build(graph, stack.input, common->feedforward, common->relu_dropout,
                                     feedforward),
                  feedforward,
                  last ? "decoder" : arena_print(arena, "decoder.%d.attention", l + 1));
    }
    stack.input->path = "decoder.output";
    return stack.input;
}

struct graph *translator_list(struct translator *model, enum graph_mode mode)
{
    return translator_list_in(model->arena, model, mode);
}

struct graph *translator_list_in(struct arena *arena, struct translator *model,
                                 enum graph_mode mode)
{
    struct graph *graph = graph_new(arena, model->build.ops, mode, &model->parameters);
    struct value *memory = mode == GRAPH_STEP ? NULL : encoder_build(model, graph);
    struct value *output = decoder_build(model, graph, memory);
    struct value *logits =
        linear_build_with(graph, output, table(model, TABLE_SOFTMAX), NULL, true, 1, "logits");
    if (mode != GRAPH_STEP) loss_build(graph, logits, model->build.label_smoothing, "loss");
    return graph;
}

void translator_place(struct translator *model, bool train, uint32_t seed)
{
    parameters_place(&model->parameters, model->build.ops, train);
    parameters_start(&model->parameters, seed);
}

int translator_sinusoids(const struct translator *model)
{
    const struct translator_options *options = model->build.options;
    const bool any = options->encoder.position || options->decoder.position;
    return any ? options->model.width : 0;
}

double graph_flops(const struct graph *graph)
{
    double sum = 0;
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (node->type->flops) sum += node->type->flops(graph, node);
    }
    return sum;
}

struct loss_sum graph_losses(const struct graph *graph)
{
    const struct value *loss = graph_find(graph, "loss.loss");
    const struct value *likelihood = graph_find(graph, "loss.likelihood");
    struct loss_sum sum;
    graph->ops->sum(loss->data, graph_rows(graph, loss), &sum.loss);
    graph->ops->sum(likelihood->data, graph_rows(graph, loss), &sum.likelihood);
    return sum;
}
