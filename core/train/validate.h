/* Validates a translation model on dev. An inference list computes the loss; greedy search
 * translates for BLEU. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/train/learner.h"
#include "core/train/train.h"

struct validator;

struct validator *validator_open(struct arena *arena, struct model *model,
                                 const struct corpus *corpus, const struct train_options *options);
void validator_close(struct validator *validator);
size_t validator_bytes(const struct validator *validator); /* bytes during a validation */

/* dev_loss: negative log-likelihood per target token in nats, <eos> included. dev_smoothed: the
 * same loss with the label smoothing of training. dev_bleu: BLEU of the first validate_sentences
 * sentences; absent if this number is 0. options->select determines whether dev_loss or dev_bleu is
 * `rank`. */
struct validation validator_run(struct validator *validator);
