/* Prints the messages and events of a runner. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "experiments/run/gpus.h"
#include "experiments/run/runner.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"

const char *runner_say_label(struct runner *runner, const struct task *task)
{
    const struct stage *stage = &task->stage;
    return stage_has_point(stage)
               ? arena_print(runner->arena, "%s %s%s%s", stage->name,
                             stage_point_name(stage->label), stage->part ? " " : "",
                             stage->part ? stage->part : "")
               : stage->name;
}

/* Returns an event with the members that identify a stage. */
static json_t *about(const struct task *task, const char *event)
{
    const struct stage *stage = &task->stage;
    json_t *json =
        json_pack("{s:s, s:s, s:s}", "event", event, "stage", stage->name, "kind", stage->title);
    /* The label is GRID/ROW/SEED, where ROW may contain slashes, or GRID/KIND for the whole
     * grid. */
    const char *row = stage_point_name(stage->label), *end = strrchr(row, '/');
    if (end) {
        json_object_set_new(json, "row", json_stringn(row, (size_t)(end - row)));
        json_object_set_new(json, "seed", json_integer(stage->seed));
    }
    return json;
}

static json_t *with_text(json_t *event, const char *key, const char *text)
{
    json_object_set_new(event, key, json_string(text));
    return event;
}

static json_t *with_number(json_t *event, const char *key, double number)
{
    json_object_set_new(event, key, json_real(round(number * 1000) / 1000));
    return event;
}

/* Reports the start of a stage. With a bar, the start of a new stage is not reported, because the
 * bar shows the running stages. */
void runner_say_start(struct runner *runner, const struct runner_slot *slot)
{
    if (runner->display.form == DISPLAY_BAR && slot->task->state == TASK_NEW) return;
    const struct task *task = slot->task;
    const char *text = task->reason;
    if (task->state == TASK_STOPPED && task->step >= 0 && !task->from)
        text = arena_print(runner->arena, "from step %lld", (long long)task->step);
    json_t *event = with_text(about(task, "start"), "reason", task->reason);
    json_object_set_new(event, "threads", json_integer(slot->threads));
    const bool several = gpus_several();
    if (several) with_text(event, "device", gpus_word(slot->gpu));
    display_say(&runner->display, false, event, "start  %s (%s; %d thread%s%s%s)", slot->label,
                text, slot->threads, slot->threads == 1 ? "" : "s", several ? ", " : "",
                several ? gpus_word(slot->gpu) : "");
}

void runner_say_wait(struct runner *runner, const struct task *task, const char *why,
                     bool important)
{
    display_say(&runner->display, important, with_text(about(task, "wait"), "reason", why),
                "wait   %s (%s)", runner_say_label(runner, task), why);
}

void runner_say_unable(struct runner *runner, const struct task *task)
{
    display_say(&runner->display, true, with_text(about(task, "failed"), "message", task->message),
                "FAILED %s: %s", runner_say_label(runner, task),
                task->message ? task->message : task->reason);
}

void runner_say_hold(struct runner *runner, const struct task *task, double available)
{
    json_t *event = with_number(about(task, "hold"), "memory", task->estimate.memory);
    display_say(&runner->display, false, with_number(event, "available", available),
                "hold   %s (%.0f MB planned, %.0f MB available; waits until another stage ends)",
                runner_say_label(runner, task), task->estimate.memory / 1e6, available / 1e6);
}

void runner_say_stopping(struct runner *runner, const char *reason)
{
    json_t *event = json_pack("{s:s, s:s}", "event", "stopping", "reason", reason);
    display_say(&runner->display, true, event, "%s", reason);
}

void runner_say_gpu(struct runner *runner, const char *gpu, const char *why)
{
    json_t *event = json_pack("{s:s, s:s, s:s}", "event", "gpu", "device", gpu, "reason", why);
    display_say(&runner->display, true, event, "LOST   %s: %s%s", gpu, why,
                gpus_left() ? "; the other GPUs continue its stages" : "");
}

