/* Functions of verbs that remove stages: the list, the confirmation, the removal. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/keep/garbage.h"

/* Returns what can be removed. Called again after the confirmation. */
typedef struct gc_list removal_find(struct verb_call *call, struct store *store, void *asked);
/* Prints what can be removed (not under --quiet), and its size. Asks for confirmation, unless --yes
 * or --dry-run is given. Without a terminal nothing is removed. Returns the number of things
 * shown. */
int removal(struct verb_call *call, struct store *store, removal_find *find, void *asked);
