/* A plan: every stage that a grid's points need, each once, inputs before those that read them,
 * with the reason why it would run or not, and what it would cost. */
#pragma once

#include "experiments/stage/stage.h"
#include "plots/figures.h"
#include "results/report/claims.h"

enum task_state {
    TASK_DONE,     /* done.json is there */
    TASK_DIVERGED, /* finished, and its numbers are lost: nothing can be built on it */
    TASK_NEW,
    TASK_STOPPED, /* by a signal or killed: there is a checkpoint, or only a folder */
    TASK_FAILED,  /* and not asked to be repeated */
    TASK_RUNNING, /* a live process holds its lock */
    TASK_MISSING, /* a file that it reads is not there */
    TASK_BLOCKED, /* an input is missing, failed or diverged */
    TASK_STATES
};

/* What a user wants repeated. Only what was in that state when the plan was built: of two runners
 * that are asked for it, one does it. */
enum plan_retry {
    RETRY_FAILED = 1,
    RETRY_DIVERGED = 2 /* started over: its folder makes room first */
};

struct plan_length; /* plan_continue.c */

struct task {
    struct stage stage;
    enum task_state state;
    const char *reason;      /* one line */
    const char *plain;       /* the reason without a remark on older code */
    const char *message;     /* of a failure, or NULL */
    struct task *blocked_by; /* the input that blocks it */
    bool silent;             /* running, and its owner was not heard of for long (lease_silence) */
    double expires;          /* running: clock_seconds when its lease ends, unless renewed */
    const char *older;       /* commit of other code that did or began it, "" unknown; or NULL */
    bool replace;            /* there, but to be done again: its folder makes room first */
    bool lacks;              /* done, but without what a reader that is open needs: done again */
    int64_t done_at;         /* when it was done, as its file says (ns); -1: it is not */
    bool unnamed;            /* done, and its folder does not yet know everybody who asks for it */
    int failures;            /* attempts that failed */
    int64_t attempts;        /* that there were when the plan was built */
    int64_t step;            /* of the checkpoint that it would resume from; -1: none */
    /* Of a training that has no checkpoint (plan_continue.c): those that are the same but for their
     * length, */
    int lengths;
    struct plan_length *length; /* [lengths] */
    const char *from;           /* the one that it goes on from; NULL: none, */
    struct task *waits_for;     /* the one of this plan that is done first; NULL: none, */
    bool waits;                 /* whether it waits for one that another process is at, */
    bool own_code;              /* and whether it goes on from none of other code (STALE_RERUN) */
    /* Seconds: its own; behind it; and to the end through its readers. */
    double left, tail, path;
    bool read;                /* by another task; filled with `path` */
    struct estimate estimate; /* its seconds are those from this step on: */
    int64_t counted;
    int points; /* of the plan that are made of it */
    int index;  /* among the plan's tasks; -1: it has been left out (plan_only) */
};

/* Whether it is left to be begun, or gone on with. */
static inline bool task_is_open(const struct task *task)
{
    return task->state == TASK_NEW || task->state == TASK_STOPPED;
}

/* What becomes of a stage that other code has done, or begun: --stale. */
enum plan_stale {
    STALE_WARN, /* its reason says so */
    STALE_RERUN,
    STALE_IGNORE
};
extern const char *const plan_stale_words[]; /* NULL-terminated */

/* What a point of the grid is made of; nothing for a row without a run. */
struct plan_point {
    int count;
    struct task **task; /* [count] in the order of their kinds and parts */
};

struct plan {
    const struct grid *grid;    /* with the stages of its rows and what plan_read_drawn has read */
    struct figure_list figures; /* of its key `figures` */
    struct claims claims;       /* and `claims` */
    const char *runs;
    const struct stage *upon; /* plan_build; NULL: nothing */
    int count;
    struct task **task;       /* [count] in an order in which they can run */
    int total;                /* also those that plan_only has left out: */
    struct task **all;        /* [total] */
    const bool *only;         /* [rows] of the grid, by plan_only; NULL: all */
    struct plan_point *point; /* [rows * seeds of the grid] */
    struct table *ids;        /* id to index of its task */
    double core_rate; /* plan_estimate: operations per second of a core; 0: of this machine's */
};

