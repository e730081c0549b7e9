/* Where a stage was computed: recorded beside its results, never part of its identity. */
#ifndef EXPERIMENTS_PLAN_ENVIRONMENT_H
#define EXPERIMENTS_PLAN_ENVIRONMENT_H

#include <jansson.h>

/* {"host", "processor", "cores", "threads", "device", "compiler", "blas", "blas_core"}; loads the
 * BLAS library, so for workers only. */
json_t *environment_describe(void);

/* That this program was built from ("-dirty" behind it: with changes). */
const char *environment_commit(void);

/* Processors that this process may use. */
int environment_cores(void);

#endif
