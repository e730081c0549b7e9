/* Which probing tasks there are: a preset of experiments/tasks, or a file of its form.
 *
 *     base: senteval            its groups and tasks come first; a preset, or a path
 *     groups: [Pragmatic]       further groups, each of one task at least
 *     tasks:                    further tasks
 *       - {name: Irony, file: probing/irony.txt, group: Pragmatic}
 *
 * A group or a task of a base stays as it is: no two have one name. Tasks become parts of stages,
 * which asks more of their names (experiments/grid/settings.h). */
#ifndef PROBES_TASKS_H
#define PROBES_TASKS_H

#include "core/config/tree.h"

struct probe_task {
    const char *name, *group;
    const char *file;   /* as it is written: under $SANLAB_DATA or data/ (corpus_find_file) */
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

#endif
