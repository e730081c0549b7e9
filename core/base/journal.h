/* The journal of a stage: two append-only files of JSON lines in its folder.
 *
 *   metrics.jsonl   results. They depend only on the stage's identity and train.log_every, which
 *                   sets how often the training loss is written. They contain no time and no host.
 *                   On resume the file is cut to the length that the checkpoint stores. So a run
 *                   that was killed and resumed has the same bytes as an uninterrupted run.
 *                   {"name":"loss","step":100,"value":3.25,"layer":..,"head":..,"set":..,
 *                    "class":..,"n":..}
 *   events.jsonl    everything else, with wall time and attempt: started, resumed, saved, timings,
 *                   done, failed, diverged, interrupted. Events are not removed on resume.
 *
 * Each record is one write(). A process that is killed during a write may leave a last line without
 * a newline. The next process that opens the journal removes this line. Values of metrics are
 * decimals that read back to the same double. The program dies if a write fails. */
#pragma once

#include "core/base/base.h"

#define JOURNAL_METRICS "metrics.jsonl"
#define JOURNAL_EVENTS "events.jsonl"

enum {
    JOURNAL_NONE = -1 /* this member does not apply to the metric or event */
};

struct metric {
    const char *name;  /* "loss", "bleu", "gate" */
    int64_t step;      /* optimizer step, or JOURNAL_NONE */
    double value;      /* NaN and infinities are written as null */
    int layer, head;   /* from 1, or JOURNAL_NONE */
    int set;           /* number of one of several checkpoints or samples; or JOURNAL_NONE */
    const char *class; /* a label, part of speech or bin; NULL: none */
    int64_t n;         /* number of items, or JOURNAL_NONE */
};

struct journal;

/* Opens the journal; creates absent files. The caller holds the lease on the folder (lease.h), so
 * that only one process at a time writes the files. The fence (file.h) is called before every
 * record. */
struct journal *journal_open(const char *folder);
void journal_close(struct journal *journal); /* does not sync */

void journal_metric(struct journal *journal, const struct metric *metric);
/* Writes a metric of a step with no other dimension. */
void journal_value(struct journal *journal, int64_t step, const char *name, double value);

/* journal_sync syncs both files. It returns the length of metrics.jsonl, which a checkpoint stores.
 * journal_cut cuts metrics.jsonl to this length. */
int64_t journal_sync(struct journal *journal);
void journal_cut(struct journal *journal, int64_t length);
/* Replaces the content of metrics.jsonl by `lines`. They are from another training, which this
 * training continues. */
void journal_fill(struct journal *journal, const char *lines, size_t bytes);

/* Writes {"event":"saved","time":..,"clock":..,"attempt":..,"step":..,"text":..}; `step` may be
 * JOURNAL_NONE and `text` NULL; the key is then omitted. `time` is seconds since 1970. `clock` is
 * seconds since the journal was opened, by a monotonic clock. A worker first writes "started",
 * which begins the next attempt. Later events belong to this attempt, also those of other
 * processes. There is one exception. If "failed" follows the end of an attempt, a worker died
 * before it could write "started". Then "failed" begins a new attempt. */
void journal_event(struct journal *journal, const char *event, int64_t step, const char *text);
/* Writes an event "timing" with `name` ("train"), `step` and `value`, which is seconds or a
 * rate. */
void journal_timing(struct journal *journal, int64_t step, const char *name, double value);