/* A loop over the tasks of a plan: PLAN_EACH(plan, task) count += task->older != NULL; */
#define PLAN_EACH(plan_, task_)                                                                    \
    for (struct task * task_, **task_##_at = (plan_)->task;                                        \
         task_##_at < (plan_)->task + (plan_)->count && ((task_) = *task_##_at); task_##_at++)

/* Everything lives in the arena. Changes nothing on disk, but for digests that are kept for later
 * runs where RUNS is there already. The grid gets the stages of its rows and what plan_read_drawn
 * reads.
 *
 * `upon`, of a grid of one point whose training is there already: the stages of its kind, and of
 * what it reads, are those, and files that they were made of need not be here. NULL: none. */
struct plan *plan_build(struct arena *arena, struct grid *grid, const char *runs, unsigned retry,
                        const struct stage *upon);
/* Fills the grid's layout, what learned means, the claims and the figures: what the keys table,
 * learned, claims and figures say. Dies at the place of what is wrong, and where they name a column
 * whose stages no row asks for. */
void plan_read_drawn(struct plan *plan, struct grid *grid, struct arena *arena);
/* Every column that the keys name, of mean(GROUP) its members, too; `what` is the key. */
typedef void plan_column_visitor(void *context, const struct column *column, const char *what);
void plan_each_column(const struct plan *plan, plan_column_visitor *visit, void *context);
/* Leaves only what these rows [rows of the grid] are made of among the tasks; what the
 * grid is stays. */
void plan_only(struct arena *arena, struct plan *plan, const bool *row);
/* Looks at a task's folder again (its inputs were looked at). A failed stage is to be repeated when
 * that is asked for (enum plan_retry) and nobody has attempted it since the plan was built. With
 * `unable`, why this run cannot do it, it counts as failed unless another has it; NULL: it can. */
void plan_inspect(struct arena *arena, struct task *task, unsigned retry, const char *unable);
void plan_inspect_all(struct arena *arena, struct plan *plan, unsigned retry);
/* plan_continue.c: which trainings of a plan differ in their length alone from others, of the plan
 * or done before; and what that means for one that has no checkpoint, each time it is looked at. */
void plan_find_lengths(struct arena *arena, struct plan *plan);
void plan_continue(struct arena *arena, struct task *task);
/* The remark on a stage that other code has done: "older code (commit 0123)". */
const char *plan_older_text(struct arena *arena, const char *before, const char *commit);
/* The commit ("" unknown) of the other code than this program's (code_used.h) by which a stage
 * like this one was done; or of other code of the device that computed it, if this program has that
 * device. NULL: it is none. */
const char *plan_older(const struct stage *stage, const struct stage_end *end);
/* STALE_WARN is what plan_build leaves, without a look at what they lack (plan_find_lacking). */
void plan_set_stale(struct arena *arena, struct plan *plan, enum plan_stale stale);
/* What has been done, but no longer has what a task that is open reads (stage_has_opened), is to be
 * done again; or is missing input, and then what reads it is blocked. */
void plan_find_lacking(struct arena *arena, struct plan *plan);
/* Before it: whoever asks opens, too, what stages of that kind have. */
void plan_need(struct plan *plan, const char *kind);
/* The task is to be done again, whatever its state. */
void plan_again(struct task *task, const char *reason);
/* Of a task that is to be done again: whether its folder is still what the plan saw. */
bool plan_is_as_seen(const struct task *task);
/* A warning for each option that changes nothing in any row of a place of the grid's file or of the
 * command line: the first of these places is named. */
void plan_warn_idle(const struct plan *plan);
/* After plan_estimate: a warning where the warm-up of a training does not end within its budget,
 * and where a budget is below that of the recipe that the row names; a line for all rows of which
 * the same is true. */
void plan_warn_training(struct arena *arena, const struct plan *plan);
/* A warning for each file of hypotheses that has another number of lines than the text that the
 * grid's rows translate. layout_read has warned of files that cannot be read. */
void plan_warn_hypotheses(struct arena *arena, const struct plan *plan);
/* The programs that the stages to be done will start. Returns how many. */
struct plan_program {
    const struct texts *words;
    const char *title; /* of the first stage that starts it */
    int stages;
    const char *line; /* all of it, with the words as a shell reads them */
};
int plan_programs(struct arena *arena, const struct plan *plan, struct plan_program **program);
/* The stages of a plan are members of its tasks. */
struct task *plan_task(struct stage *stage);
/* The task of a kind at a point, of several parts the first; NULL: there is none. */
struct task *plan_find(const struct plan *plan, int point, const struct stage_kind *kind);
/* Fills the estimates and paths (reads text, or the corpora that are done, and the database as it
 * is). `measure`: this machine, where nothing else tells its speed. With plan->core_rate nothing
 * that is known of this machine counts. */
void plan_estimate(struct arena *arena, struct plan *plan, bool measure);
/* By the estimate, the seconds that are left of a task from a step on: its own, or where it is. */
double plan_left(const struct task *task, int64_t step);
/* Also of a stage whose text is still to be brought; not of one that failed and is not repeated. */
bool plan_will_run(const struct task *task);
/* Fills every task's `left`, `path` and `index`. The estimates are there. */
void plan_find_paths(struct plan *plan);
/* `path` and `read` anew, from `left` as it is. Returns how long the rest takes with so many
 * workers, a core each; negative: nobody knows. */
double plan_rest(struct plan *plan, int workers);
/* Of two stages that could start: whether the first one goes first. What is stopped is before
 * what is new; then what nobody reads, such as a score of a model that is there (it is a result,
 * and mostly short); then the one with the longest way to the end of the grid. */
bool plan_goes_before(const struct task *first, const struct task *second);
struct plan_cost {
    double seconds;      /* from start to end: no core is idle, because cores are lent */
    double core_seconds; /* of all stages together, with one thread each */
    double chain;        /* the longest chain of stages, with one thread a stage */
    double low, high;    /* factors on all of these */
    double memory;       /* of the workers that need most, at the same time; 0: unknown */
    double device;       /* of the device, as well */
    double saved;        /* core seconds that sharing saves: each row and seed would need alone */
};
/* `workers` at a time; 0: as many as cores. */
struct plan_cost plan_cost(const struct plan *plan, int workers, int cores);
/* With so many workers, a core each, the rest hardly takes longer than its longest chain: a worker
 * for each stage that takes more than half of it, and enough for the sum. By `left` and `path`. */
int plan_workers_enough(const struct plan *plan);
enum plan_show {
    PLAN_TODO = 1, /* without the stages that are done */
    PLAN_ALL = 2   /* also the rows of stages that wait for missing files, and a line for each */
};
/* The table of stages and what they cost with so many workers (0: as many as cores or ready
 * stages). A stage that waits for missing files has a row if it has parameters. `show`: enum
 * plan_show. */
void plan_print(struct arena *arena, const struct plan *plan, int workers, unsigned show,
                FILE *out);

extern const char *const task_state_names[TASK_STATES];

struct plan_disk {
    double needed; /* bytes that the stages to run will add, what they have written already off */
    double margin; /* for journals, logs, the database and a checkpoint that is being written */
    double spare;  /* bytes that this user may still write there; negative: cannot be told */
    const struct task *largest; /* NULL: nothing to write */
};

struct plan_disk plan_disk(const struct plan *plan);
/* Dies if RUNS cannot be written, or if its disk will not hold what remains to be written; with
 * `force` it only warns of the disk. The plan has its estimates. */
void plan_check_disk(struct arena *arena, const struct plan *plan, bool force);
/* Bytes of a file, or of all in a folder: as long as they are, or in `blocks` of the disk, folders
 * included. No link is followed. */
double plan_disk_bytes(const char *path, bool blocks);
/* The path, or the nearest folder above it where it is not there yet; from the heap. */
char *plan_disk_place(const char *path);
/* Bytes that a user may still write where `path` is, or will be; negative: cannot be told. */
double plan_disk_spare(const char *path);

/* Moves a stage's folder to RUNS/replaced; dies when somebody works on it. */
void plan_put_away(struct arena *arena, const struct plan *plan, const struct stage *stage);
/* The same of all tasks that are to be done again, what they read last: so a result never stands
 * beside another input than its own, wherever the work ends. */
void plan_put_all_away(struct arena *arena, struct plan *plan);
/* Before a task's worker starts: its folder with stage.json and options.yaml, written under its
 * lease; that of a stage which is done again is moved to RUNS/replaced. False when another runner
 * was faster (look at it again), or when the lease cannot be taken: then *fault says why. */
bool plan_prepare(struct arena *arena, const struct plan *plan, struct task *task,
                  const char **fault);
/* Before a grid runs: stages that are done already learn the names that this grid has for them. Of
 * many it says how far it is. */
void plan_record_names(struct arena *arena, const struct plan *plan, bool quiet);

struct plan_missing {
    int stages;        /* that wait for files, also for those of a stage that they read */
    bool *waits;       /* [count of the plan] the stages among its tasks */
    int lines;         /* at most 10, unless `all` was asked for */
    const char **line; /* [lines] */
};

/* A line for each shipped set of which files are missing (core/corpus/data_set.h), for the options
 * of other files (struct absent_file), and for other reasons why input is missing; the last line
 * says where files are looked for. `all`: a line for each stage. In the arena. */
struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all);

