/* Validation of a translation model on dev: loss by an inference list, BLEU by greedy search. */
#pragma once

#include "core/corpus/corpus_folder.h"
#include "core/train/learner.h"
#include "core/train/train.h"

struct validator;

struct validator *validator_open(struct arena *arena, struct model *model,
                                 const struct corpus *corpus, const struct train_options *options);
void validator_close(struct validator *validator);
size_t validator_bytes(const struct validator *validator); /* bytes during a validation */

/* dev_loss: plain negative log-likelihood per target token, <eos> included. dev_smoothed: the same
 * with the label smoothing of training. dev_bleu: BLEU of the first validate_sentences sentences;
 * absent if this is 0. options->select determines `rank`. */
struct validation validator_run(struct validator *validator);
