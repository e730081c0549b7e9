/* Trains one learner with the options of section `train`. The process can be killed at any moment.
 *
 * Only one process at a time may use the training's folder. The folder has ckpt/step-N/
 * (checkpoint.h), metrics.jsonl and events.jsonl. After the end of the training it has no
 * incomplete file. A later run with the same folder resumes from the newest sound checkpoint and
 * ends with the same bytes. Several threads of a process may each run a training, each in a
 * separate folder. Each training then produces the same bytes as it would alone, and computes with
 * the OpenMP threads of its thread. Learners must not share an arena. An error in a training ends
 * the process. */
#pragma once

#include "core/base/journal.h"
#include "core/train/learner.h"
#include "core/train/train_options.h"

struct metadata; /* core/model/safetensors.h */

struct train_job {
    const struct learner *learner; /* train_run places its model and list */
    const char *folder;
    struct journal *journal;
    /* Description in the metadata of each checkpoint (core/model/checkpoint.h). NULL: none. */
    const struct metadata *description;
    /* Called from time to time; done and total in steps. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total, double loss);
    void *progress_context;
};

enum train_end {
    TRAIN_DONE,
    /* After SIGTERM, SIGINT, SIGUSR1 or SIGUSR2, which end every training of the process. A
     * checkpoint was saved, from which another run can resume. */
    TRAIN_INTERRUPTED,
    TRAIN_DIVERGED /* loss or gradients are not finite: a result, not a crash */
};
/* Runs a training. Dies if the learner has a fault, or if both epochs and steps are 0. */
enum train_end train_run(const struct train_job *job);

/* Returns the total number of steps according to the options. */
int64_t train_steps(const struct learner *learner);

/* Returns the number of micro-batches per step of the training in this folder (struct train_state).
 * Returns 0 if the number is train.accumulate, or if there is no sound checkpoint. */
int train_micros(const char *folder);
/* Returns the step of the best checkpoint by the second rank of validations; -1: none. */
int64_t train_other(const char *folder);
/* Writes the steps that train.keep_at keeps: those next to its crossings in the validations of a
 * training's folder up to step `until`. Returns their number, at most 2 KEEP_AT_MOST. */
int train_kept_at(const struct train_options *train, const char *folder, int64_t until,
                  int64_t step[]);
/* Memory of the program and its libraries, in bytes (measured by scripts/compare/bench_memory). */
enum { PROGRAM_BYTES = 6 << 20 };
/* Returns the largest memory, in bytes, of a process that runs train_run, as computed by
 * graph_plan. *placed is the part that the op table allocates, i.e. device memory. */
size_t train_memory(const struct learner *learner, size_t *placed);
/* Returns the bytes that the op table allocates for a model in training and its list. */
size_t train_placed(const struct model *model, const struct graph *list);
