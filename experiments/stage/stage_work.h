/* The work of a worker process: runs one stage in the stage's folder and reports to its runner.
 *
 * It takes the folder's lease, writes environment.json, runs the kind's function, and writes
 * done.json last. Its output goes to log.txt, which the runner opens. Its inputs must be done, and
 * must not have changed when the stage ends. Otherwise a score of a half-trained model could
 * remain, because an input may be redone meanwhile.
 *
 * A process that was frozen for longer than the lease lasts may lose the lease to another process.
 * Then the worker exits at once and writes nothing more. All writes of kinds pass the fence of
 * file.h. */
#pragma once

#include <jansson.h>

#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/model/device_choice.h"
#include "core/model/frozen.h"
#include "experiments/stage/stage.h"
#include "results/store/items.h"

enum {
    WORK_UNABLE_EXIT = 72, /* the lease cannot be taken, although no other process holds it */
    WORK_LOST_EXIT = 73,   /* another process has taken over the stage */
    WORK_BUSY_EXIT = 74    /* another process works on this stage or on one of its inputs */
};

struct lease;
struct team;

struct stage_work {
    const struct stage *stage;
    const char *device;    /* device of the computation (core/model/device_choice.h) */
    const struct ops *ops; /* table of the device */
    struct lease *lease;
    int64_t *read_at;   /* [inputs of the stage] stage_done_at of each at the start */
    struct arena arena; /* freed at the end of the process */
    struct journal *journal;
    int values;
    struct metric *value; /* [values] of the whole stage: the last lines of metrics.jsonl */
    json_t *texts;        /* of done.json: descriptions of the results */
    json_t *outputs;      /* of done.json: output files with digests */
    int progress;         /* file descriptor for lines of progress; -1: none */
    double told;          /* time of the last line (clock_seconds) */
    struct team *team;    /* source of the number of threads; NULL: it is fixed */
    int threads;          /* current number */
    /* The shorter training to continue (continue.h); NULL: none. */
    const char *shorter;
};

/* Runs the stage in `folder`. Lines of progress go to the file descriptor `progress`; the number of
 * threads comes from `team_file` (team.h; -1: fixed). `shorter` is the sibling stage that a
 * training continues; NULL or "": none. Returns the exit status: 0, INTERRUPTED_EXIT,
 * WORK_BUSY_EXIT or WORK_UNABLE_EXIT. On failure dies with the stage marked failed. If the stage is
 * lost, exits with WORK_LOST_EXIT. */
int stage_work_do(const char *folder, int progress, int team_file, const char *shorter);

/* Writes "done total text" for the runner, at most a few times a second. Call it between two pieces
 * of work: after it, the stage uses the threads that the runner permits. */
void stage_work_progress(struct stage_work *work, int64_t done, int64_t total, const char *text);
/* Progress function for sentences, in the form that core expects; the context is the struct
 * stage_work. */
void stage_work_sentences(void *context, int64_t done, int64_t total);
/* For struct stage_kind: a kind that reads a trained model frozen, and its inputs. */
#define READS_FROZEN                                                                               \
    .traits = KIND_COMPUTES, .inputs = (const char *const[])                                       \
    {                                                                                              \
        "corpus", "train", NULL                                                                    \
    }
enum { FROZEN_CORPUS, FROZEN_TRAIN };
/* Opens the model (core/model/frozen.h) with the corpus, on this stage's device. Progress is
 * reported in sentences. */
struct frozen *stage_work_frozen(struct stage_work *work, const char *checkpoint);
/* Opens the model of any job in the same way. */
struct frozen *stage_work_open(struct stage_work *work, struct frozen_job job);
/* Coordinates of a value; 0 or NULL: over all. */
struct value_at {
    int set, layer, head;
    const char *class;
};
/* Writes a value over n things (JOURNAL_NONE: not counted) as a line of metrics.jsonl. A value over
 * all is written when the stage ends. A value that is not finite is left out. */
void stage_work_value(struct stage_work *work, const char *name, double value, int64_t n,
                      struct value_at at);
/* Writes the value of set `set` (from 0) of `sets`. The value over all is the mean of the sets. */
void stage_work_set(struct stage_work *work, const char *name, double value, int set, int sets,
                    int64_t n);
/* Adds one set's value to a mean; call it for each of the sets. If one is not finite, the mean is
 * left out. */
void stage_work_mean(struct stage_work *work, const char *name, double value, int sets);
/* Writes a value over all, without n. */
void stage_work_real(struct stage_work *work, const char *name, double value);
/* Writes part / all in per cent; 0 if `all` is 0. */
void stage_work_share(struct stage_work *work, const char *name, int64_t part, int64_t all);
void stage_work_text(struct stage_work *work, const char *name, const char *text);

/* Returns the path of a file in the stage's folder, in the arena. */
const char *stage_work_path(struct stage_work *work, const char *file);
/* Makes a file of the stage's folder one of its outputs. */
void stage_work_output(struct stage_work *work, const char *file);
/* Begins an output file. stage_work_commit ends it and makes it an output. */
struct file_writer stage_work_create(struct stage_work *work, const char *file);
void stage_work_commit(struct stage_work *work, struct file_writer *writer, const char *file);
/* Writes NAME.npy with number[rows][columns], or a file of items, as outputs. */
void stage_work_npy(struct stage_work *work, const char *name, const float *number, int64_t rows,
                    int64_t columns);
void stage_work_items(struct stage_work *work, const char *file, const struct item *item,
                      int count);
/* Returns a split of a corpus. Dies if the corpus lacks it. */
const struct split *stage_work_split(const struct stage_work *work, const struct corpus *corpus,
                                     int split);
