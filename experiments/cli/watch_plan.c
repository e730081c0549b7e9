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

/* Progress of a stage. Times are seconds since 1970. */
struct stage_progress {
    struct lease_owner owner;
    double begun;              /* start of the current attempt; 0: it has not begun */
    int64_t first, step;       /* first and last step of the attempt; -1: none */
    double first_time, latest; /* times of these steps, by the clock of the stage's machine */
    double loss, validation;   /* last training loss and validation; NaN: none yet */
};

/* Reads the events of the current attempt: the events after the last "started". */
static void read_events(const char *folder, struct stage_progress *sight)
{
    struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
    for (json_t *record; (record = journal_next(&reader));) {
        const json_t *step = json_object_get(record, "step");
        const double time = json_number_value(json_object_get(record, "time"));
        if (!strcmp(journal_text(record, "event"), "started")) {
            sight->begun = time;
            sight->first = sight->step = -1;
        } else if (json_is_integer(step)) {
            sight->step = json_integer_value(step);
            sight->latest = time;
            if (sight->first < 0) sight->first = sight->step, sight->first_time = time;
        }
    }
}

/* Reads the last training loss and validation from the end of the file. */
static void read_metrics(const struct stage *stage, struct stage_progress *sight)
{
    const bool trains = offer_trains(offer_of(stage->kind->name));
    struct journal_reader reader = journal_read(stage->folder, JOURNAL_METRICS, TAIL);
    for (json_t *record; (record = journal_next(&reader));) {
        const char *name = journal_text(record, "name");
        const json_t *value = json_object_get(record, "value");
        if (!json_is_number(value)) continue;
        if (!strcmp(name, "loss")) sight->loss = json_number_value(value);
        if (trains && !strcmp(name, OFFER_VALIDATION)) sight->validation = json_number_value(value);
    }
}

/* Reads the progress of a stage. Returns false if no process holds the stage. */
static bool look_at(const struct task *task, struct stage_progress *sight)
{
    *sight = (struct stage_progress){.first = -1, .step = -1, .loss = NAN, .validation = NAN};
    if (!lease_held(task->stage.folder, &sight->owner)) return false;
    read_events(task->stage.folder, sight);
    if (task->estimate.steps > 0) read_metrics(&task->stage, sight);
    return true;
}

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
        if (task->state == TASK_RUNNING && !look_at(task, &watch->sight[i]))
            plan_inspect(arena, task, 0, NULL);
        const bool failed = task->state == TASK_FAILED || task->state == TASK_MISSING;
        if (watch->display && (watch->looks ? task->state != watch->before[i] : failed))
            say(watch, arena, task);
        watch->before[i] = task->state;
    }
}

static double left_of(const struct task *task, const struct stage_progress *sight)
{
    const double took = sight->latest - sight->first_time;
    const int64_t made = sight->step - sight->first, steps = task->estimate.steps;
    if (steps > 0 && made > 0 && took > 0)
        return fmax(0, took / (double)made * (double)(steps - sight->step));
    if (steps > 0 && sight->step >= 0) return plan_left(task, sight->step);
    const double whole = task->estimate.seconds;
    return whole > 0 ? fmax(0, whole - (sight->begun > 0 ? time_seconds() - sight->begun : 0)) : -1;
}

/* Returns a text such as "steps, loss 3.210, dev_loss 3.15, on n3 (4711)". If the owner is silent,
 * the text also has the duration. */
static const char *text_of(struct arena *arena, const struct task *task,
                           const struct stage_progress *sight)
{
    const struct lease_owner *owner = &sight->owner;
    const double silent = lease_silence(owner);
    const char *text = "";
    char span[PROGRESS_SPAN];
    if (task->estimate.steps > 0 && sight->step >= 0) {
        text = "steps, ";
    } else if (sight->begun > 0) {
        progress_span(fmax(0, time_seconds() - sight->begun), span);
        text = arena_print(arena, "for %s, ", span);
    }
    if (!isnan(sight->loss)) text = arena_print(arena, "%sloss %.3f, ", text, sight->loss);
    if (!isnan(sight->validation))
        text = arena_print(arena, "%s" OFFER_VALIDATION " %.3f, ", text, sight->validation);
    text = arena_print(arena, "%son %s (%d)", text, owner->host, owner->pid);
    if (!(silent > 0)) return text;
    progress_span(silent, span);
    return arena_print(arena, "%s, silent for %s", text, span);
}

static void count(struct watch *watch)
{
    struct plan *plan = watch->plan;
    struct display_grid *grid = &watch->grid;
    *grid = (struct display_grid){0};
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        const bool open = task_is_open(task);
        grid->to_do += open;
        grid->running += task->state == TASK_RUNNING;
        grid->done += task->state == TASK_DONE;
        task->left = open                          ? plan_left(task, task->step)
                     : task->state == TASK_RUNNING ? fmax(0, left_of(task, &watch->sight[i]))
                                                   : 0;
    }
    grid->failed = plan->count - grid->to_do - grid->running - grid->done;
    grid->left = grid->running ? plan_rest(plan, grid->running) : -1;
}

void watch_look(struct watch *watch)
{
    struct arena *arena = &watch->look[watch->looks % 2];
    const struct plan *plan = watch->plan;
    arena_free(arena);
    look(watch, arena);
    count(watch);
    watch->looks++;
    watch->lines = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        const struct stage_progress *sight = &watch->sight[i];
        if (task->state != TASK_RUNNING) continue;
        const bool stepped = sight->step >= 0 && task->estimate.steps > 0;
        const double took = sight->latest - sight->first_time;
        watch->line[watch->lines++] = (struct display_line){
            .label = label_of(arena, &task->stage),
            .done = stepped ? sight->step : 0,
            .total = stepped ? task->estimate.steps : 0,
            .text = text_of(arena, task, sight),
            .rate = stepped && took > 0 ? (double)(sight->step - sight->first) / took : -1,
            .left = left_of(task, sight)};
    }
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
                            .before = ARENA_ARRAY(arena, enum task_state, plan->count),
                            .sight = ARENA_ARRAY(arena, struct stage_progress, plan->count)};
    return watch;
}

void watch_close(struct watch *watch)
{
    for (int i = 0; i < 2; i++) arena_free(&watch->look[i]);
}
