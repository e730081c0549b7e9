/* Reads the states of tasks from their folders. They are read again at every inspection, because
 * other runners change them. */
#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/journal_read.h"
#include "core/base/progress.h"
#include "core/base/lease.h"
#include "core/model/checkpoint.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/code_used.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

const char *const task_state_names[TASK_STATES] = {STATUS_DONE,    STATUS_DIVERGED, STATUS_NEW,
                                                   STATUS_STOPPED, STATUS_FAILED,   STATUS_RUNNING,
                                                   STATUS_MISSING, STATUS_BLOCKED};

/* Attempts and failures recorded in a stage's events. */
struct history {
    int failures;
    int64_t attempts;
    bool failed; /* the last attempt failed */
    const char *message;
};

static struct history history_read(struct arena *arena, const char *folder)
{
    struct history history = {0};
    struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
    for (json_t *record; (record = journal_next(&reader));) {
        const char *event = journal_text(record, "event"), *text = journal_text(record, "text");
        json_int_t attempt = json_integer_value(json_object_get(record, "attempt"));
        if (attempt > history.attempts) history.attempts = attempt;
        if (!strcmp(event, "started")) history.failed = false;
        /* after a failure: its GPU was lost, and the stage is not to blame */
        if (!strcmp(event, "interrupted") && history.failed)
            history.failed = false, history.failures--;
        if (strcmp(event, "failed") != 0) continue;
        history.failed = true;
        history.failures++;
        history.message = arena_text(arena, *text ? text : "no message");
    }
    return history;
}

/* Returns the newest checkpoint's step; -1 if none. */
static int64_t checkpoint_step(const char *folder)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, step, CHECKPOINTS_MOST);
    return count ? step[count - 1] : -1;
}

struct task *plan_task(struct stage *stage)
{
    return (struct task *)(void *)((char *)stage - offsetof(struct task, stage));
}

static void set(struct task *task, enum task_state state, const char *reason)
{
    task->state = state;
    task->reason = reason;
}

/* Sets the state of a stage from the events in its folder. The stage is not done, and no process
 * holds its lease. */
static void inspect_past(struct arena *arena, struct task *task, unsigned retry)
{
    struct history past = history_read(arena, task->stage.folder);
    if (task->attempts < 0) task->attempts = past.attempts;
    bool repeat = retry & RETRY_FAILED && past.attempts == task->attempts;
    task->message = past.message;
    task->step = checkpoint_step(task->stage.folder);
    const struct stage *stage = &task->stage;
    /* A training may continue from a checkpoint of older code. */
    if (stage->kind->traits & KIND_RESUMES && task->step >= 0 &&
        code_used_is_older(stage, code_used_before(stage, arena))) {
        const char *commit = stage_commit(stage, arena);
        task->older = commit ? commit : "";
    }
    const char *times = past.failures == 1 ? "once" : arena_print(arena, "%d times", past.failures);
    if (past.failed && !repeat) {
        set(task, TASK_FAILED, arena_print(arena, "failed %s: %s", times, past.message));
        return;
    }
    if (past.failed && task->step >= 0)
        set(task, TASK_STOPPED,
            arena_print(arena, "again from step %lld (failed %s)", (long long)task->step, times));
    else if (past.failed)
        set(task, TASK_STOPPED, arena_print(arena, "again (failed %s)", times));
    else if (task->step >= 0)
        set(task, TASK_STOPPED, arena_print(arena, "stopped at step %lld", (long long)task->step));
    else if (file_bytes(arena_print(arena, "%s/" JOURNAL_EVENTS, task->stage.folder)) > 0)
        set(task, TASK_STOPPED,
            task->stage.kind->traits & KIND_RESUMES ? "stopped before its first checkpoint"
                                                    : "stopped");
    else
        set(task, TASK_NEW, "new");
}

/* Adds the first name of a finished stage to its reason, unless it is the label of the stage in
 * this plan. Sets `unnamed`. */
static void name_origin(struct arena *arena, struct task *task)
{
    const char **name;
    int names = stage_names(&task->stage, &name, arena), known = 0;
    if (names && strcmp(name[0], task->stage.label) != 0)
        task->reason = arena_print(arena, "%s (by %s)", task->reason, name[0]);
    task->plain = task->reason;
    for (int i = 0; i < task->stage.askers; i++)
        for (int j = 0; j < names; j++) known += !strcmp(name[j], task->stage.asker[i]);
    task->unnamed = known < task->stage.askers;
}

bool plan_is_as_seen(const struct task *task)
{
    const struct stage *stage = &task->stage;
    if (stage_done_at(stage) != task->done_at) return false;
    if (task->done_at >= 0 || !task->older) return true;
    SCOPED(arena_free) struct arena arena = {0};
    return code_used_is_older(stage, code_used_before(stage, &arena));
}

