/* Runs a grid on a Slurm cluster: submits an array job with sbatch.
 *
 * Each task of the array executes `sanlab run` with the same arguments. The tasks divide the stages
 * by leases (core/base/lease.h). A task exits instead of waiting if the other tasks alone would
 * finish the remaining stages almost as early (--no-wait). Two minutes before the time limit of a
 * task, Slurm sends USR1 to the script of the task, scripts/slurm/job. The script sends USR1 to the
 * runner. The runner saves, and exits with the status "interrupted". Then the script requeues the
 * task. */
#pragma once

#include "core/base/arena.h"

struct cluster_job {
    const char *name;   /* name of the grid; in file names, unusual characters become "_" */
    const char *folder; /* folder in which the program starts */
    const char *logs;   /* absolute path of the folder for the tasks' output */
    int words;
    const char **word; /* [words] path of the program and its arguments: "run", "GRID", .. */
    int options;
    const char **option; /* [options] the user's options of sbatch; they override sanlab's */
    int tasks;
    double seconds; /* time limit of a task; rounded up to whole minutes */
    bool gpu;       /* request one GPU per task, unless `option` requests GPUs */
};

/* Splits a text into words as a shell does, without commands. Returns the number of words. Dies if
 * a quote is not closed. */
int cluster_words(const char *text, const char ***word, struct arena *arena);
/* Returns the first 100 bytes of the name. Characters that are unusual in file names are replaced
 * by "_". */
const char *cluster_file_name(const char *name, struct arena *arena);
/* Returns the time limit of a task, in seconds: twice the seconds of the longest stage, plus ten
 * minutes. */
double cluster_seconds(double longest);

/* Returns the command that submits the job: "sbatch", its options, scripts/slurm/job, and the words
 * of the job; NULL-terminated. */
const char *const *cluster_command(const struct cluster_job *job, struct arena *arena);

/* Executes the command and returns the output of sbatch. Dies with the output if sbatch refuses. */
const char *cluster_submit(const char *const *command, struct arena *arena);
