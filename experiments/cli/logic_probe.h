/* sanlab logic probe MODEL. */
#ifndef EXPERIMENTS_CLI_LOGIC_PROBE_H
#define EXPERIMENTS_CLI_LOGIC_PROBE_H

#include "experiments/cli/verb.h"

/* Does what a grid with evaluate.inference would, and prints a table by operators. */
int logic_probe(struct verb_call *call);

#endif
