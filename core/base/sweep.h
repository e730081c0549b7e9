/* What is left of files that were being written when their process died: PATH.tmp-PID (file.h), and
 * folders of such names. */
#pragma once

#include <stdbool.h>

/* Whether there are any in a folder and in the folders within it (no deeper); links are never
 * followed. With `clean` they are removed, and what cannot be removed stays. Nobody may be writing
 * there then: its caller holds the lease on the folder (lease.h). */
bool sweep_temporaries(const char *folder, bool clean);
