/* sanlab logic test STAGE FILE..: a trained classifier of pairs on pairs of any files. */
#ifndef EXPERIMENTS_CLI_LOGIC_TEST_H
#define EXPERIMENTS_CLI_LOGIC_TEST_H

#include "experiments/cli/verb.h"
#include "logic/formula.h"

/* names: of the files' variables; NULL: they are called as in the training's. */
int logic_test(struct verb_call *call, const struct formula_names *names);

#endif
