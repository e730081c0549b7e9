/* Training of one learner with the options of section `train`. The run can be killed at any moment.
 *
 * Only one process at a time may use the folder. It contains ckpt/step-N/ (model and optimizer,
 * state.json, MANIFEST with digests), metrics.jsonl and events.jsonl; after the end it contains no
 * incomplete file. A run on the same folder resumes from the newest sound checkpoint and ends with
 * the same bytes. Several threads of a process may each run a training in its own folder. Each then
 * produces the same bytes as alone, with the OpenMP threads of its thread. Learners must not share
 * an arena. An error in a training ends the process. */
#pragma once

#include "core/base/journal.h"
#include "core/train/learner.h"
#include "core/train/train_options.h"

struct metadata; /* core/model/safetensors.h */

struct train_job {
    const struct learner *learner; /* train_run places its model and list */
    const char *folder;
    struct journal *journal;
    /* Metadata of each checkpoint (core/model/checkpoint.h). NULL: only the step. */
    const struct metadata *description;
    /* Called from time to time; done and total in steps. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total, double loss);
    void *progress_context;
};

enum train_end {
    TRAIN_DONE,
    /* SIGTERM, SIGINT, SIGUSR1 or SIGUSR2: the state was saved, and another run resumes. A signal
     * ends every training of the process. */
    TRAIN_INTERRUPTED,
    TRAIN_DIVERGED /* loss or gradients are not finite: a result, not a crash */
};
/* Runs a training. Dies with the learner's fault if there is one, or if both epochs and steps are
 * 0. */
enum train_end train_run(const struct train_job *job);

/* Returns the total number of steps according to the options. */
int64_t train_steps(const struct learner *learner);

/* Returns the number of micro-batches per step of the training in this folder (struct train_state);
 * 0: accumulate, or the training has not begun. */
int train_micros(const char *folder);
/* Returns the step of the best checkpoint by the second rank of validations; -1: none. */
int64_t train_other(const char *folder);
/* Bytes of the program with its libraries (measured by sanlab-dev bench memory). */
enum { PROGRAM_BYTES = 6 << 20 };
/* Returns the peak bytes of a process that runs train_run, computed by the planner. `placed` is the
 * part that is allocated from the op table, i.e. in device memory. */
size_t train_memory(const struct learner *learner, size_t *placed);
/* Returns the bytes allocated from the op table for a model in training and its list. */
size_t train_placed(const struct model *model, const struct graph *list);
