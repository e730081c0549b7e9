/* The runner: starts a worker process for every stage of a plan whose inputs are done, until no
 * stage is left. It computes nothing itself (no OpenMP, no BLAS).
 *
 * Among the ready stages for which memory and budget suffice, it starts the first in the order of
 * plan_goes_before (plan.h).
 *
 * A failed stage does not stop other stages; its readers are reported as blocked. The runner waits
 * for stages of other runners, here or on other machines, and takes over stages that they abandon
 * (core/base/lease.h). With `no_wait` it waits only if the rest would take noticeably longer
 * without it. It also waits if an owner has not renewed its lease since this runner became idle.
 * Inputs are inspected again before their reader starts. A removed input (rm) is computed again. If
 * another process computes an input again (redo), the runner waits for it.
 *
 * SIGINT, SIGTERM, SIGHUP (unless ignored, as by nohup), SIGUSR1 and SIGUSR2 end the run: workers
 * save and stop, and the same command continues. A second SIGINT or SIGTERM, a second or more
 * later, kills the workers. */
#pragma once

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"
#include "experiments/run/worker.h"
#include "results/store/store.h"

struct runner_options {
    int workers;       /* at the same time; 0: as many as cores */
    int failures_most; /* number of failures that end the run; 0: no limit */
    unsigned retry;    /* flags of enum plan_retry: states of earlier runs to retry, once */
    double budget;     /* seconds until workers save and stop; 0: no limit */
    double memory;     /* bytes for all workers; 0: the available memory */
    enum display_form form;
    bool quiet;          /* print failures only */
    bool all;            /* report missing files for each stage (plan_missing) */
    bool no_wait;        /* exit if live runners elsewhere would finish hardly later alone */
    const char *goes_on; /* command that continues a stopped run; NULL: the same command */
};

enum { RUNNER_FAILED_EXIT = 1 };

/* Runs a plan and returns the exit status. 0: all is done, or with `no_wait` others work on the
 * rest. RUNNER_FAILED_EXIT: a stage failed, diverged or lacks a file. INTERRUPTED_EXIT: the same
 * command would continue. Stages start in the order of the estimates; without estimates, in the
 * order of the plan. */
int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options);

/* ---- shared by the files of the runner ---- */

enum { SLOTS = 256 };

/* A stage that a worker of this runner computes. */
struct runner_slot {
    struct task *task;
    struct worker worker;
    const char *label;
    int threads;  /* number of threads at its start */
    int64_t log;  /* length of log.txt at its start */
    double asked; /* clock_seconds since which it should return threads; 0: it need not */
};

/* State of a task in this run. */
struct runner_task {
    bool attempted;     /* is not started again */
    const char *unable; /* reason why no process can compute it; else NULL */
    int refusals;       /* number of failures to take its lease */
    double not_before;  /* time of the next try (clock_seconds) */
    bool waited;        /* reported as running elsewhere */
    bool silent;        /* reported as silent */
    double expires;     /* end of the other owner's lease, as last seen (clock_seconds) */
    double renewed;     /* when a renewal of that lease was last seen; 0: never */
    int look;           /* number of the last runner_look_readers that inspected it */
};

/* The reason why no more stages start. */
enum halt { HALT_NONE, HALT_SIGNAL, HALT_BUDGET, HALT_FAILURES };

struct runner {
    struct arena *arena;
    struct plan *plan;
    const struct runner_options *options;
    struct display display;
    struct store *store; /* NULL: not writable, or on a network file system; others collect */
    struct runner_slot slot[SLOTS];
    int running, cores, limit;
    int signals; /* signalfd */
    enum halt halt;
    double urged;                    /* clock_seconds of the first SIGINT or SIGTERM; 0: none */
    int failures;                    /* failures of this runner's workers */
    double begun, collected, looked; /* clock_seconds; looked: last inspection of all stages */
    double look_took;                /* seconds of the last inspection of all stages */
    bool partly;                     /* readers of an ended stage were inspected since then */
    int look;                        /* number of the last runner_look_readers */
    double busy;                     /* clock_seconds when a worker of this runner last ran */
    double judged;                   /* clock_seconds when `enough` was last computed */
    bool enough;                     /* other runners suffice for the rest */
    double took, expected;           /* seconds that finished stages took, and their estimates */
    const struct task *held;         /* the last stage reported as lacking memory */
    struct runner_task *task;        /* [tasks of the plan] */
};

static inline struct runner_task *runner_task_of(const struct runner *runner,
                                                 const struct task *task)
{
    return &runner->task[task->index];
}

/* runner_look.c: reads the state of a stage. Keeps only new texts in the arena. */
void runner_inspect(struct runner *runner, struct task *task);
/* Inspects all stages that are not settled: inputs may have changed, or another runner may work on
 * them. */
void runner_look_again(struct runner *runner);
/* Inspects the direct and indirect readers of a stage that has ended, and the stages that wait for
 * it. */
void runner_look_readers(struct runner *runner, const struct task *ended);
bool runner_look_due(const struct runner *runner); /* true if all stages should be inspected now */

/* runner_order.c: fills `left` (seconds, from estimates and progress) and `path` of every task.
 * Returns the seconds of the rest with `limit` workers; negative if unknown. */
double runner_order_rest(struct runner *runner);
/* True if the other runners suffice: staying would hardly end the rest sooner
 * (plan_workers_enough). */
bool runner_order_enough(struct runner *runner);

/* Returns the bytes that one more stage may use; infinite if none runs. */
double runner_room_memory(const struct runner *runner);
/* Returns the bytes that a ready stage needs. Estimates them now if the plan could not. */
double runner_room_needed(struct runner *runner, struct task *task);
/* True if the rest of the budget suffices to start the stage. */
bool runner_room_in_time(const struct runner *runner, const struct task *task);

/* runner_threads.c: returns the number of threads with which a stage, one of `ready` ready stages,
 * can start now. 0: running stages were asked to return threads, at most half a minute ago. */
int runner_threads_for(struct runner *runner, const struct task *task, int ready);
/* Lends free cores to running stages. Call when no more stages can start. */
void runner_threads_lend(struct runner *runner);

/* runner_say.c */
/* Returns "train-01.. Row/1". */
const char *runner_say_label(struct runner *runner, const struct task *task);
void runner_say_start(struct runner *runner, const struct runner_slot *slot);
/* Reports the end of a stage. Call after inspecting the stage again. `lost`: another runner has the
 * stage now. */
void runner_say_end(struct runner *runner, const struct runner_slot *slot, bool lost);
/* Reports that another runner has the stage. `important`: its lease could not be taken. */
void runner_say_wait(struct runner *runner, const struct task *task, const char *why,
                     bool important);
void runner_say_unable(struct runner *runner, const struct task *task);
void runner_say_hold(struct runner *runner, const struct task *task, double available);
void runner_say_stopping(struct runner *runner, const char *reason);
void runner_say_progress(struct runner *runner);
/* Prints the last line; returns the exit status. */
int runner_say_result(struct runner *runner);
