/* The words for the status of a stage. The status follows from the stage's folder (collector.h).
 * All verbs and the database use these words. */
#pragma once

#include <stdbool.h>

#define STATUS_NEW "new"         /* no worker has started it */
#define STATUS_RUNNING "running" /* a process has its journal open */
#define STATUS_STOPPED "stopped" /* stopped by a signal after saving, or killed; can be continued */
#define STATUS_FAILED "failed"   /* its worker ended with an error; the journal has a message */
/* A done training whose last validation is above the limit of its kind (offer.h) is diverged. */
#define STATUS_DIVERGED "diverged"
#define STATUS_DONE "done"
/* Two statuses that only a plan has. MISSING: an input file does not exist. BLOCKED: an input stage
 * is missing, failed or diverged. */
#define STATUS_MISSING "missing"
#define STATUS_BLOCKED "blocked"
/* Only cells and claims have it: the training of a value at(..) does not reach the number. */
#define STATUS_UNREACHED "not reached"
/* Only means of groups have it: no task of the group is above its controls (controls.h). */
#define STATUS_BELOW "not above controls"
/* Only cells have it: the row is tuned, and the choice of a trial is not done. */
#define STATUS_WAITS "waits for its trials"

/* True for the statuses that done.json may have: done and diverged. */
bool status_is_final(const char *status);
