/* Steps recorded as CUDA graphs and replayed (struct ops: run, reserve, forget). */
#pragma once

#include "core/tensor/ops.h"

/* At the first use of a key, the operations are only issued, because CUDA and cuBLASLt load modules
 * on first use, which cannot be recorded. At the second use they are recorded. Later they are
 * replayed. The RECORD_MOST most recently used keys are kept. SANLAB_CUDA_OFF=graph: nothing is
 * recorded. */
enum { RECORD_MOST = 64 };
void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: all lists */
