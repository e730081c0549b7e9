/* What the debug build (STRESS) does around every list: the planned memory is filled with NaN
 * before a forward pass, and a sentinel stands behind every buffer and is looked at after every
 * node. A node that reads what nobody wrote spreads NaN into the loss; one that writes too far is
 * named. Nothing of it exists in other builds. */
#pragma once

#include "core/tensor/graph.h"

#ifdef STRESS
enum { GUARD_BYTES = 64 };
#else
enum { GUARD_BYTES = 0 };
#endif

void guard_poison(struct graph *graph);
/* Around a node of the list: buffers that begin to live get their sentinels; all that live keep
 * them. */
void guard_before(const struct graph *graph, int node, bool backward);
void guard_after(const struct graph *graph, int node, bool backward);
