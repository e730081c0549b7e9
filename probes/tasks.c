/* Reads lists of probing tasks. A file adds its groups and tasks to those of its base. */
#include "probes/tasks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/config/base_chain.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/shipped.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"

static const struct shipped shipped = {"tasks", ".yaml", "there is no preset", NULL};

#define FIELD(member) offsetof(struct probe_task, member)
static const struct option rows[] = {
    OPTION_TEXT("name", FIELD(name), NULL, OPTION_ID,
                "name of the task; its columns are probe.NAME"),
    OPTION_TEXT(
        "file", FIELD(file), NULL, OPTION_NO_ID,
        "file of lines with split, label and sentence, under $SANLAB_DATA or data/; ./PATH: "
        "relative to the file that names it"),
    OPTION_TEXT("group", FIELD(group), NULL, OPTION_NO_ID,
                "name of one of `groups`, for mean(GROUP)"),
    OPTION_TEXT("origin", FIELD(origin), "", OPTION_NO_ID,
                "source of the file, printed if it is missing"),
};
static const struct section section = {"tasks", "probing task", rows, COUNT_OF(rows),
                                       sizeof(struct probe_task)};

/* Dies at a repeated name. The first occurrence has no line number if it is on the command line. */
NORETURN static void refuse_second(struct location location, const char *what, const char *name,
                                   struct location first)
{
    if (!first.line) die_at(location, "%s: \"%s\" is given twice; expected it once", what, name);
    die_at(location, "%s: \"%s\" is given twice, first in %s:%d; expected it once", what, name,
           first.file, first.line);
}

static void add_group(struct tasks *tasks, const char *name, struct location location,
                      struct arena *arena)
{
    /* An array that begins by this call has space for 8 names, the terminating NULL included. */
    ARENA_MORE(arena, tasks->group, tasks->groups ? tasks->groups + 1 : 0);
    ARENA_MORE(arena, tasks->group_location, tasks->groups);
    tasks->group_location[tasks->groups] = location;
    tasks->group[tasks->groups++] = name;
    tasks->group[tasks->groups] = NULL;
}

static void add_groups(struct tasks *tasks, const struct tree *list, struct arena *arena)
{
    const struct texts more = scalar_texts(list, "groups", arena);
    for (int i = 0; i < more.count; i++) {
        for (int k = 0; k < tasks->groups; k++)
            if (!strcmp(tasks->group[k], more.text[i]))
                refuse_second(more.location[i], "groups", more.text[i], tasks->group_location[k]);
        add_group(tasks, more.text[i], more.location[i], arena);
    }
}

/* Checks the fields of a task. Names become names of columns and folders; @ is reserved as the
 * separator between a task and a probed path. */
static void check_task(const struct probe_task *task, const struct tree *map)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (!*task->name || task->name[strspn(task->name, signs)])
        die_at(tree_get(map, "name")->location,
               "tasks.name: \"%s\": expected letters, digits, - and _", task->name);
    if (!*task->file)
        die_at(tree_get(map, "file")->location, "tasks.file: expected the path of a task's text");
    if (!*task->group) die_at(tree_get(map, "group")->location, "tasks.group: expected a name");
}

/* Returns the absolute path of a file. It is relative to the file that names it, or to the current
 * folder if the command line names it. An archive of the grid does not include files that the
 * command line names. */
static const char *file_beside(const struct probe_task *task, struct arena *arena)
{
    const char *path = task->location.line
                           ? shipped_beside(arena, task->location.file, task->file + 2)
                           : task->file;
    SCOPED(heap_free) char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
    if (folder) path = arena_print(arena, "%s/%s", folder, path);
    return path;
}

/* Returns the task with a name of `bytes` bytes; NULL if none. */
static const struct probe_task *find_task(const struct tasks *tasks, const char *name, size_t bytes)
{
    for (int i = 0; i < tasks->count; i++) {
        const struct probe_task *task = &tasks->task[i];
        if (strlen(task->name) == bytes && !memcmp(task->name, name, bytes)) return task;
    }
    return NULL;
}

static void add_task(struct tasks *tasks, const struct tree *map, struct arena *arena)
{
    struct probe_task task = {.location = map->location};
    section_read(&section, map, &task, arena);
    check_task(&task, map);
    if (!strncmp(task.file, "./", 2)) task.file = file_beside(&task, arena);
    const struct probe_task *first = find_task(tasks, task.name, strlen(task.name));
    if (first) refuse_second(tree_get(map, "name")->location, "tasks", task.name, first->location);
    if (!tasks->groups)
        die_at(tree_get(map, "group")->location,
               "tasks.group: the file declares no group; expected groups: [%s] in it", task.group);
    if (!word_known(task.group, tasks->group))
        word_refuse(tree_get(map, "group")->location, "tasks.group", "there is no group",
                    task.group, tasks->group);
    ARENA_ADD(arena, tasks->task, tasks->count, task);
}

static const char *find(const struct tree *name, const char *what, const char *from,
                        struct arena *arena)
{
    return shipped_file(arena, &shipped, scalar_text(name, what),
                        name->location.line ? name->location.file : from, name->location, what);
}

