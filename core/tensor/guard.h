/* Detects reads of unwritten memory and writes outside of a buffer; debug build (STRESS) only.
 * Fills the planned memory with NaN before a forward pass, so a read of unwritten memory makes the
 * loss NaN. Writes a sentinel after every buffer, and checks the sentinels after every node. If a
 * node has written past the end of a buffer, the message names the node and the buffer. In other
 * builds the functions are empty. */
#pragma once

#include "core/tensor/graph.h"

#ifdef STRESS
enum { GUARD_BYTES = 64 };
#else
enum { GUARD_BYTES = 0 };
#endif

void guard_poison(struct graph *graph);
/* Called before and after each node. guard_before writes the sentinels of buffers whose lifetime
 * begins; guard_after checks the sentinels of all live buffers. */
void guard_before(const struct graph *graph, int node, bool backward);
void guard_after(const struct graph *graph, int node, bool backward);
