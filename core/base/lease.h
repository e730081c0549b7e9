/* Leases on stage folders. The lock file FOLDER/lock names the process that works on the stage, its
 * owner. Several machines may share the folder.
 *
 * The lock is one line, "HOST PID BOOT START SPACE NONCE ATTEMPT LEASE". A taker, a process that
 * wants the lease, writes this line to a private file and links the file to FOLDER/lock by link().
 * So the lock appears complete, and only one taker succeeds, also on network file systems. flock is
 * used where it works, but is not needed. The owner renews the lock's modification time, its
 * heartbeat, every twentieth of the lease. After each heartbeat the owner counts as alive for LEASE
 * milliseconds.
 *
 * A taker may take over a stale lock. It finds the lock stale
 *   - if the owner has the same host, boot and pid namespace: as soon as no process has the owner's
 *     pid and start time
 *   - otherwise, or if /proc hides the owner's process: when the lease has run out, by the clock
 *     that stamps files in that folder
 * The taker renames the stale lock to a private name. If the renamed lock turns out to be another
 * lock, or was renewed meanwhile, the taker puts it back. An owner that was frozen for longer than
 * its lease first renews the lock, then checks that the lock still has its nonce. So either the
 * taker finds the lock renewed, or the owner finds the lock gone.
 *
 * An owner may fail to remove its lock when it releases the folder, for example because a file
 * server does not answer. Then it sets the lock's time to 1970, so that the lock is stale for every
 * process. A lock that names this process, but is none of its leases, is stale for this process.
 *
 * Environment variables: SANLAB_LEASE is the lease in seconds (default 600). SANLAB_HOST replaces
 * the name of this host, so that tests can simulate several hosts. */
#pragma once

#include "core/base/lease_lock.h"

/* True if a process holds the lease on the folder; then fills *owner (may be NULL). Changes no
 * file. A process that has tried to take a lease knows how much the clock of the file server
 * differs, and corrects for the difference. */
bool lease_held(const char *folder, struct lease_owner *owner);

/* Returns the seconds since the last heartbeat of an owner on another machine. Returns 0 if they
 * are less than a quarter of its lease, or if the owner is on this machine. */
double lease_silence(const struct lease_owner *owner);

struct lease;
/* Takes the lease on the folder, and removes files that dead owners left (lease_sweep). Returns
 * NULL if another process holds the lease, or on an error. *fault is the error on one line, from
 * the heap; NULL if there was no error. */
struct lease *lease_try(const char *folder, char **fault);
/* Removes files that dead processes left in the folder: stale private locks, and temporary files
 * and folders (sweep.h). This process must have no temporary file open in the folder. Other
 * processes write there only while they hold the lease, so they write nothing now. If this process
 * has lost the lease, temporary files stay, because they belong to the new owner. */
void lease_sweep(struct lease *lease);
/* Removes such files from a folder whose work is done, if no process holds its lease. Ignores
 * failures. */
void lease_tidy(const char *folder);
/* Starts a thread that renews the lease until lease_release. The thread receives no signals. If
 * this process has lost the lease, the thread calls lost(context). */
void lease_keep(struct lease *lease, void (*lost)(void *context), void *context);
/* True if this process still holds the lease. Check the lease before every write that other
 * processes can see. */
bool lease_mine(struct lease *lease);
/* Releases the lease if this process still holds it. Frees `lease`. */
void lease_release(struct lease *lease);
