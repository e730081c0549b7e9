/* Continuation of a shorter training by a longer one. Both have the same options except
 * train.epochs and train.steps, the same corpus and the same numerics. Rates, orders of sentences
 * and masks are functions of the step. So both trainings write the same bytes up to the end of the
 * shorter one. Output that exists only because of this end is not copied: a validation that was not
 * due, its checkpoint, and a loss row.
 *
 * The longer training is a separate stage. Its folder gets the metric rows up to the newest
 * checkpoint that the longer training would also have written. It also gets the checkpoints that
 * the longer training would still have at that step. Optimizers and states are hard links. Each
 * model.safetensors gets the description of the longer training. From there the longer training
 * resumes like an interrupted one, and ends with the same bytes as an uninterrupted one. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "core/base/digest.h"

/* True if stages of the kind are trainings that can be continued. */
bool continue_trains(const struct stage_kind *kind);

struct continuation {
    int64_t step;    /* step of the checkpoint to continue from; -1: none */
    const char *why; /* the reason, if none; NULL: the other training is not done or not shorter */
    bool ended;      /* both trainings end there by patience */
    struct stage_end end; /* of the shorter training */
};
/* Finds the checkpoint of the stage `name`, a sibling folder with the same key, from which a stage
 * without checkpoints can continue. Changes nothing and verifies no digest. */
struct continuation continue_look(const struct stage *stage, const char *name, struct arena *arena);
/* Copies from the shorter training (work->shorter; NULL: none) before a training begins. If its
 * files are damaged or missing, nothing is copied and an event has the reason. */
void continue_take(struct stage_work *work, const struct metadata *description);
/* Returns the length of the copied metrics.jsonl in bytes if the training is over without any step
 * in this stage. In this case patience ended the shorter training, and no optimizer is left to
 * resume with. Otherwise returns -1. */
int64_t continue_over(const struct stage *stage);

/* The length of a training: train.epochs and train.steps in its canonical text. */

/* Computes the digest of a canonical text without the lines of its length. Trainings that differ
 * only in length have equal keys. */
void continue_key(const char *canonical, char key[DIGEST_TEXT]);
/* True if, by the options alone, the training of `canonical` is shorter than the training of
 * `than`. */
bool continue_is_shorter(const char *canonical, const char *than);
