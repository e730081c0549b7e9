/* One process at a time works on a stage's folder: FOLDER/lock names the host, the process and the
 * moment it began. A lock whose process is gone (same host: no such pid, another start time, or
 * another boot) is stale and is taken over; one of another host is respected. */
#ifndef EXPERIMENTS_PLAN_LOCK_H
#define EXPERIMENTS_PLAN_LOCK_H

#include "core/base/base.h"

struct lock_owner {
    char host[65];
    int pid;
    char boot[40];
    unsigned long long start; /* clock ticks since boot, from /proc/PID/stat */
};

/* Whether a live process holds the folder; fills *owner then. */
bool lock_held(const char *folder, struct lock_owner *owner);
/* Takes it for this process; false when another live process holds it. */
bool lock_take(const char *folder);
void lock_release(const char *folder); /* only what this process holds; fine when it does not */

#endif
