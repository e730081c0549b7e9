/* Checks every memory access of kernels, for tests. gcc -fsanitize=thread (mk/gpu.mk, flavor race)
 * inserts a call before each access. The called functions are defined here; the compiler's own
 * library is not linked.
 *
 * A kernel may access the block's shared memory, up to the size of its launch, and memory that the
 * table has allocated. It may read its arguments and constants, and use its locals freely. Host
 * code of an op may not access device memory. Every access must have the alignment of its type.
 *
 * Two accesses of the same byte, at least one of them a write, must be ordered. Two threads of a
 * block are ordered by one of these between their accesses:
 *   - a __syncthreads
 *   - within a warp, a __syncwarp of all lanes
 *   - within the first or last 16 lanes of a warp, a __syncwarp of this half
 *
 * Accesses of two blocks of a launch are never ordered. Accesses that are not ordered are a race,
 * whichever values were written. Every racing pair of a launch is found, in whatever order the
 * threads ran. A violation ends the program (simt_fail). */
#pragma once

#include "tests/watch/watch_count.h"

/* Starts to look for races, to count, or both, with empty state. Device memory that was allocated
 * earlier is unknown. */
void watch_begin(bool for_races, bool for_bytes);
void watch_end(void);
