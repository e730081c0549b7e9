/* Plans a grid: lists every stage that its points need, each one once, and inputs before their
 * readers. Each stage has its estimated cost, and the reason why it will run or not. */
#pragma once

#include "experiments/stage/stage.h"
#include "plots/figures.h"
#include "results/report/claims.h"

enum task_state {
    TASK_DONE,     /* done.json exists */
    TASK_DIVERGED, /* finished, but the training diverged; no stage can read its files */
    TASK_NEW,
    TASK_STOPPED, /* begun, but not done; the folder may have a checkpoint */
    TASK_FAILED,  /* failed without a request to retry it, or this run cannot compute it */
    TASK_RUNNING, /* a live process holds its lease */
    TASK_MISSING, /* a file that it reads does not exist */
    TASK_BLOCKED, /* an input is missing, failed or diverged */
    TASK_STATES
};

/* States in which a stage is retried. A retry is requested only for the attempts that the plan saw
 * when it was built. So if two runners have this option, only one of them retries the stage. */
enum plan_retry {
    RETRY_FAILED = 1,
    RETRY_DIVERGED = 2, /* computed from the beginning; the old folder is moved away first */
    RETRY_KEPT = 4      /* likewise, for trainings that did not keep a checkpoint of at(..) */
};

struct plan_length; /* see plan_continue.c */

struct task {
    struct stage stage;
    enum task_state state;
    const char *reason;      /* reason for the state, in one line */
    const char *plain;       /* the reason without a remark on older code */
    const char *message;     /* message of the last failure; NULL: none */
    struct task *blocked_by; /* the direct or indirect input that blocks it; NULL: none */
    /* True if running, but the owner has not renewed its lease for long (lease_silence). */
    bool silent;
    /* If running: clock_seconds at the end of its lease, if the owner does not renew the lease. */
    double expires;
    /* Commit of the older code that computed or began it. "": unknown commit; NULL: no older
     * code. */
    const char *older;
    bool replace; /* has a folder, but will run again; the folder is moved away first */
    /* True if it will run again, because its folder lacks files that an open reader needs. */
    bool lacks;
    int64_t done_at;  /* modification time of its done.json (ns); -1: not done */
    bool unnamed;     /* done, but its record lacks names of points that use it */
    int64_t attempts; /* number of attempts when the plan was built */
    int64_t step;     /* step of the checkpoint from which it will continue; -1: none */
    /* Other trainings that differ from this training only in length (plan_continue.c). Only for a
     * training without a checkpoint. */
    int lengths;
    struct plan_length *length; /* [lengths] */
    const char *from;           /* name of the shorter training that it continues; NULL: none */
    struct task *waits_for;     /* shorter training of this plan that must end first; NULL: none */
    bool own_code;              /* must not continue a training of older code (STALE_RERUN) */
    /* Core seconds. left: remaining time of the task. tail: the largest `path` of the tasks that
     * read its files. path: the sum of left and tail. */
    double left, tail, path;
    bool read;                /* another task reads its files; computed together with `path` */
    struct estimate estimate; /* its seconds are the time after step `counted` */
    int64_t counted;
    int points; /* number of points of the plan that use the task */
    int index;  /* index in plan->task; -1: excluded by plan_only */
};

/* True if the task is new or stopped. */
static inline bool task_is_open(const struct task *task)
{
    return task->state == TASK_NEW || task->state == TASK_STOPPED;
}

/* Treatment of stages that older code computed or began: --stale. */
enum plan_stale {
    STALE_WARN, /* older results are used; the reason mentions the older code */
    STALE_RERUN,
    STALE_IGNORE
};
extern const char *const plan_stale_words[]; /* NULL-terminated */

/* The tasks of a point of the grid. A row without a run has none. */
struct plan_point {
    int count;
    struct task **task;         /* [count] in the order of kinds and parts */
    enum checkpoint_side *side; /* [count] side of at(..) to which the task belongs */
};

/* The point of a trial of a tuned row (tune.h). Its name is "ROW (trial 3)", or "ROW (trial 3 to 8
 * epochs)" at a rung (halving.h). */
#define PLAN_TRIAL " (trial "
struct plan_trial {
    int row, number;
    int length; /* of a rung; 0: the trial runs to the end */
    uint32_t seed;
    struct plan_point at;
};

