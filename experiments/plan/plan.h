/* A plan: every stage that a grid's points need, each once, inputs before those that read them,
 * with the reason why it would run or not, and what it would cost. */
#ifndef EXPERIMENTS_PLAN_PLAN_H
#define EXPERIMENTS_PLAN_PLAN_H

#include "experiments/plan/stage.h"

enum task_state {
    TASK_CACHED,   /* done.json is there */
    TASK_DIVERGED, /* finished, with numbers that are not finite: nothing can be built on it */
    TASK_NEW,
    TASK_RESUME,  /* stopped or killed: there is a checkpoint, or only a folder */
    TASK_FAILED,  /* and not asked to be repeated */
    TASK_RUNNING, /* a live process holds its lock */
    TASK_MISSING, /* a file that it reads is not there */
    TASK_BLOCKED, /* an input is missing, failed or diverged */
    TASK_STATES
};

struct task {
    struct stage stage;
    enum task_state state;
    const char *reason;   /* one line */
    const char *message;  /* of a failure, or NULL */
    struct task *culprit; /* the input that blocks it */
    int failures;         /* attempts that failed */
    int64_t step;         /* of the checkpoint that it would resume from; -1: none */
    bool attempted;       /* in this run: not started again */
    double left, path;    /* seconds: its own, and to the end through its readers (runner.h) */
    struct estimate estimate;
};

struct plan {
    const struct grid *grid;
    const char *runs;
    int count;
    struct task **task; /* [count] in an order in which they can run */
    int kinds;
    struct task **at; /* [points * kinds]; NULL where a kind is not wanted */
};

/* Everything lives in the arena. Changes nothing on disk. */
struct plan *plan_build(struct arena *arena, const struct grid *grid, const char *runs,
                        bool retry_failed);
/* Looks at a task's folder again (its inputs were looked at). A failed stage is to be repeated when
 * that is asked for and it was not attempted yet. */
void plan_inspect(struct arena *arena, struct task *task, bool retry_failed);
/* The stages of a plan are members of its tasks. */
struct task *plan_task(struct stage *stage);
/* Fills the estimates (reads text, or the corpora that are done). */
void plan_estimate(struct arena *arena, struct plan *plan);
/* The table of stages and what they cost with so many workers. */
void plan_print(struct arena *arena, const struct plan *plan, int workers, FILE *out);
/* What results needs to know about the grid: rows, seeds and the ids of their stages. */
struct summary_grid plan_summary(struct arena *arena, const struct plan *plan);

extern const char *const task_state_names[TASK_STATES];

#endif
