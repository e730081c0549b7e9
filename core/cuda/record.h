/* Records steps as CUDA graphs and replays them. Implements run, reserve and forget of struct
 * ops. */
#pragma once

#include "core/tensor/ops.h"

/* At the first use of a key, record_run issues the operations directly. The reason is that CUDA and
 * cuBLASLt then load modules, and loading cannot be recorded. At the second use, record_run records
 * the operations and runs the recording. Later uses run the same recording. The RECORD_MOST most
 * recently used keys are kept. With SANLAB_CUDA_OFF=graph or SANLAB_CUDA_SYNC=1, nothing is
 * recorded. */
enum { RECORD_MOST = 64 };
void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: forgets all lists */
