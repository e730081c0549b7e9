/* Removes stages for several verbs: lists them, asks for confirmation, and removes them. */
#pragma once

#include "experiments/cli/verb.h"
#include "experiments/keep/garbage.h"

/* Lists what `named` requests; NULL: what `sanlab gc` removes. Prints which named stages stay, what
 * can be removed (not with --quiet) and its size. Asks for confirmation, and removes it. With
 * --yes, does not ask. Removes nothing with --dry-run, or without a terminal and --yes. Returns the
 * number of listed items. */
int removal(struct verb_call *call, struct store *store, const struct gc_named *named);
