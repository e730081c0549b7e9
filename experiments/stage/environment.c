/* A child describes a GPU and ends: this process may live long, and who has opened a GPU holds
 * memory there. */
#include "experiments/stage/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code.h"
#include "commit.h"
#include "core/base/file.h"
#include "core/model/device.h"

const char *environment_backend(const char *device)
{
    static const char *const code[][2] = {
        {DEVICE_CPU, BACKEND_cpu}, {"cuda", BACKEND_cuda}, {"emu", BACKEND_emu}};
    for (size_t i = 0; i < COUNT_OF(code); i++)
        if (!strcmp(device, code[i][0])) return code[i][1];
    return NULL;
}

const char *environment_commit(void)
{
    return SANLAB_COMMIT;
}

int environment_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return CPU_COUNT(&set);
}

/* The processor's name as the kernel has it. */
static void processor_name(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown");
    FILE *file = file_stream("/proc/cpuinfo");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, size, "%s", colon + 2);
        break;
    }
    fclose(file);
}

/* What a child says of a device, which may take its messages with it; NULL: it ended, with this
 * status. */
static json_t *ask(const char *device, bool quiet, int *status)
{
    const char *const arguments[] = {"sanlab", "work", "--describe", "--device", device, NULL};
    posix_spawn_file_actions_t actions;
    json_error_t fault;
    pid_t child;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawn(&child, "/proc/self/exe", &actions, NULL, (char *const *)arguments, environ);
    if (error) die("device %s: nobody can be asked: %s", device, strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    json_t *environment = json_loadfd(ends[0], 0, &fault);
    close(ends[0]);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
    if (*status == 0) return environment;
    json_decref(environment);
    return NULL;
}

json_t *environment_ask(const char *device)
{
    int status;
    if (!strcmp(device, DEVICE_CPU)) return environment_describe(device);
    json_t *environment = ask(device, false, &status);
    if (WIFEXITED(status) && WEXITSTATUS(status)) exit(WEXITSTATUS(status));
    if (!environment) die("device %s: does not say what it is", device);
    return environment;
}

const char *environment_device(const char *word)
{
    int status;
    if (strcmp(word, DEVICE_AUTO) != 0 || !device_there("cuda")) return word;
    json_t *environment = ask("cuda", true, &status);
    json_decref(environment);
    return environment ? "cuda" : DEVICE_CPU;
}

json_t *environment_describe(const char *device)
{
    char host[65] = "", processor[128];
    gethostname(host, sizeof host - 1);
    processor_name(processor, sizeof processor);
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "host", host, "commit",
                     environment_commit(), "table", device_ops(device)->name, "processor",
                     processor, "cores", environment_cores(), "threads", omp_get_max_threads(),
                     "device", device, "compiler", ENVIRONMENT_COMPILER, "products",
                     device_ops(device)->numerics());
}
