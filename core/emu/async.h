/* What is issued in a fork (struct ops): kept, and done as late as a join allows, so that memory
 * that is used again too early shows. Counts how long the longest way through a step is. */
#pragma once

#include "core/simt/simt.h"

/* `issued`: what the kernels within are asked by (simt_control). */
void async_fork(bool (*issued)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                               const void *arguments));
void async_fork_end(void);
void async_join(int late);

/* Whether it is issued in a fork; it is then kept, with a copy of its arguments. */
bool async_takes_kernel(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                        const void *arguments);
bool async_takes(void (*run)(void *arguments), const void *arguments, size_t bytes);
bool async_is_on(void);
bool async_is_done(void); /* nothing is kept */

/* One more kernel, product or clear is issued; how many they are since the count began, and how
 * many of them at most have to wait for one another. */
struct async_steps {
    int launches, path;
};
void async_counts(void);
void async_count_begin(void);
struct async_steps async_counted(void);
