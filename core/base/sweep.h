/* Removes temporary files of processes that died while writing: PATH.tmp-PID (file.h), and folders
 * with such names. */
#pragma once

#include <stdbool.h>

/* True if a folder or the folders directly in it have temporary files; never follows links. `clean`
 * removes these files, as far as possible. No process may write there at the same time: the caller
 * holds the lease on the folder (lease.h). */
bool sweep_temporaries(const char *folder, bool clean);
