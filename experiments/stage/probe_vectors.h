/* Reads vectors that another program computed, as input of probes. The file of a task is
 * DIR/TASK.npy (core/base/npy.h), with one row for each line of the task's file. DIR may also have
 * folders of views, such as layers and controls: DIR/encoder.3/TASK.npy, DIR/bag/TASK.npy,
 * DIR/encoder.3@start/TASK.npy. If each seed has its own vectors, DIR/SEED replaces DIR. */
#pragma once

#include "core/base/npy.h"
#include "probes/task_data.h"
#include "probes/tasks.h"

#define PROBE_VECTORS "@vectors" /* suffix of a part without a view */

/* Returns the folder that `option` names with value `path`. If the option is in a file, the path is
 * relative to this file. Dies if there is no such folder. */
const char *probe_vectors_folder(const char *path, const struct tree *option, struct arena *arena);
/* Sets *seed to the seeds that have a subfolder, in ascending order. Returns their number; 0: all
 * seeds have the same files. */
int probe_vectors_seeds(const char *folder, int **seed, struct arena *arena);
/* True if the folder has a subfolder of this view, for the first of its seeds. */
bool probe_vectors_has(const char *folder, const char *view);
/* Returns the file of a part, TASK@VIEW. The view PROBE_VECTORS has no subfolder. Dies if the file
 * is missing, with the most similar existing name. */
const char *probe_vectors_file(const char *folder, const char *part, uint32_t seed,
                               struct arena *arena);
/* Opens a file. Dies if the number of rows differs from the number of items, or if a row has a
 * number that is not finite. */
struct npy probe_vectors_open(const char *path, const struct task_data *data);
int probe_vectors_width(const char *path);
/* Checks the files of all seeds for a part of a task. Dies if a file is invalid, or if files of two
 * seeds differ in their number of columns. */
void probe_vectors_check(const char *folder, const char *part, const struct probe_task *task,
                         const uint32_t *seed, int seeds);
