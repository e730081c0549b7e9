/* sanlab run: runs a grid. With --slurm, submits an array of tasks to a cluster. Each task runs the
 * grid with the same words and options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/mask.h"
#include "core/base/progress.h"
#include "core/base/shell.h"
#include "core/config/word.h"
#include "core/model/device_choice.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/plan_run.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/run/cluster.h"
#include "experiments/run/display.h"
#include "experiments/run/gpus.h"

enum { TASKS_MOST = 1000 }; /* most tasks of an array: Slurm's default limit (MaxArraySize) */

static const char asked[] = "--slurm", print[] = "print";

/* Adds the words of each --slurm to the job, as options for sbatch. Returns true if a value is
 * "print", which requests the command. */
static bool read_own(struct verb_call *call, struct cluster_job *job)
{
    static const char *const known[] = {print, NULL};
    const char **value, **word;
    const int values = verb_values(call, asked, &value);
    bool printed = false;
    for (int i = 0; i < values; i++) {
        const bool is_print = !strcmp(value[i], print);
        const int words = is_print ? 0 : cluster_words(value[i], &word, &call->arena);
        printed |= is_print;
        if (words && **word != '-')
            die("run: --slurm %s: expected options of sbatch, such as '--partition=gpu "
                "--mem=8G', or print%s",
                value[i], word_nearest(value[i], known) ? "; nearest is \"print\"" : "");
        for (int k = 0; k < words; k++) {
            if (!strncmp(word[k], "--wrap", 6))
                die("run: --slurm: %s: expected no command, because the tasks run sanlab", word[k]);
            ARENA_ADD(&call->arena, job->option, job->options, word[k]);
        }
    }
    return printed;
}

/* Dies if there is no sbatch, or if another option contradicts --slurm. Call before reading the
 * grid. */
static void run_slurm_check(struct verb_call *call)
{
    static const char *const word[] = {"sbatch", NULL};
    const char *device = verb_value(call, "--device");
    const bool printed = read_own(call, &(struct cluster_job){0});
    if (strchr(device, ':'))
        die("run: --device %s with --slurm: each task has GPUs of its own, numbered from 0; "
            "expected --device cuda",
            device);
    if (verb_choice(call, "--log-format", display_forms) == DISPLAY_BAR)
        die("run: --log-format bar with --slurm: the output of a task goes to a file; expected "
            "plain or json");
    if (!printed && !child_file(word, 0, &call->arena))
        die("run: --slurm: there is no sbatch on PATH; expected a machine with Slurm "
            "(--slurm=print prints the command)");
}

/* Returns the current folder as the shell names it. If the name has links, their targets may have
 * other names on a node of the cluster. */
static const char *here(struct arena *arena)
{
    SCOPED(heap_free) char *path = get_current_dir_name();
    if (!path) die("run: --slurm: the current folder was removed");
    return arena_text(arena, path);
}

static const char *program(struct arena *arena)
{
    const char *path = file_program_path(arena);
    if (!path) die("run: --slurm: the file of this program was removed");
    return path;
}

static void add_word(struct arena *arena, struct cluster_job *job, const char *word)
{
    ARENA_ADD(arena, job->word, job->words, word);
}

/* Sets the command of a task: this command without --slurm. A task runs one stage at a time unless
 * -j is given. */
static void set_words(struct verb_call *call, struct cluster_job *job)
{
    struct arena *arena = &call->arena;
    add_word(arena, job, program(arena));
    add_word(arena, job, "run");
    for (int i = 0; i < call->given; i++) {
        if (!strcmp(call->option[i].name, asked)) continue;
        add_word(arena, job, call->option[i].name);
        if (call->option[i].value) add_word(arena, job, call->option[i].value);
    }
    if (!verb_switch(call, "-j")) {
        add_word(arena, job, "-j");
        add_word(arena, job, "1");
    }
    if (!verb_switch(call, "--no-wait")) add_word(arena, job, "--no-wait");
    add_word(arena, job, "--");
    for (int i = 0; i < call->words; i++) add_word(arena, job, call->word[i]);
}

