/* Vectors that another program has made, for probes: DIR/TASK.npy (core/base/npy.h), a row for each
 * line of the task's file, or one of every seed, DIR/1/TASK.npy and so on. */
#pragma once

#include "core/base/npy.h"
#include "probes/task_data.h"
#include "probes/tasks.h"

/* The folder that an option names; `option` says where, and a path in a file is relative to it. */
const char *probe_vectors_folder(const char *path, const struct tree *option, struct arena *arena);
/* The seeds that it has folders of, ascending; returns how many. 0: its files are of all seeds. */
int probe_vectors_seeds(const char *folder, int **seed, struct arena *arena);
/* The file of a task; dies where it is not there, with the nearest name that is. */
const char *probe_vectors_file(const char *folder, const char *task, uint32_t seed,
                               struct arena *arena);
/* Its rows; dies where they are not as many as items, and at the first that is not finite. */
struct npy probe_vectors_open(const char *path, const struct task_data *data);
int probe_vectors_width(const char *path);
/* A task's files of all seeds: dies at the first that is wrong, or wider or narrower than that of
 * another seed. */
void probe_vectors_check(const char *folder, const struct probe_task *task, const uint32_t *seed,
                         int seeds);
