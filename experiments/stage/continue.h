/* Continues a finished training with a longer one, instead of computing the same steps again. Both
 * trainings have the same corpus, the same numerics and the same options, except train.epochs and
 * train.steps. Learning rates (except those of train.schedule cosine and linear), orders of
 * sentences and dropout masks depend only on the step. So both trainings write the same bytes up to
 * the end of the shorter one. There is one exception: at its end, the shorter training also writes
 * a validation that is not due, its checkpoint, and a loss row. These are not copied.
 *
 * The longer training is a separate stage. It continues from the newest checkpoint that it would
 * also have written itself. Its folder gets the metric rows up to this checkpoint, and the
 * checkpoints that it would still have kept at this step. Files of optimizers and states are hard
 * links. Each model.safetensors gets the description of the longer training. Then the longer
 * training resumes as after an interruption. Its results have the same bytes as those of an
 * uninterrupted training. */
#pragma once

#include "experiments/stage/stage_work.h"
#include "core/base/digest.h"

/* True if stages of the kind are trainings that a longer training can continue. */
bool continue_trains(const struct stage_kind *kind);

struct continuation {
    int64_t step;         /* step of the checkpoint from which to continue; -1: none */
    const char *why;      /* reason if `step` is -1; NULL: the other training is unfinished or not
                           * shorter */
    struct stage_end end; /* end of the shorter training (done.json) */
};
/* Finds the checkpoint from which a stage without checkpoints can continue. The checkpoint belongs
 * to the stage `name`, which has a folder next to the stage's folder and the same key
 * (continue_key). Changes nothing and does not verify digests. */
struct continuation continue_look(const struct stage *stage, const char *name, struct arena *arena);
/* Returns the reason why a stage cannot continue any shorter training; NULL if it can. */
const char *continue_refused(const struct stage *stage, struct arena *arena);
/* Copies the metric rows and checkpoints of the shorter training (work->shorter; NULL: does
 * nothing). Call it before the training begins. If the training cannot continue, nothing is copied,
 * and the event "not_continued" has the reason. */
void continue_take(struct stage_work *work, const struct metadata *description);
/* The length of a training is train.epochs and train.steps in its canonical text. */

/* Computes the key of a training: the digest of its canonical text without the lines of the length.
 * Trainings that differ only in length have equal keys. */
void continue_key(const char *canonical, char key[DIGEST_TEXT]);
/* True if, by their options, the training with text `canonical` ends before the training with text
 * `than`. */
bool continue_is_shorter(const char *canonical, const char *than);
