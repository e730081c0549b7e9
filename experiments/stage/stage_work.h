/* Runs one stage in its folder, in a worker process, and reports progress to the runner.
 *
 * The worker takes the folder's lease, writes environment.json, calls the kind's run function, and
 * writes done.json last. Its output goes to log.txt, which the runner opens. The input stages must
 * be done at the start, and their done.json must be unchanged at the end. Otherwise an input could
 * be computed again while the stage reads it, and the score of a half-trained model could remain.
 *
 * A worker that was stopped for longer than the lease lasts may have lost the lease to another
 * process. Then it exits at once and writes nothing more. For this purpose, all writes of kinds
 * first call the fence of file.h. */
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
    int64_t *read_at;   /* [stage->inputs] stage_done_at of each input at the start */
    struct arena arena; /* freed at the end of the process */
    struct journal *journal;
    int values;
    struct metric *value; /* [values] values of the whole stage: the last lines of metrics.jsonl */
    json_t *texts;        /* for done.json: texts that describe the results */
    json_t *outputs;      /* for done.json: output files and their digests */
    int progress;         /* file descriptor for lines of progress; -1: none */
    double told;          /* time of the last line of progress (clock_seconds) */
    struct team *team;    /* has the permitted number of threads; NULL: it is fixed */
    int threads;          /* current number of threads */
    /* Name of the stage whose shorter training is continued (continue.h); NULL: none. */
    const char *shorter;
};

/* Runs the stage in `folder`. Lines of progress go to the file descriptor `progress` (-1: none).
 * The number of threads is read from `team_file` (team.h; -1: the number is fixed). `shorter` is
 * the name of the stage whose training is continued; NULL or "": none. Returns the exit status: 0,
 * INTERRUPTED_EXIT, WORK_BUSY_EXIT or WORK_UNABLE_EXIT. On failure, marks the stage as failed and
 * dies. If the lease is lost, exits with WORK_LOST_EXIT. */
int stage_work_do(const char *folder, int progress, int team_file, const char *shorter);

/* Writes the line "DONE TOTAL TEXT" for the runner, at most a few times a second. Call it between
 * two pieces of work, because it also changes the number of threads to the number that the runner
 * permits. */
void stage_work_progress(struct stage_work *work, int64_t done, int64_t total, const char *text);
/* Like stage_work_progress, for a number of sentences. It has the type of frozen_job.progress;
 * `context` is the struct stage_work. */
void stage_work_sentences(void *context, int64_t done, int64_t total);
/* Traits and inputs (struct stage_kind) of a kind that reads a trained model without changing
 * it. */
#define READS_FROZEN                                                                               \
    .traits = KIND_COMPUTES, .inputs = (const char *const[])                                       \
    {                                                                                              \
        "corpus", "train", NULL                                                                    \
    }
enum { FROZEN_CORPUS, FROZEN_TRAIN };
/* Opens the trained model that the stage reads (core/model/frozen.h), and its corpus, on the device
 * of this stage. Progress is reported in sentences. */
struct frozen *stage_work_frozen(struct stage_work *work, const char *checkpoint);
/* Opens the model of `job`, and reports progress in the same way. */
struct frozen *stage_work_open(struct stage_work *work, struct frozen_job job);
/* The set, layer, head and class to which a value belongs. 0 or NULL: the value is over all of
 * them. */
struct value_at {
    int set, layer, head;
    const char *class;
};
/* Writes a value as a line of metrics.jsonl. `n` is the number of items over which it was computed
 * (JOURNAL_NONE: not counted). A value without set, layer, head and class is written when the stage
 * ends. A value that is not finite is left out. */
void stage_work_value(struct stage_work *work, const char *name, double value, int64_t n,
                      struct value_at at);
/* Writes the value of set `set` (from 0), if there are several sets. The value of the whole stage
 * is the mean over the `sets` sets. */
void stage_work_set(struct stage_work *work, const char *name, double value, int set, int sets,
                    int64_t n);
/* Adds the value of one set to the mean over sets. Call it once for each set. If the value of a set
 * is not finite, the mean is left out. */
void stage_work_mean(struct stage_work *work, const char *name, double value, int sets);
/* Writes a value of the whole stage, without n. */
void stage_work_real(struct stage_work *work, const char *name, double value);
/* Writes part / all in per cent; 0 if `all` is 0. */
void stage_work_share(struct stage_work *work, const char *name, int64_t part, int64_t all);
void stage_work_text(struct stage_work *work, const char *name, const char *text);

/* Returns the path of a file in the stage's folder, in the arena. */
const char *stage_work_path(struct stage_work *work, const char *file);
/* Records a file of the stage's folder, with its digest, as an output. */
void stage_work_output(struct stage_work *work, const char *file);
/* Opens an output file. stage_work_commit closes it and records it as an output. */
struct file_writer stage_work_create(struct stage_work *work, const char *file);
void stage_work_commit(struct stage_work *work, struct file_writer *writer, const char *file);
/* stage_work_npy writes number[rows][columns] to NAME.npy. stage_work_items writes a file of items
 * (results/store/items.h). Both record the file as an output. */
void stage_work_npy(struct stage_work *work, const char *name, const float *number, int64_t rows,
                    int64_t columns);
void stage_work_items(struct stage_work *work, const char *file, const struct item *item,
                      int count);
/* Returns a split of a corpus. Dies if the corpus lacks it. */
const struct split *stage_work_split(const struct stage_work *work, const struct corpus *corpus,
                                     int split);
