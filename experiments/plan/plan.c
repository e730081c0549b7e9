#include "experiments/plan/plan.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "experiments/plan/lock.h"

const char *const task_state_names[TASK_STATES] = {"cached", "diverged", "new",     "resume",
                                                   "failed", "running",  "missing", "blocked"};

/* What a stage's events say about its past. */
struct history {
    int failures;
    bool failed; /* the last attempt did */
    const char *message;
};

static struct history history_read(struct arena *arena, const char *folder)
{
    struct history history = {0};
    char *path = arena_print(arena, "%s/events.jsonl", folder), *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file) return history;
    while (getline(&line, &size, file) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        const char *event = json_string_value(json_object_get(record, "event"));
        const char *text = json_string_value(json_object_get(record, "text"));
        if (event && !strcmp(event, "started")) history.failed = false;
        if (event && !strcmp(event, "failed")) {
            history.failed = true;
            history.failures++;
            history.message = arena_text(arena, text ? text : "no message");
        }
        json_decref(record);
    }
    free(line);
    fclose(file);
    return history;
}

/* The newest checkpoint's step, or -1. */
static int64_t checkpoint_step(struct arena *arena, const char *folder)
{
    int64_t newest = -1;
    DIR *entries = opendir(arena_print(arena, "%s/ckpt", folder));
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        long long step;
        int end = 0;
        if (sscanf(entry->d_name, "step-%lld%n", &step, &end) == 1 && !entry->d_name[end] &&
            step > newest)
            newest = step;
    }
    if (entries) closedir(entries);
    return newest;
}

static const char *missing_reason(struct arena *arena, const struct stage_file *file)
{
    const char *help = !strncmp(file->path, "libreoffice/", 12)
                           ? "make demo brings it, or sanlab corpus libreoffice"
                           : "looked for under $SANLAB_DATA and data/";
    return arena_print(arena, "missing input: %s %s (%s)", file->name, file->path, help);
}

static bool can_build_on(const struct task *task)
{
    return task->state != TASK_MISSING && task->state != TASK_FAILED &&
           task->state != TASK_DIVERGED && task->state != TASK_BLOCKED;
}

struct task *plan_task(struct stage *stage)
{
    return (struct task *)((char *)stage - offsetof(struct task, stage));
}

static void set(struct task *task, enum task_state state, const char *reason)
{
    task->state = state;
    task->reason = reason;
}

/* A stage whose work begins, or begins again. */
static void inspect_past(struct arena *arena, struct task *task, bool retry_failed)
{
    struct history past = history_read(arena, task->stage.folder);
    task->failures = past.failures;
    task->message = past.message;
    task->step = checkpoint_step(arena, task->stage.folder);
    const char *times = past.failures == 1 ? "once" : arena_print(arena, "%d times", past.failures);
    const char *again = "";
    if (past.failed && (!retry_failed || task->attempted)) {
        set(task, TASK_FAILED, arena_print(arena, "failed %s: %s", times, past.message));
        return;
    }
    if (past.failed) again = arena_print(arena, " (failed %s)", times);
    if (task->step >= 0)
        set(task, TASK_RESUME,
            arena_print(arena, "resume at step %lld%s", (long long)task->step, again));
    else if (past.failed)
        set(task, TASK_RESUME, arena_print(arena, "again%s", again));
    else if (file_bytes(arena_print(arena, "%s/events.jsonl", task->stage.folder)) > 0)
        set(task, TASK_RESUME, "again from the start (stopped before its first checkpoint)");
    else
        set(task, TASK_NEW, "new");
}

void plan_inspect(struct arena *arena, struct task *task, bool retry_failed)
{
    struct stage *stage = &task->stage;
    struct lock_owner owner;
    task->culprit = NULL;
    task->step = -1;
    json_t *done = stage_done(stage);
    if (done) {
        const char *status = json_string_value(json_object_get(done, "status"));
        bool diverged = status && !strcmp(status, "diverged");
        json_decref(done);
        set(task, diverged ? TASK_DIVERGED : TASK_CACHED, diverged ? "diverged" : "cached");
        return;
    }
    for (int i = 0; i < stage->files; i++)
        if (!stage->file[i].digest) {
            set(task, TASK_MISSING, missing_reason(arena, &stage->file[i]));
            return;
        }
    if (lock_held(stage->folder, &owner)) {
        set(task, TASK_RUNNING,
            arena_print(arena, "running (process %d on %s)", owner.pid, owner.host));
        return;
    }
    for (int i = 0; i < stage->inputs; i++) {
        struct task *input = plan_task(stage->input[i]);
        if (can_build_on(input)) continue;
        task->culprit = input->culprit ? input->culprit : input;
        set(task, TASK_BLOCKED,
            arena_print(arena, "waits for %s: %s", task->culprit->stage.name,
                        task->culprit->state == TASK_MISSING
                            ? "missing input"
                            : task_state_names[task->culprit->state]));
        return;
    }
    inspect_past(arena, task, retry_failed);
}