struct plan {
    const struct grid *grid; /* plan_build sets its layout, learned, and the stages of its rows */
    struct figure_list figures; /* key `figures` of the grid */
    struct claims claims;       /* key `claims` of the grid */
    const char *runs;
    const struct stage *upon; /* argument of plan_build; NULL: none */
    int count;
    struct task **task;       /* [count] inputs before readers */
    int total;                /* number of tasks, including the tasks that plan_only excludes */
    struct task **all;        /* [total] */
    struct plan_point *point; /* [rows * seeds of the grid] */
    int trials;
    struct plan_trial *trial; /* [trials] */
    int searches;             /* of tuned rows (tune.h); 0: no row is tuned */
    struct task **choice;   /* [rows][searches] the last choice of a tuned row that can be planned;
                                 NULL: the row is not tuned */
    struct hash_table *ids; /* maps an id to the index of its task */
    double core_rate; /* operations per second of a core, for plan_estimate; 0: this machine */
};

/* Loops over the tasks of a plan. Example: PLAN_EACH(plan, task) count += task->older != NULL; */
#define PLAN_EACH(plan_, task_)                                                                    \
    for (struct task * task_, **task_##_at = (plan_)->task;                                        \
         task_##_at < (plan_)->task + (plan_)->count && ((task_) = *task_##_at); task_##_at++)

/* Builds the plan of a grid in the arena. The stages have ids, but no states yet. Sets the stages
 * of the grid's rows, and calls plan_read_drawn. If RUNS exists, caches the digests of input files
 * there, and writes nothing else.
 *
 * `upon` is an existing training, for a grid of one point; NULL: none. The point then uses this
 * training and the stages that it reads, instead of new stages of these kinds. Their source files
 * need not exist on this machine. */
struct plan *plan_build(struct arena *arena, struct grid *grid, const char *runs,
                        const struct stage *upon);
/* A point that requests stages. */
struct plan_asker {
    const struct grid_resolved *resolved;
    const char *row; /* name of its row, for names of stages */
    uint32_t seed;
    struct plan_point *at;           /* receives the stages */
    const struct plan_asker *before; /* a point that probably has the same corpus; NULL: none */
};
/* Adds the stages of a point to a plan. */
void plan_add_point(struct arena *arena, struct plan *plan, const struct plan_asker *of);
/* Computes the id of a stage, whose inputs must be set. Returns the plan's task with this id; adds
 * a task if there is none. */
struct task *plan_settle(struct arena *arena, struct plan *plan, struct stage *stage);
/* Adds a task of a side to a point. A task that both sides have belongs to neither of them. */
void plan_put(struct arena *arena, struct plan_point *at, struct task *task,
              enum checkpoint_side side);
/* Returns the stages of a point for its row. */
struct grid_seed plan_point_stages(struct arena *arena, const struct plan_point *at, uint32_t seed);
/* Adds the trials of tuned rows, and the stages that choose one. A row whose choice is done gets
 * the chosen options. The others wait (struct grid_row). */
void plan_tune(struct arena *arena, struct plan *plan);
/* Adds the choice of each tuned row to its points, after their other stages. Then adds the stage
 * that measures the row's own seeds as the trials were measured. Fills grid->trial. */
void plan_put_choices(struct arena *arena, struct plan *plan);
/* True if a stage of a trial diverged, or cannot be done for that reason, and the row's choice is
 * done without it. Nothing is wrong with the plan then. */
bool plan_pardoned(const struct plan *plan, const struct task *task);
/* Number of rows whose stages wait for the choice of a trial. */
int plan_waiting(const struct plan *plan);
/* True if rows waited in a plan, and a later plan of the grid has further stages. */
bool plan_goes_on(const struct plan *before, const struct plan *later);
/* Prints the number of these stages and their cost, with the options of the rows as written. Also
 * prints how many trials differ. */
void plan_print_waiting(struct arena *arena, const struct plan *plan, FILE *out);
/* Both are in plan_halving.c, and need plan_estimate. The first dies if the first rung of a row is
 * less than twice the longest warm-up that can be drawn. The second prints the rungs of a row that
 * waits, and the largest and the expected cost of its trials. */
void plan_check_halving(struct arena *arena, const struct plan *plan);
void plan_print_halving(struct arena *arena, const struct plan *plan, int row, FILE *out);
/* Returns the longest warm-up of a row that can be drawn, in steps; 0: no schedule has one. */
int plan_longest_warmup(const struct tuned *tuned, struct arena *arena);
/* Returns the numbers of the trials of a search that are different trainings, ascending, and how
 * many. trial: [trials] */
const int *plan_differing(struct arena *arena, const struct plan_trial *trial, int trials,
                          int *count);
/* Returns a plan with all trials of a row, [searches][rungs + 1][trials], and their estimates as if
 * none had begun. */
const struct plan *plan_all_trials(struct arena *arena, const struct plan *plan, int row);
/* Adds the crossings of all at(..), before(..) and after(..) of the grid to train.keep_at of its
 * rows. */
void plan_keep_at(struct arena *arena, struct grid *grid);
/* Sets side[2] to the options of the two sides of a row: each at(..) becomes before(..), and
 * after(..). Without at(..) both are `resolved`. */
void plan_sides(struct arena *arena, const struct grid_resolved *resolved,
                const struct grid_resolved *side[2]);
/* Dies if a stage that is not done needs a checkpoint that its finished training lacks. With
 * RETRY_KEPT, marks the training to run again instead. Also dies if all trainings are finished, and
 * none reaches the number of an at(..). Call it after plan_inspect_all. */
void plan_check_at(struct arena *arena, struct plan *plan, unsigned retry);
/* Reads the keys table, learned, claims and figures of a grid. Sets grid->layout, grid->learned,
 * plan->claims and plan->figures. Dies if a key is wrong, or names a column whose stages no row
 * requests. The message has the location. */
void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena);
/* Reads the other grids of claims (key `over`), after the plan has its tasks. Dies if a grid has
 * other rows, or reads a text of another grid. */
