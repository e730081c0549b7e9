/* The runner: starts a worker process for every stage of a plan whose inputs are done, until
 * nothing is left to do. It computes nothing itself (no OpenMP, no BLAS).
 *
 * Of the stages that could start it takes, as far as memory and the budget allow, the first one in
 * the order of plan_goes_before (plan.h).
 *
 * A stage that fails does not stop the others; what reads it is reported as blocked. A stage that
 * another runner works on, here or on another machine, is waited for and taken over as it is left
 * (core/base/lease.h). With `no_wait` it waits only while the rest would end noticeably later
 * without it, or while an owner has not renewed its lease since this runner had nothing to do.
 * What a stage reads is looked at once more before it starts: what somebody has taken away (rm) is
 * done again, and what somebody does again (redo) is waited for.
 *
 * SIGINT, SIGTERM, SIGHUP (unless it is ignored, as by nohup), SIGUSR1 and SIGUSR2 end the run:
 * workers save and stop, and the same command continues. A second SIGINT or SIGTERM, a second or
 * more later, ends workers at once. */
#pragma once

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"
#include "experiments/run/worker.h"
#include "results/store/store.h"

struct runner_options {
    int workers;       /* at a time; 0: as many as cores or ready stages */
    int failures_most; /* so many end the run; 0: none do */
    unsigned retry;    /* enum plan_retry: repeat, once, stages that ended so earlier */
    double budget;     /* seconds, then workers save and stop; 0: no end */
    double memory;     /* bytes that all workers may use; 0: what is available */
    enum display_form form;
    bool quiet;          /* failures only */
    bool all;            /* missing files are said for each stage (plan_missing) */
    bool no_wait;        /* ends when others who live do the rest hardly later alone */
    const char *goes_on; /* what goes on where it was stopped; NULL: the same command */
};

enum { RUNNER_FAILED_EXIT = 1 };

/* The exit status: 0 when everything is done, RUNNER_FAILED_EXIT when a stage failed, diverged or
 * lacks a file, INTERRUPTED_EXIT when the same command would continue; with `no_wait` 0, too, when
 * others are at what is left. The plan's estimates decide the order; without them it is the
 * plan's. */
int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options);

/* ---- what the files of the runner share ---- */

enum { SLOTS = 256 };

/* A stage that a worker of ours is at. */
struct runner_slot {
    struct task *task;
    struct worker worker;
    const char *label;
    int threads;  /* that it was started with */
    int64_t log;  /* length of log.txt before */
    double asked; /* clock_seconds: since when it is to give threads back; 0: it is not */
};

/* What becomes of a task in this run. */
struct runner_task {
    bool attempted;     /* not started again */
    const char *unable; /* nobody can work on it, and this is why; else NULL */
    int refusals;       /* how often its lease could not be taken, */
    double not_before;  /* and when to try again (clock_seconds) */
    bool waited;        /* said to be somebody else's, */
    bool silent;        /* and that this one is silent */
    double expires;     /* end of that one's lease, as it was seen last (clock_seconds) */
    double renewed;     /* when that end was seen to move; 0: never */
    int look;           /* number of the last look behind an ended stage that saw it */
};

/* Why nothing is started any more. */
enum halt { HALT_NONE, HALT_SIGNAL, HALT_BUDGET, HALT_FAILURES };

struct runner {
    struct arena *arena;
    struct plan *plan;
    const struct runner_options *options;
    struct display display;
    struct store *store; /* NULL: on a network file system, which others collect */
    struct runner_slot slot[SLOTS];
    int running, cores, limit;
    int signals; /* signalfd */
    enum halt halt;
    double urged; /* clock_seconds: when SIGINT or SIGTERM came first; 0: none has */
    int failures; /* of workers of ours */
    double begun, collected, looked; /* clock_seconds; looked: at all stages, the last time */
    double look_took;                /* seconds that this look took */
    bool partly;                     /* since then some were looked at: those behind an ended one */
    int look;                        /* number of the last look behind an ended stage */
    double busy;                     /* clock_seconds: when a worker of ours last ran */
    double judged;                   /* when it was last asked whether others are enough, */
    bool enough;                     /* and what was said */
    double took, expected;    /* seconds of the stages that we did, and as they were estimated */
    const struct task *held;  /* the last one that was said to lack memory */
    struct runner_task *task; /* [tasks of the plan] */
};

static inline struct runner_task *runner_task_of(const struct runner *runner,
                                                 const struct task *task)
{
    return &runner->task[task->index];
}

/* runner_look.c: reads the state of a stage. What is kept of it is only what is new. */
void runner_inspect(struct runner *runner, struct task *task);
/* Of all that are not settled: what they read may have changed, or another runner works on them. */
void runner_look_again(struct runner *runner);
/* Of those that read a stage which has ended, or wait for it, and of what reads those. */
void runner_look_behind(struct runner *runner, const struct task *ended);
bool runner_look_due(const struct runner *runner); /* whether it is time to look at all again */

/* runner_order.c: fills `left` (seconds, from estimates and progress) and `path` of every task;
 * returns how long the rest takes with `limit` workers, negative when nobody knows. */
double runner_order_rest(struct runner *runner);
/* Whether so many stages run elsewhere that one who stayed would hardly end the rest sooner
 * (plan_workers_enough). */
bool runner_order_enough(struct runner *runner);

/* Bytes that one more stage may use; infinite when none runs. */
double runner_room_memory(const struct runner *runner);
/* Bytes that a ready stage needs; what the plan could not know is known by now. */
double runner_room_needed(struct runner *runner, struct task *task);
/* Whether what remains of the budget is enough to begin a stage. */
bool runner_room_in_time(const struct runner *runner, const struct task *task);

/* runner_threads.c: the threads with which a stage may start now, one of `ready` that could; 0 when
 * running ones were asked to give some back first, half a minute ago at most. */
int runner_threads_for(struct runner *runner, const struct task *task, int ready);
/* Gives cores that are free to running stages. For when nothing more can be started. */
void runner_threads_lend(struct runner *runner);

/* runner_say.c */
/* "train-01.. Row/1" */
const char *runner_say_label(struct runner *runner, const struct task *task);
void runner_say_start(struct runner *runner, const struct runner_slot *slot);
/* After the stage was looked at again; `lost`: another runner has it now. */
void runner_say_end(struct runner *runner, const struct runner_slot *slot, bool lost);
/* Another has it, or with `important` its lease could not be taken (said first and last). */
void runner_say_wait(struct runner *runner, const struct task *task, const char *why,
                     bool important);
void runner_say_unable(struct runner *runner, const struct task *task);
void runner_say_hold(struct runner *runner, const struct task *task, double available);
void runner_say_stopping(struct runner *runner, const char *reason);
void runner_say_progress(struct runner *runner);
/* The last line; returns the exit status. */
int runner_say_result(struct runner *runner);
