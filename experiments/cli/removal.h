/* What verbs that remove have in common: the list, and the question. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/keep/gc.h"

/* Prints it, but for --quiet; and how much it is. */
void removal_print(struct verb_call *call, const struct gc_list *list);
/* Asks, unless --yes is given; without a terminal nobody can answer, and nothing goes. */
bool removal_is_wanted(struct verb_call *call, const struct gc_list *list);
#define REMOVAL_YES VERB_SWITCH("--yes", "do not ask")
