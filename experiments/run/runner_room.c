/* Whether there is memory and time for one more stage. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "experiments/run/runner_state.h"
#include "experiments/stage/facts.h"

/* The number in front of which `key` stands; negative when the file has none. */
static double number_in(const char *path, const char *key)
{
    char line[256];
    double number = -1;
    FILE *file = file_stream(path);
    if (!file) return -1;
    while (number < 0 && fgets(line, sizeof line, file)) {
        long long whole;
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lld", &whole) == 1)
            number = (double)whole;
    }
    fclose(file);
    return number;
}

/* Of the machine, or of the container that we run in, whichever is less; negative: unknown. */
static double memory_available(void)
{
    double kilobytes = number_in("/proc/meminfo", "MemAvailable:");
    double limit = number_in("/sys/fs/cgroup/memory.max", ""); /* "max": none */
    double used = number_in("/sys/fs/cgroup/memory.current", "");
    double free = kilobytes < 0 ? -1 : 1024 * kilobytes;
    if (limit < 0 || used < 0) return free;
    return free < 0 ? limit - used : fmin(free, limit - used);
}

static double memory_used(const struct worker *worker)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)worker->process);
    return 1024 * fmax(0, number_in(path, "VmRSS:"));
}

double runner_room_memory(const struct runner *runner)
{
    bool given = runner->options->memory > 0;
    double available = given ? runner->options->memory : memory_available();
    if (!runner->running || available < 0) return (double)INFINITY;
    for (int i = 0; i < runner->running; i++) {
        const struct runner_slot *slot = &runner->slot[i];
        double planned = slot->task->estimate.memory;
        available -= given ? planned : fmax(0, planned - memory_used(&slot->worker));
    }
    return fmax(0, available);
}

double runner_room_needed(struct runner *runner, struct task *task)
{
    struct stage *stage = &task->stage;
    if (!task->estimate.memory) {
        for (int i = 0; i < stage->inputs; i++)
            if (stage->input[i]->facts && !stage->input[i]->facts->corpus)
                stage->input[i]->facts = NULL; /* of a corpus that was not there yet */
        task->estimate.memory = stage->kind->estimate(stage, runner->arena).memory;
    }
    return task->estimate.memory;
}

/* What can be continued is begun while half a minute (or, of a short budget, a twentieth) remains;
 * what cannot, when its end is in sight. */
bool runner_room_in_time(const struct runner *runner, const struct task *task)
{
    double budget = runner->options->budget;
    if (!(budget > 0)) return true;
    double need = task->left;
    if (task->stage.kind->resumes) need = fmin(need, fmin(30, budget / 20));
    return clock_seconds() - runner->begun + need < budget;
}
