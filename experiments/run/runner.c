/* Runs the main loop of a runner: starts ready stages, waits for workers and signals, and inspects
 * changed stages. All state that must survive is on disk, so any runner can continue the work of
 * another one. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/file_system.h"
#include "core/base/journal.h"
#include "core/base/lease.h"
#include "experiments/plan/plan.h"
#include "experiments/run/gpus.h"
#include "experiments/run/runner.h"
#include "experiments/stage/machine.h"
#include "experiments/stage/stage_work.h"
#include "results/store/collector.h"
#include "results/store/stage_folder.h"

static const double collect_interval = 5, look_interval = 1; /* seconds */

/* Number of tries to take the lease of a stage. The first pause is 0.1 s, and each next pause is
 * twice as long, up to 5 s. After a fault, the runner tries REFUSALS_MOST times, for about 3
 * seconds. If another process holds the lease, the runner tries BUSY_MOST times, for about two
 * minutes. An NFS client may not see a lock for a minute. */
enum { REFUSALS_MOST = 6, BUSY_MOST = 30 };
static const double first_pause = 0.1, longest_pause = 5;

static bool is_ready(const struct runner *runner, const struct task *task)
{
    const struct runner_task *ours = runner_task_of(runner, task);
    if (ours->attempted || !task_is_open(task)) return false;
    if (ours->not_before > 0 && ours->not_before > clock_seconds()) return false;
    const struct task *before = task->waits_for;
    if (before && (task_is_open(before) || before->state == TASK_RUNNING)) return false;
    for (int i = 0; i < task->stage.inputs; i++) {
        const struct task *input = plan_task(task->stage.input[i]);
        if (!plan_input_ends(task, input)) return false;
    }
    return true;
}

/* Sends a signal to the workers and their child processes. The following SIGCONT wakes suspended
 * processes, so that they receive the signal. */
static void stop_workers(struct runner *runner, int number)
{
    for (int i = 0; i < runner->running; i++) {
        kill(-runner->slot[i].worker.process, number);
        kill(-runner->slot[i].worker.process, SIGCONT);
    }
}

/* Begins to end the run: no new stages start, and workers save and stop. */
static void halt(struct runner *runner, enum halt why, const char *reason)
{
    if (runner->halt) return;
    runner->halt = why;
    runner_say_stopping(runner, reason);
    stop_workers(runner, SIGTERM);
}

static void count_failure(struct runner *runner)
{
    if (runner->options->failures) ++*runner->options->failures;
    if (++runner->failures != runner->options->failures_most) return;
    halt(runner, HALT_FAILURES,
         arena_print(runner->arena, "stopping: %d stage%s failed; the others save and stop",
                     runner->failures, runner->failures == 1 ? "" : "s"));
}

/* Schedules another try for an open stage whose lease could not be taken. `fault` is the reason;
 * NULL: another process was faster. After too many tries, the stage counts as failed in this
 * run. */
static void put_off(struct runner *runner, struct task *task, const char *fault)
{
    const char *why = fault ? fault : "another process held it each time";
    struct runner_task *ours = runner_task_of(runner, task);
    ours->attempted = false;
    ours->not_before = clock_seconds() + fmin(longest_pause, first_pause * (1 << ours->refusals));
    if (++ours->refusals == 1 && fault) runner_say_wait(runner, task, why, true);
    if (ours->refusals < (fault ? REFUSALS_MOST : BUSY_MOST)) return;
    ours->attempted = true;
    ours->unable = arena_print(runner->arena, "its lease could not be taken: %s", why);
    runner_inspect(runner, task);
    runner_say_unable(runner, task);
    runner_look_again(runner);
    count_failure(runner);
}

/* Returns the index of the GPU for the next stage; -1 if there is none. Stages that compute nothing
 * on a GPU do not count. */
static int next_gpu(const struct runner *runner)
{
    int running[GPUS_MOST] = {0};
    for (int i = 0; i < runner->running; i++) {
        const struct runner_slot *slot = &runner->slot[i];
        if (slot->gpu >= 0)
            running[slot->gpu] += (slot->task->stage.kind->traits & KIND_COMPUTES) != 0;
    }
    return gpus_choose(running);
}

static void start(struct runner *runner, struct task *task, int threads)
{
    const char *fault;
    if (!plan_prepare(runner->arena, runner->plan, task, &fault)) {
        if (!fault) runner_inspect(runner, task);
        if (task_is_open(task)) put_off(runner, task, fault);
        return;
    }
    const int gpu = next_gpu(runner);
    struct runner_slot *slot = &runner->slot[runner->running++];
    *slot = (struct runner_slot){
        .task = task,
        .label = runner_say_label(runner, task),
        .threads = threads,
        .gpu = gpu,
        .worker = worker_start(task->stage.folder, threads, gpus_word(gpu), task->from)};
    runner_task_of(runner, task)->attempted = true;
    runner_say_start(runner, slot);
}