void plan_read_over(struct plan *plan, struct arena *arena);
/* Calls `visit` for every column that these keys name, and for the members of a mean(GROUP). `what`
 * is the key, such as "table:". */
typedef void plan_column_visitor(void *context, const struct column *column, const char *what);
void plan_each_column(const struct plan *plan, plan_column_visitor *visit, void *context);
/* Restricts plan->task to the stages of the rows whose entry in `row` [rows of the grid] is true.
 * Does not change the grid. */
void plan_only(struct arena *arena, struct plan *plan, const bool *row);
/* Reads the state of a task from its folder. The caller has inspected its inputs before. A failed
 * stage becomes TASK_STOPPED if `retry` requests a retry (enum plan_retry) and no process has
 * attempted the stage since the plan was built. `unable`: reason why this run cannot compute the
 * stage; NULL: none. With a reason, the stage counts as failed, unless another process holds its
 * lease. */
void plan_inspect(struct arena *arena, struct task *task, unsigned retry, const char *unable);
/* Reads the states of all tasks for the first time, and applies STALE_WARN. `retry`: flags of enum
 * plan_retry. */
void plan_inspect_all(struct arena *arena, struct plan *plan, unsigned retry);
/* Both are in plan_continue.c. plan_find_lengths finds trainings, in the plan and in RUNS/stages,
 * that differ only in length. plan_continue selects the shorter training that a task without a
 * checkpoint continues, or for which it waits. */
void plan_find_lengths(struct arena *arena, struct plan *plan);
void plan_continue(struct arena *arena, struct task *task);
/* Returns `before`, followed by the remark on a stage of older code: "older code (commit 0123)". */
const char *plan_older_text(struct arena *arena, const char *before, const char *commit);
/* Returns NULL if the code that computed the stage equals this program's code: the code of its kind
 * (code_used.h) and of its backend. Otherwise the stage's code is older. Then returns its commit,
 * or "" if the commit is unknown. */
const char *plan_older(const struct stage *stage, const struct stage_end *end);
/* Applies --stale, then plan_find_lacking. */
void plan_set_stale(struct arena *arena, struct plan *plan, enum plan_stale stale);
/* Finds done stages whose folders lack files that an open task reads (stage_has_opened). These
 * stages run again. If an input that they need is missing, they are TASK_MISSING and their readers
 * are blocked. */
void plan_find_lacking(struct arena *arena, struct plan *plan);
/* Requests that the stages of a kind have their files, because the caller reads them. Call this
 * function before plan_find_lacking. */
void plan_need(struct plan *plan, const char *kind);
/* Marks a task, whatever its state is, to run again. */
void plan_again(struct task *task, const char *reason);
/* For a task that will run again: true if its folder still has the old result that the plan saw. */
bool plan_is_as_seen(const struct task *task);
/* Warns of each option that a row sets, but that has no effect in any of these rows. The warning
 * has the first location that sets the option. Options that presets set are ignored. */
