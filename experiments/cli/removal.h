/* What verbs that remove have in common: the list, the question, the removal. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/keep/gc.h"

/* What may go; called once more when the answer is there. */
typedef struct gc_list removal_find(struct verb_call *call, struct store *store, void *asked);
/* Prints what may go, but for --quiet, and how much it is. Asks, unless --yes or --dry-run is
 * given; without a terminal nobody can answer, and nothing goes. Returns the
 * number of things that were shown. */
int removal(struct verb_call *call, struct store *store, removal_find *find, void *asked);
