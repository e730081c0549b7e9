/* Writes files of probing tasks that are made from a text, for `sanlab corpus tasks`:
 *
 *   TASK.txt           named and formatted as in SentEval (task_data.h)
 *   tasks.yaml         the list of these tasks for a grid: evaluate.probe.tasks (tasks.h)
 *   description.json   the options and the number of tasks; written last
 *
 * The same text and options give the same bytes. */
#pragma once

#include "core/base/base.h"

struct task_files_options {
    const char *text; /* path of a file with lines of tokens, or of a treebank */
    /* Path of a treebank of the same sentences; NULL: only tasks without trees are made. */
    const char *labels;
    const char *out; /* folder; created if missing */
    bool raw;        /* the text is not tokenized */
    uint32_t seed;
    int items; /* maximum lines of tr per task; 20 or more */
};

/* Makes and writes the tasks. Prints one line for the text and one per task to `out`, which may be
 * NULL. Warns of each task for which there is too little text, and does not write its file. If no
 * task can be made, dies before it writes a file. */
void task_files_write(const struct task_files_options *options, FILE *out);
