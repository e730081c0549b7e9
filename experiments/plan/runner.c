#include "experiments/plan/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/journal.h"
#include "experiments/plan/display.h"
#include "experiments/plan/environment.h"
#include "experiments/plan/work.h"
#include "experiments/plan/worker.h"
#include "results/collect.h"
#include "results/number.h"

enum { SLOTS = 256 };
static const double collect_interval = 5, elsewhere_interval = 1;

/* A stage that a worker of ours is at. */
struct slot {
    struct task *task;
    struct worker worker;
    int threads;
    char *label;
};

struct runner {
    struct arena *arena;
    struct plan *plan;
    const struct runner_options *options;
    struct display display;
    struct store *store;
    struct slot slot[SLOTS];
    int running, cores, limit;
    int signals;                       /* signalfd */
    int stops;                         /* signals that came */
    bool fail_stop;                    /* --fail-fast, and one failed */
    double collected, looked, stopped; /* when it was last done */
};

static void start(struct runner *runner, struct task *task, int threads)
{
    plan_prepare(runner->plan, task);
    struct slot *slot = &runner->slot[runner->running++];
    *slot = (struct slot){
        .task = task, .threads = threads, .worker = worker_start(task->stage.folder, threads)};
    slot->label = task->stage.inputs ? arena_print(runner->arena, "%s %s", task->stage.name,
                                                   strchr(task->stage.label, '/') + 1)
                                     : arena_text(runner->arena, task->stage.name);
    task->attempted = true;
    display_say(&runner->display, false, "start  %s (%s; %d thread%s)", slot->label, task->reason,
                threads, threads == 1 ? "" : "s");
}

static bool is_ready(const struct task *task)
{
    if (task->attempted || (task->state != TASK_NEW && task->state != TASK_RESUME)) return false;
    for (int i = 0; i < task->stage.inputs; i++) {
        const struct task *input = plan_task(task->stage.input[i]);
        if (input->state != TASK_CACHED) return false;
    }
    return true;
}

/* Threads are handed out so that every core has work: a lone stage gets all that are free. */
static void start_ready(struct runner *runner)
{
    struct plan *plan = runner->plan;
    for (;;) {
        struct task *next = NULL;
        int ready = 0, busy = 0;
        for (int i = 0; i < plan->count; i++)
            if (is_ready(plan->task[i])) {
                ready++;
                if (!next) next = plan->task[i];
            }
        if (!ready || runner->running >= runner->limit) return;
        for (int i = 0; i < runner->running; i++) busy += runner->slot[i].threads;
        int places = runner->limit - runner->running;
        if (ready < places) places = ready;
        int threads = (runner->cores - busy) / places;
        if (runner->options->workers) threads = runner->cores / runner->limit;
        start(runner, next, threads < 1 ? 1 : threads);
    }
}

static void look_again(struct runner *runner)
{
    for (int i = 0; i < runner->plan->count; i++) {
        struct task *task = runner->plan->task[i];
        bool ours = false;
        for (int j = 0; j < runner->running; j++) ours |= runner->slot[j].task == task;
        if (!ours && task->state != TASK_CACHED && task->state != TASK_DIVERGED)
            plan_inspect(runner->arena, task, runner->options->retry_failed);
    }
}

/* A worker's death that it could not record itself. */
static void record_death(const struct task *task, int status)
{
    char reason[160];
    if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "ended by signal %d (%s)%s; see log.txt", WTERMSIG(status),
                 strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? ": perhaps memory ran out" : "");
    else
        snprintf(reason, sizeof reason, "ended with status %d; see log.txt", WEXITSTATUS(status));
    struct journal *journal = journal_open(task->stage.folder);
    journal_event(journal, "failed", JOURNAL_NONE, reason);
    journal_close(journal);
}