static const struct task *longest(const struct plan *plan)
{
    const struct task *best = NULL;
    PLAN_EACH(plan, task) {
        if (plan_will_run(task) && (!best || task->estimate.seconds > best->estimate.seconds))
            best = task;
    }
    return best;
}

/* True if the user's own options set the number of tasks or their time limit. */
static bool says_own(const struct cluster_job *job)
{
    static const char *const about[] = {"--array", "-a", "--time", "-t", NULL};
    bool own = false;
    for (int i = 0; i < job->options; i++) own |= word_begins(job->option[i], about);
    return own;
}

static void submit(struct verb_call *call, const struct cluster_job *job, const struct task *task)
{
    struct arena *arena = &call->arena;
    char limit[PROGRESS_SPAN], stage[PROGRESS_SPAN];
    printf("%s\n", cluster_submit(cluster_command(job, arena), arena));
    if (verb_switch(call, "--quiet")) return;
    progress_span(job->seconds, limit);
    progress_span(task->estimate.seconds, stage);
    printf("%d task%s of up to %s%s (the longest stage is %s: about %s with one thread)\n",
           job->tasks, job->tasks == 1 ? "" : "s", limit,
           says_own(job) ? ", unless your options set other limits" : "", task->stage.name, stage);
    printf("the output of tasks: %s/slurm/%s-*.log; `sanlab watch` shows their progress\n",
           verb_value(call, "--runs"), cluster_file_name(job->name, arena));
}

/* Prints the command that submits the job, for a shell. */
static void print_command(struct arena *arena, const struct cluster_job *job)
{
    const char *line = NULL;
    for (const char *const *word = cluster_command(job, arena); *word; word++)
        line = arena_append(arena, line, " ", shell_word(arena, *word));
    if (!mask_spares(line)) /* a masked name is not the name of the file */
        die("run: --slurm=print: a folder or word has a character that cannot be printed");
    puts(line);
}

/* Warns that nothing is left to submit. Returns the exit status of `run`. */
static int say_nothing(const struct plan *plan)
{
    int count[TASK_STATES] = {0};
    PLAN_EACH(plan, task) {
        if (!plan_pardoned(plan, task)) count[task->state]++;
    }
    const int done = count[TASK_DONE];
    warn("run: --slurm: nothing of %s is left to do: %d of %d stages are done%s", plan->grid->name,
         done, plan->count, done < plan->count ? " (`sanlab plan` prints the reasons)" : "");
    return count[TASK_FAILED] || count[TASK_DIVERGED] || count[TASK_MISSING];
}

/* Submits an array, or prints the command that does. The plan must have estimates. `workers` is the
 * value of -j; if it is 0, a task counts as one worker. Returns the exit status. */
static int run_slurm(struct verb_call *call, const struct plan *plan, int workers)
{
    struct arena *arena = &call->arena;
    const struct task *task = longest(plan);
    const char *runs = verb_value(call, "--runs");
    if (!task) return say_nothing(plan);
    struct cluster_job job = {.name = plan->grid->name,
                              .folder = here(arena),
                              .seconds = cluster_seconds(task->estimate.seconds),
                              .gpu = !strcmp(device_word(), "cuda")};
    const int most = plan_workers_enough(plan);
    job.tasks = workers ? (most + workers - 1) / workers : most;
    if (job.tasks > TASKS_MOST) job.tasks = TASKS_MOST;
    job.logs = *runs == '/' ? arena_print(arena, "%s/slurm", runs)
                            : arena_print(arena, "%s/%s/slurm", job.folder, runs);
    const bool printed = read_own(call, &job);
    set_words(call, &job);
    file_make_folder(arena_print(arena, "%s/slurm", runs)); /* sbatch does not make it */
    if (printed)
        print_command(arena, &job);
    else
        submit(call, &job, task);
    return 0;
}

struct unit {
    char letter;
    double size;
};

/* Parses whole numbers, each with a unit. Returns the seconds of "2h30m", or the bytes of "8G"; 0
 * for NULL. */