/* Returns the main value and the note of a done stage: ", bleu 36.12 (NOTE)". The value is the
 * first one in the offer's list `telling` that the stage has. A note may be about dropped pairs of
 * a corpus. Adds the value to the event. */
static const char *telling_value(struct runner *runner, const struct task *task, json_t *event)
{
    const struct offer *offer = offer_of(task->stage.kind->name);
    const char *text = "";
    json_auto_t *done = stage_done(&task->stage);
    json_auto_t *summary = stage_folder_summary(task->stage.folder, task->stage.kind->name, done);
    for (const char *word = offer && done ? offer->telling : NULL; word && *word && !*text;) {
        const size_t length = strcspn(word, " ");
        const char *name = arena_text_range(runner->arena, word, length);
        json_t *value = json_object_get(summary, name);
        word += length + (word[length] == ' ');
        if (!json_is_number(value)) continue;
        text = json_is_integer(value)
                   ? arena_print(runner->arena, ", %s %lld", name,
                                 (long long)json_integer_value(value))
                   : arena_print(runner->arena, ", %s %.4g", name, json_number_value(value));
        json_object_set(event, name, value);
    }
    const char *key = offer && !(offer->traits & OFFER_PARTS) ? offer_note(offer) : NULL;
    if (key) {
        const char *told = json_string_value(json_object_get(summary, key));
        if (told) text = arena_print(runner->arena, "%s (%s)", text, told);
    }
    return text;
}

void runner_say_end(struct runner *runner, const struct runner_slot *slot, bool lost)
{
    const struct task *task = slot->task;
    const char *label = slot->label;
    double seconds = clock_seconds() - slot->worker.start;
    const char *time = number_seconds(runner->arena, seconds);
    const enum task_state state = lost ? TASK_RUNNING : task->state;
    struct display *display = &runner->display;
    if (state == TASK_DONE) {
        json_t *event = with_number(about(task, "done"), "seconds", seconds);
        const char *value = telling_value(runner, task, event);
        display_say(display, false, event, "done   %s in %s%s", label, time, value);
    } else if (state == TASK_FAILED) {
        const char *log = stage_path(&task->stage, STAGE_LOG, runner->arena);
        json_t *event = with_number(about(task, "failed"), "seconds", seconds);
        with_text(with_text(event, "message", task->message), "log", log);
        display_say(display, true, event, "FAILED %s after %s: %s (%s)", label, time, task->message,
                    log);
    } else if (state == TASK_DIVERGED) {
        json_t *event = with_number(about(task, "diverged"), "seconds", seconds);
        display_say(display, true, event, "DIVERGED %s after %s", label, time);
    } else {
        json_t *event = with_number(about(task, lost ? "lost" : "stop"), "seconds", seconds);
        with_text(event, "reason", task->reason);
        display_say(display, lost, event,
                    lost ? "LOST   %s after %s: its lease expired; %s" : "stop   %s after %s (%s)",
                    label, time, task->reason);
    }
}

static struct display_grid count_grid(struct runner *runner)
{
    const struct plan *plan = runner->plan;
    struct display_grid grid = {.running = runner->running};
    PLAN_EACH(plan, task) {
        if (plan_pardoned(plan, task)) continue;
        grid.done += task->state == TASK_DONE;
        grid.failed += task->state == TASK_FAILED || task->state == TASK_DIVERGED ||
                       task->state == TASK_MISSING || task->state == TASK_BLOCKED;
        grid.elsewhere += task->state == TASK_RUNNING;
        grid.to_do += task_is_open(task);
    }
    /* Running stages still have the open state that was read before their start. */
    grid.to_do -= runner->running;
    grid.left = runner_order_rest(runner);
    return grid;
}

