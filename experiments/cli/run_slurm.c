/* What was typed behind `run` is what each task of the array runs. */
#include "experiments/cli/run_slurm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/mask.h"
#include "core/base/progress.h"
#include "core/config/word.h"
#include "core/model/device.h"
#include "experiments/plan/plan_schedule.h"
#include "experiments/run/cluster.h"
#include "experiments/run/display.h"

enum { TASKS_MOST = 1000 }; /* that Slurm takes unless told otherwise (MaxArraySize) */

static const char asked[] = "--slurm", print[] = "print";

static bool is_printed(struct verb_call *call)
{
    const char **value;
    const int values = verb_values(call, asked, &value);
    for (int i = 0; i < values; i++)
        if (!strcmp(value[i], print)) return true;
    return false;
}

/* The user's own words for sbatch, of every --slurm. */
static int own_options(struct verb_call *call, const char ***option)
{
    static const char *const known[] = {print, NULL};
    const char **value;
    const int values = verb_values(call, asked, &value);
    int options = 0;
    *option = NULL;
    for (int i = 0; i < values; i++) {
        const char **word;
        const int words =
            strcmp(value[i], print) ? cluster_words(value[i], &word, &call->arena) : 0;
        const char *near = words && **word != '-' ? word_nearest(value[i], known) : NULL;
        if (words && **word != '-')
            die("run: --slurm %s: expected options of sbatch, such as '--partition=gpu "
                "--mem=8G', or print%s",
                value[i], near ? "; nearest is \"print\"" : "");
        for (int k = 0; k < words; k++) {
            if (!strncmp(word[k], "--wrap", 6))
                die("run: --slurm: %s: there is a script already, which sanlab writes", word[k]);
            ARENA_MORE(&call->arena, *option, options);
            (*option)[options++] = word[k];
        }
    }
    return options;
}

void run_slurm_check(struct verb_call *call)
{
    static const char *const word[] = {"sbatch", NULL};
    const char *device = verb_value(call, "--device"), **option;
    own_options(call, &option);
    if (strchr(device, ':'))
        die("run: --device %s with --slurm: each task is given a GPU of its own, which is its "
            "first one; expected --device cuda",
            device);
    if (verb_choice(call, "--log-format", display_forms) == DISPLAY_BAR)
        die("run: --log-format bar with --slurm: what a task prints goes to a file; expected "
            "plain or json");
    if (!is_printed(call) && !child_file(word, 0, &call->arena))
        die("run: --slurm: there is no sbatch on PATH; expected a machine from which Slurm "
            "takes jobs (--slurm=print prints the script)");
}

/* Where we are: as the shell says, since what a link leads to may have another name on a node. */
static const char *here(struct arena *arena)
{
    const char *shell = getenv("PWD");
    char *path = getcwd(NULL, 0), *meant = shell && *shell == '/' ? realpath(shell, NULL) : NULL;
    if (!path) die("run: --slurm: the current folder is gone");
    const char *found = arena_text(arena, meant && !strcmp(meant, path) ? shell : path);
    free(meant);
    free(path);
    return found;
}

static const char *program(struct arena *arena)
{
    char *path = realpath("/proc/self/exe", NULL);
    if (!path) die("run: --slurm: this program's own file is gone");
    const char *found = arena_text(arena, path);
    free(path);
    return found;
}

static void add_word(struct arena *arena, struct cluster_job *job, const char *word)
{
    ARENA_MORE(arena, job->word, job->words);
    job->word[job->words++] = word;
}

/* The command of a task: ours, but for --slurm. It does one stage at a time unless -j says more. */
static void set_words(struct verb_call *call, struct cluster_job *job)
{
    struct arena *arena = &call->arena;
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
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (plan_will_run(task) && (!best || task->estimate.seconds > best->estimate.seconds))
            best = task;
    }
    return best;
}

/* Whether the user's own options say how many tasks there are, or how long one may take. */
static bool says_own(const struct cluster_job *job)
{
    static const char *const about[] = {"--array", "-a", "--time", "-t"};
    bool own = false;
    for (int i = 0; i < job->options; i++)
        for (size_t k = 0; k < COUNT_OF(about); k++)
            own |= !strncmp(job->option[i], about[k], strlen(about[k]));
    return own;
}

static void submit(struct verb_call *call, const struct cluster_job *job, const struct task *task)
{
    struct arena *arena = &call->arena;
    const char *script = arena_print(arena, "%s/slurm/%s.sh", verb_value(call, "--runs"),
                                     cluster_file_name(job->name, arena));
    const char *text = cluster_script(job, arena);
    char limit[PROGRESS_SPAN], stage[PROGRESS_SPAN];
    file_make_folder(arena_print(arena, "%s/slurm", verb_value(call, "--runs")));
    file_write(script, text, strlen(text));
    printf("%s\n", cluster_submit(script, arena));
    if (verb_switch(call, "--quiet")) return;
    progress_span(job->seconds, limit);
    progress_span(task->estimate.seconds, stage);
    printf("%d task%s of up to %s%s (the longest stage is %s: about %s with one thread)\n",
           job->tasks, job->tasks == 1 ? "" : "s", limit,
           says_own(job) ? ", but for what your options say" : "", task->stage.name, stage);
    printf("the script: %s; what tasks say: %s/slurm/%s-*.log; `sanlab watch` shows their "
           "progress\n",
           script, verb_value(call, "--runs"), cluster_file_name(job->name, arena));
}

/* Nothing is left to submit; what run's exit status says then. */
static int say_nothing(struct arena *arena, const struct plan *plan)
{
    int count[TASK_STATES] = {0};
    for (int i = 0; i < plan->count; i++) count[plan->task[i]->state]++;
    const int done = count[TASK_DONE], failed = count[TASK_FAILED];
    warn("run: --slurm: nothing of %s is left to do: %d of %d stages are done%s", plan->grid->name,
         done, plan->count,
         failed ? arena_print(arena, ", %d failed (--retry failed repeats them)", failed)
         : done < plan->count ? " (sanlab plan says why)"
                              : "");
    return failed || count[TASK_DIVERGED] || count[TASK_MISSING];
}

int run_slurm(struct verb_call *call, const struct plan *plan, int workers)
{
    struct arena *arena = &call->arena;
    const struct task *task = longest(plan);
    const char *runs = verb_value(call, "--runs");
    if (!task) return say_nothing(arena, plan);
    struct cluster_job job = {.name = plan->grid->name,
                              .program = program(arena),
                              .folder = here(arena),
                              .seconds = cluster_seconds(task->estimate.seconds),
                              .gpu = !strcmp(device_word(), "cuda")};
    const int most = plan_workers_enough(plan);
    job.tasks = workers ? (most + workers - 1) / workers : most;
    if (job.tasks > TASKS_MOST) job.tasks = TASKS_MOST;
    job.logs = *runs == '/' ? arena_print(arena, "%s/slurm", runs)
                            : arena_print(arena, "%s/%s/slurm", job.folder, runs);
    job.options = own_options(call, &job.option);
    set_words(call, &job);
    if (is_printed(call)) {
        const char *script = cluster_script(&job, arena);
        if (!mask_spares(script)) /* it would name other files */
            die("run: --slurm=print: a folder or word has a sign that cannot be printed; without "
                "=print the script is written to RUNS/slurm");
        file_make_folder(arena_print(arena, "%s/slurm", runs)); /* sbatch makes none */
        fputs(script, stdout);
    } else {
        submit(call, &job, task);
    }
    return 0;
}
