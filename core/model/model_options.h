/* Options of a translation model: the sections model, encoder and decoder of a grid (Vaswani et al.
 * 2017, as implemented by THUMT). */
#pragma once

#include "attention/attention.h"
#include "core/config/option.h"
#include "core/model/layer_stack.h"

enum norm_place {
    NORM_PRE,  /* LN before each sub-layer and one final LN */
    NORM_POST, /* LN after each residual sum, no final LN */
    NORM_NONE  /* no LN; recurrent layers only */
};

enum share_tables {
    SHARE_NONE,   /* separate source, target and softmax tables (THUMT's default) */
    SHARE_TARGET, /* one table for target and softmax */
    SHARE_ALL     /* one table for all; needs a joint vocabulary */
};

struct model_options {
    int width, heads, feedforward; /* D, H, F */
    int norm, share;               /* enum norm_place, enum share_tables */
    bool source_bias;              /* a learned vector added to the source embedding (THUMT) */
    /* Biases of queries, keys, values and output (absent in Song et al.). */
    bool attention_bias;
    /* Biases start at 0 instead of THUMT's or PyTorch's initialization. */
    bool zero_bias;
    /* Every parameter starts as U(+-start.number); 0: THUMT's initialization. */
    struct numbered start;
    double dropout; /* residual and embedding */
    double attention_dropout, relu_dropout;
};

struct encoder_options {
    int layers, position;            /* layers: total of the stack; position: enum sinusoid_kind */
    struct layer_stack stack;        /* resolved (layers_resolve): has `layers` layers */
    double timescale;                /* timescale of the slowest sine */
    bool shortcut;                   /* the final normalization reads the sum of all groups */
    struct attention_list attention; /* resolved (attention_resolve) */
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

/* Reads the three sections of a grid point and checks conditions across options. Heads must divide
 * the width. Layer ranges must be inside the stack. No layer may have two entries. */
void translator_options_read(struct translator_options *options, const struct tree *point,
                             struct arena *arena);
