#include "experiments/plan/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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
#include "results/collect.h"
#include "results/number.h"

enum { SLOTS = 256, PROGRESS_FILE = 3, LINE = 256 };
static const double collect_interval = 5, elsewhere_interval = 1;

/* A running worker. */
struct slot {
    struct task *task;
    pid_t process;
    int pipe; /* its lines of progress */
    int threads;
    double start;      /* when it was started */
    double first_time; /* when it first reported, and how much was done then */
    char *label;
    int64_t first, done, total;
    char text[LINE], line[LINE];
    size_t length; /* of the unfinished line */
};

struct runner {
    struct arena *arena;
    struct plan *plan;
    const struct runner_options *options;
    struct display display;
    struct store *store;
    struct slot slot[SLOTS];
    int running, cores, limit;
    int signals;      /* signalfd */
    int stops;        /* signals that came */
    bool fail_stop;   /* --fail-fast, and one failed */
    double collected, looked;
};

/* The environment of a worker: ours, but for the thread pools. */
static char **compose_environment(struct arena *arena, int threads)
{
    static const char *const replaced[] = {"OMP_", "GOMP_", "OPENBLAS_NUM_THREADS=",
                                           "GOTO_NUM_THREADS="};
    int count = 0;
    while (environ[count]) count++;
    char **list = ARENA_ARRAY(arena, char *, count + 4);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool drop = false;
        for (size_t j = 0; j < COUNT_OF(replaced); j++)
            drop |= !strncmp(environ[i], replaced[j], strlen(replaced[j]));
        if (!drop) list[kept++] = environ[i];
    }
    list[kept++] = arena_print(arena, "OMP_NUM_THREADS=%d", threads);
    list[kept++] = arena_text(arena, "OMP_WAIT_POLICY=passive");
    list[kept++] = arena_text(arena, "OMP_DYNAMIC=false");
    return list;
}

static void spawn(struct runner *runner, struct task *task, int threads)
{
    struct arena arena = {0};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    stage_write(&task->stage);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO,
                                     arena_print(&arena, "%s/log.txt", task->stage.folder),
                                     O_WRONLY | O_CREAT | O_APPEND, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], PROGRESS_FILE);
    posix_spawnattr_init(&attributes);
    /* A group of its own: a terminal's interrupt reaches it through us, once. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);

    const char *const arguments[] = {"sanlab", "work", "--stage", task->stage.folder,
                               "--progress", "3", NULL};
    struct slot *slot = &runner->slot[runner->running];
    *slot = (struct slot){.task = task, .pipe = ends[0], .threads = threads};
    int error = posix_spawn(&slot->process, "/proc/self/exe", &actions, &attributes,
                            (char *const *)arguments,
                            compose_environment(&arena, threads));
    if (error) die("a worker cannot be started: %s", strerror(error));
    close(ends[1]);
    fcntl(slot->pipe, F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    arena_free(&arena);

    slot->start = clock_seconds();
    slot->first = -1;
    slot->label = task->stage.inputs ? arena_print(runner->arena, "%s %s", task->stage.name,
                                                   strchr(task->stage.label, '/') + 1)
                                     : arena_text(runner->arena, task->stage.name);
    task->attempted = true;
    runner->running++;
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
        spawn(runner, next, threads < 1 ? 1 : threads);
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
    const char *time = number_seconds(runner->arena, clock_seconds() - slot->start);
    switch (task->state) {
    case TASK_CACHED:
        display_say(&runner->display, false, "done   %s in %s%s", slot->label, time,
                    telling_value(runner->arena, task));
        break;
    case TASK_FAILED:
        display_say(&runner->display, true, "FAILED %s after %s: %s\n          (%s/log.txt)",
                    slot->label, time, task->message, task->stage.folder);
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
    int status;
    close(slot->pipe);
    while (waitpid(slot->process, &status, 0) < 0 && errno == EINTR) continue;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == WORK_BUSY_EXIT) {
        task->attempted = false; /* another process was faster: wait for it */
    } else if (code != 0 && code != DIE_EXIT && code != INTERRUPTED_EXIT) {
        bool asked = runner->stops || runner->fail_stop || WTERMSIG(status) == SIGTERM;
        if (!(WIFSIGNALED(status) && asked)) record_death(task, status);
    }
    plan_inspect(runner->arena, task, runner->options->retry_failed);
    say_end(runner, slot);
    runner->slot[index] = runner->slot[--runner->running];
    look_again(runner);
}

