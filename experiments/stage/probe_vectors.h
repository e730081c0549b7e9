/* Reads vectors that another program computed, as input of probes. The file of a task is
 * DIR/TASK.npy (core/base/npy.h), with one row for each line of the task's file. If each seed has
 * its own vectors, the files are DIR/SEED/TASK.npy. */
#pragma once

#include "core/base/npy.h"
#include "probes/task_data.h"
#include "probes/tasks.h"

/* Returns the folder that `option` names with value `path`. If the option is in a file, the path is
 * relative to this file. Dies if there is no such folder. */
const char *probe_vectors_folder(const char *path, const struct tree *option, struct arena *arena);
/* Sets *seed to the seeds that have a subfolder, in ascending order. Returns their number; 0: all
 * seeds have the same files. */
int probe_vectors_seeds(const char *folder, int **seed, struct arena *arena);
/* Returns the file of a task. Dies if it is missing, with the most similar existing name. */
const char *probe_vectors_file(const char *folder, const char *task, uint32_t seed,
                               struct arena *arena);
/* Opens a file. Dies if the number of rows differs from the number of items, or if a row has a
 * number that is not finite. */
struct npy probe_vectors_open(const char *path, const struct task_data *data);
int probe_vectors_width(const char *path);
/* Checks a task's files of all seeds. Dies if a file is invalid, or if files of two seeds differ in
 * their number of columns. */
void probe_vectors_check(const char *folder, const struct probe_task *task, const uint32_t *seed,
                         int seeds);