/* True if the stage can start now and `best` is NULL or starts after it. */
static bool is_better(struct runner *runner, const struct task *task, const struct task *best)
{
    return is_ready(runner, task) && runner_room_in_time(runner, task) &&
           (!best || plan_goes_before(task, best));
}

/* Returns the first ready stage for which memory and budget suffice; NULL if none. A stage that
 * measures times (KIND_TIMES) starts only if no other stage runs or can start. */
static struct task *choose(struct runner *runner)
{
    struct plan *plan = runner->plan;
    struct task *best = NULL, *large = NULL, *alone = NULL;
    double available = runner_room_memory(runner);
    PLAN_EACH(plan, task) {
        if (!is_better(runner, task, best)) continue;
        if (task->stage.kind->traits & KIND_TIMES)
            alone = task;
        else if (runner_room_needed(runner, task) <= available)
            best = task;
        else if (!large || plan_goes_before(task, large))
            large = task;
    }
    if (large && large != runner->held && (!best || plan_goes_before(large, best))) {
        runner_say_hold(runner, large, available);
        runner->held = large;
    }
    return best || runner->running ? best : alone;
}

/* Inspects the inputs of a stage. Since the last inspection, a done input may have been removed
 * (rm), or another process may compute it again (redo). */
static void inspect_inputs(struct runner *runner, const struct task *task)
{
    for (int i = 0; i < task->stage.inputs; i++) {
        struct task *input = plan_task(task->stage.input[i]);
        runner_inspect(runner, input);
        if (!plan_input_ends(task, input)) runner_task_of(runner, input)->attempted = false;
    }
}

static void start_ready(struct runner *runner)
{
    while (runner->running < runner->limit) {
        if (runner->running && runner->slot[0].task->stage.kind->traits & KIND_TIMES) break;
        if (runner_due(&runner->order, 0)) runner_order_rest(runner);
        struct task *next = choose(runner);
        if (!next) break;
        inspect_inputs(runner, next);
        runner_inspect(runner, next); /* another runner may have started the stage */
        if (!is_ready(runner, next)) continue;
        int ready = 0;
        PLAN_EACH(runner->plan, task)
            ready += ready < runner->limit && is_better(runner, task, NULL);
        const int threads = runner_threads_for(runner, next, ready);
        if (!threads) return; /* wait until running stages return threads */
        start(runner, next, threads);
    }
    runner_threads_lend(runner); /* no ready stage needs these cores */
}

/* Takes the lease of a stage, and releases it. If `event` is not NULL and the stage is not done,
 * first records the event. Returns false if another process has taken over the stage, or if the
 * lease cannot be taken, and then sets *fault to the reason. */
static bool record(const struct task *task, const char *event, const char *text, char **fault)
{
    const char *folder = task->stage.folder;
    SCOPED(heap_free) char *done = heap_print("%s/" STAGE_DONE, folder);
    struct lease *lease = lease_try(folder, fault);
    if (!lease) return false;
    if (event && !file_exists(done)) {
        struct journal *journal = journal_open(folder);
        journal_event(journal, event, JOURNAL_NONE, text);
        journal_sync(journal);
        journal_close(journal);
    }
    lease_release(lease);
    return true;
}

/* Cleans up after a worker that ended without releasing its stage: takes the lease of the dead
 * worker, and releases it. If `failed` is true and the worker has not recorded its failure, first
 * records the failure. Does nothing if another process has taken over the stage. */
static void bury(struct runner *runner, struct task *task, int status, bool failed)
{
    SCOPED(heap_free) char *fault = NULL;
    char reason[160];
    /* The lease is taken later, because under this runner's lease the state would be
     * TASK_RUNNING. */
    runner_inspect(runner, task);
    if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "ended by signal %d (%s)%s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL ? ": perhaps memory ran out" : "");
    else
        snprintf(reason, sizeof reason, "ended with status %d", WEXITSTATUS(status));
    failed &= task_is_open(task);
    record(task, failed ? "failed" : NULL, reason, &fault);
    if (fault && failed)
        runner_task_of(runner, task)->unable =
            arena_print(runner->arena, "%s; not recorded: %s", reason, fault);
}

