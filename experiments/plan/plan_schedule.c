/* The order in which stages go, and that order played through: the runner's rules, with estimates
 * for times. The longest way first is the usual rule for jobs that wait for each other (list
 * scheduling by critical path): it ends near the shortest possible time and is cheap to know. */
#include "experiments/plan/plan_schedule.h"

#include <math.h>
#include <string.h>

bool plan_will_run(const struct task *task)
{
    if (task->state == TASK_BLOCKED) return task->blocked_by->state == TASK_MISSING;
    return task->state != TASK_DONE && task->state != TASK_DIVERGED && task->state != TASK_FAILED;
}

static double seconds_of(const struct task *task)
{
    return plan_will_run(task) ? task->estimate.seconds : 0;
}

void plan_find_paths(struct plan *plan)
{
    for (int i = 0; i < plan->count; i++) plan->task[i]->left = seconds_of(plan->task[i]);
    plan_sum_paths(plan);
}

/* Hands ways on from readers to what they read, and from longer trainings to the shorter ones that
 * they wait for. Whether one of these may have come too late: it stands before the longer one, and
 * was behind it in turn. */
static bool hand_on_paths(struct plan *plan)
{
    bool late = false;
    /* Backwards: readers stand behind what they read, so a way is whole when it is handed on. */
    for (int i = plan->count - 1; i >= 0; i--) {
        struct task *task = plan->task[i];
        task->path = task->tail + task->left;
        for (int k = 0; k < task->stage.inputs; k++) {
            struct task *input = plan_task(task->stage.input[k]);
            input->tail = fmax(input->tail, task->path);
            input->read = true;
        }
        if (!task->waits_for || task->waits_for->tail >= task->path) continue;
        task->waits_for->tail = task->path;
        late |= task->waits_for->index > i;
    }
    return late;
}

void plan_sum_paths(struct plan *plan)
{
    for (int i = 0; i < plan->count; i++) {
        plan->task[i]->tail = 0;
        plan->task[i]->read = false;
    }
    while (hand_on_paths(plan)) continue;
}

static int urgency(const struct task *task)
{
    return task->state == TASK_STOPPED ? 2 : !task->read && task->stage.inputs;
}

bool plan_goes_before(const struct task *first, const struct task *second)
{
    const int one = urgency(first), other = urgency(second);
    return one != other ? one > other : first->path > second->path;
}

/* A stage at work. */
struct busy {
    struct task *task;
    double end;
    int threads;
};

struct simulation {
    int limit, cores;
    bool fixed; /* -j was given: the same threads for everybody */
    double now;
    int count;
    struct task **ready; /* [count], the next one last */
    int running;
    struct busy *busy;
};

