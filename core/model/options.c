#include "core/model/options.h"


#define FIELD(type, member) offsetof(struct type, member)

static const struct option model_rows[] = {
    {.key = "width", .type = OPTION_INT, .offset = FIELD(model_options, width), .fallback = "512",
     .low = 2, .high = 16384, .flags = OPTION_ID, .help = "model width D"},
    {.key = "heads", .type = OPTION_INT, .offset = FIELD(model_options, heads), .fallback = "8",
     .low = 1, .high = 256, .flags = OPTION_ID, .help = "attention heads H; divides the width"},
    {.key = "feedforward", .type = OPTION_INT, .offset = FIELD(model_options, feedforward),
     .fallback = "2048", .low = 1, .high = 65536, .flags = OPTION_ID, .help = "inner width F"},
    {.key = "norm", .type = OPTION_CHOICE, .offset = FIELD(model_options, norm), .fallback = "pre",
     .choices = "pre|post", .flags = OPTION_ID,
     .help = "layer normalization before each sub-layer, or after each residual sum"},
    {.key = "share", .type = OPTION_CHOICE, .offset = FIELD(model_options, share),
     .fallback = "none", .choices = "none|target|all", .flags = OPTION_ID,
     .help = "tables that are one: none; target and softmax; all three (joint vocabulary)"},
    {.key = "source_bias", .type = OPTION_BOOL, .offset = FIELD(model_options, source_bias),
     .fallback = "false", .flags = OPTION_ID,
     .help = "a learned vector added to the source embedding (THUMT)"},
    {.key = "attention_bias", .type = OPTION_BOOL, .offset = FIELD(model_options, attention_bias),
     .fallback = "true", .flags = OPTION_ID,
     .help = "the projections of queries, keys, values and attention's output have biases"},
    {.key = "zero_bias", .type = OPTION_BOOL, .offset = FIELD(model_options, zero_bias),
     .fallback = "false", .flags = OPTION_ID,
     .help = "biases start at 0; otherwise uniformly within sqrt(3 / n) (THUMT)"},
    {.key = "dropout", .type = OPTION_REAL, .offset = FIELD(model_options, dropout),
     .fallback = "0.1", .low = 0, .high = 0.95, .flags = OPTION_ID,
     .help = "of embeddings and of every sub-layer before its residual sum"},
    {.key = "attention_dropout", .type = OPTION_REAL,
     .offset = FIELD(model_options, attention_dropout), .fallback = "0", .low = 0, .high = 0.95,
     .flags = OPTION_ID, .help = "of attention weights"},
    {.key = "relu_dropout", .type = OPTION_REAL, .offset = FIELD(model_options, relu_dropout),
     .fallback = "0", .low = 0, .high = 0.95, .flags = OPTION_ID,
     .help = "of the feed-forward network's hidden layer"},
};
const struct section model_section = {"model", "what encoder and decoder have in common",
                                      model_rows, COUNT_OF(model_rows),
                                      sizeof(struct model_options)};

/* In the order of enum sinusoid_kind. */
#define POSITIONS "none|sinusoid|interleaved"

static const struct option encoder_rows[] = {
    {.key = "layers",
     .type = OPTION_INT,
     .offset = FIELD(encoder_options, layers),
     .fallback = "6",
     .low = 0,
     .high = 64,
     .flags = OPTION_ID,
     .help = "layers of the encoder; 0: its embedding alone, with the final normalization"},
    {.key = "position",
     .type = OPTION_CHOICE,
     .offset = FIELD(encoder_options, position),
     .fallback = "sinusoid",
     .choices = POSITIONS,
     .flags = OPTION_ID,
     .help = "added to the source embedding: sines and cosines in halves, rates 10000^(-k/(D/2-1)) "
             "(THUMT, T2T); interleaved: in turns, 10000^(-2k/D) (Song et al., eq. 5)"},
    {.key = "attention",
     .type = OPTION_CUSTOM,
     .offset = FIELD(encoder_options, attention),
     .custom = &attention_custom,
     .flags = OPTION_ID,
     .fallback = "[{layers: all, branches: [global]}]",
     .help = "branches, terms and fusion by layer, e.g. [{layers: 1-3, terms: [localness]}]"},
};
const struct section encoder_section = {"encoder", "the encoder's stack", encoder_rows,
                                        COUNT_OF(encoder_rows), sizeof(struct encoder_options)};

static const struct option decoder_rows[] = {
    {.key = "layers", .type = OPTION_INT, .offset = FIELD(decoder_options, layers), .fallback = "6",
     .low = 1, .high = 64, .flags = OPTION_ID, .help = "layers of the decoder"},
    {.key = "position", .type = OPTION_CHOICE, .offset = FIELD(decoder_options, position),
     .fallback = "sinusoid", .choices = POSITIONS, .flags = OPTION_ID,
     .help = "added to the target embedding: as encoder.position"},
    {.key = "attention", .type = OPTION_CUSTOM, .offset = FIELD(decoder_options, attention),
     .custom = &attention_custom, .flags = OPTION_ID,
     .fallback = "[{layers: all, branches: [global]}]",
     .help = "self-attention by layer, causal by itself; as encoder.attention"},
    {.key = "cross", .type = OPTION_CUSTOM, .offset = FIELD(decoder_options, cross),
     .custom = &attention_custom, .flags = OPTION_ID,
     .fallback = "[{layers: all, branches: [global]}]",
     .help = "attention to the source by layer; as encoder.attention"},
};
const struct section decoder_section = {"decoder", "the decoder's stack", decoder_rows,
                                        COUNT_OF(decoder_rows), sizeof(struct decoder_options)};

void translator_options_read(struct translator_options *options, const struct tree *point,
                             struct arena *arena)
{
    section_read(&model_section, tree_find(point, "model"), &options->model, arena);
    section_read(&encoder_section, tree_find(point, "encoder"), &options->encoder, arena);
    section_read(&decoder_section, tree_find(point, "decoder"), &options->decoder, arena);
    const struct model_options *model = &options->model;
    const struct tree *heads = tree_find(point, "model.heads");
    const struct tree *width = tree_find(point, "model.width");
    const struct place place = heads ? heads->place : width ? width->place : point->place;
    if (model->width % model->heads)
        die_at(place, "heads: %d do not divide the width %d", model->heads, model->width);
    if (model->width % 2)
        die_at(place, "width: sines and cosines need an even number, got %d", model->width);
    struct attention_size size = {options->encoder.layers, model->width, model->heads,
                                  !model->attention_bias};
    attention_resolve(&options->encoder.attention, ATTENTION_ENCODER, &size, arena);
    size.layers = options->decoder.layers;
    attention_resolve(&options->decoder.attention, ATTENTION_DECODER, &size, arena);
    attention_resolve(&options->decoder.cross, ATTENTION_CROSS, &size, arena);
}