/* Whose work a cached stage was, when it was not this plan's. */
static void name_origin(struct arena *arena, struct task *task)
{
    char *path = arena_print(arena, "%s/stage.json", task->stage.folder);
    json_t *json = json_load_file(path, 0, NULL);
    const char *label = json_string_value(json_array_get(json_object_get(json, "names"), 0));
    if (label && strcmp(label, task->stage.label) != 0)
        task->reason = arena_print(arena, "cached (by %s)", label);
    json_decref(json);
}

static int kind_index(const char *name)
{
    for (int i = 0; stage_kinds[i]; i++)
        if (!strcmp(stage_kinds[i]->name, name)) return i;
    CHECK(false, "no kind of stage is called %s", name);
    return -1;
}

/* The task of one kind at one point: the one that there is already, or a new one. */
static struct task *add_task(struct arena *arena, struct plan *plan, const struct point *point,
                             const struct stage_kind *kind, struct task **at)
{
    struct task *task = ARENA_NEW(arena, struct task);
    struct stage *stage = &task->stage;
    *stage = (struct stage){
        .kind = kind, .settings = &point->settings, .options = point->options, .seed = point->seed};
    for (; kind->inputs[stage->inputs]; stage->inputs++) {
        struct task *input = at[kind_index(kind->inputs[stage->inputs])];
        CHECK(input, "%s reads %s, which this point lacks", kind->name,
              kind->inputs[stage->inputs]);
        stage->input[stage->inputs] = &input->stage;
    }
    if (kind->find_files) kind->find_files(stage, arena);
    stage_identify(stage, plan->runs, arena);
    for (int i = 0; i < plan->count; i++)
        if (!strcmp(plan->task[i]->stage.id, stage->id)) return plan->task[i];
    stage->label = stage->inputs ? arena_print(arena, "%s/%s/%u", plan->grid->name,
                                               plan->grid->row[point->row], point->seed)
                                 : arena_print(arena, "%s/%s", plan->grid->name, kind->name);
    return plan->task[plan->count++] = task;
}

struct plan *plan_build(struct arena *arena, const struct grid *grid, const char *runs,
                        bool retry_failed)
{
    struct plan *plan = ARENA_NEW(arena, struct plan);
    int points = grid->rows * grid->seeds;
    *plan = (struct plan){.grid = grid, .runs = arena_text(arena, runs)};
    while (stage_kinds[plan->kinds]) plan->kinds++;
    plan->task = ARENA_ARRAY(arena, struct task *, points * plan->kinds);
    plan->at = ARENA_ARRAY(arena, struct task *, points * plan->kinds);
    for (int p = 0; p < points; p++) {
        const struct point *point = &grid->point[p];
        if (!point->options) continue; /* a row without a run */
        struct task **at = plan->at + p * plan->kinds;
        for (int k = 0; k < plan->kinds; k++)
            if (!stage_kinds[k]->wanted || stage_kinds[k]->wanted(&point->settings))
                at[k] = add_task(arena, plan, point, stage_kinds[k], at);
    }
    for (int i = 0; i < plan->count; i++) {
        plan_inspect(arena, plan->task[i], retry_failed);
        if (plan->task[i]->state == TASK_CACHED) name_origin(arena, plan->task[i]);
        trace("plan", "%s is %s\n%s", plan->task[i]->stage.name, plan->task[i]->reason,
              plan->task[i]->stage.canonical);
    }
    return plan;
}

struct summary_grid plan_summary(struct arena *arena, const struct plan *plan)
{
    const struct grid *grid = plan->grid;
    struct summary_grid summary = grid->summary;
    struct summary_row *row = ARENA_ARRAY(arena, struct summary_row, grid->rows);
    for (int r = 0; r < grid->rows; r++) {
        struct summary_seed *seed = ARENA_ARRAY(arena, struct summary_seed, grid->seeds);
        for (int s = 0; s < grid->seeds; s++) {
            struct task **at = plan->at + (r * grid->seeds + s) * plan->kinds;
            struct summary_stage *stage = ARENA_ARRAY(arena, struct summary_stage, plan->kinds);
            int count = 0;
            for (int k = 0; k < plan->kinds; k++)
                if (at[k])
                    stage[count++] =
                        (struct summary_stage){at[k]->stage.kind->name, at[k]->stage.id};
            seed[s] = (struct summary_seed){grid->seed[s], count, stage};
        }
        row[r] = grid->summary.row[r];
        row[r].count = row[r].options ? grid->seeds : 0;
        row[r].seed = seed;
    }
    summary.row = row;
    return summary;
}
