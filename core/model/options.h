/* What a translation model is: the sections model, encoder and decoder of a grid (Vaswani et
 * al. 2017, as THUMT builds it). */
#pragma once

#include "attention/attention.h"
#include "core/config/option.h"
#include "core/model/layers.h"

enum norm_place {
    NORM_PRE,  /* LN before each sub-layer and one final LN */
    NORM_POST, /* LN after each residual sum, no final LN */
    NORM_NONE  /* no LN: of recurrent layers alone */
};

enum share_tables {
    SHARE_NONE,   /* source, target and softmax tables (THUMT's default) */
    SHARE_TARGET, /* target and softmax tables are one */
    SHARE_ALL     /* one table; needs a joint vocabulary */
};

struct model_options {
    int width, heads, feedforward; /* D, H, F */
    int norm, share;               /* enum norm_place, enum share_tables */
    bool source_bias;              /* a learned vector added to the source embedding (THUMT) */
    bool attention_bias;           /* of queries, keys, values and output (Song et al.: none) */
    bool zero_bias;                /* biases start at 0, not as THUMT's or PyTorch's do */
    double start;                  /* every parameter starts as U(+-start); 0: as THUMT's do */
    double dropout;                /* residual and embedding */
    double attention_dropout, relu_dropout;
};

struct encoder_options {
    int layers, position;            /* of the stack; position: enum sinusoid_kind */
    struct layer_stack stack;        /* resolved: has `layers` in all */
    double timescale;                /* of the slowest sine */
    bool shortcut;                   /* the final normalization reads the sum of all groups */
    struct attention_list attention; /* resolved against the stack */
};

struct decoder_options {
    int layers, position;
    struct attention_list attention, cross;
};

extern const struct section model_section, encoder_section, decoder_section;

struct translator_options {
    struct model_options model;
    struct encoder_options encoder;
    struct decoder_options decoder;
};

/* Reads the three sections of a grid point and checks what no single row can (heads divide width,
 * layer ranges inside the stack, two entries for one layer). */
void translator_options_read(struct translator_options *options, const struct tree *point,
                             struct arena *arena);