void plan_warn_idle(const struct plan *plan);
/* Warns of a training whose warm-up does not end within its budget, and of a budget below the
 * budget of the row's recipe. Rows with the same warning share a line. Call plan_estimate first. */
void plan_warn_training(struct arena *arena, const struct plan *plan);
/* A program that stages will start when they run. plan_programs returns the number of programs. */
struct plan_program {
    const struct texts *words;
    const char *title; /* title of the first stage that starts it */
    int stages;
    const char *line; /* line to print, with the words quoted for a shell */
};
int plan_programs(struct arena *arena, const struct plan *plan, struct plan_program **program);
/* Returns the task that contains `stage`, which must be a member of a task. */
struct task *plan_task(struct stage *stage);
/* Returns the first task of a kind at a point (there may be several parts); NULL if none. */
struct task *plan_point_find(const struct plan_point *at, const struct stage_kind *kind);
/* True if a task may start as far as its input is concerned: the input is done. A kind with
 * KIND_PARDONS also accepts an input that diverged, or that a diverged training blocks. */
bool plan_input_ends(const struct task *task, const struct task *input);
/* Estimates the cost of every task, and calls plan_find_paths. Reads the finished corpora, or else
 * their texts, and the database without updating it. `measure`: if nothing else is known about the
 * speed of this machine, measure sgemm. If plan->core_rate is not 0, it replaces everything that is
 * known about this machine. */
void plan_estimate(struct arena *arena, struct plan *plan, bool measure);
/* Returns the estimated seconds of a task after `step`; the whole estimate if `step` is at most
 * `counted`. */
double plan_left(const struct task *task, int64_t step);
/* True if the task is to run. Stages whose text is still missing, and their readers, are included.
 * Failed stages without a retry, and their readers, are excluded. */
bool plan_will_run(const struct task *task);
/* Computes `left`, `tail`, `path` and `read` of every task from the estimates. */
void plan_find_paths(struct plan *plan);
/* Computes `tail`, `path` and `read` of every task from its current `left`. Returns the remaining
 * seconds of the plan with this number of workers, which have one core each; negative if
 * unknown. */
double plan_rest(struct plan *plan, int workers);
/* True if `first` starts before `second` when both are ready. The order is
 *   1. stopped stages
 *   2. stages with inputs but without readers, such as a score of an existing model. They are
 *      mostly short, and users wait for the result
 *   3. stages with a longer path to the end of the grid
 * If only the third rule were used, the grid would end soonest. But all scores would come at the
 * end, and new trainings would start before stopped ones. */
bool plan_goes_before(const struct task *first, const struct task *second);
/* Returns the sum of the `most` largest of `count` numbers. Sorts the numbers. */
double sum_largest(double *number, int count, int most);
struct plan_cost {
    double seconds;      /* time from start to end, if no core is idle (runner_threads_lend) */
    double core_seconds; /* sum over all stages, with one thread per stage */
    /* Sum of the bytes of the stages that need most, one stage per worker. 0: unknown. */
    double memory;
    double device; /* the same sum for device memory */
};
/* `workers`: number of stages that run at the same time; 0: the number of cores. */
struct plan_cost plan_cost(const struct plan *plan, int workers, int cores);
/* Returns the number of workers, with one core each, with which the remaining stages take hardly
 * longer than their longest chain. Each stage that takes longer than half of the chain has its own
 * worker. There are also enough workers for the sum of all stages. Uses `left` and `path`. If no
 * times are known, returns the number of stages that will run. */
int plan_workers_enough(const struct plan *plan);
enum plan_show {
    PLAN_OPEN = 1, /* omit stages that are done */
    PLAN_ALL = 2   /* print one line for each stage, also for stages that wait for missing files */
};
/* Prints the table of stages, and their costs with this number of workers (0: the number of cores).
 * A stage that waits for missing files is in the table only if its number of parameters is known,
 * or with PLAN_ALL. `show`: flags of enum plan_show. */
void plan_print(struct arena *arena, const struct plan *plan, int workers, unsigned show,
                FILE *out);

extern const char *const task_state_names[TASK_STATES];

struct plan_disk {
    double needed;  /* bytes that the stages to run will still write */
    double reserve; /* further bytes: journals, logs, the database, a checkpoint during its write */
    double spare;   /* bytes that this user may still write on the disk; negative: unknown */
    const struct task *largest; /* task that needs most disk; NULL: none */
};

