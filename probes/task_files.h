/* Files of probing tasks that are made from a text, for `sanlab corpus tasks`:
 *
 *   TASK.txt           by the names and in the format of SentEval (task_data.h)
 *   tasks.yaml         the list of these tasks for a grid: evaluate.probe.tasks (tasks.h)
 *   description.json   written last: what was asked for
 *
 * The same text and options give the same bytes. */
#pragma once

#include "core/base/base.h"

struct task_files_options {
    const char *text;   /* lines of tokens, or a treebank */
    const char *labels; /* a treebank of the same sentences; NULL: tasks that need none */
    const char *out;    /* folder; made if absent */
    bool raw;           /* the text is not tokenized */
    uint32_t seed;
    int items; /* lines of tr of a task, at most; 20 or more */
};

/* Prints one line for the text and one per task to `out`, which may be NULL. Warns of each task for
 * which there is too little text; its file is not written. Dies before it writes if no task can be
 * made. */
void task_files_write(const struct task_files_options *options, FILE *out);
