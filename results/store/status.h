/* A stage's status, which follows from its folder (collect.h), as every verb and the database say
 * it. */
#pragma once

#include <stdbool.h>

#define STATUS_NEW "new"         /* no worker has started it */
#define STATUS_RUNNING "running" /* a process has its journal open */
#define STATUS_STOPPED "stopped" /* by a signal after saving, or killed; the same run goes on */
#define STATUS_FAILED "failed"   /* with a message */
/* A training that says done is diverged when its last validation is above what its kind offers
 * (offer.h). */
#define STATUS_DIVERGED "diverged"
#define STATUS_DONE "done"
/* The two more that a plan knows: a file that it reads is not there; a stage that it reads is
 * missing, failed or diverged. */
#define STATUS_MISSING "missing"
#define STATUS_BLOCKED "blocked"

/* True for the statuses that done.json may have: done and diverged. */
bool status_is_final(const char *status);