/* By bisection: of ten thousand stages nearly all may be ready at once. */
static void add_ready(struct simulation *sim, struct task *task)
{
    int low = 0, high = sim->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (plan_goes_before(task, sim->ready[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    memmove(sim->ready + low + 1, sim->ready + low,
            (size_t)(sim->count - low) * sizeof *sim->ready);
    sim->ready[low] = task;
    sim->count++;
}

static void start(struct simulation *sim, int threads)
{
    struct task *task = sim->ready[--sim->count];
    if (threads < 1) threads = 1;
    /* More workers than cores share them. */
    const double share = sim->limit > sim->cores && !(task->stage.kind->traits & KIND_TIMES)
                             ? (double)sim->cores / sim->limit
                             : threads;
    sim->busy[sim->running++] = (struct busy){task, sim->now + seconds_of(task) / share, threads};
}

/* The threads that the runner would give to the next one. */
static int threads_for_next(const struct simulation *sim)
{
    if (sim->fixed) return sim->cores / sim->limit;
    int used = 0, places = sim->limit - sim->running;
    for (int i = 0; i < sim->running; i++) used += sim->busy[i].threads;
    if (sim->count < places) places = sim->count;
    return (sim->cores - used) / places;
}

static void start_ready(struct simulation *sim)
{
    while (sim->count && sim->running < sim->limit) {
        if (sim->running && sim->busy[0].task->stage.kind->traits & KIND_TIMES) return;
        if (sim->ready[sim->count - 1]->stage.kind->traits & KIND_TIMES) {
            if (!sim->running) start(sim, sim->cores);
            return;
        }
        start(sim, threads_for_next(sim));
    }
}

static struct task *end_next(struct simulation *sim)
{
    int first = 0;
    for (int i = 1; i < sim->running; i++)
        if (sim->busy[i].end < sim->busy[first].end) first = i;
    struct task *task = sim->busy[first].task;
    sim->now = sim->busy[first].end;
    sim->busy[first] = sim->busy[--sim->running];
    return task;
}

/* What runs now counts for the peaks. */
static void sum_peaks(const struct simulation *sim, struct plan_schedule *schedule)
{
    double memory = 0, device = 0;
    if (sim->running > schedule->most) schedule->most = sim->running;
    for (int i = 0; i < sim->running; i++) {
        memory += sim->busy[i].task->estimate.memory;
        device += sim->busy[i].task->estimate.device;
    }
    schedule->memory = fmax(schedule->memory, memory);
    schedule->device = fmax(schedule->device, device);
}

/* What stages cost, however they are placed. `saved`: what each point would need by itself, less
 * what the stages need; speeds are measured for all points at once anyway. */
static void sum_costs(const struct plan *plan, struct plan_schedule *schedule)
{
    double low = 0, high = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (!plan_will_run(task)) continue;
        const struct estimate *estimate = &task->estimate;
        schedule->stages++;
        schedule->core_seconds += estimate->seconds;
        schedule->chain = fmax(schedule->chain, task->path);
        low += estimate->low;
        high += estimate->high;
        if (!(task->stage.kind->traits & KIND_TIMES)) schedule->saved -= estimate->seconds;
    }
    schedule->low = schedule->core_seconds > 0 ? low / schedule->core_seconds : 1;
    schedule->high = schedule->core_seconds > 0 ? high / schedule->core_seconds : 1;
    for (int p = 0; p < plan->grid->rows * plan->grid->seeds; p++)
        for (int i = 0; i < plan->point[p].count; i++)
            if (plan->point[p].task[i]->index >= 0 &&
                !(plan->point[p].task[i]->stage.kind->traits & KIND_TIMES))
                schedule->saved += seconds_of(plan->point[p].task[i]);
}

struct plan_schedule plan_simulate(const struct plan *plan, int workers, int cores)
{
    struct plan_schedule schedule = {0};
    struct simulation sim = {.limit = workers ? workers : cores, .cores = cores, .fixed = workers};
    struct arena arena = {0};
    int *waits = ARENA_ARRAY(&arena, int, plan->count);
    sim.ready = ARENA_ARRAY(&arena, struct task *, plan->count);
    sim.busy = ARENA_ARRAY(&arena, struct busy, sim.limit);
    sum_costs(plan, &schedule);
    /* Inputs' readers, as lists: of each task its first, and of each (task, input) the next. */
    int *first = ARENA_ARRAY(&arena, int, plan->count), edges = 0;
    for (int i = 0; i < plan->count; i++) {
        first[i] = -1;
        edges += plan->task[i]->stage.inputs + 1;
    }
    int *next = ARENA_ARRAY(&arena, int, edges), *reader = ARENA_ARRAY(&arena, int, edges);
    for (int i = 0, e = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        if (!plan_will_run(task)) continue;
        for (int k = 0; k <= task->stage.inputs; k++, e++) {
            const bool last = k == task->stage.inputs;
            const struct task *input = last ? task->waits_for : plan_task(task->stage.input[k]);
            if (!input || !plan_will_run(input)) continue;
            waits[i]++;
            reader[e] = i;
            next[e] = first[input->index];
            first[input->index] = e;
        }
        if (!waits[i]) add_ready(&sim, task);
    }
    for (;;) {
        start_ready(&sim);
        sum_peaks(&sim, &schedule);
        if (!sim.running) break;
        const struct task *done = end_next(&sim);
        for (int e = first[done->index]; e >= 0; e = next[e])
            if (!--waits[reader[e]]) add_ready(&sim, plan->task[reader[e]]);
    }
    schedule.seconds = sim.now;
    arena_free(&arena);
    return schedule;
}

int plan_workers_enough(const struct plan *plan)
{
    static const double hardly_longer = 1.05;
    const struct plan_schedule all = plan_simulate(plan, plan->count, plan->count);
    int few = all.seconds > 0 ? 0 : all.most - 1, enough = all.most;
    while (enough - few > 1) {
        const int middle = few + (enough - few) / 2;
        if (plan_simulate(plan, middle, middle).seconds > hardly_longer * all.seconds)
            few = middle;
        else
            enough = middle;
    }
    return enough;
}