struct plan_disk plan_disk(const struct plan *plan);
/* Dies if RUNS is not writable, or if its disk has too little space for the stages to run. With
 * `force`, too little space is only a warning. Call plan_estimate first. */
void plan_check_disk(struct arena *arena, const struct plan *plan, bool force);
/* Returns the bytes of a file, or of all files in a folder. Does not follow links. If `blocks` is
 * true, counts the bytes of disk blocks instead of lengths, also the blocks of folders. */
double plan_disk_bytes(const char *path, bool blocks);
/* Returns the path if it exists, else its nearest existing parent folder. The caller frees the
 * string. */
char *plan_disk_parent(const char *path);
/* Returns the bytes that this user may still write to the disk of `path`; negative if unknown.
 * `path` need not exist. */
double plan_disk_spare(const char *path);

/* Moves a stage's folder to RUNS/replaced. Dies if another process works on it. */
void plan_put_away(struct arena *arena, const struct plan *plan, const struct stage *stage);
/* Moves the folders of all tasks that will run again to RUNS/replaced. Moves readers before their
 * inputs. So even if the move is interrupted, no reader in RUNS/stages lacks the input from which
 * it was computed. */
void plan_put_all_away(struct arena *arena, struct plan *plan);
/* Prepares a task's folder for its worker: writes stage.json and options.yaml under its lease.
 * Moves the folder of a stage that runs again to RUNS/replaced. Returns false and sets *fault to
 * NULL if another runner was faster. Then the caller inspects the task again. Returns false and
 * sets *fault to the reason if the lease cannot be taken. */
bool plan_prepare(struct arena *arena, const struct plan *plan, struct task *task,
                  const char **fault);
/* Adds the names of this grid's points to the records of done stages (`unnamed`). Call this
 * function before a grid runs. Shows progress unless `quiet` is true. */
void plan_record_names(struct arena *arena, const struct plan *plan, bool quiet);

struct plan_missing {
    int stages;        /* stages that wait for files, directly or through their inputs */
    bool *waits;       /* [count of the plan] true for the stages that wait */
    int lines;         /* at most 10 unless `all` is true */
    const char **line; /* [lines] */
};

/* Describes missing inputs: one line for each cause. A cause is a data set with missing files
 * (core/corpus/data_set.h), an option that names missing files (struct absent_file), or another
 * reason. The last line lists the searched folders. If `all` is true, describes them by one line
 * for each stage instead. The texts are in the arena. */
struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all);

/* Warns of corpora whose text is already split into pieces of BPE. */
void plan_warn_pieces(struct arena *arena, const struct plan *plan);
/* Prints which share of the sentences of dev and test also occurs in train. Prints one line for
 * each corpus, but only one line for corpora with equal shares. */
void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out);
/* Prints the lines about the power of test sets (stage_kind.power), each once. */
void plan_print_power(struct arena *arena, const struct plan *plan, FILE *out);

struct rates;

/* Reads the known rates of this host and device into the arena. `measure`: measure sgemm when its
 * rate is needed. `core_rate`: operations per second of a core of another machine, about which
 * nothing else is known; 0: this machine. */
struct rates *rates_open(struct arena *arena, const char *runs, double core_rate, bool measure);
/* Computes seconds and source of a stage's estimate from its work. */
void rates_apply(struct rates *rates, const struct stage *stage, struct estimate *estimate);

/* Appends the calibrated rate of a train stage to RUNS/rates. `rate`: operations per second of one
 * thread. */
void rates_keep(struct rates *rates, const struct stage *train, double rate);

/* plan --calibrate: measures each training that will run, and for which neither a finished run with
 * the same options nor a calibration exists. Trains the model for CALIBRATE_STEPS steps with one
 * thread on its corpus. If the corpus does not exist yet, prepares it in a temporary folder. Keeps
 * the rates (rates_keep), and prints the seconds of a step to `out`. Call plan_estimate first. */
enum { CALIBRATE_STEPS = 20, CALIBRATE_WARMUP = 2 };
void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out);

/* Measures sgemm with `threads` threads, and returns its operations per second. The time is wall
 * time, or processor time if `cpu_time` is true. If `blas` is true, measures OpenBLAS with the
 * kernels that it selects for this processor; otherwise measures the active products. Returns 0 if
 * sgemm cannot be measured. The measurement runs in a child process, `sanlab doctor sgemm`, so the
 * caller needs neither threads nor OpenBLAS. */
double sgemm_rate_measure(int threads, bool cpu_time, bool blas);
