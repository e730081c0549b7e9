/* The half of watch.h that counts what kernels move. */
#pragma once

#include "core/base/base.h"

/* What kernels did with device memory since watch_begin.
 *
 * The lanes of a warp make one access together: what each of them does at one place in the code,
 * for the k-th time since they last met in a function of the warp or at a barrier. It moves bytes,
 * of which any number of lanes may have asked for one, and touches sectors of 32 bytes.
 *
 * What a warp reads twice counts twice in `read`; what another warp of its block has read as often
 * does not, for a block has a cache. What is written always counts. */
struct watch_count {
    const char *kernel;
    int64_t launches, read, written; /* bytes */
    int64_t moved, sectors;          /* of all accesses: moved / (32 sectors) is their use */
};
/* By kernel, in the order of their first launches. */
const struct watch_count *watch_counts(int *count);

void count_begin(void);
void count_block(void);                        /* a block begins */
void count_met(unsigned warp, unsigned lanes); /* lanes of a warp have met */
void count_opened(void);                       /* a barrier has opened */
void count_access(uintptr_t at, size_t bytes, bool write, const void *place);
