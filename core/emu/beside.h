/* What is issued between fork and back (struct ops): kept, and done as late as a join allows, so
 * that memory which is used again too early shows. Counts how long the longest way through a step
 * is. */
#ifndef CORE_EMU_BESIDE_H
#define CORE_EMU_BESIDE_H

#include "core/simt/simt.h"

/* `issued`: what the kernels within are asked by (simt_control). */
void beside_fork(bool (*issued)(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                                const void *arguments));
void beside_back(void);
void beside_join(int late);

/* Whether something is issued beside now; it is then kept, with a copy of its arguments. */
bool beside_takes_kernel(const struct simt_kernel *kernel, int64_t blocks, size_t shared,
                         const void *arguments);
bool beside_takes(void (*run)(void *arguments), const void *arguments, size_t bytes);
bool beside_is_on(void);
bool beside_is_done(void); /* nothing is kept */

/* One more kernel, product or clear is issued; how many they are since the count began, and how
 * many of them are one behind the other, at most, where what is beside counts as such. */
struct beside_steps {
    int launches, path;
};
void beside_counts(void);
void beside_count_begin(void);
struct beside_steps beside_counted(void);

#endif
