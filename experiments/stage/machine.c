/* Finds the processors and the memory that this process may use. Limits are read again at every
 * call, because they may change. */
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

const char *machine_root = "";

static FILE *open_file(const char *folder, const char *name)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", machine_root, folder, name);
    return file_stream(path);
}

/* Returns the number after `key` in the first line that begins with `key` and a number. Returns a
 * negative number if there is no such line, as for the word "max". */
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

void machine_processor(char *name, size_t size)
{
    char line[256];
    unsigned designer = 0, part = 0;
    snprintf(name, size, "unknown");
    FILE *file = open_file("/proc", "/cpuinfo");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon) continue;
        line[strcspn(line, "\n")] = 0;
        const char *value = colon + 1 + strspn(colon + 1, " ");
        if (!strncmp(line, "CPU implementer", 15)) designer = (unsigned)strtoul(value, NULL, 16);
        if (!strncmp(line, "CPU part", 8)) part = (unsigned)strtoul(value, NULL, 16);
        if (strncmp(line, "model name", 10) != 0 && !part) continue;
        snprintf(name, size, "%s", value);
        break;
    }
    if (file) fclose(file);
    if (!part) return;
    snprintf(name, size, "ARM, designer 0x%02x, part 0x%03x", designer, part);
}

/* Returns the number of cores that a group's quota permits: processor time per period / length of
 * the period, rounded up. INFINITY: no limit. */
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

/* Returns the bytes that a group may still allocate; INFINITY: no limit. Cached pages of inactive
 * files count as free, because the system can drop them. */
static double group_memory(const char *folder)
{
    const double most = number_in(folder, "/memory.max", "");
    const double used = most < 0 ? -1 : number_in(folder, "/memory.current", "");
    if (used < 0) return INFINITY;
    return fmax(0, most - used + fmax(0, number_in(folder, "/memory.stat", "inactive_file ")));
}

/* Returns the minimum of `allows` over the control group of this process and all its parent groups;
 * INFINITY: no limit. */
static double least_of_groups(double (*allows)(const char *folder))
{
    char line[PATH_MAX], folder[PATH_MAX + sizeof GROUPS] = GROUPS;
    FILE *file = open_file("/proc/self", "/cgroup");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "0::/", 4) && line[4])
            snprintf(folder, sizeof folder, GROUPS "%s", line + 3);
    }
    if (file) fclose(file);
    double least = allows(folder);
    for (char *end; strlen(folder) > strlen(GROUPS) && (end = strrchr(folder, '/'));) {
        *end = 0;
        least = fmin(least, allows(folder));
    }
    return least;
}

/* Returns the number of cores in SANLAB_CORES; INFINITY if it is not set. */
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

/* Returns the number of processors to which this process is bound. If the machine has more
 * processors than a cpu_set_t can hold, returns the number of all online processors. */
static double cores_bound(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return (double)sysconf(_SC_NPROCESSORS_ONLN);
    return CPU_COUNT(&set);
}

/* Returns the number of cores of the Slurm task; INFINITY outside of Slurm. Not every cluster binds
 * a task to its processors, so that cores_bound may be too large. */
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
