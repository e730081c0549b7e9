/* An encoder alone: embedding, stack and final normalization of a field's tokens, for any model (a
 * translator, a classifier of sentences).
 *
 * Paths: encoder.bias, encoder.L.attention.{norm,qkv,gate,output},
 * encoder.L.feedforward.{norm,inner,outer}, encoder.L.recurrence.{norm,input,state,output},
 * encoder.norm; outputs encoder.embedding and encoder.output, and of ON-LSTM
 * encoder.L.master_{input,forget}. Layers count from 1. Without layers it is the embedding with its
 * final normalization; with `norm: post` or none, which have none, the embedding is encoder.output.
 *
 * An infer list has further outputs:
 *   encoder.group.K.raw   the stream at the end of the K-th group of the stack
 *   encoder.group.K       the same, normalized without parameters: it compares with encoder.output
 *                         as H_O and H_S of Hao et al. 2019 do with Final
 *   encoder.L             the input of the layer after L. The last layer's is encoder.output. With
 *                         a short-cut, encoder.output is the sum of the groups, and the last
 *                         layer's is its own output, normalized as encoder.group.K is, or with
 *                         `norm: post` by itself */
#pragma once

#include "core/model/options.h"

/* The learned vector that is added to the embedding, or NULL where the options have none. Whoever
 * makes the table asks for it first: the order of parameters is the layout of their slabs. */
struct parameter *encoder_bias(struct graph *graph, const struct model_options *model);

/* [T, D] of the field's tokens; table: [vocabulary, D], any path (a translator's is
 * source.embedding, or embedding where all tables are one). The options are resolved:
 * translator_options_read takes a text without decoder, too. Paths are fixed: one encoder a
 * list. */
struct value *encoder_build(struct graph *graph, const struct model_options *model,
                            const struct encoder_options *encoder, enum field_name field,
                            struct parameter *table);
