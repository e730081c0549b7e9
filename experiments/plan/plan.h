/* The plan of a grid: every stage that its points need, once. Inputs come before their readers.
 * Each stage has its estimated cost, and the reason why it will run or not. */
#pragma once

#include "experiments/stage/stage.h"
#include "plots/figures.h"
#include "results/report/claims.h"

enum task_state {
    TASK_DONE,     /* done.json exists */
    TASK_DIVERGED, /* finished, but diverged; no stage can read it */
    TASK_NEW,
    TASK_STOPPED, /* by a signal or killed; the folder may have a checkpoint */
    TASK_FAILED,  /* and no retry was requested */
    TASK_RUNNING, /* a live process holds its lock */
    TASK_MISSING, /* a file that it reads does not exist */
    TASK_BLOCKED, /* an input is missing, failed or diverged */
    TASK_STATES
};

/* States to retry, if the stage was in the state when the plan was built. If two runners have this
 * option, only one retries the stage. */
enum plan_retry {
    RETRY_FAILED = 1,
    RETRY_DIVERGED = 2 /* starts over; the old folder is moved away first */
};

struct plan_length; /* see plan_continue.c */

struct task {
    struct stage stage;
    enum task_state state;
    const char *reason;      /* one line */
    const char *plain;       /* the reason without a remark on older code */
    const char *message;     /* message of the last failure, or NULL */
    struct task *blocked_by; /* the input that blocks it, direct or indirect */
    bool silent;             /* running, but its owner has been silent for long (lease_silence) */
    double expires;          /* running: clock_seconds at the end of its lease, unless renewed */
    const char *older; /* commit of older code that computed or began it; "": unknown; NULL: none */
    bool replace;      /* exists, but will run again; its folder is moved away first */
    bool lacks;        /* done, but lacks files that an open reader needs; will run again */
    int64_t done_at;   /* time of its done.json (ns); -1: not done */
    bool unnamed;      /* done, but its folder lacks names of points that use it */
    int failures;      /* number of failed attempts */
    int64_t attempts;  /* number of attempts when the plan was built */
    int64_t step;      /* step of the checkpoint from which it would resume; -1: none */
    /* For a training without a checkpoint (plan_continue.c): the trainings that differ only in
     * length. */
    int lengths;
    struct plan_length *length; /* [lengths] */
    const char *from;           /* name of the training that it continues; NULL: none */
    struct task *waits_for;     /* shorter training of this plan that runs first; NULL: none */
    bool waits;                 /* waits for a training that another process runs */
    bool own_code;              /* does not continue a training of older code (STALE_RERUN) */
    /* Core seconds: of the task; of its readers' longest path; their sum. */
    double left, tail, path;
    bool read;                /* by another task; set together with `path` */
    struct estimate estimate; /* its seconds start at step `counted` */
    int64_t counted;
    int points; /* number of points of the plan that use it */
    int index;  /* in the plan's tasks; -1: excluded by plan_only */
};

/* True if the task can be started or resumed. */
static inline bool task_is_open(const struct task *task)
{
    return task->state == TASK_NEW || task->state == TASK_STOPPED;
}

/* Treatment of stages that older code computed or began: --stale. */
enum plan_stale {
    STALE_WARN, /* the reason mentions the older code */
    STALE_RERUN,
    STALE_IGNORE
};
extern const char *const plan_stale_words[]; /* NULL-terminated */

/* The tasks of a point of the grid; none for a row without a run. */
struct plan_point {
    int count;
    struct task **task; /* [count] in the order of kinds and parts */
};

struct plan {
    const struct grid *grid;    /* with the stages of its rows and plan_read_drawn's results */
    struct figure_list figures; /* key `figures` of the grid */
    struct claims claims;       /* key `claims` of the grid */
    const char *runs;
    const struct stage *upon; /* existing stages, see plan_build; NULL: none */
    int count;
    struct task **task;       /* [count] inputs before readers */
    int total;                /* number of tasks, including those excluded by plan_only */
    struct task **all;        /* [total] */
    struct plan_point *point; /* [rows * seeds of the grid] */
    struct hash_table *ids;   /* maps an id to the index of its task */
    double core_rate; /* operations per second of a core, for plan_estimate; 0: this machine */
};

