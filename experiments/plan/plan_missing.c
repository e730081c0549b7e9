/* Groups missing files by the data set that has them, and counts the stages that wait for each. */
#include "experiments/plan/plan_missing.h"

#include <string.h>

#include "core/base/table.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/data_set.h"

enum {
    LINES_MOST = 10,
    PATHS_MOST = 3 /* that a line names */
};

/* Files that one line is about: of a set, of options, or one file. Or a reason without a file. */
struct lack {
    const struct data_set *set;
    const char *of, *origin; /* as in struct absent_file */
    const char *reason;      /* of a stage without missing files; else NULL */
    int files;
    const char *paths; /* the first ones, for the line */
    bool *waits;       /* [count of the plan] */
    int stages;
};
struct lacks {
    struct arena *arena;
    const struct plan *plan;
    int count;
    struct lack *lack;
    struct table *known; /* a lack by its words, a file by its lack and path */
};

static struct lack *find(struct lacks *lacks, const char *key, struct lack lack)
{
    const int64_t at = *table_at(lacks->known, key, strlen(key), lacks->count);
    if (at == lacks->count) {
        lack.waits = ARENA_ARRAY(lacks->arena, bool, lacks->plan->count);
        lack.paths = "";
        ARENA_MORE(lacks->arena, lacks->lack, lacks->count);
        lacks->lack[lacks->count++] = lack;
    }
    return &lacks->lack[at];
}

static struct lack *find_absent(struct lacks *lacks, const struct absent_file *absent)
{
    struct arena *arena = lacks->arena;
    const struct data_set *set = data_set_with(absent->path);
    const char *key = set           ? arena_print(arena, "set %s", set->name)
                      : *absent->of ? arena_print(arena, "of %s: %s", absent->of, absent->origin)
                                    : arena_print(arena, "file %s", absent->path);
    struct lack *lack =
        find(lacks, key, (struct lack){.set = set, .of = absent->of, .origin = absent->origin});
    const char *file = arena_print(arena, "%s\n%s", key, absent->path);
    if (table_get(lacks->known, file, strlen(file)) != TABLE_ABSENT) return lack;
    table_put(lacks->known, file, strlen(file), 0);
    if (lack->files++ < PATHS_MOST)
        lack->paths =
            arena_print(arena, "%s%s%s", lack->paths, *lack->paths ? ", " : "", absent->path);
    return lack;
}

static struct lacks lacks_of(struct arena *arena, const struct plan *plan)
{
    struct lacks lacks = {.arena = arena, .plan = plan, .known = table_new(arena, 64)};
    for (int i = 0; i < plan->count; i++) {
        const struct task *task = plan->task[i];
        const struct stage *stage = &task->stage;
        if (task->state != TASK_MISSING) continue;
        for (int k = 0; k < stage->absents; k++)
            find_absent(&lacks, &stage->absent[k])->waits[i] = true;
        if (!stage->absents)
            find(&lacks, task->reason, (struct lack){.reason = task->reason})->waits[i] = true;
    }
    return lacks;
}

/* Adds the stages that read a waiting one; inputs come before their readers. */
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
    const char *wait =
        arena_print(arena, "%d stage%s", lack->stages, lack->stages == 1 ? " waits" : "s wait");
    const char *count =
        arena_print(arena, "%d file%s, %s", lack->files, lack->files == 1 ? "" : "s", wait);
    if (lack->reason) return arena_print(arena, "%s (%s)", lack->reason, wait);
    if (lack->set)
        return arena_print(
            arena, "%s is missing (%s): %s", lack->set->name, count,
            lack->set->steps
                ? arena_print(arena, "sanlab corpus get %s prints how to get it", lack->set->name)
                : arena_print(arena, "run sanlab corpus get %s", lack->set->name));
    if (!*lack->of) return arena_print(arena, "%s is missing (%s)", lack->paths, wait);
    const int more = lack->files - PATHS_MOST;
    return arena_print(arena, "%s is missing (%s): %s%s%s%s", lack->of, count, lack->origin,
                       *lack->origin ? ": " : "", lack->paths,
                       more > 0 ? arena_print(arena, " and %d more", more) : "");
}

static void say(struct arena *arena, struct plan_missing *missing, const char *line)
{
    ARENA_MORE(arena, missing->line, missing->lines);
    missing->line[missing->lines++] = line;
}

static void say_stages(struct arena *arena, const struct plan *plan, struct plan_missing *missing)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->task[i]->state == TASK_MISSING)
            say(arena, missing,
                arena_print(arena, "%s: %s", plan->task[i]->stage.name, plan->task[i]->reason));
}

static void say_lacks(struct arena *arena, const struct lacks *lacks, struct plan_missing *missing)
{
    bool files = false;
    for (int i = 0; i < lacks->count; i++) {
        files |= !lacks->lack[i].reason;
        if (i < LINES_MOST - 1) say(arena, missing, lack_text(arena, &lacks->lack[i]));
    }
    const int more = lacks->count - missing->lines;
    const char *last = more > 0 ? arena_print(arena, "and %d more; ", more) : "";
    if (files)
        say(arena, missing,
            arena_print(arena, "%s--all prints one line for each stage; files are looked for %s",
                        last, corpus_folders(arena)));
    else if (more > 0)
        say(arena, missing, arena_print(arena, "%s--all prints one line for each stage", last));
}

struct plan_missing plan_missing(struct arena *arena, const struct plan *plan, bool all)
{
    struct plan_missing missing = {.waits = ARENA_ARRAY(arena, bool, plan->count)};
    struct lacks lacks = lacks_of(arena, plan);
    for (int i = 0; i < lacks.count; i++) {
        struct lack *lack = &lacks.lack[i];
        spread(plan, lack);
        for (int k = 0; k < plan->count && !lack->reason; k++) missing.waits[k] |= lack->waits[k];
    }
    for (int i = 0; i < plan->count; i++) missing.stages += missing.waits[i];
    if (all)
        say_stages(arena, plan, &missing);
    else
        say_lacks(arena, &lacks, &missing);
    return missing;
}
