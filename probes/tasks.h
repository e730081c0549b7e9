/* Reads lists of probing tasks: a preset of experiments/tasks, or a file of the same form.
 *
 *     base: senteval            a preset or path, whose groups and tasks come first
 *     origin: the archive ..    the source of these tasks' files; a task may have its own
 *     groups: [Pragmatic]       further groups; each must have a task
 *     tasks:                    further tasks
 *       - {name: Irony, file: probing/irony.txt, group: Pragmatic}
 *
 * A path ./NAME is relative to the folder of the file that names it. Groups and tasks of a base
 * cannot be changed: names must be unique. Names of tasks become parts of stages and consist of
 * letters, digits, - and _. */
#pragma once

#include "core/config/tree.h"

struct probe_task {
    const char *name, *group;
    const char *file;   /* under $SANLAB_DATA or data/ (corpus_find_file), or an absolute path */
    const char *origin; /* where a user gets the file; "": unknown */
    struct location location; /* location of the task in its file or option */
};
struct tasks {
    int count, groups;
    struct probe_task *task;         /* [count] */
    const char **group;              /* [groups], terminated by NULL */
    struct location *group_location; /* [groups] */
};

/* Reads the preset or path `name` (shipped_file defines to what a path is relative). Dies at the
 * location of an unknown key, a repeated task or group, a task of an unknown group, or a group
 * without a task. */
struct tasks tasks_read(struct arena *arena, const struct tree *name, const char *from);

/* Reads the value of an option. The value is a preset or path, a list of names of senteval's tasks,
 * or a list of tasks in the form of a file. In the last case the groups are those that the tasks
 * name. Returns an empty list if `value` is NULL. */
struct tasks tasks_asked(struct arena *arena, const struct tree *value, const char *what);
bool tasks_have(const struct tasks *tasks, const char *name);
/* Returns task NAME for the name of a part of a stage, NAME or NAME@.. (kind_encode.c,
 * kind_probe.c). Dies if there is no such task. */
const struct probe_task *tasks_of_part(const struct tasks *tasks, const char *part);
/* Returns the tasks as a list that has the same meaning in any file: paths are absolute or under
 * the folder of data. */
struct tree *tasks_tree(struct arena *arena, const struct tasks *tasks, struct location location);
