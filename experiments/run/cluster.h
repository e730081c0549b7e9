/* An array of runners on a cluster that has Slurm: the script that sbatch takes, written from a
 * plan, and handed over.
 *
 * Each task of the array is `sanlab run` with the same words. They divide the stages by their
 * leases (core/base/lease.h), and one without which the rest ends hardly later ends (--no-wait).
 * Two minutes before a task's time is over Slurm warns the script (USR1), which passes that on; the
 * runner saves and ends as interrupted, and the script has Slurm put the task into the queue again.
 */
#pragma once

#include "core/base/arena.h"

struct cluster_job {
    const char *name;    /* of the grid; in names of files other signs than a few are "_" */
    const char *program; /* its path, the same on every node */
    const char *folder;  /* where it is started */
    const char *logs;    /* the folder of what tasks print; absolute */
    int words;
    const char **word; /* [words] behind the program: "run", "GRID", .. */
    int options;
    const char **option; /* [options] the user's own words for sbatch, which come last and count */
    int tasks;
    double seconds; /* a task's time limit; whole minutes are asked for */
    bool gpu;       /* one a task, unless the options say something of GPUs */
};

/* The words of a text, quoted and escaped as for a shell, which none reads: 'a b' and "a b" are one
 * word, \ takes the sign behind it as it is. Dies when a quote is not closed. */
int cluster_words(const char *text, const char ***word, struct arena *arena);
/* The name with the signs that a file's name may have here. */
const char *cluster_file_name(const char *name, struct arena *arena);
/* Two times the longest stage and ten minutes. */
double cluster_seconds(double longest);

/* Dies where a path or word has a sign that no line of a script can hold. */
char *cluster_script(const struct cluster_job *job, struct arena *arena);

/* What sbatch says when it has taken the script. Dies with its words when it refuses. */
const char *cluster_submit(const char *script, struct arena *arena);
