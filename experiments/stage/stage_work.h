/* What a worker process does: one stage, in the stage's folder, reporting to whoever started it.
 *
 * It takes the folder's lease, writes environment.json, runs its kind's function, and last of all
 * writes done.json. What it prints goes to log.txt (the runner sees to that). What it reads must be
 * done, and still be what it was when it ends: somebody may do that again meanwhile (redo), and of
 * a model that is half trained no score may stay. When the lease goes to another process (this one
 * was frozen for longer than it lasts), it ends at once and writes nothing more: everything that
 * kinds write passes the fence of file.h. */
#pragma once

#include <jansson.h>

#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/model/device.h"
#include "core/model/frozen.h"
#include "experiments/stage/stage.h"
#include "results/store/items.h"

enum {
    WORK_UNABLE_EXIT = 72, /* the stage's lease cannot be taken, nor is it another's */
    WORK_LOST_EXIT = 73,   /* another process has taken the stage over */
    WORK_BUSY_EXIT = 74    /* another process works on this stage, or on one that it reads */
};

struct lease;
struct team;

struct stage_work {
    const struct stage *stage;
    const char *device;    /* that computes it (core/model/device.h), */
    const struct ops *ops; /* and its table */
    struct lease *lease;
    int64_t *read_at;   /* [inputs of the stage] stage_done_at of each, as it was read */
    struct arena arena; /* until the process ends */
    struct journal *journal;
    int values;
    struct metric *value; /* [values] of the stage as a whole: the last lines of metrics.jsonl */
    json_t *texts;        /* of done.json: how the values came about, */
    json_t *outputs;      /* and the files that it leaves, with digests */
    int progress;         /* file descriptor for lines of progress; -1: nobody reads them */
    double told;          /* when the last one was written (clock_seconds) */
    struct team *team;    /* where threads come from; NULL: it keeps those that it has, */
    int threads;          /* these */
    /* The shorter training that this one is to go on from (continue.h); NULL: none. */
    const char *shorter;
};

/* Runs the stage in `folder`; lines of progress go to a file descriptor, threads come from another
 * (team.h; -1: none). `shorter` is the stage beside it that a training goes on from; NULL or "":
 * none. Returns the exit status: 0, INTERRUPTED_EXIT, WORK_BUSY_EXIT or WORK_UNABLE_EXIT; dies with
 * the stage marked failed. When the stage is lost the process exits with WORK_LOST_EXIT. */
int stage_work_do(const char *folder, int progress, int team_file, const char *shorter);

/* "done total text" for the runner, a few times a second at most. It stands between two pieces of
 * work, so that from here on the stage has the threads that the runner gives it. */
void stage_work_progress(struct stage_work *work, int64_t done, int64_t total, const char *text);
/* The same of sentences, as core wants to be given it; the context is the struct stage_work. */
void stage_work_sentences(void *context, int64_t done, int64_t total);
/* The inputs of a kind that reads a model frozen: .inputs = {"corpus", "train", NULL}. */
enum { FROZEN_CORPUS, FROZEN_TRAIN };
/* That model (core/model/frozen.h) with that corpus, on this stage's device. Sentences are the
 * stage's progress. */
struct frozen *stage_work_frozen(struct stage_work *work, const char *checkpoint);
/* The same of any job. */
struct frozen *stage_work_open(struct stage_work *work, struct frozen_job job);
/* Where a value belongs; 0 or NULL: it is of all. */
struct value_at {
    int set, layer, head;
    const char *class;
};
/* A value of n things (JOURNAL_NONE: not counted) becomes a line of metrics.jsonl: one that is of
 * all when the stage ends. One that is not finite is left out. */
void stage_work_value(struct stage_work *work, const char *name, double value, int64_t n,
                      struct value_at at);
/* The value of set `set` of `sets`, from 0; what is of all is the mean of the sets. */
void stage_work_set(struct stage_work *work, const char *name, double value, int set, int sets,
                    int64_t n);
/* The mean alone: called for each of the sets. One that is not finite leaves the mean out. */
void stage_work_mean(struct stage_work *work, const char *name, double value, int sets);
/* A value that is of all and not counted. */
void stage_work_real(struct stage_work *work, const char *name, double value);
/* Per cent of all; of nothing 0. */
void stage_work_share(struct stage_work *work, const char *name, int64_t part, int64_t all);
void stage_work_text(struct stage_work *work, const char *name, const char *text);

/* A file of the stage's folder, or its input's; in the arena. */
const char *stage_work_path(struct stage_work *work, const char *file);
/* A file of the stage's folder becomes one of its outputs. */
void stage_work_output(struct stage_work *work, const char *file);
/* Begins one; stage_work_commit ends it and makes it an output. */
struct file_writer stage_work_create(struct stage_work *work, const char *file);
void stage_work_commit(struct stage_work *work, struct file_writer *writer, const char *file);
/* NAME.npy of number[rows][columns], and a file of items: outputs, too. */
void stage_work_npy(struct stage_work *work, const char *name, const float *number, int64_t rows,
                    int64_t columns);
void stage_work_items(struct stage_work *work, const char *file, const struct item *item,
                      int count);
/* The sentences of a corpus of a split; dies where it has none. */
const struct split *stage_work_split(const struct stage_work *work, const struct corpus *corpus,
                                     int split);
