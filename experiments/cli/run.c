/* sanlab run: do what plan says. */
#include <stdlib.h>
#include <string.h>

#include "core/model/device.h"
#include "experiments/cli/grid_argument.h"
#include "experiments/cli/plan_run.h"
#include "experiments/cli/run_slurm.h"
#include "experiments/cli/topics.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/environment.h"

struct unit {
    char letter;
    double size;
};

/* "2h30m" as seconds, "8G" as bytes: whole numbers, each with its unit. NULL is 0. */
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

/* --retry failed,diverged, also one by one; enum plan_retry. */
static unsigned asked_retry(struct verb_call *call)
{
    static const char *const words[] = {"failed", "diverged", NULL};
    unsigned retry = 0;
    for (const char *const *word = verb_list(call, "--retry"); *word; word++)
        retry |= verb_word(call, "--retry", *word, words) == 0 ? RETRY_FAILED : RETRY_DIVERGED;
    return retry;
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
        json_decref(environment_ask(device_word())); /* one that does not work ends it here */
    else
        run_slurm_check(call);
    struct plan *plan = grid_argument_plan(call, options.retry);
    grid_argument_check_name(call, plan->grid);
    if (!options.quiet) grid_argument_warn_twin(call, plan->grid);
    grid_argument_only(call, plan);
    const enum plan_stale stale = (enum plan_stale)verb_choice(call, "--stale", plan_stale_words);
    const bool force = verb_switch(call, "--force");
    if (here) return plan_run(&call->arena, plan, &options, stale, force);
    plan_run_check(&call->arena, plan, &options, true, stale, force);
    return run_slurm(call, plan, options.workers);
}

static void help(FILE *out)
{
    fputs(
        "Exit status: 0 everything is done; 1 a stage failed, diverged or lacks a file (--force);\n"
        "65 the grid or an option is wrong, or a file is missing; 75 stopped by a signal or\n"
        "--budget, or left to do: the same command continues. --no-wait: 0 also when others\n"
        "are at what is left; --slurm: also when sbatch has taken it.\n\n"
        "Ctrl-C once, SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2: workers save and stop; Ctrl-C or\n"
        "SIGTERM once more: at once. Several runs of one grid, also on machines that share the\n"
        "folder, divide the stages among them; a machine that was silent for ten minutes\n"
        "(SANLAB_LEASE, in seconds) loses its stages to the others.\n\n"
        "Order: what was stopped, then what nobody reads (scores), then the longest way to\n"
        "the end. Cores that no stage waits for are lent to running workers, also with -j;\n"
        "SANLAB_CORES=8 leaves the others alone.\n\n"
        "--slurm submits an array of such runs, one stage at a time each (-j N: N), to a cluster\n"
        "(docs/cluster.md); --slurm=print prints the script. OPTIONS are words for sbatch, and\n"
        "may stand behind an equals sign: --slurm '--partition=gpu --mem=8G'. Its time limit is\n"
        "twice the longest stage, by plan's estimate, and ten minutes; --device cuda asks for a\n"
        "GPU a task.\n\n"
        "--log-format json: every object has time, event and, about a stage, stage, kind, row\n"
        "and seed. Events: program, start, progress, done, failed, diverged, stop, lost, wait,\n"
        "hold, skip, grid, stopping, end (experiments/run/display.h).\n\n",
        out);
    topics_list(out);
}

const struct verb verb_run = {
    .name = "run",
    .usage = "GRID.yaml [key=value ...]",
    .help = "do what plan says; the same command again continues",
    .group = VERB_START,
    .run = run,
    .device = true,
    .option =
        {VERB_NUMBER("-j", "0", 0, 256, "workers at a time; 0: as many as cores or ready stages"),
         GRID_ARGUMENT_ONLY, VERB_VALUE("--budget", "TIME", "save and stop after 100m, 2h30m, 45s"),
         VERB_VALUE("--memory", "SIZE",
                    "for all workers, 500M, 8G; else what the machine has free"),
         VERB_SWITCH("--fail-fast", "stop everything at the first failure"),
         VERB_VALUE("--stale", "warn|rerun|ignore", PLAN_STALE_HELP, .fallback = "warn"),
         VERB_SWITCH("--force", "also when the disk will not hold it, or a file is missing"),
         VERB_SWITCH("--all", "name each stage that waits for missing files"),
         VERB_NUMBER("--max-failures", "0", 0, 1e6, "stop everything after so many; 0: never"),
         VERB_VALUE(
             "--retry", "WORDS",
             "repeat stages that ended so earlier: failed, diverged (started over), or both"),
         VERB_VALUE("--log-format", "FORM",
                    "auto, bar, plain or json (a line per event, on stderr)", .fallback = "auto"),
         VERB_SWITCH("--no-wait",
                     "exit when this runner could not finish the grid noticeably earlier than the "
                     "other runners will"),
         VERB_OPTIONAL(
             "--slurm", "'OPTIONS'",
             "on a cluster: submit an array of runs, with options of sbatch; --slurm=print "
             "prints the script")},
    .more_help = help,
    .words = {1, VERB_WORDS},
};