const char *plan_older(const struct stage *stage, const struct stage_end *end)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *own = stage_code(stage, &arena), *older = NULL;
    const bool other = !end->code || strcmp(end->code, own) != 0;
    /* If the code of this program computed a part of the stage, the recorded commit may belong to
     * this program. So the commit of the older code is unknown. */
    if (other) older = end->commit && !(end->code && strstr(end->code, own)) ? end->commit : "";
    if (older || !(stage->kind->traits & KIND_COMPUTES) || !end->backend || !end->backend_code)
        return older;
    own = environment_backend(end->backend);
    if (!own || !strcmp(own, end->backend_code)) return NULL;
    return strstr(end->backend_code, own) || !end->commit ? "" : end->commit;
}

/* Returns the reason of a running stage. Its times are in whole minutes from one minute on, so that
 * a waiting runner gets a new text at most once a minute. */
static const char *running_text(struct arena *arena, const struct lease_owner *owner)
{
    const double silent = lease_silence(owner), step = silent < 60 ? 1 : 60;
    char span[PROGRESS_SPAN], left[PROGRESS_SPAN];
    if (!(silent > 0))
        return arena_print(arena, "running (process %d on %s)", owner->pid, owner->host);
    progress_span(floor(silent / step) * step, span);
    progress_span(ceil(fmax(0, owner->left) / step) * step, left);
    return arena_print(arena, "running (process %d on %s, silent for %s; its lease ends in %s)",
                       owner->pid, owner->host, span, left);
}

static void forget_state(struct task *task)
{
    task->replace = task->silent = false;
    task->older = task->from = NULL;
    task->waits_for = task->blocked_by = NULL;
    task->done_at = task->step = -1;
}

bool plan_input_ends(const struct task *task, const struct task *input)
{
    const struct task *by = input->state == TASK_BLOCKED ? input->blocked_by : input;
    const bool pardons = task->stage.kind->traits & KIND_PARDONS;
    return input->state == TASK_DONE || (pardons && by->state == TASK_DIVERGED);
}

/* Returns true if an input blocks the task, and then sets TASK_BLOCKED. */
static bool inspect_inputs(struct arena *arena, struct task *task)
{
    for (int i = 0; i < task->stage.inputs; i++) {
        struct task *input = plan_task(task->stage.input[i]);
        if (input->state != TASK_MISSING && input->state != TASK_FAILED &&
            input->state != TASK_DIVERGED && input->state != TASK_BLOCKED)
            continue;
        if (plan_input_ends(task, input)) continue;
        const struct task *by = task->blocked_by = input->blocked_by ? input->blocked_by : input;
        set(task, TASK_BLOCKED,
            arena_print(arena, "blocked by %s: %s", by->stage.name,
                        by->state == TASK_MISSING ? "missing input" : task_state_names[by->state]));
        return true;
    }
    return false;
}

struct inspection {
    struct arena *arena;
    struct task *task;
    unsigned retry;
    const char *unable;
};

static void inspect_state(void *context)
{
    const struct inspection *one = context;
    struct arena *arena = one->arena;
    struct task *task = one->task;
    struct stage *stage = &task->stage;
    const bool there = file_is_folder(stage->folder);
    struct lease_owner owner;
    struct stage_end end = {0};
    if (task->replace && plan_is_as_seen(task)) {
        if (task->state == TASK_BLOCKED && !inspect_inputs(arena, task)) plan_again(task, "again");
        return;
    }
    forget_state(task);
    if (there) end = stage_end(stage, arena);
    if (task->lacks && stage_has_opened(stage)) task->lacks = false;
    if (end.finished && (end.diverged || !task->lacks)) {
        set(task, end.diverged ? TASK_DIVERGED : TASK_DONE, end.diverged ? "diverged" : "done");
        task->done_at = stage_done_at(stage);
        task->older = plan_older(stage, &end);
        return;
    }
    /* The lease is tested before the inputs, because another machine may have files that this
     * machine lacks. */
    if (there && lease_held(stage->folder, &owner)) {
        task->step = checkpoint_step(stage->folder);
        task->silent = lease_silence(&owner) > 0;
        task->expires = clock_seconds() + (owner.near ? owner.seconds : owner.left);
        set(task, TASK_RUNNING, running_text(arena, &owner));
        return;
    }
    const char *missing = stage->missing ? stage->missing : capable_missing(stage);
    if (missing)
        missing = arena_print(arena, "missing input: %s", missing);
    else if (task->lacks) /* it will run again, so its own inputs must be there */
        missing = stage_lacks(stage, arena);
    if (missing) {
        set(task, TASK_MISSING, missing);
    } else if (one->unable) {
        task->message = one->unable;
        set(task, TASK_FAILED, one->unable);
    } else if (inspect_inputs(arena, task)) {
        return;
    } else if (end.finished) {
        plan_again(task, arena_print(arena, "again: its %s is gone", stage->kind->opened));
    } else {
        if (there)
            inspect_past(arena, task, one->retry);
        else
            set(task, TASK_NEW, "new");
        plan_continue(arena, task);
    }
}