/* Loops over the tasks of a plan: PLAN_EACH(plan, task) count += task->older != NULL; */
#define PLAN_EACH(plan_, task_)                                                                    \
    for (struct task * task_, **task_##_at = (plan_)->task;                                        \
         task_##_at < (plan_)->task + (plan_)->count && ((task_) = *task_##_at); task_##_at++)

/* Builds the plan of a grid in the arena: the stages with their ids, without states. Writes only
 * digests, which are cached for later runs if RUNS exists. Fills the stages of the grid's rows and
 * the results of plan_read_drawn.
 *
 * `upon`, for a grid of one point: an existing training. It and the stages that it reads are the
 * stages of their kinds; their source files need not exist here. NULL: none. */
struct plan *plan_build(struct arena *arena, struct grid *grid, const char *runs,
                        const struct stage *upon);
/* Reads the keys table, learned, claims and figures of a grid into the grid's layout and learned,
 * plan->claims and plan->figures. Dies at the location of an error, and if a key names a column
 * whose stages no row requests. */
void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena);
/* Visits every column that the keys name, and the members of a mean(GROUP). `what` is the key. */
typedef void plan_column_visitor(void *context, const struct column *column, const char *what);
void plan_each_column(const struct plan *plan, plan_column_visitor *visit, void *context);
/* Restricts the tasks to the stages of the rows in `row` [rows of the grid]. The grid is
 * unchanged. */
void plan_only(struct arena *arena, struct plan *plan, const bool *row);
/* Reads the state of a task from its folder again, after its inputs. A failed stage is retried if
 * `retry` requests it (enum plan_retry) and no process has attempted it since the plan was built.
 * `unable`: reason why this run cannot compute the stage, or NULL. The stage then counts as failed,
 * unless another process holds it. */
void plan_inspect(struct arena *arena, struct task *task, unsigned retry, const char *unable);
/* Reads the states of all tasks for the first time, and applies STALE_WARN. `retry`: enum
 * plan_retry. */
void plan_inspect_all(struct arena *arena, struct plan *plan, unsigned retry);
/* plan_continue.c. plan_find_lengths: finds trainings, in the plan or in RUNS/stages, that differ
 * only in length. plan_continue: selects the one that a task without a checkpoint continues or
 * waits for. */
void plan_find_lengths(struct arena *arena, struct plan *plan);
void plan_continue(struct arena *arena, struct task *task);
/* Returns `before` and the remark on a stage of older code: "older code (commit 0123)". */
const char *plan_older_text(struct arena *arena, const char *before, const char *commit);
/* Returns the commit ("" if unknown) of a stage's code, if the code is older. It is older if it
 * differs from this program's (code_used.h), or if this program has other code for the stage's
 * device. Otherwise returns NULL. */
const char *plan_older(const struct stage *stage, const struct stage_end *end);
/* Applies --stale and finds lacking files. */
void plan_set_stale(struct arena *arena, struct plan *plan, enum plan_stale stale);
/* Finds done stages that lack files which an open task reads (stage_has_opened). These stages run
 * again. If that is impossible, their input is missing and their readers are blocked. */
void plan_find_lacking(struct arena *arena, struct plan *plan);
/* Marks stages of a kind as also needed by the caller. Call before plan_find_lacking. */
void plan_need(struct plan *plan, const char *kind);
/* Marks a task in any state to run again. */
void plan_again(struct task *task, const char *reason);
/* True if the folder of a task that will run again is unchanged since the plan read it. */
bool plan_is_as_seen(const struct task *task);
/* Warns of each option that has no effect in any row. Names the first location in the grid's file
 * or on the command line that sets it in vain. */
