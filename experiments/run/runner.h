/* The runner: starts a worker process for every stage of a plan whose inputs are done, until no
 * stage is left. The runner itself computes nothing and uses neither OpenMP nor BLAS.
 *
 * Among the ready stages for which memory and budget suffice, it starts the first in the order of
 * plan_goes_before (plan.h).
 *
 * A failed stage does not stop other stages. Stages that read a failed stage are reported as
 * blocked. The runner waits for stages that other runners compute, on this machine or on others. It
 * takes over stages that other runners abandon (core/base/lease.h). With `no_wait`, the runner
 * waits only in two cases. The remaining stages would take noticeably longer without this runner.
 * Or an owner has not renewed its lease since this runner became idle. Directly before a stage
 * starts, its inputs are inspected again. An input that was removed (rm) is computed again. If
 * another process computes an input again (redo), the runner waits for this process.
 *
 * Each stage runs on the GPU that has the fewest stages (gpus.h). If a stage fails and its GPU no
 * longer works, the stage counts as stopped, and another GPU continues it.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 end the run: workers save and stop. SIGHUP is
 * ignored if it is ignored at the start, for example under nohup. If the user repeats the command,
 * the run continues. A second SIGINT or SIGTERM that arrives at least one second after the first
 * kills the workers. */
#pragma once

#include <math.h>

#include "experiments/plan/plan.h"
#include "experiments/run/display.h"
#include "experiments/run/worker.h"
#include "results/store/store.h"

struct runner_options {
    int workers;       /* most workers at the same time; 0: the number of cores */
    int failures_most; /* number of failures after which the run stops; 0: no limit */
    int *failures;     /* number of failures of several runs with this limit; NULL: only this run */
    unsigned retry;    /* flags of enum plan_retry: states of stages that are retried once */
    double budget;     /* seconds until workers save and stop; 0: no limit */
    double memory;     /* bytes for all workers; 0: the available memory */
    enum display_form form;
    bool quiet;   /* print failures only */
    bool all;     /* report missing files separately for each stage (plan_missing) */
    bool no_wait; /* exit instead of waiting, if the other runners alone finish almost as early */
    /* End of the last message of a stopped run: how to continue. NULL: by the same command. */
    const char *goes_on;
};

enum { RUNNER_FAILED_EXIT = 1 };

/* Runs a plan and returns the exit status. 0: all stages are done, or with `no_wait` other runners
 * compute the remaining stages. RUNNER_FAILED_EXIT: a stage failed, diverged or lacks a file.
 * INTERRUPTED_EXIT: the run was stopped, or stages are left although none failed; the same command
 * continues. If the plan has no estimates, stages that plan_goes_before does not order start in the
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
    int gpu;      /* index of its GPU (gpus.h); -1: none */
    double asked; /* clock_seconds when the runner asked for threads back; 0: not asked */
};

/* State of a task in this run. */
struct runner_task {
    bool attempted;     /* this run does not start the task again */
    const char *unable; /* reason why this run cannot compute the task; NULL: none */
    int refusals;       /* number of failures to take its lease */
    double not_before;  /* earliest time of the next start (clock_seconds) */
    bool waited;        /* it was reported that another runner computes the task */
    bool silent;        /* it was reported that the owner of its lease is silent */
    double expires;     /* end of the other owner's lease at the last inspection (clock_seconds) */
    double renewed;     /* clock_seconds of the last noticed renewal of that lease; 0: none */
};

/* Work that is repeated during the run. The pause grows with the seconds that the work takes, so
 * that thousands of short stages do not wait for it. */
struct runner_periodic {
    double ended, took; /* of the last time: clock_seconds at the end, seconds */
};
enum { RUNNER_SHARE = 20 }; /* the work takes at most 1 / RUNNER_SHARE of the time */

static inline bool runner_due(const struct runner_periodic *work, double pause)
{
    return clock_seconds() - work->ended > fmax(pause, RUNNER_SHARE * work->took);
}
static inline void runner_did(struct runner_periodic *work, double begun)
{
    work->ended = clock_seconds();
    work->took = work->ended - begun;
}

/* The reason why no more stages start. */
enum halt { HALT_NONE, HALT_SIGNAL, HALT_BUDGET, HALT_FAILURES, HALT_GPUS };

