/* A longer training goes on from a shorter one: of the same options but train.epochs and
 * train.steps, on the same corpus and by the same numerics. Rates, orders of sentences and masks
 * are functions of the step, so both have the same bytes up to where the shorter one ends. What
 * that end alone has made is left out: a validation that was not due, and its checkpoint; a row of
 * the loss.
 *
 * The longer stage is another stage: its folder gets the rows up to the newest checkpoint that it
 * would have made itself, and the checkpoints that it would still have there. Their optimizers and
 * states are hard links, their model.safetensors say what the longer one is. From there on it is
 * like any training that was stopped, and ends with the bytes of one that was never continued. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "core/base/digest.h"

/* Whether stages of a kind are trainings that can go on. */
bool continue_trains(const struct stage_kind *kind);

struct continuation {
    int64_t step;    /* of the checkpoint that the longer one goes on from; -1: there is none, */
    const char *why; /* and this is why; NULL: the other one is not done, or no shorter one */
    bool ended;      /* patience has ended both there */
    struct stage_end end; /* of the shorter one */
};
/* What a stage that has no checkpoint can go on from in the folder of another, which lies beside
 * its own and has its key. Changes nothing, and verifies no digest. */
struct continuation continue_look(const struct stage *stage, const char *name, struct arena *arena);
/* Before a training begins: takes over what its runner told it to (work->shorter; NULL: nothing).
 * What turns out to be damaged or gone is not taken; an event says why. */
void continue_take(struct stage_work *work, const struct metadata *description);
/* The bytes of metrics.jsonl that were taken over where the folder's training is over without ever
 * having run here: patience had ended the shorter one, and no optimizer is left that it could go on
 * with. Elsewhere -1. */
int64_t continue_over(const struct stage *stage);

/* How long a training is: train.epochs and train.steps, as its canonical text has them. */

/* The digest of a canonical text without the lines of its length: equal for trainings that differ
 * in nothing else. */
void continue_key(const char *canonical, char key[DIGEST_TEXT]);
/* Of two such texts, whether the options alone say that the first one's training is the shorter. */
bool continue_is_shorter(const char *canonical, const char *than);