/* "bleu 36.12" of a stage that is done. */
static const char *telling_value(struct arena *arena, const struct task *task)
{
    static const char *const names[] = {"bleu", "dev_loss", "train"};
    const char *text = "";
    json_t *done = stage_done(&task->stage);
    for (size_t i = 0; done && i < COUNT_OF(names); i++) {
        const json_t *value = json_object_get(json_object_get(done, "summary"), names[i]);
        if (!json_is_number(value)) continue;
        text = json_is_integer(value)
                   ? arena_print(arena, ", %s %lld", names[i], (long long)json_integer_value(value))
                   : arena_print(arena, ", %s %.4g", names[i], json_number_value(value));
        break;
    }
    json_decref(done);
    return text;
}

static void say_end(struct runner *runner, const struct slot *slot)
{
    struct task *task = slot->task;
    const char *time = number_seconds(runner->arena, clock_seconds() - slot->worker.start);
    switch (task->state) {
    case TASK_CACHED:
        display_say(&runner->display, false, "done   %s in %s%s", slot->label, time,
                    telling_value(runner->arena, task));
        break;
    case TASK_FAILED:
        display_say(&runner->display, true, "FAILED %s after %s: %s (%s/log.txt)", slot->label,
                    time, task->message, task->stage.folder);
        break;
    case TASK_DIVERGED:
        display_say(&runner->display, true, "DIVERGED %s after %s", slot->label, time);
        break;
    default:
        display_say(&runner->display, false, "stop   %s after %s (%s)", slot->label, time,
                    task->reason);
    }
}

/* A worker's pipe was closed: it has ended. */
static void reap(struct runner *runner, int index)
{
    struct slot *slot = &runner->slot[index];
    struct task *task = slot->task;
    int status = worker_end(&slot->worker);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool asked = runner->stops || runner->fail_stop;
    bool stopped = code == INTERRUPTED_EXIT ||
                   (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) ||
                   (WIFSIGNALED(status) && asked);
    if (code == WORK_BUSY_EXIT) task->attempted = false; /* another process was faster */
    plan_inspect(runner->arena, task, runner->options->retry_failed);
    if (code != 0 && code != WORK_BUSY_EXIT && !stopped && task->state != TASK_FAILED) {
        record_death(task, status); /* it could not do so itself */
        plan_inspect(runner->arena, task, runner->options->retry_failed);
    }
    say_end(runner, slot);
    runner->slot[index] = runner->slot[--runner->running];
    look_again(runner);
}

static void stop_workers(struct runner *runner, int number)
{
    for (int i = 0; i < runner->running; i++) kill(runner->slot[i].worker.process, number);
}

static void take_signal(struct runner *runner)
{
    struct signalfd_siginfo info;
    if (read(runner->signals, &info, sizeof info) != (ssize_t)sizeof info) return;
    /* One interrupt may arrive twice: from the terminal, and passed on by whoever started us. */
    if (runner->stops && clock_seconds() - runner->stopped < 1) return;
    runner->stopped = clock_seconds();
    runner->stops++;
    stop_workers(runner, runner->stops == 1 ? SIGTERM : SIGKILL);
    display_say(&runner->display, true, "%s",
                runner->stops == 1 ? "stopping: workers save and stop (once more: at once)"
                                   : "stopping at once");
}

static void draw(struct runner *runner)
{
    struct display_line line[SLOTS];
    double now = clock_seconds();
    for (int i = 0; i < runner->running; i++) {
        const struct worker *worker = &runner->slot[i].worker;
        bool heard = worker->first >= 0;
        line[i] = (struct display_line){.label = runner->slot[i].label,
                                        .done = worker->done,
                                        .total = worker->total,
                                        .text = worker->text,
                                        .first = heard ? worker->first : 0,
                                        .seconds = heard ? now - worker->first_time : 0};
    }
    display_draw(&runner->display, line, runner->running);
}

