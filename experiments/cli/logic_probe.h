/* sanlab logic probe MODEL, and logic test STAGE FILE... */
#pragma once

#include "experiments/cli/verb.h"
#include "logic/formula.h"

/* Does what a grid with evaluate.inference would, and prints a table by operators. */
int logic_probe(struct verb_call *call);
/* `names`: of the files' variables; NULL: they are called as in the training's pairs. */
int logic_test(struct verb_call *call, const struct formula_names *names);
