/* A file that a stage left among its outputs, for whoever looks behind its metrics. */
#ifndef RESULTS_STORE_KEPT_FILE_H
#define RESULTS_STORE_KEPT_FILE_H

#include "results/store/store.h"

/* The path of a stage's file, whose digest is the one that the stage wrote down when it was done.
 * NULL when it is not, and *problem says why in one line. */
const char *kept_file(struct store *store, const char *kind, const char *id, const char *name,
                      const char **problem, struct arena *arena);

#endif
