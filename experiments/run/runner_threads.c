/* Divides the cores among the workers, so that each core has one thread. A lent core counts as used
 * until its worker has returned it (team.h). So no thread runs on a core that counts as free. */
#include "core/base/base.h"
#include "experiments/run/runner.h"

/* Seconds for which the runner waits for a worker to return threads. A worker that takes longer is
 * frozen, or has very long steps. */
static const double patience = 30;

/* Returns the smallest number of threads with which a stage runs. */
static int least(const struct runner *runner)
{
    const int share = runner->options->workers ? runner->cores / runner->limit : 1;
    return share < 1 ? 1 : share;
}

static int free_cores(const struct runner *runner)
{
    int cores = runner->cores;
    for (int i = 0; i < runner->running; i++) {
        struct team *team = runner->slot[i].worker.team;
        cores -= team ? team_holds(team) : runner->slot[i].threads;
    }
    return cores;
}

/* Asks running stages to use at most `threads` threads. Returns true if a stage still holds more,
 * and was asked less than `patience` seconds ago. */
static bool ask_back(struct runner *runner, int threads)
{
    const double now = clock_seconds();
    bool waiting = false;
    for (int i = 0; i < runner->running; i++) {
        struct runner_slot *slot = &runner->slot[i];
        struct team *team = slot->worker.team;
        if (!team || team_holds(team) <= threads) continue;
        team->allowed = threads;
        if (team_holds(team) <= threads) continue;
        if (!slot->asked) slot->asked = now;
        waiting |= now - slot->asked < patience;
    }
    return waiting;
}

int runner_threads_for(struct runner *runner, const struct task *task, int ready)
{
    if (task->stage.kind->traits & KIND_TIMES) return runner->cores;
    const int low = least(runner), free_slots = runner->limit - runner->running;
    const int places = ready < free_slots ? ready : free_slots;
    if (free_cores(runner) < low) {
        const int share = runner->cores / (runner->running + places);
        if (ask_back(runner, share < low ? low : share)) return 0;
    }
    const int threads = runner->options->workers ? low : free_cores(runner) / places;
    return threads < low ? low : threads;
}

void runner_threads_lend(struct runner *runner)
{
    for (int free = free_cores(runner); free > 0; free--) {
        struct runner_slot *least = NULL;
        for (int i = 0; i < runner->running; i++) {
            struct runner_slot *slot = &runner->slot[i];
            struct team *team = slot->worker.team;
            if (!team || slot->task->stage.kind->traits & KIND_SINGLE) continue;
            if (!least || team->allowed < least->worker.team->allowed) least = slot;
        }
        if (!least) return;
        least->worker.team->allowed++;
        least->asked = 0;
    }
}
