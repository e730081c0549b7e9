#include "experiments/plan/environment.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "code.h"
#include "commit.h"
#include "core/base/file.h"
#include "core/cpu/products.h"
#include "core/model/device.h"

const char *environment_backend(const char *device)
{
    return strcmp(device, DEVICE_CPU) ? NULL : BACKEND_cpu;
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

json_t *environment_describe(const char *device)
{
    char host[65] = "", processor[128];
    gethostname(host, sizeof host - 1);
    processor_name(processor, sizeof processor);
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:s, s:s}", "host", host, "commit",
                     environment_commit(), "table", device_ops(device)->name, "processor",
                     processor, "cores", environment_cores(), "threads", omp_get_max_threads(),
                     "device", device, "compiler", ENVIRONMENT_COMPILER, "products",
                     products_name());
}
