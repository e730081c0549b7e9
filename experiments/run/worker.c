/* Starts this program again as a worker process. The environment has the worker's number of
 * threads, because libraries read these variables only when they are loaded. */
#include "experiments/run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/config/word.h"
#include "results/store/stage_folder.h"

enum { PROGRESS_FILE = 3, TEAM_FILE = 4 };

/* True for entries that workers do not inherit, because they set the number of threads or the cores
 * of threads. Workers inherit GOMP_SPINCOUNT and OMP_WAIT_POLICY. If the user sets neither, workers
 * have the default of every verb (core/base/program.c). */
static bool is_dropped(const char *entry)
{
    static const char *const dropped[] = {
        "OMP_", "GOMP_CPU_AFFINITY=", "OPENBLAS_NUM_THREADS=", "GOTO_NUM_THREADS=", NULL};
    static const char *const kept[] = {"OMP_WAIT_POLICY=", "OMP_DISPLAY_ENV=", NULL};
    return word_begins(entry, dropped) && !word_begins(entry, kept);
}

const char *worker_foreign_setting(void)
{
    static const char *const own[] = {"OMP_NUM_THREADS=", "OMP_DYNAMIC=false",
                                      "OPENBLAS_NUM_THREADS=", "GOTO_NUM_THREADS=", NULL};
    for (char **entry = environ; *entry; entry++)
        if (is_dropped(*entry) && !word_begins(*entry, own)) return *entry;
    return NULL;
}

/* Returns the environment of a worker: the runner's environment, but with other entries for
 * threads. */
static char **compose_environment(struct arena *arena, int threads)
{
    int count = 0, size = 0;
    while (environ[count]) count++;
    char **list = ARENA_ARRAY(arena, char *, count + 3);
    for (int i = 0; i < count; i++)
        if (!is_dropped(environ[i])) list[size++] = environ[i];
    list[size++] = arena_print(arena, "OMP_NUM_THREADS=%d", threads);
    list[size++] = arena_text(arena, "OMP_DYNAMIC=false");
    return list;
}

static void set_attributes(posix_spawnattr_t *attributes)
{
    static const int number[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE};
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (size_t i = 0; i < COUNT_OF(number); i++) sigaddset(&defaults, number[i]);
    posix_spawnattr_init(attributes);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
}

struct worker worker_start(const char *folder, int threads, const char *device, const char *shorter)
{
    SCOPED(arena_free) struct arena arena = {0};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int ends[2], shared = -1;
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    const char *path = arena_print(&arena, "%s/" STAGE_LOG, folder);
    int log = file_open(path, O_WRONLY | O_CREAT | O_APPEND);
    if (log < 0) {
        warn("%s: cannot be written: %s; the output of the worker is lost", path, file_why(errno));
        log = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], PROGRESS_FILE);
    set_attributes(&attributes);

    struct worker worker = {.pipe = ends[0], .first = -1, .start = clock_seconds()};
    worker.team = team_new(threads, &shared);
    if (worker.team) posix_spawn_file_actions_adddup2(&actions, shared, TEAM_FILE);
    const char *const arguments[] = {
        "sanlab",     "work",
        "--stage",    folder,
        "--device",   device,
        "--progress", arena_print(&arena, "%d", PROGRESS_FILE),
        "--team",     arena_print(&arena, "%d", worker.team ? TEAM_FILE : -1),
        "--continue", shorter ? shorter : "",
        NULL};
    int error = posix_spawn(&worker.process, file_program(), &actions, &attributes,
                            (char *const *)arguments, compose_environment(&arena, threads));
    if (error) die("a worker cannot be started: %s", strerror(error));
    close(ends[1]);
    close(log);
    if (worker.team) close(shared);
    fcntl(worker.pipe, F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return worker;
}

static void take_line(struct worker *worker, const char *line)
{
    long long done, total;
    int end = 0;
    if (sscanf(line, "%lld %lld %n", &done, &total, &end) < 2) return;
    if (worker->first < 0) {
        worker->first = done;
        worker->first_time = clock_seconds();
    }
    worker->done = done;
    worker->total = total;
    snprintf(worker->text, sizeof worker->text, "%s", line + end);
}

bool worker_read(struct worker *worker)
{
    for (;;) {
        size_t left = sizeof worker->line - 1 - worker->length;
        ssize_t got = read(worker->pipe, worker->line + worker->length, left);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EAGAIN;
        if (got == 0) return false;
        worker->length += (size_t)got;
        worker->line[worker->length] = 0;
        char *begin = worker->line, *end;
        while ((end = strchr(begin, '\n'))) {
            *end = 0;
            take_line(worker, begin);
            begin = end + 1;
        }
        worker->length = strlen(begin);
        if (worker->length == sizeof worker->line - 1) worker->length = 0;
        memmove(worker->line, begin, worker->length);
    }
}

double worker_rate(const struct worker *worker)
{
    double seconds = worker->first < 0 ? 0 : clock_seconds() - worker->first_time;
    int64_t made = worker->done - worker->first;
    return seconds > 1 && made > 0 ? (double)made / seconds : -1;
}

double worker_left(const struct worker *worker)
{
    double rate = worker_rate(worker);
    return rate > 0 && worker->total > 0 ? (double)(worker->total - worker->done) / rate : -1;
}

int worker_end(struct worker *worker)
{
    int status;
    siginfo_t info;
    close(worker->pipe);
    team_close(worker->team);
    while (waitid(P_PID, (id_t)worker->process, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    /* Ends the worker's child processes. Until waitpid, no other process group can get this id. */
    kill(-worker->process, SIGTERM);
    while (waitpid(worker->process, &status, 0) < 0)
        if (errno != EINTR) die("waitpid: %s", strerror(errno));
    return status;
}
