/* A training that lies in a run folder which somebody copied from elsewhere. */
#ifndef EXPERIMENTS_CLI_ALONE_COPY_H
#define EXPERIMENTS_CLI_ALONE_COPY_H

#include "experiments/cli/verb.h"
#include "experiments/stage/stage.h"

/* The training in such a folder, with its inputs, which lie beside it or in --runs. Copies nothing.
 * Dies if the folder's id is not that of its options. */
struct stage *alone_foreign(struct verb_call *call, const char *folder);
/* The same stage below --runs. If it is not there yet, its folder is copied, and those of its
 * inputs, each with the event "copied". A copy appears whole, and only if all digests hold. Dies,
 * naming it, at what is missing or has changed. */
struct stage *alone_copy(struct verb_call *call, const struct stage *foreign);

#endif
