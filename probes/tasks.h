/* Which probing tasks there are: a preset of experiments/tasks, or a file of its form.
 *
 *     base: senteval            its groups and tasks come first; a preset, or a path
 *     origin: the archive ..    where to get the files of these tasks; a task may have its own
 *     groups: [Pragmatic]       further groups, each of one task at least
 *     tasks:                    further tasks
 *       - {name: Irony, file: probing/irony.txt, group: Pragmatic}
 *
 * A file ./NAME lies in the folder of the file that names it.
 * A group or a task of a base stays as it is: no two have one name. Tasks become parts of stages:
 * their names are of letters, digits, - and _. */
#pragma once

#include "core/config/tree.h"

struct probe_task {
    const char *name, *group;
    const char *file;   /* under $SANLAB_DATA or data/ (corpus_find_file), or an absolute path */
    const char *origin; /* where a user gets the file; "": unknown */
    struct place place; /* of the task, or of the group */
};
struct tasks {
    int count, groups;
    struct probe_task *task;   /* [count] */
    const char **group;        /* [groups], and a NULL */
    struct place *group_place; /* [groups] */
};

/* Of the preset or path that `name` is (shipped_file says beside what). Dies at the place of what
 * is wrong: unknown keys, two tasks or groups of one name, a task of no known group, a group
 * without a task. */
struct tasks tasks_read(struct arena *arena, const struct tree *name, const char *from);

/* Of an option's value: such a name, a list of names of senteval's tasks, or a list of tasks as a
 * file has them, whose groups are those that they name. NULL: none. */
struct tasks tasks_asked(struct arena *arena, const struct tree *value, const char *what);
bool tasks_have(const struct tasks *tasks, const char *name);
/* The task of a part of a stage: NAME or NAME@.. (kind_encode.c, kind_probe.c). Dies: none. */
const struct probe_task *tasks_of_part(const struct tasks *tasks, const char *part);
/* The same as a list of tasks, which means the same wherever it is read. */
struct tree *tasks_tree(struct arena *arena, const struct tasks *tasks, struct place place);
