/* Vectors of another program as input of probes: DIR/TASK.npy (core/base/npy.h), one row for each
 * line of the task's file. If each seed has its own vectors, the files are DIR/1/TASK.npy and so
 * on. */
#pragma once

#include "core/base/npy.h"
#include "probes/task_data.h"
#include "probes/tasks.h"

/* Returns the folder that `option` names. A path in a file is relative to this file. */
const char *probe_vectors_folder(const char *path, const struct tree *option, struct arena *arena);
/* Writes the seeds that have a subfolder, ascending, and returns their number. 0: the files are for
 * all seeds. */
int probe_vectors_seeds(const char *folder, int **seed, struct arena *arena);
/* Returns the file of a task. Dies if missing, with the nearest existing name. */
const char *probe_vectors_file(const char *folder, const char *task, uint32_t seed,
                               struct arena *arena);
/* Opens a file. Dies if the number of rows differs from the number of items, or at the first row
 * that is not finite. */
struct npy probe_vectors_open(const char *path, const struct task_data *data);
int probe_vectors_width(const char *path);
/* Checks a task's files of all seeds. Dies at the first faulty file, and at a file whose width
 * differs from that of another seed. */
void probe_vectors_check(const char *folder, const struct probe_task *task, const uint32_t *seed,
                         int seeds);