/* If a stage has failed because its GPU is lost, records that the stage was interrupted, so that
 * another GPU can continue it. Ends the run if no GPU is left. */
static void forgive(struct runner *runner, const struct runner_slot *slot)
{
    SCOPED(heap_free) char *fault = NULL;
    const int before = gpus_left();
    const char *why = slot->gpu < 0 ? NULL : gpus_lost(slot->gpu);
    if (!why) return;
    if (gpus_left() < before) runner_say_gpu(runner, gpus_word(slot->gpu), why);
    if (record(slot->task, "interrupted", why, &fault))
        runner_task_of(runner, slot->task)->attempted = false;
    if (!gpus_left()) halt(runner, HALT_GPUS, "stopping: no GPU is left");
    runner_inspect(runner, slot->task);
}

static bool was_stopped(const struct runner *runner, int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status) == INTERRUPTED_EXIT;
    int number = WTERMSIG(status);
    return runner->halt || number == SIGTERM || number == SIGINT || number == SIGUSR1 ||
           number == SIGUSR2;
}

/* Waits for the end of a worker whose pipe is closed, and handles its exit status. */
static void reap(struct runner *runner, int index)
{
    struct runner_slot slot = runner->slot[index];
    struct task *task = slot.task;
    const double before = plan_left(task, task->step);
    int status = worker_end(&slot.worker);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool busy = code == WORK_BUSY_EXIT, lost = code == WORK_LOST_EXIT;
    bool unable = code == WORK_UNABLE_EXIT;
    runner->slot[index] = runner->slot[--runner->running];
    if (busy || lost || unable)
        runner_task_of(runner, task)->attempted = false; /* this runner may start it again */
    else if (code != 0 && code != INTERRUPTED_EXIT)
        bury(runner, task, status, !was_stopped(runner, status));
    runner_inspect(runner, task);
    if (task->state == TASK_FAILED) forgive(runner, &slot);
    if (!busy && !unable) runner_say_end(runner, &slot, lost);
    const bool stopped = task->state == TASK_STOPPED;
    const double made = before - (stopped ? plan_left(task, task->step) : 0);
    if ((task->state == TASK_DONE || stopped) && made > 0) {
        runner->took += clock_seconds() - slot.worker.start;
        runner->expected += made;
    }
    runner->held = NULL;
    runner->partly = true;
    if (runner_due(&runner->look_all, look_interval)) runner_look_again(runner);
    if (task->state == TASK_FAILED) count_failure(runner);
    if ((busy || lost || unable) && task_is_open(task))
        put_off(runner, task, unable ? "the worker failed to take its lease, see log.txt" : NULL);
}

/* Reads the pending signals. After the first signal, workers save and stop. A second SIGINT or
 * SIGTERM kills them. If both arrive within one second, they count as one, because the terminal and
 * the parent process may both send the same interrupt. */
