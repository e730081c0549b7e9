/* Training of one learner: the section `train`, and a run that can be killed at any moment.
 *
 * The folder belongs to one process at a time. It holds ckpt/step-N/ (model and optimizer,
 * state.json, MANIFEST with digests), metrics.jsonl, events.jsonl and, when done, nothing half.
 * Started again on the same folder it goes on from the newest good checkpoint and ends with the
 * same bytes. Several threads of a process may each run one, in folders of their own: each has the
 * bytes that it would have alone, with as many OpenMP threads as its thread says. Learners share no
 * arena. What dies ends the process. */
#pragma once

#include "core/base/journal.h"
#include "core/train/learner.h"
#include "core/train/options.h"

struct metadata; /* core/model/safetensors.h */

struct train_job {
    const struct learner *learner; /* train_run places its model and list */
    const char *folder;
    struct journal *journal;
    /* What each checkpoint says of itself (core/model/checkpoint.h). NULL: its step alone. */
    const struct metadata *description;
    /* Called now and then; done and total in steps. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total, double loss);
    void *progress_context;
};

enum train_end {
    TRAIN_DONE,
    TRAIN_INTERRUPTED, /* SIGTERM, SIGINT, SIGUSR1 or SIGUSR2: saved; start again to go on.
                        * One signal ends every training of the process */
    TRAIN_DIVERGED     /* loss or gradients not finite: a result, not a crash */
};
/* Dies with the learner's fault, and when neither epochs nor steps end the training. */
enum train_end train_run(const struct train_job *job);

/* Steps that the options mean. */
int64_t train_steps(const struct learner *learner);

/* Micro-batches that a training in this folder was cut into (struct train_state); 0: by the option,
 * or it has not begun. */
int train_micros(const char *folder);
/* The step of the checkpoint that is best by the second rank of validations; -1: they have none. */
int64_t train_other(const char *folder);
enum { PROGRAM_BYTES = 6 << 20 }; /* with its libraries (measured: sanlab-dev bench memory) */
/* Peak bytes of a process that runs train_run, from the planner: nothing is trained. `placed`:
 * those of them that are taken of the table, which lie in a device's memory. */
size_t train_memory(const struct learner *learner, size_t *placed);
/* Bytes of the table for a model that learns and its list. */
size_t train_placed(const struct model *model, const struct graph *list);
