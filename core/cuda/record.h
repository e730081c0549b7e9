/* Steps that are recorded as CUDA's graphs and replayed (struct ops: run, reserve, forget). */
#pragma once

#include "core/tensor/ops.h"

/* Under a key that is new all is issued as it comes, for what CUDA and cuBLASLt load when they are
 * first asked may not be recorded; the second time it is recorded, and from then on replayed. The
 * RECORD_MOST that were used last are kept. SANLAB_CUDA_OFF=graph: nothing is recorded. */
enum { RECORD_MOST = 64 };
void record_run(const struct run_key *key, void (*issue)(void *context), void *context);
void record_reserve(void (*issue)(void *context), void *context);
void record_forget(const void *list); /* NULL: all lists */
