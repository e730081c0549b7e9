/* Limits are read whenever they are asked for: who set them may change them. */
#include "experiments/stage/machine.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"

#define GROUPS "/sys/fs/cgroup"

static const char *system_folder = "";

void machine_look_in(const char *folder)
{
    system_folder = folder;
}

/* A file of the system; NULL where it has none of that name. */
static FILE *open_file(const char *folder, const char *name)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", system_folder, folder, name);
    return file_stream(path);
}

/* The number behind `key` at the beginning of a line; negative where there is none ("max"). */
static double number_in(const char *folder, const char *name, const char *key)
{
    char line[256];
    double number = -1;
    FILE *file = open_file(folder, name);
    if (!file) return -1;
    while (number < 0 && fgets(line, sizeof line, file)) {
        long long whole;
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lld", &whole) == 1)
            number = (double)whole;
    }
    fclose(file);
    return number;
}

/* Processors by the quota of a group: so many microseconds of them in a period of time. */
static double group_cores(const char *folder)
{
    double quota, period, cores = INFINITY;
    FILE *file = open_file(folder, "/cpu.max");
    if (!file) return cores;
    if (fscanf(file, "%lf %lf", &quota, &period) == 2 && quota > 0 && period > 0)
        cores = ceil(quota / period);
    fclose(file);
    return cores;
}

/* Bytes that a group may still take: it can drop pages of files that nobody has used lately. */
static double group_memory(const char *folder)
{
    const double most = number_in(folder, "/memory.max", ""),
                 used = number_in(folder, "/memory.current", ""),
                 pages = number_in(folder, "/memory.stat", "inactive_file ");
    return most < 0 || used < 0 ? INFINITY : fmax(0, most - used + fmax(0, pages));
}

/* The least that this process's control group allows, or one above it; INFINITY: no limit. */
static double least_of_groups(double (*allows)(const char *folder))
{
    char line[PATH_MAX], folder[PATH_MAX + sizeof GROUPS] = GROUPS;
    FILE *file = open_file("/proc/self", "/cgroup");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0::/", 4)) snprintf(folder, sizeof folder, GROUPS "%s", line + 3);
    }
    if (file) fclose(file);
    double least = allows(folder);
    for (char *end; strlen(folder) > strlen(GROUPS) && (end = strrchr(folder, '/'));) {
        *end = 0;
        least = fmin(least, allows(folder));
    }
    return least;
}

/* Cores that a variable allows; INFINITY where it is not set. */
static double cores_asked(void)
{
    const char *text = getenv("SANLAB_CORES");
    char *end;
    if (!text) return INFINITY;
    const long cores = strtol(text, &end, 10);
    if (end == text || *end || cores < 1)
        die("SANLAB_CORES: \"%s\": expected a number of cores, 1 or more", text);
    return (double)cores;
}

/* Processors that this process is bound to; all of a machine that has more than a set can hold. */
static double cores_bound(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return (double)sysconf(_SC_NPROCESSORS_ONLN);
    return CPU_COUNT(&set);
}

/* Not every cluster binds a task to the processors that it has given it. */
static double cores_of_task(void)
{
    const char *given = getenv("SLURM_CPUS_ON_NODE");
    const int cores = given ? atoi(given) : 0;
    return cores > 0 ? cores : INFINITY;
}

int machine_cores(void)
{
    const double mine = fmin(cores_bound(), least_of_groups(group_cores));
    return (int)fmin(mine, fmin(cores_of_task(), cores_asked()));
}

double machine_memory(void)
{
    const double kilobytes = number_in("/proc", "/meminfo", "MemAvailable:"),
                 groups = least_of_groups(group_memory);
    if (kilobytes < 0 && isinf(groups)) return -1;
    return kilobytes < 0 ? groups : fmin(1024 * kilobytes, groups);
}

double machine_memory_of(pid_t process)
{
    char name[64];
    snprintf(name, sizeof name, "/%d/status", (int)process);
    return 1024 * fmax(0, number_in("/proc", name, "VmRSS:"));
}