/* Waits for workers, signals, or a fifth of a second. */
static void wait_for_something(struct runner *runner)
{
    struct pollfd wait[SLOTS + 1];
    for (int i = 0; i < runner->running; i++)
        wait[i] = (struct pollfd){.fd = runner->slot[i].worker.pipe, .events = POLLIN};
    wait[runner->running] = (struct pollfd){.fd = runner->signals, .events = POLLIN};
    int running = runner->running;
    if (poll(wait, (nfds_t)running + 1, 200) < 0 && errno != EINTR)
        die("poll: %s", strerror(errno));
    if (wait[running].revents) take_signal(runner);
    for (int i = running - 1; i >= 0; i--) /* backwards: reap moves the last into the gap */
        if (wait[i].revents && !worker_read(&runner->slot[i].worker)) reap(runner, i);
}

static bool runs_elsewhere(const struct plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->task[i]->state == TASK_RUNNING) return true;
    return false;
}

static void step(struct runner *runner)
{
    double now = clock_seconds();
    wait_for_something(runner);
    bool failed = false;
    for (int i = 0; i < runner->plan->count; i++)
        failed |= runner->plan->task[i]->attempted && runner->plan->task[i]->state == TASK_FAILED;
    if (runner->options->fail_fast && failed && !runner->fail_stop) {
        runner->fail_stop = true;
        stop_workers(runner, SIGTERM);
    }
    if (now - runner->looked > elsewhere_interval && runs_elsewhere(runner->plan)) {
        look_again(runner);
        runner->looked = now;
    }
    if (now - runner->collected > collect_interval) {
        collect(runner->store);
        runner->collected = now;
    }
    draw(runner);
}

static int report_end(struct runner *runner)
{
    int count[TASK_STATES] = {0};
    const struct plan *plan = runner->plan;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        count[task->state]++;
        if (task->state == TASK_MISSING || (task->state == TASK_FAILED && !task->attempted))
            display_say(&runner->display, true, "%s: %s", task->stage.name, task->reason);
    }
    int bad = count[TASK_FAILED] + count[TASK_DIVERGED] + count[TASK_MISSING] + count[TASK_BLOCKED];
    bool whole = count[TASK_CACHED] == plan->count;
    int to_do = count[TASK_NEW] + count[TASK_RESUME];
    static const enum task_state named[] = {TASK_FAILED, TASK_DIVERGED, TASK_MISSING, TASK_BLOCKED,
                                            TASK_RUNNING};
    const char *rest =
        arena_print(runner->arena, "%d of %d stages done", count[TASK_CACHED], plan->count);
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (count[named[i]])
            rest = arena_print(runner->arena, "%s, %d %s", rest, count[named[i]],
                               task_state_names[named[i]]);
    if (to_do) rest = arena_print(runner->arena, "%s, %d to do", rest, to_do);
    display_say(&runner->display, !whole, "%s%s", rest,
                count[TASK_FAILED] && !runner->stops ? " (--retry failed repeats them)" : "");
    if (runner->stops) return INTERRUPTED_EXIT;
    return whole ? 0 : bad ? RUNNER_FAILED_EXIT : INTERRUPTED_EXIT;
}

int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options)
{
    struct runner *runner = ARENA_NEW(arena, struct runner);
    *runner = (struct runner){.arena = arena, .plan = plan, .options = options};
    runner->cores = environment_cores();
    runner->limit = options->workers ? options->workers : runner->cores;
    if (runner->limit > SLOTS) runner->limit = SLOTS;
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    runner->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    if (runner->signals < 0) die("signalfd: %s", strerror(errno));
    display_open(&runner->display, options->quiet);
    file_make_folder(plan->runs);
    runner->store = store_open(plan->runs);

    for (;;) {
        if (!runner->stops && !runner->fail_stop) start_ready(runner);
        if (!runner->running && (runner->stops || runner->fail_stop || !runs_elsewhere(plan)))
            break;
        step(runner);
    }
    collect(runner->store);
    store_close(runner->store);
    display_close(&runner->display);
    int status = report_end(runner);
    close(runner->signals);
    sigprocmask(SIG_UNBLOCK, &caught, NULL);
    return status;
}
