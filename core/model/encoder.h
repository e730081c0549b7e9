/* Builds the encoder: embedding, stack and final normalization of the tokens of a field. The
 * translator and the pair classifier use this encoder.
 *
 * Paths: encoder.bias, encoder.L.attention.{norm,qkv,gate,output},
 * encoder.L.feedforward.{norm,inner,outer}, encoder.L.recurrence.{norm,input,state,output},
 * encoder.norm; outputs encoder.embedding and encoder.output, and for ON-LSTM
 * encoder.L.master_{input,forget}. Layers count from 1. An encoder without layers is the embedding
 * with the final normalization; with `norm: post` or none there is no final normalization, and
 * encoder.output is the embedding.
 *
 * An inference list has further outputs:
 *   encoder.group.K.raw   the stream at the end of the K-th group of the stack
 *   encoder.group.K       the same, normalized without parameters. It corresponds to H_O and H_S
 *                         of Hao et al. 2019, and encoder.output to their Final
 *   encoder.L             the input of layer L+1. For the last layer it is encoder.output. With a
 *                         short-cut, encoder.output is the sum of the groups. encoder.L of the
 *                         last layer is then the output of this layer, normalized as
 *                         encoder.group.K or, with `norm: post`, by the layer itself */
#pragma once

#include "core/model/model_options.h"

/* Returns the learned vector that is added to the embedding; NULL if the options have none. Call
 * this function before the table is created, because the order of creation is the layout of the
 * slabs. */
struct parameter *encoder_bias(struct graph *graph, const struct model_options *model);

/* Returns [T, D] for the tokens of the field. table: [vocabulary, D], with any path
 * (source.embedding in a translator, or embedding if all tables are shared). The options must be
 * resolved (translator_options_read, which also accepts a grid point without decoder). The paths do
 * not depend on the field, so a list has at most one encoder. */
struct value *encoder_build(struct graph *graph, const struct model_options *model,
                            const struct encoder_options *encoder, enum field_name field,
                            struct parameter *table);
