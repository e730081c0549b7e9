/* Removes temporary files and folders, PATH.tmp-PID.. (file.h), of processes that died while they
 * wrote them. */
#pragma once

#include <stdbool.h>

/* True if a folder, or a folder directly in it, has temporary files or folders. If `clean` is true,
 * removes them as far as possible. Then no process may write there at the same time, so the caller
 * must hold the lease on the folder (lease.h). Never follows links. */
bool sweep_temporaries(const char *folder, bool clean);
