/* sanlab logic probe MODEL, and logic test STAGE FILE... */
#pragma once

#include "experiments/cli/verb.h"
#include "logic/formula.h"

/* Runs the stages of a grid with evaluate.inference, and prints a table by operators. */
int logic_probe(struct verb_call *call);
/* `names`: variables of the files; NULL: the names of the training's pairs. */
int logic_test(struct verb_call *call, const struct formula_names *names);
