/* Builds the encoder-decoder of Vaswani et al. 2017, as implemented by THUMT. Its lists of nodes
 * share parameters.
 *
 * Paths: those of encoder.h; source.embedding, target.embedding, target.softmax (or embedding),
 * decoder.L.{attention,cross,feedforward}, decoder.norm; outputs decoder.output, logits, loss.loss,
 * loss.likelihood. Layers count from 1. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/model/model.h"
#include "core/model/model_options.h"

/* Creates a translator. words: vocabulary sizes. smoothing: label smoothing. `options` must outlive
 * the model. ops: as in model_new. */
struct model *translator_new(struct arena *arena, const struct ops *ops,
                             const struct translator_options *options, const int words[SIDES],
                             double smoothing);
/* Creates a translator with the vocabularies of a corpus. */
struct model *translator_of(struct arena *arena, const struct ops *ops,
                            const struct translator_options *options, const struct corpus *corpus,
                            double smoothing);

/* Returns the embedding table [words, D] of the source. */
struct parameter *translator_source_table(const struct parameters *parameters);

/* Return the exact number of parameters. translator_count includes the embedding and softmax
 * tables, translator_count_body does not. */
int64_t translator_count_body(const struct translator_options *options);
int64_t translator_count(const struct translator_options *options, int64_t source_size,
                         int64_t target_size);
/* Cost of training on `source` and `target` tokens, in any number of steps. */
struct translator_cost {
    double flops; /* floating point operations of products */
    double work;  /* proportional to time (graph_work) */
};
struct translator_cost translator_train_cost(const struct translator_options *options,
                                             int64_t target_size, double source, double target);
