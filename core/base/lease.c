/* Takes, renews and releases leases. A stale lock is first renamed to a private name and then
 * checked again. No system call both checks and removes a lock. Between two calls another process
 * may replace the lock. */
#include "core/base/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/lease_lock.h"
#include "core/base/path.h"
#include "core/base/sweep.h"

static const double beats_per_lease = 20;
enum { TRIES = 5 }; /* attempts, which take a tenth of a second */

struct lease {
    struct lease *next;  /* next lease of this process */
    char *folder, *path; /* path: FOLDER/lock */
    int file;            /* the lock, also after a rename */
    struct lease_owner self;
    _Atomic double renewed; /* clock_seconds of the last heartbeat */
    void (*lost)(void *context);
    void *context;
    bool kept, released; /* has a keeper; the mutex guards `released` */
    pthread_t keeper;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

/* The leases held by this process. A lock file that names this process but is not in this list is
 * stale, because its release failed. Other processes on this machine do not find it stale, because
 * this process is alive. */
static struct lease *held;
static pthread_mutex_t held_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Seconds by which the clock that stamps files is ahead of this machine's clock. It is measured
 * whenever this process writes a lock, and is 0 before. A difference of less than a second counts
 * as 0. */
static _Atomic double ahead;

/* Sets `ahead`: a file was written after `before`, by this machine's clock, and got the
 * modification time `stamped`. */
static void compare_clocks(double before, double stamped)
{
    const double off = fmax(0, stamped - time_seconds()) + fmin(0, stamped - before);
    ahead = fabs(off) < 1 ? 0 : off;
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static bool is_held_here(const char *nonce)
{
    pthread_mutex_lock(&held_mutex);
    const struct lease *lease = held;
    while (lease && strcmp(lease->self.nonce, nonce) != 0) lease = lease->next;
    pthread_mutex_unlock(&held_mutex);
    return lease;
}

static bool is_stale(struct lock_sight *sight, const struct lease_owner *self, double now)
{
    struct lease_owner *owner = &sight->owner;
    owner->near = !strcmp(owner->host, self->host) && !strcmp(owner->boot, self->boot) &&
                  !strcmp(owner->space, self->space);
    owner->left = lock_seconds(sight->modified) + owner->seconds - now;
    if (!sight->modified.tv_sec) return true; /* released, but its name was not removed */
    if (!owner->near || !owner->start) return owner->left < 0;
    if (owner->pid == self->pid && owner->start == self->start) return !is_held_here(owner->nonce);
    const unsigned long long start = lock_start_of(owner->pid);
    return start == LOCK_START_UNKNOWN ? owner->left < 0 : start != owner->start;
}

static char *path_in(const char *folder, const char *suffix)
{
    return heap_print("%s/lock%s%s", folder, *suffix ? "." : "", suffix);
}

bool lease_held(const char *folder, struct lease_owner *owner)
{
    struct lock_sight sight;
    char *path = path_in(folder, "");
    bool there = lock_look(path, &sight) == LOCK_SEEN;
    free(path);
    if (!there) return false;
    struct lease_owner self = lock_self();
    if (is_stale(&sight, &self, time_seconds() + ahead)) return false;
    if (owner) *owner = sight.owner;
    return true;
}

double lease_silence(const struct lease_owner *owner)
{
    const double silent = owner->seconds - owner->left;
    return owner->near || silent < owner->seconds / 4 ? 0 : silent;
}

enum away {
    AWAY_GONE,
    AWAY_OTHER, /* the name is absent or another lock has it; nothing was removed */
    AWAY_FAULT  /* error in errno; the lock is put back if possible */
};

/* Removes the lock `seen`: renames it to a private name and checks it again. If the renamed file
 * turns out to be another lock, or was renewed, link() puts it back. link() never replaces a file
 * that has got the name meanwhile. */
static enum away take_away(const char *folder, const char *path, const struct lock_sight *seen,
                           const char *nonce)
{
    struct lock_sight moved;
    SCOPED(heap_free) char *suffix = heap_print("%s-old", nonce), *aside = path_in(folder, suffix);
    enum away away = AWAY_GONE;
    int error = 0;
    if (!path_rename(path, aside, 0)) {
        error = errno;
        away = error == ENOENT ? AWAY_OTHER : AWAY_FAULT;
    } else if (lock_look(aside, &moved) != LOCK_SEEN) {
        error = errno;
        away = AWAY_FAULT;
    } else if (strcmp(moved.owner.nonce, seen->owner.nonce) != 0 ||
               moved.modified.tv_sec != seen->modified.tv_sec ||
               moved.modified.tv_nsec != seen->modified.tv_nsec) {
        away = AWAY_OTHER;
    }
    bool back = away == AWAY_GONE || path_link(aside, path) || errno == EEXIST || errno == ENOENT;
    if (!back) error = errno, away = AWAY_FAULT;
    if (back) path_unlink(aside);
    errno = error;
    return away;
}

/* Returns the current time by the clock that stamps files in the folder; 0 if it is unknown. Renews
 * the lease. */
static double folder_now(const struct lease *lease)
{
    struct stat info;
    return futimens(lease->file, NULL) == 0 && fstat(lease->file, &info) == 0
               ? lock_seconds(info.st_mtim)
               : 0;
}

/* Kinds of litter in a folder. One listing finds them, so that most folders are listed once. */
enum litter {
    LITTER_LOCK = 1,     /* a lock */
    LITTER_PRIVATE = 2,  /* private locks */
    LITTER_TEMPORARY = 4 /* temporary files, or a folder that may have some */
};

static unsigned find_litter(const char *folder)
{
    unsigned found = 0;
    DIR *names = file_list(folder);
    for (const struct dirent *entry; (entry = file_next_entry(names));) {
        const char *name = entry->d_name;
        if (!strcmp(name, "lock")) found |= LITTER_LOCK;
        if (!strncmp(name, "lock.", 5)) found |= LITTER_PRIVATE;
        if (file_is_temporary(name) || entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
            found |= LITTER_TEMPORARY;
    }
    return found;
}

/* Removes the stale private locks of the folder, which dead takers left. */
static void sweep_locks(const char *folder, const struct lease_owner *self, double now)
{
    DIR *names = file_list(folder);
    for (const char *name; (name = file_next(names));) {
        struct lock_sight sight;
        if (strncmp(name, "lock.", 5) != 0) continue;
        SCOPED(heap_free) char *path = heap_print("%s/%s", folder, name);
        if (lock_look(path, &sight) == LOCK_SEEN && strcmp(sight.owner.nonce, self->nonce) != 0 &&
            is_stale(&sight, self, now))
            path_unlink(path);
    }
}

/* Removes stale private locks and temporary files. A process that was frozen for longer than its
 * lease may have lost it. Then it must not remove the files of the new owner. */
static void sweep(struct lease *lease, double now)
{
    const unsigned litter = find_litter(lease->folder);
    if (litter & LITTER_PRIVATE) sweep_locks(lease->folder, &lease->self, now);
    if (litter & LITTER_TEMPORARY && sweep_temporaries(lease->folder, false) && lease_mine(lease))
        sweep_temporaries(lease->folder, true);
}

void lease_sweep(struct lease *lease)
{
    sweep(lease, folder_now(lease));
}

/* Returns a message about a lock and the current errno: one line from the heap. */
static char *path_fault(const char *path, const char *what)
{
    const int error = errno;
    struct stat info;
    if (path_stat(path, &info) && !S_ISREG(info.st_mode))
        return heap_print("%s: is not a regular file; expected a lock file", path);
    return heap_print("%s: %s: %s", path, what, file_why(error));
}

/* Links the private file `mine` to the lock's name. Returns false if another lock has the name, or
 * on an error, which sets *fault. */
static bool take_name(const char *mine, const char *path, int file, const struct lease_owner *self,
                      char **fault)
{
    struct stat info;
    struct lock_sight sight;
    const int error = path_link(mine, path) ? 0 : errno;
    /* link() may fail although it made the link, if the reply of a file server gets lost. Then the
     * link count or the nonce shows success. */
    if (fstat(file, &info) == 0 && info.st_nlink == 2) return true;
    const enum lock_look now = lock_look(path, &sight);
    if (now == LOCK_SEEN && !strcmp(sight.owner.nonce, self->nonce)) return true;
    if (now == LOCK_FAULT) {
        *fault = path_fault(path, "cannot be read");
    } else if (now == LOCK_ABSENT && error && error != EEXIST) {
        errno = error;
        *fault = path_fault(path, "cannot be made");
    }
    return false;
}

/* The part of lease_try that runs during a turn at the folder. Returns the file of the new lock, or
 * -1. */
static int take(const char *folder, const char *path, struct lease_owner *self, double *now,
                char **fault)
{
    struct lock_sight seen;
    const enum lock_look found = lock_look(path, &seen);
    if (found == LOCK_FAULT) {
        *fault = path_fault(path, "cannot be read");
        return -1;
    }
    if (found == LOCK_SEEN) self->attempt = seen.owner.attempt + 1;
    char *mine = path_in(folder, self->nonce);
    const double before = time_seconds();
    int file = lock_write(mine, self, now);
    if (file < 0) {
        *fault = path_fault(mine, "cannot be written");
        free(mine);
        return -1;
    }
    compare_clocks(before, *now);
    bool taken = found == LOCK_ABSENT;
    if (found == LOCK_SEEN && is_stale(&seen, self, *now)) {
        const enum away away = take_away(folder, path, &seen, self->nonce);
        if (away == AWAY_FAULT) *fault = path_fault(path, "cannot be removed");
        taken = away == AWAY_GONE;
    }
    taken = taken && take_name(mine, path, file, self, fault);
    path_unlink(mine);
    free(mine);
    if (taken) return file;
    close(file);
    return -1;
}

struct lease *lease_try(const char *folder, char **fault)
{
    struct lease_owner self = lock_self();
    double now = 0;
    *fault = NULL;
    int turn = file_turn(folder, 1); /* protects new locks from being moved aside */
    if (turn < 0) {
        *fault = heap_print("%s: cannot be read: %s", folder, file_why(errno));
        return NULL;
    }
    char *path = path_in(folder, "");
    int file = take(folder, path, &self, &now, fault);
    if (file < 0) {
        close(turn);
        free(path);
        return NULL;
    }
    struct lease *lease = heap_alloc(sizeof *lease);
    *lease = (struct lease){
        .folder = heap_print("%s", folder), .path = path, .file = file, .self = self};
    lease->renewed = clock_seconds();
    pthread_mutex_lock(&held_mutex);
    lease->next = held;
    held = lease;
    pthread_mutex_unlock(&held_mutex);
    close(turn);
    sweep(lease, now);
    return lease;
}

void lease_tidy(const char *folder)
{
    char *fault = NULL;
    const unsigned litter = find_litter(folder);
    if (!(litter & (LITTER_LOCK | LITTER_PRIVATE)) &&
        !(litter & LITTER_TEMPORARY && sweep_temporaries(folder, false)))
        return;
    struct lease *lease = lease_try(folder, &fault);
    if (lease) lease_release(lease);
    free(fault);
}

/* An owner renews its lock, then checks that the lock is still its own. A taker renames a lock,
 * then checks its time. In every order of these four actions, one of the two processes sees the
 * action of the other. */
bool lease_mine(struct lease *lease)
{
    double now = clock_seconds();
    if (now - lease->renewed > lease->self.seconds / beats_per_lease &&
        futimens(lease->file, NULL) == 0)
        lease->renewed = now;
    struct stat own, named;
    if (fstat(lease->file, &own) == 0 && path_stat(lease->path, &named) &&
        own.st_dev == named.st_dev && own.st_ino == named.st_ino)
        return true;
    for (int tries = 1;; tries++) {
        struct lock_sight sight;
        const enum lock_look seen = lock_look(lease->path, &sight);
        if (seen == LOCK_SEEN) return !strcmp(sight.owner.nonce, lease->self.nonce);
        /* A taker that has seen an older lock may have renamed this lock for a moment. A lock that
         * cannot be read still belongs to this process as long as no other process could have taken
         * it over. */
        const bool lasts = clock_seconds() - lease->renewed < lease->self.seconds / 2;
        if (tries >= TRIES && !(seen == LOCK_FAULT && lasts)) return false;
        rest();
    }
}

static void *keep(void *context)
{
    struct lease *lease = context;
    double beat = lease->self.seconds / beats_per_lease;
    bool mine = true;
    pthread_mutex_lock(&lease->mutex);
    while (mine && !lease->released) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        double next = lock_seconds(until) + beat;
        until.tv_sec = (time_t)next;
        until.tv_nsec = (long)((next - (double)until.tv_sec) * 1e9);
        int status = pthread_cond_timedwait(&lease->wake, &lease->mutex, &until);
        if (status != ETIMEDOUT || lease->released) continue;
        pthread_mutex_unlock(&lease->mutex);
        mine = lease_mine(lease);
        pthread_mutex_lock(&lease->mutex);
    }
    pthread_mutex_unlock(&lease->mutex);
    if (!mine) lease->lost(lease->context);
    return NULL;
}

void lease_keep(struct lease *lease, void (*lost)(void *context), void *context)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    lease->lost = lost;
    lease->context = context;
    pthread_mutex_init(&lease->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lease->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&lease->keeper, NULL, keep, lease);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) die("cannot start the heartbeat thread: %s", strerror(error));
    lease->kept = true;
}

