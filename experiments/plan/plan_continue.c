/* Selects the shorter training that a training continues. Trainings that differ only in length are
 * found once: their canonical texts without the lines of the length have the same digest. The
 * states of these trainings are read at every inspection of a task. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/hash_table.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/continue.h"
#include "results/store/stage_folder.h"

struct plan_length {
    const char *name, *canonical;
    struct task *task; /* its task in this plan; NULL: none */
};

/* ---- finding ---- */

/* Finds open trainings by their key (continue_key). A training has up to TEXTS canonical texts,
 * each with its own key: text 0 is written by this program, text 1 by older programs. Each text has
 * an entry: TEXTS times the index of the task, plus the index of the text. */
enum { TEXTS = 2 };
struct open_trainings {
    struct hash_table *first; /* maps a key to the first entry with this key */
    int *next; /* [TEXTS * tasks of the plan] next entry with the same key; -1: none */
};

static int texts_of(const struct stage *stage, const char *text[TEXTS])
{
    text[0] = stage->text;
    text[1] = stage->older;
    return stage->older == stage->text ? 1 : TEXTS;
}

static void tell(struct arena *arena, const struct plan *plan, const struct open_trainings *open,
                 const struct plan_length *length)
{
    char key[DIGEST_TEXT];
    continue_key(length->canonical, key);
    const int64_t first = hash_table_get(open->first, key, DIGEST_TEXT - 1);
    for (int i = first == HASH_TABLE_ABSENT ? -1 : (int)first; i >= 0; i = open->next[i]) {
        struct task *task = plan->task[i / TEXTS];
        if (!strcmp(task->stage.name, length->name)) continue;
        if (task->lengths && !strcmp(task->length[task->lengths - 1].name, length->name)) continue;
        ARENA_ADD(arena, task->length, task->lengths, *length);
    }
}

/* Adds the trainings in RUNS/stages that are not in the plan. */
static void tell_others(struct arena *arena, const struct plan *plan,
                        const struct open_trainings *open)
{
    struct hash_table *own = hash_table_new(arena, (size_t)plan->count + 1);
    for (int i = 0; i < plan->count; i++)
        hash_table_put(own, plan->task[i]->stage.name, strlen(plan->task[i]->stage.name), 0);
    const char *stages = arena_print(arena, "%s/stages", plan->runs);
    DIR *entries = file_open_folder(stages);
    for (const char *next; (next = file_next(entries));) {
        const char *dash = strchr(next, '-');
        if (!dash || hash_table_get(own, next, strlen(next)) != HASH_TABLE_ABSENT) continue;
        const struct stage_kind *kind =
            stage_kind_find(arena_text_range(arena, next, (size_t)(dash - next)));
        if (!kind || !continue_trains(kind)) continue;
        struct plan_length length = {.name = arena_text(arena, next)};
        length.canonical = stage_recorded_text(arena, stages, next);
        if (length.canonical) tell(arena, plan, open, &length);
    }
}

void plan_find_lengths(struct arena *arena, struct plan *plan)
{
    struct open_trainings open = {.first = hash_table_new(arena, 64),
                                  .next = ARENA_ARRAY(arena, int, TEXTS * plan->count)};
    const char *text[TEXTS];
    char key[DIGEST_TEXT];
    int count = 0;
    for (int i = 0; i < plan->count; i++) {
        struct task *task = plan->task[i];
        task->lengths = 0;
        task->length = NULL;
        /* Skips stages that will not begin by continuing another training. */
        if (!continue_trains(task->stage.kind) || task->replace || task->step >= 0 ||
            task->state == TASK_DONE || task->state == TASK_DIVERGED)
            continue;
        for (int k = 0, texts = texts_of(&task->stage, text); k < texts; k++) {
            continue_key(text[k], key);
            const int64_t first = hash_table_get(open.first, key, DIGEST_TEXT - 1);
            open.next[TEXTS * i + k] = first == HASH_TABLE_ABSENT ? -1 : (int)first;
            hash_table_put(open.first, arena_text(arena, key), DIGEST_TEXT - 1, TEXTS * i + k);
        }
        count++;
    }
    if (!count) return;
    PLAN_EACH(plan, task) {
        if (!continue_trains(task->stage.kind)) continue;
        for (int k = 0, texts = texts_of(&task->stage, text); k < texts; k++)
            tell(arena, plan, &open, &(struct plan_length){task->stage.name, text[k], task});
    }
    tell_others(arena, plan, &open);
}

/* ---- choosing ---- */

/* True if the other training is shorter, and this plan will compute it or it is running. Then the
 * task waits for it. */
static bool goes_before(const struct plan_length *length, const struct task *task)
{
    const struct task *other = length->task;
    if (!other || other->index < 0) return false;
    if (!continue_is_shorter(length->canonical, task->stage.canonical)) return false;
    return task_is_open(other) || other->state == TASK_RUNNING;
}

/* The shorter training that a longer training will continue, and the reason if there is none. */
struct shorter_training {
    const char *name; /* NULL: none yet */
    struct continuation found;
    const char *older; /* result of plan_older for the training */
    /* Reason why the longest refused training was refused, and the canonical text of this
     * training. */
    const char *why, *of;
};

static void refuse(struct shorter_training *choice, const struct plan_length *length,
                   const char *why)
{
    if (choice->of && !continue_is_shorter(choice->of, length->canonical)) return;
    choice->why = why;
    choice->of = length->canonical;
}

static void weigh(struct arena *arena, const struct task *task, const struct plan_length *length,
                  struct shorter_training *choice)
{
    const struct continuation found = continue_look(&task->stage, length->name, arena);
    const char *older = found.end.finished ? plan_older(&task->stage, &found.end) : NULL;
    if (found.step < 0) {
        if (found.why) refuse(choice, length, found.why);
    } else if (task->own_code && older) {
        const char *is = arena_print(arena, "%s was computed by ", length->name);
        refuse(choice, length, plan_older_text(arena, is, older));
    } else if (!choice->name || found.step > choice->found.step) {
        choice->name = length->name;
        choice->found = found;
        choice->older = older;
    }
}

void plan_continue(struct arena *arena, struct task *task)
{
    struct shorter_training choice = {0};
    if (task->from) task->step = -1;
    task->from = NULL;
    task->waits_for = NULL;
    if (task->state != TASK_NEW && !(task->state == TASK_STOPPED && task->step < 0)) return;
    if (!task->lengths || file_is_folder(arena_print(arena, "%s/ckpt", task->stage.folder))) return;
    const char *refused = continue_refused(&task->stage, arena);
    for (int i = 0; i < task->lengths; i++) {
        const struct plan_length *length = &task->length[i];
        if (refused) {
            if (continue_is_shorter(length->canonical, task->stage.canonical))
                refuse(&choice, length, refused);
        } else if (!goes_before(length, task)) {
            weigh(arena, task, length, &choice);
        } else if (!task->waits_for ||
                   continue_is_shorter(task->waits_for->stage.canonical, length->canonical)) {
            task->waits_for = length->task;
        }
    }
    if (task->waits_for) {
        task->reason = arena_print(arena, "waits for %s", task->waits_for->stage.name);
        return;
    }
    if (choice.name) {
        task->from = choice.name;
        task->step = choice.found.step;
        task->reason = arena_print(arena, "continues %s from step %lld%s", choice.name,
                                   (long long)task->step, choice.older ? ", " : "");
        if (choice.older) task->reason = plan_older_text(arena, task->reason, choice.older);
    } else if (choice.why) {
        task->reason = arena_print(arena, "starts at step 0: %s", choice.why);
    }
}
