/* Builds the translator: encoder and decoder with their tables, logits and loss. Parameters are
 * created in the order of a training list. */
#include "core/model/translator.h"

#include <math.h>

#include "core/model/encoder.h"
#include "core/model/stack.h"

/* Specification of the lists. */
struct translator {
    const struct translator_options *options;
    int words[SIDES]; /* sizes of the vocabularies */
    double smoothing;
};

enum table_use { TABLE_SOURCE, TABLE_TARGET, TABLE_SOFTMAX };
static const char *const table_paths[] = {"source.embedding", "target.embedding", "target.softmax"};
static const char table_of_all[] = "embedding";

/* Returns an embedding or softmax table [V, D], shared according to the options. Its initial values
 * are normal with deviation D^-1/2. */
static struct parameter *table(struct graph *graph, const struct translator *translator,
                               enum table_use which)
{
    const struct model_options *options = &translator->options->model;
    const char *path = table_paths[which];
    if (options->share == SHARE_TARGET && which == TABLE_SOFTMAX) path = table_paths[TABLE_TARGET];
    if (options->share == SHARE_ALL) path = table_of_all;
    const enum side_name side = which == TABLE_SOURCE ? SIDE_SOURCE : SIDE_TARGET;
    return parameter_get(graph->parameters, path, translator->words[side], options->width,
                         START_NORMAL, 1 / sqrt((double)options->width));
}

struct parameter *translator_source_table(const struct parameters *parameters)
{
    struct parameter *source = parameter_find(parameters, table_paths[TABLE_SOURCE]);
    return source ? source : parameter_find(parameters, table_of_all);
}

static struct value *decoder_build(struct graph *graph, const struct translator *translator,
                                   struct value *memory)
{
    const struct translator_options *options = translator->options;
    const struct model_options *common = &options->model;
    struct arena *arena = graph->arena;
    const struct embed_layer embed = {.rows = graph_tokens(graph, FIELD_TARGET),
                                      .shifted = true,
                                      .sinusoid = (enum sinusoid_kind)options->decoder.position,
                                      .scale = sqrt((double)common->width),
                                      .dropout = common->dropout,
                                      .table = table(graph, translator, TABLE_TARGET)};
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
        stack_feed_forward(&stack, feedforward,
                           last ? "decoder" : arena_print(arena, "decoder.%d.attention", l + 1));
    }
    stack.input->path = "decoder.output";
    return stack.input;
}

static void build(struct graph *graph, const void *spec)
{
    const struct translator *translator = spec;
    const struct translator_options *options = translator->options;
    struct value *memory = NULL;
    if (graph->mode != GRAPH_STEP) {
        encoder_bias(graph, &options->model);
        memory = encoder_build(graph, &options->model, &options->encoder, FIELD_SOURCE,
                               table(graph, translator, TABLE_SOURCE));
    }
    struct value *output = decoder_build(graph, translator, memory);
    struct value *logits = linear_build_with(graph, output, table(graph, translator, TABLE_SOFTMAX),
                                             NULL, true, 1, "logits");
    graph_widen(graph, logits);
    if (graph->mode != GRAPH_STEP)
        loss_build(graph, logits, LABEL_TOKEN, translator->smoothing, "loss");
}

struct model *translator_new(struct arena *arena, const struct ops *ops,
                             const struct translator_options *options, const int words[SIDES],
                             double smoothing)
{
    struct translator *translator = ARENA_NEW(arena, struct translator);
    *translator = (struct translator){.options = options,
                                      .words = {words[SIDE_SOURCE], words[SIDE_TARGET]},
                                      .smoothing = smoothing};
    return model_new(arena, ops, &options->model, build, translator);
}

struct model *translator_of(struct arena *arena, const struct ops *ops,
                            const struct translator_options *options, const struct corpus *corpus,
                            double smoothing)
{
    const int words[SIDES] = {corpus->vocabulary[SIDE_SOURCE].size,
                              corpus->vocabulary[SIDE_TARGET].size};
    return translator_new(arena, ops, options, words, smoothing);
}