void plan_warn_idle(const struct plan *plan);
/* Warns of a training whose warm-up does not end within its budget, and of a budget below that of
 * the row's recipe. Rows with the same warning share a line. Requires plan_estimate. */
void plan_warn_training(struct arena *arena, const struct plan *plan);
/* Warns of each file of hypotheses whose number of lines differs from that of the references.
 * layout_read has already warned of unreadable files. */
void plan_warn_hypotheses(struct arena *arena, const struct plan *plan);
/* A program that the stages to run will start. plan_programs returns the number of programs. */
struct plan_program {
    const struct texts *words;
    const char *title; /* title of the first stage that starts it */
    int stages;
    const char *line; /* line to print, words quoted for a shell */
};
int plan_programs(struct arena *arena, const struct plan *plan, struct plan_program **program);
/* Returns the task that contains `stage`, which is of a plan. */
struct task *plan_task(struct stage *stage);
/* Returns the task of a kind at a point, the first of several parts; NULL if none. */
struct task *plan_find(const struct plan *plan, int point, const struct stage_kind *kind);
/* Fills the estimates and paths. Reads the text or the finished corpora, and the database as it is.
 * `measure`: measure this machine if its speed is unknown. plan->core_rate replaces all that is
 * known of this machine. */
void plan_estimate(struct arena *arena, struct plan *plan, bool measure);
/* Returns the estimated seconds of a task from `step` on; the whole estimate if `step` is not after
 * `counted`. */
double plan_left(const struct task *task, int64_t step);
/* True if the task will run. Includes stages whose text is still missing; excludes failed stages
 * without a retry. */
bool plan_will_run(const struct task *task);
/* Fills every task's `left`, `tail`, `path` and `read`. Requires the estimates. */
void plan_find_paths(struct plan *plan);
/* Recomputes `tail`, `path` and `read` from the current `left`. Returns the remaining seconds with
 * this number of workers, one core each; negative if unknown. */
double plan_rest(struct plan *plan, int workers);
/* True if `first` starts before `second` when both are ready. The order is
 *   1. stopped stages
 *   2. stages with inputs but without readers, such as a score of an existing model. They are
 *      mostly short, and users wait for the result
 *   3. stages with a longer path to the end of the grid
 * The longest path alone would end a grid soonest. But all scores would come at the end, and new
 * trainings would start before stopped ones. */
bool plan_goes_before(const struct task *first, const struct task *second);
struct plan_cost {
    double seconds;      /* from start to end; no core is idle, because cores are lent */
    double core_seconds; /* sum of all stages, with one thread each */
    double chain;        /* longest chain of stages, with one thread per stage */
    double low, high;    /* coordinates of the range of these times */
    double memory;       /* bytes of the workers that need most, at the same time; 0: unknown */
    double device;       /* bytes of device memory, likewise */
    double saved;        /* core seconds that the points save by sharing stages */
};
/* `workers`: number of stages at the same time; 0: as many as cores. */
struct plan_cost plan_cost(const struct plan *plan, int workers, int cores);
/* Returns the number of workers (one core each) with which the rest takes hardly longer than its
 * longest chain. There is one for each stage longer than half of the chain, and enough workers for
 * the sum. Uses `left` and `path`. */
int plan_workers_enough(const struct plan *plan);
enum plan_show {
    PLAN_OPEN = 1, /* omit stages that are done */
    PLAN_ALL = 2   /* include all stages that wait for missing files, one line each */
};
/* Prints the table of stages and their costs with this number of workers (0: as many as cores). A
 * stage that waits for missing files has a row if its parameters are known. `show`: flags of enum
 * plan_show. */
void plan_print(struct arena *arena, const struct plan *plan, int workers, unsigned show,
                FILE *out);

extern const char *const task_state_names[TASK_STATES];

struct plan_disk {
    double needed;  /* bytes that the stages to run will add to those already written */
    double reserve; /* for journals, logs, the database and a checkpoint during its write */
    double spare;   /* bytes that this user may still write there; negative: unknown */
    const struct task *largest; /* task that needs most; NULL: none */
};