/* Warns of corpora whose text is in pieces already. */
void plan_warn_pieces(struct arena *arena, const struct plan *plan);
/* Prints the share of dev and test that train has, too: a line for each corpus, or one line for
 * corpora that have the same shares. */
void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out);

struct rates;

/* What is known of this host and device, in the arena; `measure`: sgemm's rate is measured when it
 * is needed. `core_rate`: a machine of which only that is known, in operations per second; 0: this
 * one. */
struct rates *rates_open(struct arena *arena, const char *runs, double core_rate, bool measure);
/* Fills seconds, low, high, source and from of a stage's estimate, whose work is there. */
void rates_apply(struct rates *rates, const struct stage *stage, struct estimate *estimate);

/* A calibration, kept in RUNS/rates. `rate`: operations per second of one thread. */
void rates_keep(struct rates *rates, const struct stage *train, double rate);

/* plan --calibrate: trains each model of the plan that will run, and whose time nothing tells yet,
 * for CALIBRATE_STEPS steps with one thread on its own text (prepared in a temporary folder when it
 * is not there yet), and keeps the rates. Says so on `out`. The estimates are there. */
enum { CALIBRATE_STEPS = 20, CALIBRATE_WARMUP = 2 };
void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out);

/* Operations per second with `threads`, by wall time or processor time: of the products that are in
 * use, or with `blas` of OpenBLAS with the best core that this processor has. 0: not measured, or
 * there is no OpenBLAS. A process of its own measures (`sanlab doctor sgemm`), so the caller needs
 * neither threads nor OpenBLAS. */
double sgemm_rate_measure(int threads, bool cpu_time, bool blas);