/* Inspects a stage. If this user may not read its folder, for example because another user wrote it
 * with umask 077, only this stage fails. */
void plan_inspect(struct arena *arena, struct task *task, unsigned retry, const char *unable)
{
    struct inspection one = {arena, task, retry, unable};
    char message[MESSAGE_BYTES];
    if (die_caught(inspect_state, &one, message)) return;
    if (!stage_folder_denied(task->stage.folder)) die("%s", message);
    forget_state(task);
    task->message = "cannot be read: permission denied";
    set(task, TASK_FAILED, task->message);
}

const char *const plan_stale_words[] = {[STALE_WARN] = "warn", "rerun", "ignore", NULL};

const char *plan_older_text(struct arena *arena, const char *before, const char *commit)
{
    return commit && *commit ? arena_print(arena, "%solder code (commit %s)", before, commit)
                             : arena_print(arena, "%solder code", before);
}

/* Returns the reason why a stage runs again (its code or an input is outdated); NULL if it does
 * not. */
static const char *again_reason(struct arena *arena, const struct task *task)
{
    for (int i = 0; i < task->stage.inputs; i++) {
        const struct task *input = plan_task(task->stage.input[i]);
        if (input->replace)
            return arena_print(arena, "again: its input %s runs again", input->stage.name);
    }
    return task->older ? plan_older_text(arena, "again: ", task->older) : NULL;
}

static void set_stale(struct arena *arena, struct plan *plan, enum plan_stale stale)
{
    PLAN_EACH(plan, task) {
        const bool begun = task->state == TASK_STOPPED && task->older;
        if (task->state != TASK_DONE && task->state != TASK_DIVERGED && !begun) continue;
        const char *again = stale == STALE_RERUN ? again_reason(arena, task) : NULL;
        task->reason = task->plain;
        if (again) {
            task->replace = true;
            task->step = -1;
            set(task, TASK_NEW, again);
        } else if (stale == STALE_WARN && task->older) {
            task->reason =
                plan_older_text(arena, arena_print(arena, "%s, ", task->plain), task->older);
        }
    }
    PLAN_EACH(plan, task) {
        if (!task->lengths || task->replace) continue;
        task->own_code = stale == STALE_RERUN;
        plan_continue(arena, task);
    }
}

void plan_inspect_all(struct arena *arena, struct plan *plan, unsigned retry)
{
    PLAN_EACH(plan, task) {
        task->attempts = -1;
        task->lacks = false;
        plan_inspect(arena, task, retry, NULL);
        if (task->attempts < 0) task->attempts = 0;
        task->plain = task->reason;
        if (task->state == TASK_DONE || task->state == TASK_DIVERGED) name_origin(arena, task);
        if (task->state == TASK_DIVERGED && retry & RETRY_DIVERGED) {
            task->replace = true;
            set(task, TASK_NEW, "again (diverged)");
        }
        trace("plan", "%s is %s\n%s", task->stage.name, task->reason, task->stage.canonical);
    }
    plan_find_lengths(arena, plan);
    set_stale(arena, plan, STALE_WARN);
}

void plan_set_stale(struct arena *arena, struct plan *plan, enum plan_stale stale)
{
    set_stale(arena, plan, stale);
    /* This call comes last, so that readers of lacking stages do not run again. */
    plan_find_lacking(arena, plan);
}

/* True if the stage is done, but its folder lacks the files that its readers open. */
static bool has_lost(const struct task *task)
{
    return task->state == TASK_DONE && !stage_has_opened(&task->stage);
}

void plan_need(struct plan *plan, const char *kind)
{
    PLAN_EACH(plan, task) {
        if (!strcmp(task->stage.kind->name, kind)) task->lacks |= has_lost(task);
    }
}

void plan_find_lacking(struct arena *arena, struct plan *plan)
{
    for (int i = plan->count - 1; i >= 0; i--) {
        const struct task *reader = plan->task[i];
        if (!task_is_open(reader) && !reader->lacks) continue;
        for (int k = 0; k < reader->stage.inputs; k++) {
            struct task *input = plan_task(reader->stage.input[k]);
            input->lacks |= has_lost(input);
        }
    }
    PLAN_EACH(plan, task) {
        if (task->lacks) plan_inspect(arena, task, 0, NULL);
        if (task_is_open(task)) inspect_inputs(arena, task);
    }
}

void plan_again(struct task *task, const char *reason)
{
    task->done_at = stage_done_at(&task->stage);
    task->replace = true;
    task->blocked_by = NULL;
    set(task, TASK_NEW, reason);
}
