/* Watches every access of kernels to memory, for tests. gcc -fsanitize=thread (Makefile: flavor
 * `race`) puts a call before each of them, and the functions that it calls are these: nothing of
 * the compiler's own library is linked.
 *
 * A kernel may touch the block's shared memory, as many bytes as its launch asked for, and what
 * the table has handed out; it may read its arguments, constants, and do what it wants with its
 * locals. What an op does on the host may not touch device memory. An access has the alignment of
 * its type.
 *
 * Two accesses of one byte, at least one of them a write, by two threads of a block are ordered by
 * a __syncthreads between them; by a __syncwarp of all lanes, in a warp; by one of the first or
 * last 16 lanes, in that half. Nothing orders those of two blocks of a launch. What is not ordered
 * is a race, whichever values were written. That is found for every pair of accesses that a launch
 * makes, in whatever order the threads ran. What is broken ends the program (simt_fail). */
#ifndef CORE_SIMT_WATCH_H
#define CORE_SIMT_WATCH_H

#include "core/base/base.h"

/* Whether to look for races, and to count; both from nothing. Device memory that was handed out
 * earlier is not known. */
void watch_begin(bool races, bool bytes);
void watch_end(void);

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
const struct watch_count *watch_counts(int *kernels);

#endif
