/* Steps recorded as CUDA graphs and replayed (struct ops: run, reserve, forget). */
#pragma once

#include "core/tensor/ops.h"

/* The first time a key is used, the operations are only issued, because loading that CUDA and
 * cuBLASLt do on first use cannot be recorded. The second time they are recorded; from then on they
 * are replayed. The RECORD_MOST most recently used keys are kept. SANLAB_CUDA_OFF=graph: nothing is
 * recorded. */
enum { RECORD_MOST = 64 };
void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: all lists */