static double measure(const char *option, const char *text, const struct unit *unit,
                      const char *example)
{
    double sum = 0;
    for (const char *at = text; at && *at; at++) {
        char *end;
        long number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (number >= 0) at = end;
        size_t i = 0;
        while (unit[i].letter && unit[i].letter != *at) i++;
        if (number < 0 || number > 1000000 || !unit[i].letter)
            die("run: %s %s: expected whole numbers with units, such as %s", option, text, example);
        sum += (double)number * unit[i].size;
    }
    if (text && !(sum > 0))
        die("run: %s \"%s\": expected more than 0, such as %s", option, text, example);
    return sum;
}

/* Returns the flags of --retry failed,diverged,kept, which may be repeated. */
static unsigned asked_retry(struct verb_call *call)
{
    static const char *const words[] = {"failed", "diverged", "kept", NULL};
    static const enum plan_retry flags[] = {RETRY_FAILED, RETRY_DIVERGED, RETRY_KEPT};
    unsigned retry = 0;
    for (const char *const *word = verb_list(call, "--retry"); *word; word++)
        retry |= flags[verb_word(call, "--retry", *word, words)];
    return retry;
}

/* Reads the grid, and plans it. `retry`: flags of enum plan_retry. */
static struct plan *read_plan(struct verb_call *call, unsigned retry)
{
    struct plan *plan = grid_argument_plan(call);
    plan_inspect_all(&call->arena, plan, retry);
    grid_argument_check_name(call, plan->grid);
    grid_argument_only(call, plan);
    plan_check_at(&call->arena, plan, retry);
    return plan;
}

/* Runs a grid on this machine. When the choice of a trial is done, the stages of its row are known.
 * So the grid is planned and run again until a plan has nothing new. */
static int run_here(struct verb_call *call, struct plan *plan, struct runner_options options,
                    enum plan_stale stale, bool force)
{
    const double begun = clock_seconds(), budget = options.budget;
    int failed = 0, failures = 0;
    options.failures = &failures;
    for (;;) {
        const int status = plan_run(&call->arena, plan, &options, stale, force);
        const struct plan *before = plan;
        failed |= status == RUNNER_FAILED_EXIT;
        const bool over = options.failures_most && failures >= options.failures_most;
        if (!plan_waiting(plan) || status == INTERRUPTED_EXIT || over)
            return status ? status : failed ? RUNNER_FAILED_EXIT : 0;
        options.retry = 0; /* this run has retried what it was asked to */
        if (budget > 0) options.budget = fmax(budget - (clock_seconds() - begun), 1);
        plan = read_plan(call, 0);
        if (!plan_goes_on(before, plan)) return failed ? RUNNER_FAILED_EXIT : 0;
    }
}

static int run(struct verb_call *call)
{
    static const struct unit time[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {0, 0}};
    static const struct unit size[] = {{'M', 1 << 20}, {'G', 1 << 30}, {0, 0}};
    const struct runner_options options = {
        .workers = verb_number(call, "-j"),
        .failures_most = verb_switch(call, "--fail-fast") ? 1 : verb_number(call, "--max-failures"),
        .retry = asked_retry(call),
        .budget = measure("--budget", verb_value(call, "--budget"), time, "100m or 2h30m"),
        .memory = measure("--memory", verb_value(call, "--memory"), size, "500M or 8G"),
        .form = (enum display_form)verb_choice(call, "--log-format", display_forms),
        .quiet = verb_switch(call, "--quiet"),
        .no_wait = verb_switch(call, "--no-wait"),
        .all = verb_switch(call, "--all"),
    };
    const bool here = !verb_switch(call, "--slurm");
    if (here)
        gpus_find(); /* dies if the device does not work */
    else
        run_slurm_check(call);
    struct plan *plan = read_plan(call, options.retry);
    const enum plan_stale stale = (enum plan_stale)verb_choice(call, "--stale", plan_stale_words);
    const bool force = verb_switch(call, "--force");
    if (here) return run_here(call, plan, options, stale, force);
    plan_run_check(&call->arena, plan, &options, true, stale, force);
    return run_slurm(call, plan, options.workers);
}

const struct verb verb_run = {.name = "run", .run = run, .more_help = topics_list, .gpus = true};