static void stop_keeping(struct lease *lease)
{
    pthread_mutex_lock(&lease->mutex);
    lease->released = true;
    pthread_cond_signal(&lease->wake);
    pthread_mutex_unlock(&lease->mutex);
    pthread_join(lease->keeper, NULL);
    pthread_cond_destroy(&lease->wake);
    pthread_mutex_destroy(&lease->mutex);
}

/* Removes the lock's name if this process still holds the lock. */
static enum away give_back(const struct lease *lease)
{
    struct lock_sight seen;
    const enum lock_look found = lock_look(lease->path, &seen);
    if (found == LOCK_FAULT) return AWAY_FAULT;
    if (found == LOCK_ABSENT || strcmp(seen.owner.nonce, lease->self.nonce) != 0) return AWAY_OTHER;
    return take_away(lease->folder, lease->path, &seen, lease->self.nonce);
}

void lease_release(struct lease *lease)
{
    static const struct timespec long_ago[2];
    if (lease->kept) stop_keeping(lease);
    enum away away = give_back(lease);
    for (int tries = 1; away == AWAY_FAULT && tries < TRIES; tries++) {
        rest();
        away = give_back(lease);
    }
    if (away == AWAY_FAULT) futimens(lease->file, long_ago); /* stale for every process */
    pthread_mutex_lock(&held_mutex);
    struct lease **at = &held;
    while (*at && *at != lease) at = &(*at)->next;
    if (*at) *at = lease->next;
    pthread_mutex_unlock(&held_mutex);
    close(lease->file);
    free(lease->folder);
    free(lease->path);
    free(lease);
}
