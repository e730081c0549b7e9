/* sanlab logic probe MODEL, and logic test STAGE FILE... */
#pragma once

#include "experiments/cli/verb.h"
#include "logic/formula.h"

/* Runs the stages of a grid with evaluate.inference, and prints the accuracy by number of
 * operators. */
int logic_probe(struct verb_call *call);
/* Tests a classifier of pairs on files. `names` are the names of variables in the files; NULL: the
 * same names as in the pairs of its training. */
int logic_test(struct verb_call *call, const struct formula_names *names);