void runner_say_progress(struct runner *runner)
{
    if (!display_due(&runner->display)) return;
    static char label[SLOTS][256]; /* labels, such as "train Transformer/1" */
    struct display_line line[SLOTS];
    json_t *event[SLOTS];
    for (int i = 0; i < runner->running; i++) {
        const struct runner_slot *slot = &runner->slot[i];
        event[i] = about(slot->task, "progress");
        const char *rest = strchr(slot->label, ' ');
        snprintf(label[i], sizeof label[i], "%s%s", slot->task->stage.title, rest ? rest : "");
        line[i] = (struct display_line){.label = label[i],
                                        .about = event[i],
                                        .done = slot->worker.done,
                                        .total = slot->worker.total,
                                        .text = slot->worker.text,
                                        .rate = worker_rate(&slot->worker),
                                        .left = worker_left(&slot->worker)};
    }
    struct display_grid grid = count_grid(runner);
    display_draw(&runner->display, line, runner->running, &grid);
    for (int i = 0; i < runner->running; i++) json_decref(event[i]);
}

/* Reports stages that were not attempted, each with the reason. */
static void say_skipped(struct runner *runner)
{
    for (int i = 0; i < runner->plan->count; i++) {
        const struct task *task = runner->plan->task[i];
        /* Before the run, plan_missing has already reported missing files and devices. */
        if (!runner->options->all && runner->display.form != DISPLAY_JSON &&
            task->state == TASK_MISSING && !task->lacks)
            continue;
        if (task->state == TASK_MISSING ||
            (task->state == TASK_FAILED && !runner->task[i].attempted))
            display_say(&runner->display, true,
                        with_text(about(task, "skip"), "reason", task->reason), "%s: %s",
                        task->stage.name, task->reason);
    }
}

static const char *counts_text(struct runner *runner, const int count[TASK_STATES], int trials)
{
    static const enum task_state named[] = {TASK_FAILED, TASK_DIVERGED, TASK_MISSING, TASK_BLOCKED,
                                            TASK_RUNNING};
    int to_do = count[TASK_NEW] + count[TASK_STOPPED];
    const char *text =
        arena_print(runner->arena, "%d of %d stages done", count[TASK_DONE], runner->plan->count);
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (count[named[i]])
            text = arena_print(runner->arena, "%s, %d %s", text, count[named[i]],
                               task_state_names[named[i]]);
    if (trials)
        text = arena_print(runner->arena, "%s, %d trial%s diverged", text, trials,
                           trials == 1 ? "" : "s");
    if (to_do) text = arena_print(runner->arena, "%s, %d to do", text, to_do);
    return text;
}

int runner_say_result(struct runner *runner)
{
    static const char *const reasons[] = {"", "stopped", "time is over", "too many failures",
                                          "no GPU is left"};
    int count[TASK_STATES] = {0}, pardoned = 0, trials = 0;
    PLAN_EACH(runner->plan, task) {
        const bool pardon = plan_pardoned(runner->plan, task);
        pardoned += pardon;
        trials += pardon && task->state == TASK_DIVERGED;
        count[task->state] += !pardon;
    }
    int bad = count[TASK_FAILED] + count[TASK_DIVERGED] + count[TASK_MISSING] + count[TASK_BLOCKED];
    bool whole = count[TASK_DONE] + pardoned == runner->plan->count;
    bool early = runner->halt == HALT_SIGNAL || runner->halt == HALT_BUDGET;
    bool left =
        runner->options->no_wait && count[TASK_RUNNING] && !runner->halt; /* others do the rest */
    int status = whole ? 0 : bad && !early ? RUNNER_FAILED_EXIT : left ? 0 : INTERRUPTED_EXIT;
    say_skipped(runner);
    struct display_grid grid = count_grid(runner);
    const char *text = counts_text(runner, count, trials), *more = "";
    if (left) more = " (the other runners are enough for the rest)";
    if (count[TASK_FAILED] && !early) more = " (--retry failed repeats them)";
    if (status == INTERRUPTED_EXIT && grid.left > 0)
        more = arena_print(
            runner->arena, " (about %s; %s)", number_seconds(runner->arena, grid.left),
            runner->options->goes_on ? runner->options->goes_on : "the same command continues");
    json_t *event = display_grid_json("end", &grid);
    with_text(event, "reason", whole ? "done" : left ? "left to others" : reasons[runner->halt]);
    json_object_set_new(event, "exit", json_integer(status));
    display_say(&runner->display, !whole, event, "%s%s", text, more);
    return status;
}
