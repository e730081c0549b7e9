/* The encoder-decoder of Vaswani et al. 2017, as THUMT builds it, as lists of nodes that share
 * their parameters.
 *
 * Paths: those of encoder.h; source.embedding, target.embedding, target.softmax (or embedding),
 * decoder.L.{attention,cross,feedforward}, decoder.norm; outputs decoder.output, logits, loss.loss,
 * loss.likelihood. Layers count from 1. */
#pragma once

#include "core/corpus/corpus.h"
#include "core/model/model.h"
#include "core/model/options.h"

/* Vocabularies of so many words; the loss with label smoothing. `options` lives as long as the
 * model. ops: as model_new has it. */
struct model *translator_new(struct arena *arena, const struct ops *ops,
                             const struct translator_options *options, const int words[SIDES],
                             double smoothing);
/* With the vocabularies of a corpus. */
struct model *translator_of(struct arena *arena, const struct ops *ops,
                            const struct translator_options *options, const struct corpus *corpus,
                            double smoothing);

/* The table [words, D] of the source's words. */
struct parameter *translator_source_table(const struct parameters *parameters);

/* Parameters, to the unit: everything but embedding and softmax tables; and with them. */
int64_t translator_count_body(const struct translator_options *options);
int64_t translator_count(const struct translator_options *options, int64_t source_size,
                         int64_t target_size);
/* Of training on `source` and `target` tokens (real ones), in any number of steps. */
struct translator_cost {
    double flops; /* floating point operations of products */
    double work;  /* what time is proportional to (graph_work) */
};
struct translator_cost translator_train_cost(const struct translator_options *options,
                                             int64_t target_size, double source, double target);