static void take_signals(struct runner *runner)
{
    struct signalfd_siginfo info;
    while (read(runner->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        bool urgent = info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM;
        halt(runner, HALT_SIGNAL,
             "stopping: workers save and stop (a second signal stops them at once)");
        if (!urgent) continue;
        if (!runner->urged) {
            runner->urged = clock_seconds();
        } else if (clock_seconds() - runner->urged >= 1) {
            runner_say_stopping(runner, "stopping at once");
            stop_workers(runner, SIGKILL);
        }
    }
}

/* Waits at most a fifth of a second for progress of workers and for signals, and handles them. */
static void wait_for_something(struct runner *runner)
{
    struct pollfd wait[SLOTS + 1];
    for (int i = 0; i < runner->running; i++)
        wait[i] = (struct pollfd){.fd = runner->slot[i].worker.pipe, .events = POLLIN};
    wait[runner->running] = (struct pollfd){.fd = runner->signals, .events = POLLIN};
    int running = runner->running;
    if (poll(wait, (nfds_t)running + 1, 200) < 0 && errno != EINTR)
        die("poll: %s", strerror(errno));
    if (wait[running].revents) take_signals(runner);
    /* The loop runs backward, because reap moves the last slot into the freed slot. */
    for (int i = running - 1; i >= 0; i--)
        if (wait[i].revents && !worker_read(&runner->slot[i].worker)) reap(runner, i);
}

/* True if this runner waits for stages of other runners, to take over these stages or to compute
 * their readers. With no_wait, the runner waits only in two cases. The other runners may be too few
 * (runner_order_enough). Or the owner of a stage has not renewed its lease since this runner became
 * idle. Then the owner may be dead, and no other runner may be left. */
static bool waits_for_others(struct runner *runner)
{
    enum { SECONDS = 5 }; /* interval, because the check takes a second with thousands of stages */
    bool stays = !runner->options->no_wait;
    if (!runner_elsewhere(runner)) return false;
    PLAN_EACH(runner->plan, task) {
        stays |=
            task->state == TASK_RUNNING && runner_task_of(runner, task)->renewed < runner->busy;
    }
    if (stays) return true;
    if (clock_seconds() - runner->judged >= SECONDS) {
        runner->enough = runner_order_enough(runner);
        runner->judged = clock_seconds();
    }
    return !runner->enough;
}

static bool any_put_off(const struct runner *runner)
{
    for (int i = 0; i < runner->plan->count; i++) {
        const struct runner_task *ours = &runner->task[i];
        if (!ours->attempted && task_is_open(runner->plan->task[i]) &&
            ours->not_before > clock_seconds())
            return true;
    }
    return false;
}

/* Opens the database, to which the runner only writes. If the database is not writable, it is
 * closed again, and a later collect adds the results. */
static void collect_begin(struct runner *runner)
{
    if (file_system_of(runner->plan->runs) != FILE_SYSTEM_NETWORK)
        runner->store = store_open(runner->plan->runs);
    if (!runner->store || !runner->store->copy) return;
    store_close(runner->store);
    runner->store = NULL;
}

static void collect(struct runner *runner)
{
    struct collect_report report;
    const double begun = clock_seconds();
    collect_try(runner->store, &report);
    runner_did(&runner->collect, begun);
    if (!runner->store->copy) return;
    store_close(runner->store); /* another process has locked the database meanwhile */
    runner->store = NULL;
    collect_begin(runner);
}

static void step(struct runner *runner)
{
    double now = clock_seconds(), budget = runner->options->budget;
    wait_for_something(runner);
    if (budget > 0 && now - runner->begun >= budget)
        halt(runner, HALT_BUDGET, "the time of --budget is over: workers save and stop");
    if (runner_due(&runner->look_all, look_interval) && runner_elsewhere(runner))
        runner_look_again(runner);
    if (runner->store && runner_due(&runner->collect, collect_interval)) collect(runner);
    runner_say_progress(runner);
}

/* Blocks the signals until the process ends, because a late signal must not change the exit
 * status. */
static void take_over_signals(struct runner *runner)
{
    static const int number[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    struct sigaction hangup = {.sa_handler = SIG_DFL};
    sigset_t caught;
    sigemptyset(&caught);
    for (size_t i = 0; i < COUNT_OF(number); i++) sigaddset(&caught, number[i]);
    sigaction(SIGHUP, NULL, &hangup);
    /* Under nohup, SIGHUP stays ignored. */
    if (hangup.sa_handler != SIG_IGN) sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    runner->signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    if (runner->signals < 0) die("signalfd: %s", strerror(errno));
}

int runner_run(struct arena *arena, struct plan *plan, const struct runner_options *options)
{
    struct runner *runner = ARENA_NEW(arena, struct runner);
    *runner = (struct runner){.arena = arena,
                              .plan = plan,
                              .options = options,
                              .failures = options->failures ? *options->failures : 0,
                              .cores = machine_cores(),
                              .begun = clock_seconds(),
                              .busy = clock_seconds(),
                              .task = ARENA_ARRAY(arena, struct runner_task, plan->count)};
    runner->limit = options->workers ? options->workers : runner->cores;
    if (runner->limit > SLOTS) runner->limit = SLOTS;
    lock_self(); /* dies if SANLAB_LEASE is invalid */
    take_over_signals(runner);
    display_open(&runner->display, options->form, options->quiet, stderr);
    file_make_folder(plan->runs);
    collect_begin(runner);
    runner_look_again(runner);
    for (;;) {
        if (!runner->halt) start_ready(runner);
        if (runner->running) runner->busy = clock_seconds();
        if (!runner->running && runner->partly) {
            runner_look_again(runner); /* other runners may have released a stage */
            continue;
        }
        if (!runner->running &&
            (runner->halt || !(any_put_off(runner) || waits_for_others(runner))))
            break;
        step(runner);
    }
    for (int i = 0; i < plan->count && !runner->halt; i++)
        if (plan->task[i]->state == TASK_DONE) lease_tidy(plan->task[i]->stage.folder);
    /* Tries again: the process that locked the database may have ended. */
    if (!runner->store) collect_begin(runner);
    if (runner->store) collect(runner);
    if (runner->store) store_close(runner->store);
    display_clear(&runner->display);
    int status = runner_say_result(runner);
    close(runner->signals);
    return status;
}
