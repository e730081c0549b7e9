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
#include <sys/mman.h>
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
    /* Not every cluster binds a task to the processors that it has given it. */
    const char *given = getenv("SLURM_CPUS_ON_NODE");
    const int most = given ? atoi(given) : 0, cores = CPU_COUNT(&set);
    return most > 0 && most < cores ? most : cores;
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

#define NO_DESCRIPTION "device %s: `sanlab work --describe` failed or printed no valid JSON"

/* What a child says of a device, its messages into `errors`; NULL: it ended, with this status. */
static json_t *ask(const char *device, int errors, int *status)
{
    const char *const arguments[] = {"sanlab", "work", "--describe", "--device", device, NULL};
    posix_spawn_file_actions_t actions;
    json_error_t fault;
    pid_t child;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    const int error =
        posix_spawn(&child, "/proc/self/exe", &actions, NULL, (char *const *)arguments, environ);
    if (error)
        die("device %s: cannot start the process that describes it: %s", device, strerror(error));
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
    json_t *environment = ask(device, STDERR_FILENO, &status);
    if (WIFEXITED(status) && WEXITSTATUS(status)) exit(WEXITSTATUS(status));
    if (!environment) die(NO_DESCRIPTION, device);
    return environment;
}

json_t *environment_try(const char *device, char why[MESSAGE_BYTES])
{
    int status;
    const int errors = memfd_create("errors", MFD_CLOEXEC);
    if (errors < 0) die("device %s: cannot create a memory file: %s", device, strerror(errno));
    json_t *environment = ask(device, errors, &status);
    const ssize_t bytes = pread(errors, why, MESSAGE_BYTES - 1, 0);
    close(errors);
    why[bytes > 0 ? bytes : 0] = 0;
    why[strcspn(why, "\n")] = 0;
    if (!environment && !why[0]) snprintf(why, MESSAGE_BYTES, NO_DESCRIPTION, device);
    return environment;
}

size_t environment_memory(const char *device)
{
    static char asked[32];
    static size_t memory;
    char why[MESSAGE_BYTES];
    if (!strcmp(device, DEVICE_CPU)) return 0;
    if (!strcmp(asked, device)) return memory;
    json_t *environment = environment_try(device, why);
    memory = (size_t)json_integer_value(json_object_get(environment, "memory"));
    snprintf(asked, sizeof asked, "%s", device);
    json_decref(environment);
    return memory;
}

const char *environment_device(const char *word)
{
    char why[MESSAGE_BYTES];
    if (strcmp(word, DEVICE_AUTO) != 0 || !device_there("cuda")) return word;
    json_t *environment = environment_try("cuda", why);
    json_decref(environment);
    return environment ? "cuda" : DEVICE_CPU;
}

json_t *environment_describe(const char *device)
{
    char host[65] = "", processor[128];
    gethostname(host, sizeof host - 1);
    processor_name(processor, sizeof processor);
    const struct ops *ops = device_ops(device);
    json_t *environment =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "host", host, "commit",
                  environment_commit(), "table", ops->name, "processor", processor, "cores",
                  environment_cores(), "threads", omp_get_max_threads(), "device", device,
                  "compiler", ENVIRONMENT_COMPILER, "products", ops->numerics());
    if (ops->memory)
        json_object_set_new(environment, "memory", json_integer((json_int_t)ops->memory()));
    if (ops->facts) json_object_set_new(environment, "facts", json_string(ops->facts()));
    return environment;
}