struct runner {
    struct arena *arena;
    struct plan *plan;
    const struct runner_options *options;
    struct display display;
    struct store *store; /* NULL: not writable, or on a network file system; then others collect */
    struct runner_slot slot[SLOTS];
    int running, cores, limit;
    int signals; /* signalfd */
    enum halt halt;
    double urged; /* clock_seconds of the first SIGINT or SIGTERM; 0: none */
    int failures; /* failures of workers of this run and of the earlier ones (options) */
    double begun; /* clock_seconds at the start */
    /* Work on all stages: collection of results, inspection, runner_order_rest. */
    struct runner_periodic collect, look_all, order;
    bool partly;              /* a stage has ended since `look_all` */
    double busy;              /* last clock_seconds at which this runner had a worker */
    double judged;            /* clock_seconds when `enough` was last computed */
    bool enough;              /* result of runner_order_enough at `judged` */
    double took, expected;    /* sums over ended stages: actual seconds, estimated seconds */
    const struct task *held;  /* the last stage reported as lacking memory */
    struct runner_task *task; /* [tasks of the plan] */
};

static inline struct runner_task *runner_task_of(const struct runner *runner,
                                                 const struct task *task)
{
    return &runner->task[task->index];
}

/* ---- runner_look.c ---- */

/* Reads the state of a stage from its folder. Texts that have not changed use no new memory. */
void runner_inspect(struct runner *runner, struct task *task);
/* Inspects all stages that are neither done, nor diverged, nor computed by this runner. Their
 * inputs may have changed, or another runner may compute them. */
void runner_look_again(struct runner *runner);

/* ---- runner_order.c ---- */

/* Computes the remaining seconds of every task (`left`, from estimates and progress), and `tail`,
 * `path` and `read` (plan_rest). Returns the remaining seconds of the plan with `limit` workers;
 * negative if unknown. */
double runner_order_rest(struct runner *runner);
/* Returns the number of stages that other runners compute, as of the last inspection. */
int runner_elsewhere(const struct runner *runner);
/* True if the other runners alone would finish the remaining stages almost as early as with this
 * runner (plan_workers_enough). */
bool runner_order_enough(struct runner *runner);

/* Returns the bytes of memory that one more stage may use; infinite if this runner has no
 * worker. */
double runner_room_memory(const struct runner *runner);
/* Returns the bytes of memory that a ready stage needs. If the plan has no estimate, estimates them
 * now. */
double runner_room_needed(struct runner *runner, struct task *task);
/* True if enough time of the budget is left to start the stage. */
bool runner_room_in_time(const struct runner *runner, const struct task *task);

/* ---- runner_threads.c ---- */

/* Returns the number of threads with which a ready stage can start now. `ready` is the number of
 * ready stages, this stage included. Returns 0 if the stage should wait, because running stages
 * were asked to return threads at most half a minute ago. */
int runner_threads_for(struct runner *runner, const struct task *task, int ready);
/* Lends free cores to running stages. Call this function when no more stages can start. */
void runner_threads_lend(struct runner *runner);

/* ---- runner_say.c ---- */

/* Returns the name of the stage, and its point and part if it has them: "train-01.. Row/1". */
const char *runner_say_label(struct runner *runner, const struct task *task);
void runner_say_start(struct runner *runner, const struct runner_slot *slot);
/* Reports the end of a stage. The caller has inspected the stage again. `lost`: another runner has
 * taken over the stage. */
void runner_say_end(struct runner *runner, const struct runner_slot *slot, bool lost);
/* Reports that a stage waits, with the reason `why`: another runner computes the stage, or its
 * lease could not be taken. If `important` is true, reports also with --quiet. */
void runner_say_wait(struct runner *runner, const struct task *task, const char *why,
                     bool important);
void runner_say_unable(struct runner *runner, const struct task *task);
void runner_say_hold(struct runner *runner, const struct task *task, double available);
void runner_say_stopping(struct runner *runner, const char *reason);
/* Reports that a GPU is lost. */
void runner_say_gpu(struct runner *runner, const char *gpu, const char *why);
void runner_say_progress(struct runner *runner);
/* Prints the last line; returns the exit status. */
int runner_say_result(struct runner *runner);
