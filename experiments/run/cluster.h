/* Slurm array jobs of runners: writes the script for sbatch from a plan, and submits it.
 *
 * Each task of the array is `sanlab run` with the same words. The tasks divide the stages by their
 * leases (core/base/lease.h). A task exits if the other tasks would finish the rest hardly later
 * without it (--no-wait). Two minutes before a task's time limit, Slurm signals the script (USR1),
 * which passes the signal on. The runner saves and exits as interrupted, and the script requeues
 * the task. */
#pragma once

#include "core/base/arena.h"

struct cluster_job {
    const char *name;    /* name of the grid; in file names, unusual characters become "_" */
    const char *program; /* path of the program, equal on every node */
    const char *folder;  /* folder in which the program starts */
    const char *logs;    /* folder of the tasks' output; absolute */
    int words;
    const char **word; /* [words] arguments of the program: "run", "GRID", .. */
    int options;
    const char **option; /* [options] the user's words for sbatch; come last and override others */
    int tasks;
    double seconds; /* time limit of a task; rounded up to whole minutes */
    bool gpu;       /* one per task, unless the options mention GPUs */
};

/* Splits a text into words by the quoting rules of a shell, but without a shell. 'a b' and "a b"
 * are one word. \ escapes the next character. Returns the number of words. Dies if a quote is not
 * closed. */
int cluster_words(const char *text, const char ***word, struct arena *arena);
/* Returns the name with "_" for characters that file names do not have here. */
const char *cluster_file_name(const char *name, struct arena *arena);
/* Returns a time limit: two times the longest stage plus ten minutes. */
double cluster_seconds(double longest);

/* Returns the script. Dies if a path or word contains a control character. */
char *cluster_script(const struct cluster_job *job, struct arena *arena);

/* Submits the script and returns the output of sbatch. Dies with the output if sbatch refuses. */
const char *cluster_submit(const char *script, struct arena *arena);
