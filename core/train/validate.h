/* Validation on dev: loss by an infer list, BLEU by greedy search. */
#ifndef CORE_TRAIN_VALIDATE_H
#define CORE_TRAIN_VALIDATE_H

#include "core/model/translator.h"
#include "core/text/corpus.h"
#include "core/train/train.h"

struct validator;

/* `sentences` of dev are translated for BLEU; 0: none. */
struct validator *validator_open(struct arena *arena, struct model *model,
                                 const struct corpus *corpus, int sentences);
void validator_close(struct validator *validator);
size_t validator_bytes(const struct validator *validator); /* while it runs */

struct validation {
    double loss;       /* plain negative log-likelihood per target token (with <eos>) */
    double smoothed;   /* with the label smoothing of training */
    double bleu;       /* NaN when it was not asked for */
};
struct validation validator_run(struct validator *validator);

#endif
