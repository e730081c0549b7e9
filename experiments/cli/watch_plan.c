/* The progress of a plan. Reads the folders of stages: leases (core/base/lease.h) and journals
 * (core/base/journal.h). */
#include "experiments/cli/watch_plan.h"

#include <math.h>
#include <string.h>

#include "core/base/journal_read.h"
#include "core/base/lease.h"
#include "core/base/progress.h"
#include "core/model/device_choice.h"
#include "experiments/stage/environment.h"
#include "results/store/offer.h"

enum { TAIL = 1 << 14 }; /* bytes read at the end of metrics.jsonl */

/* Returns the title and point of a stage: "train Row/1 source". */
static const char *label_of(struct arena *arena, const struct stage *stage)
{
    return stage_has_point(stage)
               ? arena_print(arena, "%s %s", stage->title, stage_point_name(stage->label))
               : stage->title;
}

static bool is_final(const struct task *task)
{
    return task->state == TASK_DONE || task->state == TASK_DIVERGED;
}

static void say(struct watch *watch, struct arena *arena, const struct task *task)
{
    static const char *const word[TASK_STATES] = {
        [TASK_DONE] = "done  ",    [TASK_DIVERGED] = "DIVERGED", [TASK_STOPPED] = "stop  ",
        [TASK_FAILED] = "FAILED ", [TASK_RUNNING] = "start ",    [TASK_MISSING] = "missing"};
    const char *label = label_of(arena, &task->stage);
    if (!word[task->state]) return;
    display_say(watch->display, true, NULL, is_final(task) ? "%s %s %s" : "%s %s %s (%s)",
                word[task->state], task->stage.name, label, task->reason);
}

/* Inspects the tasks that are not finished, inputs first. Finished tasks keep their texts in
 * watch->arena. */
static void look(struct watch *watch, struct arena *arena)
{
    for (int i = 0; i < watch->plan->count; i++) {
        struct task *task = watch->plan->task[i];
        if (is_final(task)) continue;
        plan_inspect(arena, task, 0, NULL);
        if (is_final(task)) plan_inspect(watch->arena, task, 0, NULL);
        const bool failed = task->state == TASK_FAILED || task->state == TASK_MISSING;
        if (watch->display && (watch->looks ? task->state != watch->before[i] : failed))
            say(watch, arena, task);
        watch->before[i] = task->state;
    }
}

/* Returns the line of a running stage, from its lease and the end of metrics.jsonl. Its text is
 * "steps, loss 3.210, dev_loss 3.15, on n3 (4711)". If the owner is silent, the text also has the
 * duration. */
static struct display_line line_of(struct arena *arena, const struct task *task)
{
    static const char *const shown[] = {"loss", OFFER_VALIDATION, NULL};
    const bool trains = offer_trains(offer_of(task->stage.kind->name));
    const int64_t steps = task->estimate.steps;
    struct lease_owner owner = {0};
    const bool held = lease_held(task->stage.folder, &owner);
    const double silent = held ? lease_silence(&owner) : 0;
    double value[COUNT_OF(shown)] = {(double)NAN, (double)NAN};
    int64_t step = -1;
    struct journal_reader reader = journal_read(task->stage.folder, JOURNAL_METRICS, TAIL);
    for (json_t *record; (record = journal_next(&reader));) {
        const json_t *number = json_object_get(record, "value"),
                     *at = json_object_get(record, "step");
        if (steps > 0 && json_is_integer(at)) step = json_integer_value(at);
        for (int i = 0; trains && shown[i] && json_is_number(number); i++)
            if (!strcmp(journal_text(record, "name"), shown[i]))
                value[i] = json_number_value(number);
    }
    const double left = plan_left(task, step >= 0 ? step : 0);
    const char *text = step >= 0 ? "steps, " : "";
    for (int i = 0; shown[i]; i++)
        if (!isnan(value[i])) text = arena_print(arena, "%s%s %.3f, ", text, shown[i], value[i]);
    if (held) text = arena_print(arena, "%son %s (%d)", text, owner.host, owner.pid);
    if (silent > 0) {
        char span[PROGRESS_SPAN];
        progress_span(silent, span);
        text = arena_print(arena, "%s, silent for %s", text, span);
    }
    return (struct display_line){.label = label_of(arena, &task->stage),
                                 .done = step >= 0 ? step : 0,
                                 .total = step >= 0 ? steps : 0,
                                 .text = text,
                                 .rate = -1,
                                 .left = left > 0 ? left : -1};
}

void watch_look(struct watch *watch)
{
    struct arena *arena = &watch->look[watch->looks % 2];
    struct plan *plan = watch->plan;
    struct display_grid *grid = &watch->grid;
    arena_free(arena);
    look(watch, arena);
    watch->looks++;
    watch->lines = 0;
    *grid = (struct display_grid){0};
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        const bool open = task_is_open(task);
        grid->to_do += open;
        grid->done += task->state == TASK_DONE;
        task->left = open ? plan_left(task, task->step) : 0;
        if (task->state != TASK_RUNNING) continue;
        watch->line[watch->lines] = line_of(arena, task);
        task->left = fmax(0, watch->line[watch->lines++].left);
    }
    grid->running = watch->lines;
    grid->failed = plan->count - grid->to_do - grid->running - grid->done;
    grid->left = grid->running ? plan_rest(plan, grid->running) : -1;
}

/* Accepts stages of a device that this machine lacks, because other machines compute them. */
static void allow_devices(struct arena *arena, struct plan *plan)
{
    bool lacks = false;
    for (int i = 0; i < plan->count; i++)
        lacks |= plan->task[i]->state == TASK_MISSING && capable_missing(&plan->task[i]->stage);
    if (!lacks || device_is_named()) return;
    device_use("cuda", false);
    plan_inspect_all(arena, plan, 0);
}

struct watch *watch_open(struct arena *arena, struct plan *plan, struct display *display)
{
    struct watch *watch = ARENA_ARRAY(arena, struct watch, 1);
    plan_inspect_all(arena, plan, 0);
    allow_devices(arena, plan);
    plan_find_lacking(arena, plan);
    plan_estimate(arena, plan, false);
    *watch = (struct watch){.arena = arena,
                            .plan = plan,
                            .display = display,
                            .line = ARENA_ARRAY(arena, struct display_line, plan->count),
                            .before = ARENA_ARRAY(arena, enum task_state, plan->count)};
    return watch;
}

void watch_close(struct watch *watch)
{
    for (int i = 0; i < 2; i++) arena_free(&watch->look[i]);
}
