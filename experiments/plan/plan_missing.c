/* Describes what stages need from outside of RUNS: missing files, grouped by data set or option,
 * and programs. */
#include <string.h>

#include "core/base/shell.h"
#include "core/base/hash_table.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/data_set.h"
#include "experiments/plan/plan.h"

enum {
    LINES_MOST = 10,
    PATHS_MOST = 3 /* paths in a line */
};

/* The content of one line. It is about missing files of one data set, missing files of one option,
 * or a single missing file. Or it is a reason without a file. */
struct lack {
    const char *head,
        *tail; /* head: what is missing, or the reason; tail: how to get it (NULL: unknown) */
    int files; /* number of files; 0: the lack is a reason */
    const char *paths; /* paths of the first PATHS_MOST files of an option; else NULL */
    bool *waits;       /* [count of the plan] */
    int stages;
};
struct lacks {
    struct arena *arena;
    const struct plan *plan;
    int count;
    struct lack *lack;
    /* Maps head and tail of a lack to its index. Also has a key for each lack and path. */
    struct hash_table *known;
};

static struct lack *find(struct lacks *lacks, const char *head, const char *tail)
{
    const char *key = arena_print(lacks->arena, "%s\n%s\n", head, tail ? tail : "");
    const int64_t at = *hash_table_at(lacks->known, key, strlen(key), lacks->count);
    if (at == lacks->count) {
        ARENA_ADD(lacks->arena, lacks->lack, lacks->count,
                  (struct lack){.head = head,
                                .tail = tail,
                                .waits = ARENA_ARRAY(lacks->arena, bool, lacks->plan->count)});
    }
    return &lacks->lack[at];
}

static struct lack *find_absent(struct lacks *lacks, const struct absent_file *absent)
{
    struct arena *arena = lacks->arena;
    const struct data_set *set = data_set_with(absent->path);
    const char *get = set ? arena_print(arena, "sanlab corpus get %s", set->name) : NULL;
    if (set) get = arena_print(arena, set->steps ? "%s prints how to get it" : "run %s", get);
    const bool listed = !set && *absent->of;
    struct lack *lack = set      ? find(lacks, set->name, get)
                        : listed ? find(lacks, absent->of, absent->origin)
                                 : find(lacks, absent->path, NULL);
    const char *file = arena_print(arena, "%d\n%s", (int)(lack - lacks->lack), absent->path);
    if (hash_table_get(lacks->known, file, strlen(file)) != HASH_TABLE_ABSENT) return lack;
    hash_table_put(lacks->known, file, strlen(file), 0);
    if (lack->files++ < PATHS_MOST && listed)
        lack->paths = arena_append(arena, lack->paths, ", ", absent->path);
    return lack;
}

static struct lacks lacks_of(struct arena *arena, const struct plan *plan)
{
    struct lacks lacks = {.arena = arena, .plan = plan, .known = hash_table_new(arena, 64)};
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        const struct stage *stage = &task->stage;
        if (task->state != TASK_MISSING) continue;
        for (int k = 0; k < stage->absents; k++)
            find_absent(&lacks, &stage->absent[k])->waits[i] = true;
        if (!stage->absents) find(&lacks, task->reason, NULL)->waits[i] = true;
    }
    return lacks;
}

/* Marks the direct and indirect readers of stages that wait, and counts all of them. One pass
 * suffices, because inputs come before their readers. */
static void spread(const struct plan *plan, struct lack *lack)
{
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        if (task->state != TASK_MISSING && task->state != TASK_BLOCKED) continue;
        for (int k = 0; k < task->stage.inputs && !lack->waits[i]; k++) {
            const int input = plan_task(task->stage.input[k])->index;
            lack->waits[i] = input >= 0 && lack->waits[input];
        }
        lack->stages += lack->waits[i];
    }
}

static const char *lack_text(struct arena *arena, const struct lack *lack)
{
    const int more = lack->files - PATHS_MOST;
    const char *wait =
        arena_print(arena, "%d stage%s", lack->stages, lack->stages == 1 ? " waits" : "s wait");
    if (!lack->files) return arena_print(arena, "%s (%s)", lack->head, wait);
    if (!lack->tail) return arena_print(arena, "%s is missing (%s)", lack->head, wait);
    const char *line = arena_print(arena, "%s is missing (%d file%s, %s): %s", lack->head,
                                   lack->files, lack->files == 1 ? "" : "s", wait, lack->tail);
    if (!lack->paths) return line;
    return arena_print(arena, "%s%s%s%s", line, *lack->tail ? ": " : "", lack->paths,
                       more > 0 ? arena_print(arena, " and %d more", more) : "");
}

static void say_lacks(struct arena *arena, const struct lacks *lacks, struct plan_missing *missing)
{
    bool files = false;
    for (int i = 0; i < lacks->count; i++) {
        files |= lacks->lack[i].files > 0;
        if (i < LINES_MOST - 1)
            ARENA_ADD(arena, missing->line, missing->lines, lack_text(arena, &lacks->lack[i]));
    }
    const int more = lacks->count - missing->lines;
    const char *last = more > 0 ? arena_print(arena, "and %d more; ", more) : "";
    const char *folders = files ? "; files are looked for " : "";
    if (files || more > 0)
        ARENA_ADD(arena, missing->line, missing->lines,
                  arena_print(arena, "%s--all prints one line for each stage%s%s", last, folders,
                              files ? corpus_folders(arena) : ""));
}

struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all)
{
    struct plan_missing missing = {.waits = ARENA_ARRAY(arena, bool, plan->count)};
    struct lacks lacks = lacks_of(arena, plan);
    for (int i = 0; i < lacks.count; i++) {
        struct lack *lack = &lacks.lack[i];
        spread(plan, lack);
        for (int k = 0; k < plan->count && lack->files; k++) missing.waits[k] |= lack->waits[k];
    }
    for (int i = 0; i < plan->count; i++) missing.stages += missing.waits[i];
    if (!all) say_lacks(arena, &lacks, &missing);
    PLAN_EACH(plan, task) {
        if (all && task->state == TASK_MISSING)
            ARENA_ADD(arena, missing.line, missing.lines,
                      arena_print(arena, "%s: %s", task->stage.name, task->reason));
    }
    return missing;
}

/* ---- programs ---- */

int plan_programs(struct arena *arena, const struct plan *plan, struct plan_program **program)
{
    struct plan_program *list = NULL;
    int count = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        const struct texts *words = stage->kind->program ? stage->kind->program(stage) : NULL;
        if (!words || !task_is_open(plan->task[i])) continue;
        const char *line = NULL;
        for (int w = 0; w < words->count; w++)
            line = arena_append(arena, line, " ", shell_word(arena, words->text[w]));
        int k = 0;
        while (k < count && strcmp(list[k].line, line) != 0) k++;
        if (k == count)
            ARENA_ADD(arena, list, count, (struct plan_program){words, stage->title, 0, line});
        list[k].stages++;
    }
    for (int k = 0; k < count; k++)
        list[k].line = arena_print(arena, "program of %d %s stage%s: %s", list[k].stages,
                                   list[k].title, list[k].stages == 1 ? "" : "s", list[k].line);
    *program = list;
    return count;
}