struct plan_disk plan_disk(const struct plan *plan);
/* Dies if RUNS is not writable, or if its disk cannot hold the rest of the plan. With `force`, a
 * full disk is only a warning. Requires the estimates. */
void plan_check_disk(struct arena *arena, const struct plan *plan, bool force);
/* Returns the bytes of a file or of a folder's contents, without following links: lengths, or with
 * `blocks` the disk blocks, folders included. */
double plan_disk_bytes(const char *path, bool blocks);
/* Returns the path or its nearest existing parent folder. The caller frees the string. */
char *plan_disk_parent(const char *path);
/* Returns the bytes that a user may still write at `path`, which need not exist; negative if
 * unknown. */
double plan_disk_spare(const char *path);

/* Moves a stage's folder to RUNS/replaced. Dies if another process works on it. */
void plan_put_away(struct arena *arena, const struct plan *plan, const struct stage *stage);
/* Moves the folders of all tasks that will run again, readers first. So a result is never next to
 * an input that is not its own, even after an interruption. */
void plan_put_all_away(struct arena *arena, struct plan *plan);
/* Prepares a task's folder for its worker: writes stage.json and options.yaml under its lease.
 * Moves the folder of a stage that runs again to RUNS/replaced. Returns false if another runner was
 * faster (inspect the task again). Also false if the lease cannot be taken; then *fault is the
 * reason. */
bool plan_prepare(struct arena *arena, const struct plan *plan, struct task *task,
                  const char **fault);
/* Adds the grid's names to the records of stages that are already done. Call before a grid runs.
 * Shows progress unless `quiet`. */
void plan_record_names(struct arena *arena, const struct plan *plan, bool quiet);

struct plan_missing {
    int stages;        /* stages that wait for files, directly or through their inputs */
    bool *waits;       /* [count of the plan] true for these stages */
    int lines;         /* at most 10, unless `all` */
    const char **line; /* [lines] */
};

/* Describes missing input in the arena, one line for each cause. A cause is missing files of a
 * shipped data set (core/corpus/data_set.h) or of an option (struct absent_file), or another
 * reason. The last line lists the searched folders. `all`: one line for each stage. */
struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all);

/* Warns of corpora whose text is already cut into pieces. */
void plan_warn_pieces(struct arena *arena, const struct plan *plan);
/* Prints the share of dev and test that also occurs in train: one line for each corpus, or one line
 * for corpora with equal shares. */
void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out);

struct rates;

/* Reads the known rates of this host and device, in the arena. `measure`: measure sgemm when
 * needed. `core_rate`: operations per second of a core, for another machine of which nothing else
 * is known; 0: this machine. */
struct rates *rates_open(struct arena *arena, const char *runs, double core_rate, bool measure);
/* Fills seconds, low, high, source and from of a stage's estimate, whose work must be set. */
void rates_apply(struct rates *rates, const struct stage *stage, struct estimate *estimate);

/* Appends a calibration to RUNS/rates. `rate`: operations per second of one thread. */
void rates_keep(struct rates *rates, const struct stage *train, double rate);

/* plan --calibrate: trains each model that will run and whose time is unknown. It trains for
 * CALIBRATE_STEPS steps with one thread on the model's own text. A text that does not exist yet is
 * prepared in a temporary folder. Keeps the rates and prints them to `out`. Requires the
 * estimates. */
enum { CALIBRATE_STEPS = 20, CALIBRATE_WARMUP = 2 };
void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out);

/* Returns sgemm operations per second with `threads`, by wall time or processor time. Returns 0 if
 * sgemm cannot be measured, or without OpenBLAS. `blas`: OpenBLAS with its best core for this
 * processor; else the active products. Runs `sanlab doctor sgemm`, so the caller needs neither
 * threads nor OpenBLAS. */
double sgemm_rate_measure(int threads, bool cpu_time, bool blas);
