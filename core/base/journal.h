/* The journal of a stage: two files of JSON lines in its folder, which only grow.
 *
 *   metrics.jsonl   results, a pure function of the stage's identity (and of train.log_every, which
 *                   only decides how often the training loss is written): no clock, no host. A run
 *                   that was killed and continued has the same bytes as any other: on resume the
 *                   file is cut to the length that the checkpoint remembers.
 *                   {"name":"loss","step":100,"value":3.25,"layer":..,"head":..,"set":..,
 *                    "class":..,"n":..}
 *   events.jsonl    everything else, with wall time and attempt: started, resumed, saved, timings,
 *                   done, failed, diverged, interrupted; never cut.
 *
 * Each record is one write(). A torn last line (no newline) is cut off by the next owner. Numbers
 * are the shortest decimals that read back to the same double. A failed write dies. */
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
    int set;           /* the K-th of several checkpoints, or of other samples; or JOURNAL_NONE */
    const char *class; /* of a task, a part of speech, a bin; NULL: none */
    int64_t n;         /* how many were counted, or JOURNAL_NONE */
};

struct journal;

/* Creates both files when they are absent. The lease on the folder (lease.h) sees to it that one
 * process at a time has them open; every record passes the fence (file.h). */
struct journal *journal_open(const char *folder);
void journal_close(struct journal *journal); /* syncs */

void journal_metric(struct journal *journal, const struct metric *metric);
/* A metric of a step with no other dimension. */
void journal_value(struct journal *journal, int64_t step, const char *name, double value);
/* A metric of n items: of a set or JOURNAL_NONE, of a class or NULL. */
void journal_mean(struct journal *journal, const char *name, double value, int set,
                  const char *class, int64_t n);

/* Length of metrics.jsonl after a sync: what a checkpoint stores; and the way back to it. */
int64_t journal_sync(struct journal *journal);
void journal_cut(struct journal *journal, int64_t length);
/* metrics.jsonl becomes these lines: those of another training that this one goes on from. */
void journal_fill(struct journal *journal, const char *lines, size_t bytes);

/* {"event":"saved","time":..,"clock":..,"attempt":..,"step":..,"text":..}; step may be
 * JOURNAL_NONE, text NULL. The time is seconds since 1970; the clock counts seconds since the
 * journal was opened and never goes back. The event "started" begins the next attempt: a worker
 * writes it first, and what others add later (a runner's "failed") belongs to the same attempt,
 * unless that has ended: then the worker died before it could begin. */
void journal_event(struct journal *journal, const char *event, int64_t step, const char *text);
/* {"event":"timing","name":"train","step":..,"value":seconds or a rate} */
void journal_timing(struct journal *journal, int64_t step, const char *name, double value);
