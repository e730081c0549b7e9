/* The GPUs among which a runner distributes its workers: all visible GPUs with --device cuda, the
 * listed ones with --device cuda:0,2. Every worker uses one GPU. A GPU that no longer works is
 * lost: its stages continue on the other GPUs. */
#pragma once

#include <stdbool.h>

enum { GPUS_MOST = 64 };

/* Reads the GPUs of a word such as "cuda:0,2". Returns the word of the first, "cuda:0", for
 * device_use. Returns every word without a list as it is. Dies if the list is invalid. */
const char *gpus_read(const char *word);
/* Finds the GPUs of this process; call it after device_use. Dies if the device does not work, if a
 * listed GPU does not exist, or if the listed GPUs are of several kinds. Without a list, warns
 * about GPUs that do not work, and about those of another kind than the first. Their numerics
 * differ, so no training could move between them. */
void gpus_find(void);

/* Returns the index of the GPU with the fewest running stages; -1 if there is none. `running` is
 * the number of stages on each GPU, [GPUS_MOST]. */
int gpus_choose(const int *running);
/* Returns the word of a GPU for --device; index -1: the device of this process. */
const char *gpus_word(int index);
/* Number of GPUs that are not lost. */
int gpus_left(void);
/* True if runners have a choice between several GPUs. */
bool gpus_several(void);
/* Tests if a GPU still works. If it does not, the GPU is lost from now on. Returns NULL if the GPU
 * works, else the reason. A GPU without free memory works. */
const char *gpus_lost(int index);
