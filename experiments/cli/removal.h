/* Removes stages for several verbs: lists them, asks for confirmation, and removes them. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/keep/garbage.h"

/* Returns the list of what can be removed. It is called a second time after the confirmation,
 * because the state of RUNS may have changed. */
typedef struct gc_list removal_find(struct verb_call *call, struct store *store, void *asked);
/* Prints what can be removed (not with --quiet) and its size, asks for confirmation, and removes
 * it. With --yes, does not ask. Removes nothing with --dry-run, or without a terminal and --yes.
 * Returns the number of listed items. */
int removal(struct verb_call *call, struct store *store, removal_find *find, void *asked);
