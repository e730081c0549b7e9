/* The journal of a stage: two append-only files of JSON lines in its folder.
 *
 *   metrics.jsonl   results, a pure function of the stage's identity (and of train.log_every, which
 *                   only sets how often the training loss is written): no clock, no host. On resume
 *                   the file is cut to the length that the checkpoint stores. So a run that was
 *                   killed and resumed has the same bytes as an uninterrupted run.
 *                   {"name":"loss","step":100,"value":3.25,"layer":..,"head":..,"set":..,
 *                    "class":..,"n":..}
 *   events.jsonl    everything else, with wall time and attempt: started, resumed, saved, timings,
 *                   done, failed, diverged, interrupted; never cut.
 *
 * Each record is one write(). The next owner cuts off a torn last line (no newline). Numbers are
 * the shortest decimals that read back to the same double. A failed write dies. */
#pragma once

#include "core/base/base.h"

#define JOURNAL_METRICS "metrics.jsonl"
#define JOURNAL_EVENTS "events.jsonl"

enum {
    JOURNAL_NONE = -1 /* this dimension does not apply */
};

struct metric {
    const char *name;  /* "loss", "bleu", "gate" */
    int64_t step;      /* optimizer step, or JOURNAL_NONE */
    double value;      /* NaN and infinities are written as null */
    int layer, head;   /* from 1, or JOURNAL_NONE */
    int set;           /* the K-th of several checkpoints or samples; or JOURNAL_NONE */
    const char *class; /* a label, part of speech or bin; NULL: none */
    int64_t n;         /* number of items, or JOURNAL_NONE */
};

struct journal;

/* Opens the journal; creates absent files. The lease on the folder (lease.h) ensures that only one
 * process at a time has them open. Every record passes the fence (file.h). */
struct journal *journal_open(const char *folder);
void journal_close(struct journal *journal); /* syncs */

void journal_metric(struct journal *journal, const struct metric *metric);
/* Writes a metric of a step with no other dimension. */
void journal_value(struct journal *journal, int64_t step, const char *name, double value);

/* journal_sync syncs metrics.jsonl and returns its length, for a checkpoint. journal_cut cuts the
 * file to this length. */
int64_t journal_sync(struct journal *journal);
void journal_cut(struct journal *journal, int64_t length);
/* Replaces the content of metrics.jsonl by the lines of another training that this training
 * continues. */
void journal_fill(struct journal *journal, const char *lines, size_t bytes);

/* Writes {"event":"saved","time":..,"clock":..,"attempt":..,"step":..,"text":..}; step may be
 * JOURNAL_NONE, text NULL. `time` is seconds since 1970; `clock` is monotonic seconds since the
 * journal was opened. The event "started" begins the next attempt: a worker writes it first. Later
 * events of other processes (a runner's "failed") belong to the same attempt, unless the attempt
 * has ended. If it has ended, the worker died before "started", and a new attempt is counted. */
void journal_event(struct journal *journal, const char *event, int64_t step, const char *text);
/* Writes {"event":"timing","name":"train","step":..,"value":seconds or a rate}. */
void journal_timing(struct journal *journal, int64_t step, const char *name, double value);
