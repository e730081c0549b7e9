/* The part of memory_watch.h that counts the bytes that kernels move. */
#pragma once

#include "core/base/base.h"

/* Traffic of kernels in device memory since watch_begin.
 *
 * The lanes of a warp make one access together: the k-th execution of a code location by each lane.
 * k is counted from the last function of the warp or barrier in which the lanes met. The access
 * moves bytes, each once for any number of lanes, and touches sectors of 32 bytes.
 *
 * Bytes that a warp reads twice count twice in `read`. Bytes that another warp of the block has
 * read as often do not count, because a block has a cache. Every write counts. */
struct watch_count {
    const char *kernel;
    int64_t launches, read, written; /* bytes */
    int64_t moved, sectors;          /* of all accesses; moved / (32 sectors) is the utilization */
};
/* Returns the counts by kernel, in the order of their first launches. */
const struct watch_count *watch_counts(int *count);

void count_begin(void);
void count_block(void);                        /* a block begins */
void count_met(unsigned warp, unsigned lanes); /* lanes of a warp have met */
void count_opened(void);                       /* a barrier has opened */
void count_access(uintptr_t at, size_t bytes, bool write, const void *place);
