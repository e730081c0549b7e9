/* A training that lies in a run folder which somebody copied from elsewhere. */
#ifndef EXPERIMENTS_CLI_ALONE_COPY_H
#define EXPERIMENTS_CLI_ALONE_COPY_H

#include "experiments/cli/verb.h"

/* The folder of the same stage below --runs. Where it is not there yet, it is copied, and what it
 * reads, too: that lies beside it, or in --runs already. A copy appears whole, and only when all
 * digests hold. Dies, naming it, at what is missing or has changed. */
const char *alone_copy(struct verb_call *call, const char *folder);

#endif
