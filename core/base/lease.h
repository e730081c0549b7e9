/* Who works on a stage: FOLDER/lock, on one machine or in a folder that several machines share.
 *
 * The lock is one line, "HOST PID BOOT START SPACE NONCE ATTEMPT LEASE". It appears by link() of
 * a private file, whole and for one taker only, on network file systems as well; flock helps
 * where there is one, but is not needed. Its modification time is the owner's heartbeat, a
 * twentieth of the lease apart; the owner promises to be alive for LEASE milliseconds after each
 * one.
 *
 * A lock is stale, and may be taken over,
 *   in the owner's host, boot and pid namespace   at once, when no process has its pid and start
 *   anywhere else, or where processes of other    when the lease has run out, by the clock that
 *   users are hidden                              stamps files in that folder
 * by renaming it aside. What turns out to be another lock, or to have been renewed meanwhile, is
 * put back. An owner that slept through its lease renews it first and then looks whether the lock
 * is still its own (the nonce), so either the taker finds it renewed or the owner finds it gone.
 *
 * An owner that cannot take its lock's name away when it gives the folder back (a full table of
 * files, a server that does not answer) dates it to 1970: that is stale for everybody. A lock that
 * names this very process, and none of the leases that it holds, is stale for it.
 *
 * Environment: SANLAB_LEASE, seconds (default 600); SANLAB_HOST, another name for this host, by
 * which tests are several hosts. */
#pragma once

#include "core/base/lease_lock.h"

/* Whether somebody holds the folder; fills *owner then (owner may be NULL). Changes nothing. A
 * process that has tried to take a lease knows from then on how far this machine's clock is off. */
bool lease_held(const char *folder, struct lease_owner *owner);

/* Seconds since an owner on another machine was heard of, where that is a quarter of its lease or
 * more; else 0. */
double lease_silence(const struct lease_owner *owner);

struct lease;
/* Takes the folder for this process, and clears what dead owners left there (lease_sweep); NULL
 * when somebody else holds it, or when that cannot be told or nothing can be written: then *fault
 * is one line that says why, from the heap (else NULL). */
struct lease *lease_try(const char *folder, char **fault);
/* Once more, for what came meanwhile: private locks of takers that are dead or out of time, and
 * temporary files and folders (sweep.h). All writers of the folder take its lease first, so only
 * those of our own process can be alive: it must have none open. When the lease is no longer
 * ours, temporary files stay: they are its new owner's. */
void lease_sweep(struct lease *lease);
/* The same of a folder where all work is done, when nobody holds it; what fails is left. */
void lease_tidy(const char *folder);
/* True if the folder has private locks that lease_sweep removes. Changes nothing. */
bool lease_has_dead_locks(const char *folder);
/* Renews from a thread of its own, which takes no signals, until release. `lost` is called in that
 * thread when the lease is no longer ours. */
void lease_keep(struct lease *lease, void (*lost)(void *context), void *context);
/* Whether it is still ours: to be asked before every write that others would see. */
bool lease_mine(struct lease *lease);
/* Gives it back when it is still ours, and frees it. */
void lease_release(struct lease *lease);
