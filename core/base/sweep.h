/* What is left of files that were being written when their process died: PATH.tmp-PID (file.h), and
 * folders of such names. */
#pragma once

#include <stdbool.h>

/* Removes all of them in a folder and in the folders within it (no deeper); never follows links,
 * and what cannot be removed stays. Nobody may be writing there: its caller holds the lease on the
 * folder (lease.h). */
void sweep_temporaries(const char *folder);
/* Whether there are any; changes nothing. */
bool sweep_finds(const char *folder);
