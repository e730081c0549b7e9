/* The option sections model, encoder and decoder, and checks across options. */
#include "core/model/model_options.h"

#define FIELD(type, member) offsetof(struct type, member)

static const struct option model_rows[] = {
    OPTION_INT("width", FIELD(model_options, width), "512", 2, 16384, OPTION_ID,
               "model width D, an even number"),
    OPTION_INT("heads", FIELD(model_options, heads), "8", 1, 256, OPTION_ID,
               "number of attention heads H; divides the width"),
    OPTION_INT("feedforward", FIELD(model_options, feedforward), "2048", 1, 65536, OPTION_ID,
               "inner width F of the feed-forward networks"),
    OPTION_CHOICE(
        "norm", FIELD(model_options, norm), "pre", "pre|post|none", OPTION_ID,
        "place of layer normalization: before each sub-layer, or after each residual sum; "
        "none: recurrent layers only"),
    OPTION_CHOICE(
        "share", FIELD(model_options, share), "none", "none|target|all", OPTION_ID,
        "shared tables: none; target and softmax; source, target and softmax (needs corpus.joint)"),
    OPTION_BOOL("source_bias", FIELD(model_options, source_bias), "false", OPTION_ID,
                "learned vector that is added to the source embedding (THUMT)"),
    OPTION_BOOL("attention_bias", FIELD(model_options, attention_bias), "true", OPTION_ID,
                "biases of the projections of queries, keys, values and attention's output"),
    OPTION_BOOL(
        "zero_bias", FIELD(model_options, zero_bias), "false", OPTION_ID,
        "zero start of biases; false: uniform within sqrt(3 / n) (THUMT), in recurrent layers "
        "1 / sqrt(D) (PyTorch)"),
    OPTION_NUMBERED(
        "start", FIELD(model_options, start), "thumt", "thumt|{uniform: LIMIT}", 1e-9, 100,
        "thumt|uniform %", OPTION_ID,
        "initial parameters: by their kind, as in THUMT, or {uniform: 0.1}: all within 0.1 of 0"),
    OPTION_REAL("dropout", FIELD(model_options, dropout), "0.1", 0, 0.95, OPTION_ID,
                "dropout rate of embeddings and of each sub-layer before its residual sum"),
    OPTION_REAL("attention_dropout", FIELD(model_options, attention_dropout), "0", 0, 0.95,
                OPTION_ID,
                "dropout rate of attention weights, also those of a classifier's pooling queries"),
    OPTION_REAL("relu_dropout", FIELD(model_options, relu_dropout), "0", 0, 0.95, OPTION_ID,
                "dropout rate of the feed-forward networks' hidden layers"),
};
const struct section model_section = {"model", "options of both encoder and decoder", model_rows,
                                      COUNT_OF(model_rows), sizeof(struct model_options)};

/* In the order of enum sinusoid_kind. */
#define POSITIONS "none|sinusoid|interleaved"

static const struct option encoder_rows[] = {
    OPTION_INT("layers", FIELD(encoder_options, layers), "6", 0, 64, OPTION_ID,
               "number of encoder layers; 0: only embedding and final normalization"),
    OPTION_CHOICE(
        "position", FIELD(encoder_options, position), "sinusoid", POSITIONS, OPTION_ID,
        "position encoding of the source; sinusoid: sines, then cosines, rates 10000^(-k/(D/2-1)) "
        "(THUMT, T2T); interleaved: alternating, 10000^(-2k/D) (Song et al., eq. 5)"),
    OPTION_REAL("timescale", FIELD(encoder_options, timescale), "10000", 1.5, 1e9, OPTION_ID,
                "base of the rates of encoder.position (Tran et al. 2018: 1000)",
                .when = "position != none"),
    OPTION_CUSTOM("stack", FIELD(encoder_options, stack), "[{san: layers}]", &layers_custom,
                  OPTION_ID,
                  "kinds of layers from the embedding upward, e.g. [{onlstm: 3}, {san: 3}]; sets "
                  "encoder.layers"),
    OPTION_BOOL("shortcut", FIELD(encoder_options, shortcut), "false", OPTION_ID,
                "sum of the outputs of all groups of the stack, instead of the last group's "
                "(short-cut; needs two groups)"),
    OPTION_CUSTOM("attention", FIELD(encoder_options, attention),
                  "[{layers: all, branches: [global]}]", &attention_custom, OPTION_ID,
                  "branches, terms and fusion by layer, e.g. [{layers: 1-3, terms: [localness]}]"),
};
const struct section encoder_section = {"encoder", "the encoder's stack", encoder_rows,
                                        COUNT_OF(encoder_rows), sizeof(struct encoder_options)};

static const struct option decoder_rows[] = {
    OPTION_INT("layers", FIELD(decoder_options, layers), "6", 1, 64, OPTION_ID,
               "number of decoder layers"),
    OPTION_CHOICE("position", FIELD(decoder_options, position), "sinusoid", POSITIONS, OPTION_ID,
                  "position encoding of the target, as in encoder.position"),
    OPTION_CUSTOM("attention", FIELD(decoder_options, attention),
                  "[{layers: all, branches: [global]}]", &attention_custom, OPTION_ID,
                  "self-attention by layer, always causal; written as encoder.attention"),
    OPTION_CUSTOM("cross", FIELD(decoder_options, cross), "[{layers: all, branches: [global]}]",
                  &attention_custom, OPTION_ID,
                  "attention to the source by layer; written as encoder.attention"),
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
    const struct location location = heads   ? heads->location
                                     : width ? width->location
                                             : point->location;
    if (model->width % model->heads)
        die_at(location, "heads: %d does not divide the width %d", model->heads, model->width);
    if (model->width % 2)
        die_at(tree_location(point, "model.width"),
               "width: expected an even number, because positions are pairs of sine and cosine, "
               "got %d",
               model->width);
    struct encoder_options *encoder = &options->encoder;
    layers_resolve(&encoder->stack, tree_find(point, "encoder.layers"), encoder->layers,
                   model->width, encoder->shortcut, tree_location(point, "encoder.shortcut"),
                   arena);
    encoder->layers = layers_count(&encoder->stack);
    if (model->norm == NORM_NONE && layers_attending(&encoder->stack))
        die_at(tree_location(point, "model.norm"),
               "norm: none is for recurrent layers only; encoder.stack has %d layers of "
               "self-attention",
               layers_attending(&encoder->stack));
    bool *recurrent = ARENA_ARRAY(arena, bool, encoder->layers + 1);
    for (int l = 0; l < encoder->layers; l++)
        recurrent[l] = layers_group(&encoder->stack, l + 1)->kind != LAYER_SAN;
    struct attention_size size = {encoder->layers, model->width, model->heads,
                                  !model->attention_bias, recurrent};
    attention_resolve(&encoder->attention, ATTENTION_ENCODER, &size, arena);
    size.layers = options->decoder.layers;
    size.recurrent = NULL;
    attention_resolve(&options->decoder.attention, ATTENTION_DECODER, &size, arena);
    attention_resolve(&options->decoder.cross, ATTENTION_CROSS, &size, arena);
}
