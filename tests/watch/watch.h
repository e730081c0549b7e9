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
#pragma once

#include "tests/watch/watch_count.h"

/* Whether to look for races, and to count; both from nothing. Device memory that was handed out
 * earlier is not known. */
void watch_begin(bool for_races, bool for_bytes);
void watch_end(void);