static void read_file(struct tasks *tasks, const struct base_chain *chain, struct arena *arena)
{
    static const char *const keys[] = {"base", "origin", "groups", "tasks", NULL};
    const struct tree *file = tree_read(arena, chain->path);
    tree_only_keys(file, "a file of tasks", keys);
    const struct tree *base = tree_get(file, "base"), *groups = tree_get(file, "groups"),
                      *list = tree_get(file, "tasks"), *origin = tree_get(file, "origin");
    const char *all = origin ? scalar_text(origin, "origin") : "";
    if (base) {
        const char *path = find(base, "base", chain->path, arena);
        const struct base_chain below = base_chain_on(chain, path, base->location);
        read_file(tasks, &below, arena);
    }
    if (groups) add_groups(tasks, groups, arena);
    if (!list || list->kind != TREE_LIST)
        die_at(list ? list->location : file->location, "tasks: expected a list of tasks, got %s",
               list ? tree_kind_name(list) : "nothing");
    for (int i = 0; i < list->count; i++) {
        add_task(tasks, list->item[i], arena);
        struct probe_task *task = &tasks->task[tasks->count - 1];
        if (!*task->origin) task->origin = all;
    }
}

struct tasks tasks_read(struct arena *arena, const struct tree *name, const char *from)
{
    struct tasks tasks = {.group = ARENA_NEW(arena, const char *)};
    const char *path = find(name, "tasks", from, arena);
    read_file(&tasks, &(struct base_chain){NULL, path}, arena);
    if (!tasks.count) die("%s: tasks: expected at least one task", path);
    for (int k = 0; k < tasks.groups; k++) {
        int members = 0;
        for (int i = 0; i < tasks.count; i++)
            members += !strcmp(tasks.task[i].group, tasks.group[k]);
        if (!members)
            die_at(tasks.group_location[k], "groups: \"%s\" has no task; expected at least one",
                   tasks.group[k]);
    }
    return tasks;
}

static void choose_task(struct tasks *chosen, const struct tasks *from, const struct tree *name,
                        const char *what, struct arena *arena)
{
    const char *text = scalar_text(name, what);
    const char **known = ARENA_ARRAY(arena, const char *, from->count + 2);
    known[0] = "senteval";
    for (int i = 0; i < from->count; i++) known[i + 1] = from->task[i].name;
    if (tasks_have(chosen, text))
        die_at(name->location, "%s: \"%s\" is given twice; expected it once", what, text);
    if (shipped_means(&shipped, text))
        die_at(name->location,
               "%s: \"%s\" is a set of tasks, which must not be in a list; expected names of "
               "tasks, or base: %s in a file of tasks",
               what, text, text);
    const struct probe_task *task = find_task(from, text, strlen(text));
    if (!task) word_refuse(name->location, what, "there is no task", text, known);
    if (!chosen->groups || !word_known(task->group, chosen->group))
        add_group(chosen, task->group, task->location, arena);
    ARENA_ADD(arena, chosen->task, chosen->count, *task);
}

struct tasks tasks_asked(struct arena *arena, const struct tree *value, const char *what)
{
    struct tasks tasks = {.group = ARENA_NEW(arena, const char *)};
    if (!value) return tasks;
    const bool one = value->kind == TREE_SCALAR;
    if (one && shipped_means(&shipped, scalar_text(value, what)))
        return tasks_read(arena, value, "");
    if (!one && (value->kind != TREE_LIST || !value->count))
        die_at(value->location, "%s: expected senteval, a file, or a list of tasks", what);
    const struct tree *preset = tree_new_text(arena, value->location, "senteval");
    struct tasks known = {0}; /* read when the first name is looked up */
    for (int i = 0; i < (one ? 1 : value->count); i++) {
        const struct tree *item = one ? value : value->item[i], *group = tree_get(item, "group");
        if (item->kind == TREE_SCALAR) {
            if (!known.count) known = tasks_read(arena, preset, "");
            choose_task(&tasks, &known, item, what, arena);
            continue;
        }
        const char *name = group ? scalar_text(group, "group") : NULL;
        if (name && (!tasks.groups || !word_known(name, tasks.group)))
            add_group(&tasks, name, group->location, arena);
        add_task(&tasks, item, arena);
    }
    return tasks;
}

bool tasks_have(const struct tasks *tasks, const char *name)
{
    return find_task(tasks, name, strlen(name));
}

const struct probe_task *tasks_of_part(const struct tasks *tasks, const char *part)
{
    const struct probe_task *task = find_task(tasks, part, strcspn(part, "@"));
    if (!task) die("%s: unknown task", part);
    return task;
}

struct tree *tasks_tree(struct arena *arena, const struct tasks *tasks, struct location location)
{
    struct tree *list = tree_new(arena, TREE_LIST, location);
    for (int i = 0; i < tasks->count; i++) {
        const struct probe_task *task = &tasks->task[i];
        struct tree *map = tree_new(arena, TREE_MAP, location);
        tree_put(arena, map, "name", tree_new_text(arena, location, task->name));
        tree_put(arena, map, "file", tree_new_text(arena, location, task->file));
        tree_put(arena, map, "group", tree_new_text(arena, location, task->group));
        if (*task->origin)
            tree_put(arena, map, "origin", tree_new_text(arena, location, task->origin));
        tree_add(arena, list, NULL, map);
    }
    return list;
}
