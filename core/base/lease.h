/* Leases on stage folders: FOLDER/lock names the process that works on a stage, on one machine or
 * in a folder that several machines share.
 *
 * The lock is one line, "HOST PID BOOT START SPACE NONCE ATTEMPT LEASE". It appears by link() of a
 * private file, whole and for one taker only, on network file systems as well. flock is used where
 * it works, but is not needed. The lock's modification time is the owner's heartbeat, renewed every
 * twentieth of the lease. After each heartbeat the owner counts as alive for LEASE milliseconds.
 *
 * A lock is stale, and may be taken over,
 *   in the owner's host, boot and pid namespace   at once, when no process has its pid and start
 *   anywhere else, or where processes of other    when the lease has run out, by the clock that
 *   users are hidden                              stamps files in that folder
 * by renaming it aside. If the renamed lock turns out to be another lock, or was renewed meanwhile,
 * it is put back. An owner that slept through its lease first renews the lock, then checks that the
 * lock is still its own (the nonce). So either the taker finds the lock renewed, or the owner finds
 * the lock gone.
 *
 * An owner may fail to remove its lock when it releases the folder (a full file table, a server
 * that does not answer). Then it sets the lock's time to 1970, so that the lock is stale for every
 * process. A lock that names this process, but is none of its leases, is stale for this process.
 *
 * Environment: SANLAB_LEASE, seconds (default 600); SANLAB_HOST, another name for this host, with
 * which tests simulate several hosts. */
#pragma once

#include "core/base/lease_lock.h"

/* True if a process holds the folder; then fills *owner (may be NULL). Changes nothing. A process
 * that has tried to take a lease corrects for the difference between the clocks. */
bool lease_held(const char *folder, struct lease_owner *owner);

/* Returns the seconds since the last heartbeat of an owner on another machine, if they are at least
 * a quarter of its lease; else 0. */
double lease_silence(const struct lease_owner *owner);

struct lease;
/* Takes the folder for this process, and removes the remains of dead owners (lease_sweep). Returns
 * NULL if another process holds it, or on an error; *fault is then the reason on one line, from the
 * heap (else NULL). */
struct lease *lease_try(const char *folder, char **fault);
/* Removes remains again: private locks of takers that are dead or out of time, and temporary files
 * and folders (sweep.h). All writers of the folder take its lease first, so only writers of this
 * process can be alive, and they must have no file open. If this process has lost the lease,
 * temporary files stay, because they belong to the new owner. */
void lease_sweep(struct lease *lease);
/* Sweeps a folder whose work is done, if no process holds it. Ignores failures. */
void lease_tidy(const char *folder);
/* True if the folder has private locks that lease_sweep removes. Changes nothing. */
bool lease_has_dead_locks(const char *folder);
/* Renews the lease until release, from a thread of its own that takes no signals. Calls `lost` in
 * this thread if this process has lost the lease. */
void lease_keep(struct lease *lease, void (*lost)(void *context), void *context);
/* True if this process still holds the lease. Check the lease before every write that other
 * processes can see. */
bool lease_mine(struct lease *lease);
/* Releases the lease if this process still holds it, and frees it. */
void lease_release(struct lease *lease);