static void read_line(struct slot *slot, char *line)
{
    long long done, total;
    int end = 0;
    if (sscanf(line, "%lld %lld %n", &done, &total, &end) < 2) return;
    if (slot->first < 0) {
        slot->first = done;
        slot->first_time = clock_seconds();
    }
    slot->done = done;
    slot->total = total;
    snprintf(slot->text, sizeof slot->text, "%s", line + end);
}

/* Reads what there is; false at the end of the pipe. */
static bool read_progress(struct slot *slot)
{
    for (;;) {
        ssize_t got = read(slot->pipe, slot->line + slot->length,
                           sizeof slot->line - 1 - slot->length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EAGAIN;
        if (got == 0) return false;
        slot->length += (size_t)got;
        slot->line[slot->length] = 0;
        char *begin = slot->line, *end;
        while ((end = strchr(begin, '\n'))) {
            *end = 0;
            read_line(slot, begin);
            begin = end + 1;
        }
        slot->length = strlen(begin);
        if (slot->length == sizeof slot->line - 1) slot->length = 0;
        memmove(slot->line, begin, slot->length);
    }
}

static void stop_workers(struct runner *runner, int number)
{
    for (int i = 0; i < runner->running; i++) kill(runner->slot[i].process, number);
}

static void take_signal(struct runner *runner)
{
    struct signalfd_siginfo info;
    if (read(runner->signals, &info, sizeof info) != (ssize_t)sizeof info) return;
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
        struct slot *slot = &runner->slot[i];
        line[i] = (struct display_line){.label = slot->label,
                                        .done = slot->done,
                                        .total = slot->total,
                                        .text = slot->text,
                                        .first = slot->first > 0 ? slot->first : 0,
                                        .seconds = slot->first < 0 ? 0 : now - slot->first_time};
    }
    display_draw(&runner->display, line, runner->running);
}

/* Waits for workers, signals, or a fifth of a second. */
static void wait_for_something(struct runner *runner)
{
    struct pollfd wait[SLOTS + 1];
    for (int i = 0; i < runner->running; i++)
        wait[i] = (struct pollfd){.fd = runner->slot[i].pipe, .events = POLLIN};
    wait[runner->running] = (struct pollfd){.fd = runner->signals, .events = POLLIN};
    int running = runner->running;
    if (poll(wait, (nfds_t)running + 1, 200) < 0 && errno != EINTR)
        die("poll: %s", strerror(errno));
    if (wait[running].revents) take_signal(runner);
    for (int i = running - 1; i >= 0; i--) /* backwards: reap moves the last into the gap */
        if (wait[i].revents && !read_progress(&runner->slot[i])) reap(runner, i);
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
    int bad = count[TASK_FAILED] + count[TASK_DIVERGED] + count[TASK_MISSING] +
              count[TASK_BLOCKED];
    bool whole = count[TASK_CACHED] == plan->count;
    char rest[200];
    int length = snprintf(rest, sizeof rest, "%d of %d stages done", count[TASK_CACHED],
                          plan->count);
    for (int i = TASK_DIVERGED; i < TASK_STATES; i++)
        if (count[i])
            length += snprintf(rest + length, sizeof rest - (size_t)length, ", %d %s", count[i],
                               i == TASK_NEW || i == TASK_RESUME ? "to do" : task_state_names[i]);
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
        if (!runner->running &&
            (runner->stops || runner->fail_stop || !runs_elsewhere(plan)))
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
